//! The stream: whatever is written comes back to the stated resolution, and whatever happens to the bytes, what came before
//! the damage is whole.

use fender_run::stream::head::{BodyHead, CurveHead, FieldHead, GapHead, JointHead, LoopHead, PointHead};
use fender_run::stream::{
    Encoder, Frame, FrameContact, FrameOutline, FramePolygon, Head, Node, Resolution, read, records,
};
use proptest::collection::vec;
use proptest::prelude::*;

const BODIES: usize = 3;

fn head() -> Head {
    let body = |i: usize| BodyHead {
        name: format!("body{i}"),
        motion: "free".into(),
        mass: Some(1.0),
        center: [0.0; 3],
        colour: None,
        shapes: vec![],
        meshes: vec![],
        bounds: None,
    };
    Head {
        name: "test".into(),
        title: "Test".into(),
        description: String::new(),
        version: "0".into(),
        hash: "0".into(),
        period: 0.04,
        duration: 1.0,
        gravity: [0.0, 0.0, -9.81],
        integrator: "rk4, 1 ms".into(),
        parameters: serde_json::Map::new(),
        resolution: Resolution { length: 1e-5, quaternion: 1e-6, force: 1e-3, depth: 1e-9 },
        bodies: (0..BODIES).map(body).collect(),
        curves: vec![CurveHead { name: "rope".into(), radius: 0.01 }],
        fields: vec![FieldHead {
            name: "sea".into(),
            kind: "water".into(),
            origin: [0.0; 2],
            spacing: [1.0; 2],
            count: [2, 3],
        }],
        joints: vec![JointHead {
            name: "hinge".into(),
            kind: "revolute".into(),
            body: 1,
            position: [0.1, 0.0, 0.0],
            axis: [0.0, 0.0, 1.0],
            axes: vec![],
        }],
        loops: vec![LoopHead {
            name: "cylinder".into(),
            kind: "distance".into(),
            driven: true,
            attached: false,
            points: vec![
                PointHead { body: -1, position: [0.0; 3] },
                PointHead { body: 1, position: [0.0, 0.5, 0.0] },
            ],
            axis: None,
        }],
        gaps: vec![GapHead { a: 0, b: 1 }],
        views: vec![],
        signals: vec![],
        plots: vec![vec!["energy".into()]],
    }
}

/// Everyday numbers, and now and then one that is far out or none at all.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        20 => -100.0..100.0_f64,
        2 => -1e6..1e6_f64,
        1 => prop::sample::select(vec![0.0, 1e30, -1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324]),
    ]
}

fn numbers<const N: usize>() -> impl Strategy<Value = [f64; N]> {
    vec(number(), N).prop_map(|v| v.try_into().expect("it has N numbers"))
}

fn contact() -> impl Strategy<Value = FrameContact> {
    let bodies = (0..BODIES as u32, 0..BODIES as u32).prop_map(|(a, b)| [a, b]);
    (bodies, any::<bool>(), numbers(), numbers(), numbers(), number(), number()).prop_map(
        |(bodies, sliding, point, normal, friction, depth, patch)| FrameContact {
            bodies,
            sliding,
            point,
            normal,
            friction,
            depth,
            patch,
        },
    )
}

/// A polygon of any size, with up to three rings.
fn polygon() -> impl Strategy<Value = FramePolygon> {
    let place = || prop::array::uniform3(-1.0..1.0_f64);
    let sized = (vec(place(), 1..6), place(), -6..4_i32).prop_map(|(corners, center, power)| {
        let scaled = |place: [f64; 3]| place.map(|x| x * 10.0_f64.powi(power));
        (corners.into_iter().map(scaled).collect::<Vec<_>>(), scaled(center))
    });
    (sized, 0..4_usize).prop_flat_map(|((corners, center), rings)| {
        let count = corners.len() * (rings + 1) + usize::from(rings > 0);
        vec(any::<u8>(), count).prop_map(move |loads| FramePolygon {
            corners: corners.clone(),
            center: (rings > 0).then_some(center),
            loads,
        })
    })
}

/// An outline of a contact that is still to be chosen.
fn outline() -> impl Strategy<Value = FrameOutline> {
    let pressure = prop::option::of(0.0..1e9_f32);
    (pressure, number(), vec(polygon(), 0..4)).prop_map(|(pressure, depth, polygons)| FrameOutline {
        contact: 0,
        pressure,
        depth,
        polygons,
    })
}

fn frame() -> impl Strategy<Value = Frame> {
    let node = (numbers(), number()).prop_map(|(position, tension)| Node { position, tension });
    (
        number().prop_filter("a time is a number", |t| t.is_finite()),
        vec(0..BODIES as u32, 0..2),
        vec(numbers(), BODIES),
        vec(vec(node, 0..5), 1),
        vec(vec(number(), 6), 1),
        vec(numbers(), 1),
        vec((contact(), prop::option::of(outline())), 0..6),
    )
        .prop_map(|(time, absent, poses, curves, fields, gaps, contacts)| {
            let outlines = contacts.iter().enumerate().filter_map(|(i, (_, outline))| {
                outline.clone().map(|outline| FrameOutline { contact: i as u32, ..outline })
            });
            Frame {
                time,
                absent,
                poses,
                curves,
                fields,
                gaps,
                outlines: outlines.collect(),
                contacts: contacts.into_iter().map(|(contact, _)| contact).collect(),
            }
        })
}

fn encode(frames: &[Frame], block: u32) -> Vec<u8> {
    let head = head();
    let mut stream = head.begin();
    let mut encoder = Encoder::new(head.resolution, head.layout());
    encoder.block = block;
    for frame in frames {
        encoder.push(frame, &mut stream);
    }
    encoder.close(&mut stream);
    stream
}

/// Checks a number that came back.
fn near(got: f64, value: f64, step: f64) -> Result<(), TestCaseError> {
    let largest = (1_u64 << 51) as f64 * step;
    let expected = if value.is_nan() { 0.0 } else { value.clamp(-largest, largest) };
    let slack = 0.5 * step * (1.0 + 1e-9) + 1e-15 * expected.abs();
    prop_assert!((got - expected).abs() <= slack, "{got} is not {value} to {step}");
    Ok(())
}

fn all_near(got: &[f64], values: &[f64], step: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(got.len(), values.len());
    got.iter().zip(values).try_for_each(|(g, v)| near(*g, *v, step))
}

fn check(got: &Frame, frame: &Frame) -> Result<(), TestCaseError> {
    let r = head().resolution;
    prop_assert_eq!(got.time.to_bits(), frame.time.to_bits());
    prop_assert_eq!(&got.absent, &frame.absent);
    for (g, f) in got.poses.iter().zip(&frame.poses) {
        all_near(&g[..3], &f[..3], r.length)?;
        all_near(&g[3..], &f[3..], r.quaternion)?;
    }
    for (g, f) in got.curves.iter().zip(&frame.curves) {
        prop_assert_eq!(g.len(), f.len());
        for (g, f) in g.iter().zip(f) {
            all_near(&g.position, &f.position, r.length)?;
            near(g.tension, f.tension, r.force)?;
        }
    }
    all_near(&got.fields[0], &frame.fields[0], r.length)?;
    all_near(&got.gaps[0], &frame.gaps[0], r.length)?;
    prop_assert_eq!(got.contacts.len(), frame.contacts.len());
    for (g, f) in got.contacts.iter().zip(&frame.contacts) {
        prop_assert_eq!((g.bodies, g.sliding), (f.bodies, f.sliding));
        all_near(&g.point, &f.point, r.length)?;
        all_near(&g.normal, &f.normal, r.force)?;
        all_near(&g.friction, &f.friction, r.force)?;
        near(g.depth, f.depth, r.depth)?;
        near(g.patch, f.patch, r.length)?;
    }
    prop_assert_eq!(got.outlines.len(), frame.outlines.len());
    for (g, f) in got.outlines.iter().zip(&frame.outlines) {
        prop_assert_eq!((g.contact, g.pressure), (f.contact, f.pressure));
        near(g.depth, f.depth, r.depth)?;
        prop_assert_eq!(g.polygons.len(), f.polygons.len());
        // Steps are at least as fine as a thousandth of the outline.
        let places = || f.polygons.iter().flat_map(|p| p.corners.iter().chain(&p.center)).flatten();
        let step = places().fold(0.0_f64, |most, x| most.max(x.abs())) / 1000.0;
        for (g, f) in g.polygons.iter().zip(&f.polygons) {
            prop_assert_eq!(&g.loads, &f.loads);
            prop_assert_eq!(g.center.is_some(), f.center.is_some());
            prop_assert_eq!(g.corners.len(), f.corners.len());
            for (g, f) in g.corners.iter().chain(&g.center).zip(f.corners.iter().chain(&f.center)) {
                all_near(g, f, step.max(r.length))?;
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn frames_come_back_to_the_stated_resolution(frames in vec(frame(), 0..8), block in 1..5_u32) {
        let got = read(&encode(&frames, block)).unwrap();
        prop_assert_eq!(&got.head, &head());
        prop_assert_eq!(got.frames.len(), frames.len());
        for (g, f) in got.frames.iter().zip(&frames) {
            check(g, f)?;
        }
        // What has been rounded once stays as it is, however it is cut into records, and is written the same.
        let again = encode(&got.frames, 3);
        prop_assert_eq!(&read(&again).unwrap().frames, &got.frames);
        prop_assert!(again == encode(&frames, 3));
    }

    #[test]
    fn a_stream_cut_anywhere_gives_its_whole_records(frames in vec(frame(), 1..6), cut in 0.0..1.0_f64) {
        let bytes = encode(&frames, 2);
        let whole = read(&bytes).unwrap().frames;
        let cut = (cut * bytes.len() as f64) as usize;
        match read(&bytes[..cut]) {
            Ok(part) => {
                prop_assert!(part.frames.len() < whole.len());
                prop_assert!(part.frames.len() == whole.len() - 1 || part.frames.len() % 2 == 0);
                prop_assert_eq!(&part.frames[..], &whole[..part.frames.len()]);
            }
            Err(_) => prop_assert!(cut < head().begin().len()),
        }
    }

    #[test]
    fn a_stream_damaged_anywhere_gives_what_came_before(
        frames in vec(frame(), 1..6),
        at in 0.0..1.0_f64,
        flip in 1..=255_u8,
    ) {
        let mut bytes = encode(&frames, 1);
        let whole = read(&bytes).unwrap().frames;
        let at = (at * bytes.len() as f64) as usize;
        bytes[at] ^= flip;
        if let Ok(part) = read(&bytes) {
            // A kind that nobody knows is skipped, which may cost a frame its outlines; everything else ends the stream or
            // changes nothing.
            let is_known = |f: &Frame| {
                let with_these = |w: &Frame| Frame { outlines: f.outlines.clone(), ..w.clone() };
                whole.iter().any(|w| w == f || f.outlines.is_empty() && with_these(w) == *f)
            };
            prop_assert!(part.frames.iter().all(is_known));
        }
    }

    #[test]
    fn any_bytes_can_be_read(rubbish in vec(any::<u8>(), 0..300), kind in prop::sample::select(b"HFPSEZCM?".to_vec())) {
        // Whole records whose contents are rubbish: nothing panics, nothing takes all memory.
        let mut bytes = head().begin();
        fender_run::stream::record::put(&mut bytes, kind, &rubbish);
        let _ = read(&bytes);
        let mut bytes = b"FENDERFR\x02\0\0\0".to_vec();
        bytes.extend(&rubbish);
        prop_assert!(records(&bytes).unwrap().count() == 0 || !rubbish.is_empty());
    }
}

/// A contact that stays where it is costs a byte per number; one between other bodies does not borrow its numbers.
#[test]
fn contacts_are_differences_from_those_at_the_same_place() {
    let contact =
        |bodies: [u32; 2], x: f64| FrameContact { bodies, point: [x, 0.0, 0.0], ..Default::default() };
    let frame = |time: f64, contacts: Vec<FrameContact>| Frame {
        time,
        poses: vec![[0.0; 7]; BODIES],
        curves: vec![vec![]],
        fields: vec![vec![0.0; 6]],
        gaps: vec![[0.0; 6]],
        contacts,
        ..Frame::default()
    };
    let far = 1234.56789;
    let payload = |second: FrameContact| {
        let stream = encode(&[frame(0.0, vec![contact([1, 2], far)]), frame(1.0, vec![second])], 25);
        let record = records(&stream).unwrap().find(|r| r.kind == b'F').unwrap();
        let size = record.payload().unwrap().len();
        (size, read(&stream).unwrap().frames[1].contacts[0].point[0])
    };
    let (same, x) = payload(contact([1, 2], far));
    let (other, y) = payload(contact([0, 2], far));
    assert!((x - far).abs() < 1e-5 && (y - far).abs() < 1e-5);
    // 123 456 789 steps of 10 µm take four bytes, and no difference takes one.
    assert_eq!(other, same + 3);
}

/// A run of an older version has no outlines, and a reader that does not know them skips them.
#[test]
fn outlines_are_a_record_of_their_own() {
    let outline = FrameOutline {
        contact: 1,
        pressure: Some(2e4),
        depth: 1e-3,
        polygons: vec![FramePolygon { corners: vec![[0.1; 3]; 4], center: None, loads: vec![255; 4] }],
    };
    let contact = FrameContact { bodies: [0, 1], ..FrameContact::default() };
    let frame = |outlines: Vec<FrameOutline>| Frame {
        poses: vec![[0.0; 7]; BODIES],
        contacts: vec![contact; 2],
        outlines,
        ..Frame::default()
    };
    let kinds = |stream: &[u8]| records(stream).unwrap().map(|r| char::from(r.kind)).collect::<String>();
    let with = encode(&[frame(vec![outline.clone()])], 25);
    let without = encode(&[frame(vec![])], 25);
    assert_eq!((kinds(&with).as_str(), kinds(&without).as_str()), ("HPF", "HF"));
    assert_eq!(read(&with).unwrap().frames[0].outlines, [outline]);
    // Without the record of outlines the rest of the stream is the same.
    let cut = records(&with).unwrap().filter(|r| r.kind != b'P').flat_map(|r| r.bytes.to_vec());
    assert_eq!(fender_run::stream::record::begin().into_iter().chain(cut).collect::<Vec<_>>(), without);
}

/// 300 boxes that lie still, the first under a law of depth and the others on a foundation, which has a pressure.
#[test]
fn boxes_at_rest_have_the_outlines_of_their_bottoms_with_their_weight_as_pressure() {
    let mut text = String::from(
        r#"
format = 1
title = "Boxes"
run = { duration = 1, integrator.rk4 = { step = 1e-3 } }
world.gravity = [0, 0, -10]

[material.steel]
[material.rubber]

[body.floor]
fixed = true
shape.half_space = { normal = [0, 0, 1] }
material = "steel"

[[contact]]
between = ["steel", "steel"]
normal.linear = { stiffness = "1e5 N/m", restitution = 0.5 }

[[contact]]
between = ["steel", "rubber"]
normal.foundation = { stiffness = "1e7 N/m^3", restitution = 0.5 }

[[contact]]
between = ["rubber", "rubber"]
normal.linear = { stiffness = "1e5 N/m", restitution = 0.5 }
"#,
    );
    for i in 0..300 {
        // 0.2 mm and 1/30 mm under 20 N.
        let (material, depth) = if i == 0 { ("steel", 2e-4) } else { ("rubber", 1e-4 / 3.0) };
        let (x, z) = (f64::from(i), 0.05 - depth);
        text += &format!(
            "[body.b{i}]\nshape.box = {{ size = [0.3, 0.2, 0.1] }}\nmass = 2\nmaterial = \"{material}\"\nposition = [{x}, 0, {z}]\n"
        );
    }
    let scenario = fender_scenario::load_str("boxes", &text, &fender_scenario::Assets::none(), &[]);
    let scenario = scenario.unwrap_or_else(|e| panic!("{e}"));
    let head = Head::of(&scenario, &fender_run::table::Table::default());
    let world = fender_engine::World::new(scenario.model);
    let mut frames = fender_run::stream::FrameRecorder::new(&world.model, vec![]);
    frames.sample(&world);
    frames.close();
    let shown = read(&[head.begin(), frames.records].concat()).unwrap();
    let frame = &shown.frames[0];
    assert_eq!((frame.contacts.len(), frame.outlines.len()), (300, 256));
    let corners = |outline: &FrameOutline| {
        let [polygon] = &outline.polygons[..] else { panic!("{outline:?}") };
        assert_eq!((&polygon.loads[..], polygon.center), (&[255; 4][..], None));
        let mut corners: Vec<[i64; 3]> =
            polygon.corners.iter().map(|c| c.map(|x| (x * 1e3).round() as i64)).collect();
        corners.sort_unstable();
        corners
    };
    for (i, outline) in frame.outlines.iter().enumerate() {
        assert_eq!(outline.contact, i as u32);
        assert_eq!(corners(outline), [[-150, -100, 0], [-150, 100, 0], [150, -100, 0], [150, 100, 0]]);
    }
    let [first, second] = [0, 1].map(|i| &frame.outlines[i]);
    assert!(first.pressure.is_none() && (first.depth - 2e-4).abs() < 1e-9);
    let pressure = second.pressure.unwrap();
    assert!((pressure - 20.0 / 0.06).abs() < 0.1 && (second.depth - 1e-4 / 3.0).abs() < 1e-9, "{second:?}");
    // A disc with the area of the patch.
    let area = frame.contacts[0].patch.powi(2) * std::f64::consts::PI;
    assert!((area - 0.06).abs() < 1e-5, "{area}");
}

/// What a scenario says about how it is looked at is in the head, and what it says of gaps is in the frames.
#[test]
fn the_head_tells_what_there_is_and_the_frames_where_it_is_nearest() {
    const LOOK: &str = r##"
format = 1
title = "Two balls over a floor"
description = "They fall."

[parameter]
height = "1 m"

[run]
duration = "0.1 s"
integrator.semi_implicit_euler = { step = "0.5 ms" }

[material.steel]

[body.floor]
fixed = true
shape.half_space = { normal = [0, 0, 1] }
material = "steel"

[body.ball]
shape.sphere = { radius = "0.1 m" }
mass = "2 kg"
material = "steel"
position = [0.5, 0, "$height"]
colour = "#dd3b40"

[body.rod]
mass = "1 kg"
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 3]
visual = [{ mesh = "rod.stl", scale = 0.001, position = [0, 0, 0.5] }]

[[contact]]
between = ["steel", "steel"]
normal.linear = { stiffness = 1e5, restitution = 0.5 }
friction.coulomb = { coefficient = 0.4 }

[frames]
gaps = [["floor", "ball"]]

[view.side]
eye = [0, -5, 1]
target = [0, 0, 1]
follow = "ball"
"##;
    let stl = "solid rod\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 100 0 0\nvertex 0 200 0\nendloop\nendfacet\nendsolid rod\n";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("scenario.toml"), LOOK).unwrap();
    std::fs::write(dir.path().join("rod.stl"), stl).unwrap();
    let scenario = fender_scenario::load(dir.path(), &[]).unwrap_or_else(|e| panic!("{e:?}"));
    let out = dir.path().join("out");
    let options = fender_run::RunOptions::new(fender_run::Out::Folder { path: out.clone(), force: false });
    fender_run::run(scenario, &options, &mut |_| fender_run::Flow::Continue).unwrap();
    let html = std::fs::read_to_string(out.join("report.html")).unwrap();
    let shown = read(&fender_run::report::streams_in(&html)[0].1).unwrap();

    let head = &shown.head;
    assert_eq!((head.parameters["height"].as_str(), head.description.as_str()), (Some("1 m"), "They fall."));
    assert_eq!(head.integrator, "semi_implicit_euler, 0.5 ms");
    let body = |name: &str| head.bodies.iter().position(|b| b.name == name).unwrap();
    let [floor, ball, rod] = ["floor", "ball", "rod"].map(|name| &head.bodies[body(name)]);
    assert_eq!((floor.motion.as_str(), floor.mass, floor.bounds), ("fixed", None, None));
    assert_eq!((ball.mass, ball.shapes[0].radius), (Some(2.0), Some(0.1)));
    assert!(ball.colour.is_some_and(|[r, g, b]| r > g && r > b));
    assert_eq!(ball.bounds.unwrap().max, [0.1; 3]);
    // The mesh is in millimetres, half a metre above the body's origin.
    assert_eq!((rod.meshes[0].mesh, rod.meshes[0].scale), (0, [0.001; 3]));
    let bounds = rod.bounds.unwrap();
    assert!(bounds.max.iter().zip([0.1, 0.2, 0.5]).all(|(a, b)| (a - b).abs() < 1e-9), "{bounds:?}");
    assert_eq!((shown.meshes.len(), shown.meshes[0].1.triangles.len()), (1, 1));
    assert_eq!((head.views[0].name.as_str(), head.views[0].follow), ("side", Some(body("ball") as u32)));
    assert_eq!(head.gaps, [GapHead { a: body("floor") as u32, b: body("ball") as u32 }]);
    for frame in &shown.frames {
        let z = frame.poses[body("ball")][2];
        let expected = [0.5, 0.0, 0.0, 0.5, 0.0, z - 0.1];
        assert!(frame.gaps[0].iter().zip(expected).all(|(a, b)| (a - b).abs() < 2e-5), "{:?}", frame.gaps[0]);
    }
}

/// Loops are told with their points in the bodies' frames; a head without them is one of an older run.
#[test]
fn loops_are_told_with_their_points() {
    const MECHANISM: &str = r#"
format = 1
title = "t"
run = { duration = 1, integrator.rk4 = { step = 1e-3 } }

[body.a]
mass = 1
inertia = [1, 1, 1]
position = [0, 0, 1]
orientation.axis_angle = { axis = [0, 0, 1], angle = "90 deg" }

[body.b]
mass = 1
inertia = [1, 1, 1]
position = [2, 0, 1]
orientation.axis_angle = { axis = [0, 0, 1], angle = "90 deg" }

[joint.a]
child = "a"
motion.revolute = { axis = [0, 1, 0] }

[joint.b]
child = "b"
motion.cylindrical = { axis = [0, 0, 1] }

[loop.pin]
close.axis = { between = ["a", "world"], at = [0, 0.5, 1], axis = [0, 1, 0] }

[loop.cylinder]
close.distance = { between = ["world", "b"], from = [5, 0, 0], to = [2, 1, 1], guide.points = [[0, 3.316], [1, 3.3]] }

[loop.clutch]
close.weld = { between = ["a", "d"] }
attached = false

[loop.tackle]
close.rope = { through = [["a", [0, 0, 0]], ["world", [1, 0, 3]], ["b", [2, 0, 2]]] }

[body.d]
mass = 1
inertia = [1, 1, 1]
position = [0, 0, 3]

[joint.cardan]
parent = "b"
child = "d"
motion.universal = { first_axis = [0, 1, 0], second_axis = [0, 0, 1] }

[loop.gear]
close.gear = { joints = ["a", "cardan.first"], ratio = 2 }
"#;
    let scenario = fender_scenario::load_str("t", MECHANISM, &fender_scenario::Assets::none(), &[]);
    let scenario = scenario.unwrap_or_else(|e| panic!("{e}"));
    let head = Head::of(&scenario, &fender_run::table::Table::default());
    let told = read(&head.begin()).unwrap().head;
    assert_eq!(told, head);
    let of = |name: &str| told.loops.iter().find(|l| l.name == name).unwrap();
    let near = |point: &PointHead, body: i64, position: [f64; 3]| {
        let off = point.position.iter().zip(position).fold(0.0_f64, |w, (a, b)| w.max((a - b).abs()));
        assert!(point.body == body && off < 1e-12, "{point:?} is not {body} {position:?}");
    };
    let (a, b) = (0, 1);
    assert_eq!((head.bodies[0].name.as_str(), head.bodies[1].name.as_str()), ("a", "b"));
    let pin = of("pin");
    assert_eq!((pin.kind.as_str(), pin.driven), ("axis", false));
    // Bodies a and b are turned by 90° about z: the world's y is their x.
    near(&pin.points[0], a, [0.5, 0.0, 0.0]);
    near(&pin.points[1], -1, [0.0, 0.5, 1.0]);
    near(&PointHead { body: a, position: pin.axis.unwrap() }, a, [1.0, 0.0, 0.0]);
    let cylinder = of("cylinder");
    assert_eq!((cylinder.kind.as_str(), cylinder.driven, cylinder.axis), ("distance", true, None));
    near(&cylinder.points[0], -1, [5.0, 0.0, 0.0]);
    near(&cylinder.points[1], b, [1.0, 0.0, 0.0]);
    let clutch = of("clutch");
    assert_eq!((clutch.kind.as_str(), clutch.attached, cylinder.attached), ("weld", false, true));
    let tackle = of("tackle");
    assert_eq!((tackle.kind.as_str(), tackle.points.len()), ("rope", 3));
    near(&tackle.points[0], a, [0.0, 0.0, -1.0]);
    near(&tackle.points[1], -1, [1.0, 0.0, 3.0]);
    near(&tackle.points[2], b, [0.0, 0.0, 1.0]);
    // A universal joint has one axis on its parent (the world's y is the x of b), and one on its child.
    let cardan = told.joints.iter().find(|j| j.name == "cardan").unwrap();
    let [first, second] = &cardan.axes[..] else { panic!("{cardan:?}") };
    near(&PointHead { body: first.body, position: first.direction }, b, [1.0, 0.0, 0.0]);
    near(&PointHead { body: second.body, position: second.direction }, 2, [0.0, 0.0, 1.0]);
    assert_eq!((of("gear").kind.as_str(), of("gear").points.len()), ("coupling", 0));

    let mut old = serde_json::to_value(&head).unwrap();
    old.as_object_mut().unwrap().remove("loops");
    assert_eq!(serde_json::from_value::<Head>(old).unwrap().loops, []);
}

/// A page of modes shows each for three seconds, as a chapter that says which it is.
#[test]
fn modes_are_shown_one_after_another() {
    // Slides against springs of 4π² and 16π² N/m with 1 kg each: 1 Hz and 2 Hz; a third without a spring.
    let mut text = String::from(
        "format = 1\ntitle = \"Slides\"\nrun = { duration = 1, integrator.rk4 = { step = 1e-3 } }\nworld.gravity = [0, 0, 0]\n",
    );
    let springs = ["spring.stiffness = 157.91367041742973", "", "spring.stiffness = 39.47841760435743"];
    for (i, spring) in springs.iter().enumerate() {
        text += &format!(
            "[body.b{i}]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, {i}, 0]\n\
             [joint.j{i}]\nchild = \"b{i}\"\nmotion.prismatic = {{ axis = [1, 0, 0], distance = {{ {spring} }} }}\n"
        );
    }
    let load = || fender_scenario::load_str("slides", &text, &fender_scenario::Assets::none(), &[]);
    let mut world = fender_engine::World::new(load().unwrap_or_else(|e| panic!("{e}")).model);
    let modes = fender_engine::balance::modes(&mut world);
    let told = fender_run::balance::animation(&load().unwrap(), &mut world, &modes);
    let shown = read(&told.stream).unwrap();
    let chapters: Vec<_> = shown.events.iter().map(|e| (e["time"].as_f64(), e["label"].as_str())).collect();
    assert_eq!(
        chapters,
        [
            (Some(0.0), Some("Mode 1 of 3: free")),
            (Some(3.0), Some("Mode 2 of 3: 1 Hz")),
            (Some(6.0), Some("Mode 3 of 3: 2 Hz"))
        ]
    );
    assert!(shown.events.iter().all(|e| e["kind"] == "chapter"));
    assert_eq!((shown.head.duration, shown.frames.len()), (9.0, 225));
    // In each chapter one of them moves.
    for (chapter, body) in [1, 2, 0].into_iter().enumerate() {
        for other in 0..3 {
            let frames = &shown.frames[75 * chapter..75 * (chapter + 1)];
            let far = frames.iter().map(|f| f.poses[other][0].abs()).fold(0.0, f64::max);
            assert_eq!(far > 0.01, other == body, "chapter {chapter}, body {other}: {far}");
        }
    }
}
