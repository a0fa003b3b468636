//! Against the closed forms of catenaries.

use super::*;

fn span(from: Vec3, to: Vec3, length: f64) -> Span {
    let weight = Vec3::new(0.0, 0.0, -100.0);
    Span { from, to, length, weight, stiffness: 1e12, bottom: None, top: None }
}

/// Length of the polyline.
fn way(points: &[(f64, Vec3)]) -> f64 {
    points.windows(2).map(|p| (p[1].1 - p[0].1).length()).sum()
}

#[test]
fn the_inextensible_catenary() {
    // y = a cosh(x/a), a = 30 m, from x = −40 to 60 m.
    let a: f64 = 30.0;
    let y = |x: f64| a * (x / a).cosh();
    let length = a * ((60.0 / a).sinh() + (40.0 / a).sinh());
    let (from, to) = (Vec3::new(-40.0, 0.0, y(-40.0)), Vec3::new(60.0, 0.0, y(60.0)));
    let points = hanging(&span(from, to, length), 400);
    for (s, p) in &points {
        let along = a * ((p.x / a).sinh() + (40.0 / a).sinh());
        // The stretch of EA = 1e12 N is 2e-8.
        assert!((p.z - y(p.x)).abs() < 1e-5 && (along - s).abs() < 1e-5, "{s} {p}");
    }
    assert_eq!((points[0].1, points[400].1), (from, to));
}

/// Irvine 1981, section 1.3: span 80 m, length 100 m, EA 1e7 N, weight 20 kg/m in water of 1025 kg/m³ with 0.05 m
/// diameter: 5953.004161 N horizontal, lowest place 36.6027044 m below the ends.
#[test]
fn the_elastic_catenary() {
    let w = 9.81 * (20.0 - 1025.0 * std::f64::consts::PI / 4.0 * 0.05 * 0.05);
    let plane = Plane { l: 80.0, h: 0.0, length: 100.0, w, flexibility: 1e-7 };
    let (tension, lift) = plane.solve().unwrap();
    assert!((tension - 5953.004161).abs() < 1e-5, "{tension}");
    assert!((lift + 0.5 * w * 100.0).abs() < 1e-6, "{lift}");
    let sag = plane.lowest(tension, lift);
    // Irvine's equations give it to the digits of the tension.
    let closed =
        -(w * 100.0).powi(2) / 8.0 / w * 1e-7 - ((tension.powi(2) + lift.powi(2)).sqrt() - tension) / w;
    assert!((sag - closed).abs() < 1e-9, "{sag} {closed}");
}

#[test]
fn a_taut_line_is_stretched_evenly_and_sags_a_little() {
    let mut taut = span(Vec3::ZERO, Vec3::new(0.0, 103.0, 0.0), 100.0);
    taut.stiffness = 1e7;
    let points = hanging(&taut, 100);
    let middle = points[50].1;
    // Parabola of the weight of 100 m: W l/(8 H) with H = EA·3 %.
    let sag = 100.0 * 100.0 * 103.0 / (8.0 * 3e5);
    assert!((middle.y - 51.5).abs() < 1e-9 && (middle.z + sag).abs() < 0.01 * sag, "{middle} {sag}");
    // One that cannot be stretched is drawn straight.
    taut.weight = Vec3::ZERO;
    for (s, p) in hanging(&taut, 10) {
        assert!((p - Vec3::new(0.0, 1.03 * s, 0.0)).length() < 1e-12);
    }
}

#[test]
fn many_shapes_have_the_right_length_and_ends() {
    for h in [-80.0, -3.0, 0.0, 25.0, 90.0] {
        for l in [1e-3, 0.5, 10.0, 40.0] {
            for factor in [1.0001, 1.01, 1.3, 4.0, 50.0] {
                let to = Vec3::new(0.6 * l, 0.8 * l, h);
                let length = factor * to.length();
                let points = hanging(&span(Vec3::ZERO, to, length), 2000);
                assert_eq!(points.len(), 2001);
                let way = way(&points);
                assert!((way / length - 1.0).abs() < 2e-3, "{h} {l} {factor}: {way} {length}");
                assert!(points.iter().all(|(_, p)| (p.x * 0.8 - p.y * 0.6).abs() < 1e-9 * length));
            }
        }
    }
}

#[test]
fn ends_above_each_other_make_two_legs() {
    let points = hanging(&span(Vec3::ZERO, Vec3::new(0.0, 0.0, 2.0), 10.0), 10);
    assert_eq!(points[4].1, Vec3::new(0.0, 0.0, -4.0));
    assert_eq!(points[8].1, Vec3::new(0.0, 0.0, 0.0));
    // The same weight upward: it floats.
    let mut float = span(Vec3::ZERO, Vec3::new(8.0, 0.0, 0.0), 10.0);
    float.weight = Vec3::new(0.0, 0.0, 5.0);
    assert!(hanging(&float, 10)[5].1.z > 2.0);
    float.top = Some(1.0);
    assert_eq!(hanging(&float, 10)[5].1.z, 1.0);
}

/// Inextensible line with an anchor on the bottom: H (cosh(x/a) − 1)/w = h for the leg, closed form.
#[test]
fn a_mooring_line_lies_on_the_bottom() {
    let (a, depth): (f64, f64) = (150.0, 200.0);
    let width = a * (depth / a + 1.0).acosh();
    let leg = a * (width / a).sinh();
    let lying = 300.0;
    let (from, to) = (Vec3::new(0.0, 0.0, -200.0), Vec3::new(lying + width, 0.0, 0.0));
    let mut mooring = span(from, to, lying + leg);
    mooring.bottom = Some(-200.0);
    for (s, p) in hanging(&mooring, 500) {
        let expected = if s <= lying {
            Vec3::new(s, 0.0, -200.0)
        } else {
            let x = a * ((s - lying) / a).asinh();
            Vec3::new(lying + x, 0.0, -200.0 + a * ((x / a).cosh() - 1.0))
        };
        assert!((p - expected).length() < 1e-5, "{s}: {p} {expected}");
    }
    // Much too long: vertical legs, the rest on the bottom.
    mooring.length = 2000.0;
    let points = hanging(&mooring, 400);
    assert!(points.iter().all(|(_, p)| p.z >= -200.0));
    assert!((points[399].1 - to).length() < 5.0 + 1e-9 && points[399].1.x == to.x);
    // Both ends above it.
    let mut bight = span(Vec3::ZERO, Vec3::new(50.0, 0.0, 5.0), 70.0);
    bight.bottom = Some(-10.0);
    let points = hanging(&bight, 2000);
    assert!((way(&points) - 70.0).abs() < 1e-3);
    assert!(points.iter().all(|(_, p)| p.z >= -10.0) && points.iter().any(|(_, p)| p.z == -10.0));
}

#[test]
fn a_free_end_hangs_down_to_the_bottom_and_along_it() {
    let mut free = span(Vec3::new(1.0, 2.0, 0.0), Vec3::ZERO, 10.0);
    free.stiffness = 1e30;
    let points = dangling(&free, Vec3::X, 10);
    assert_eq!(points[10], (10.0, Vec3::new(1.0, 2.0, -10.0)));
    free.bottom = Some(-4.0);
    assert_eq!(dangling(&free, Vec3::new(0.0, 3.0, -9.0), 10)[10].1, Vec3::new(1.0, 8.0, -4.0));
    // Under its own weight it is longer by w L²/(2 EA).
    let soft = Span { bottom: None, stiffness: 1e5, ..free };
    assert!((dangling(&soft, Vec3::X, 10)[10].1.z + 10.05).abs() < 1e-12);
}

#[test]
fn the_parameter_of_the_catenary() {
    for xi in [1e-4, 0.03, 1.0, 4.0, 30.0, 600.0] {
        let ratio = f64::sinh(xi) / xi;
        let got = stretch_parameter(ratio);
        // The ratio of a nearly straight line says little of ξ.
        let tolerance = 1e-12 * xi + 1e-15 / xi;
        assert!((got - xi).abs() < tolerance, "{xi} {got}");
    }
}
