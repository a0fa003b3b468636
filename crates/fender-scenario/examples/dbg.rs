use fender_engine::World;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let jump: f64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let s = fender_scenario::load(std::path::Path::new(&path), &[]).unwrap();
    let integrator = s.run.integrator.build();
    let names: Vec<String> = s.model.bodies.iter().map(|b| b.name.clone()).collect();
    let mut w = World::new(s.model);
    let mut last = 0.0;
    let mut before = String::new();
    let mut n = 0;
    while w.state.time < 4.0 && n < 6 {
        w.step(integrator.as_ref(), f64::INFINITY).unwrap();
        w.refresh();
        let r = w.energy().residual;
        let mut now = String::new();
        for c in w.contacts() {
            now += &format!(
                "   {} {} p={:.4} n={:.3} d={:.5} share={:.3} fn={:.0}\n",
                names[c.body_a.index()],
                names[c.body_b.index()],
                c.overlap.point,
                c.overlap.normal,
                c.overlap.depth,
                c.overlap.share,
                c.normal_force
            );
        }
        if (r - last).abs() > jump {
            n += 1;
            println!("t={} residual {last:.2} -> {r:.2}\nbefore\n{before}after\n{now}", w.state.time);
        }
        last = r;
        before = now;
    }
}
