//! Cables that other codes run too; `bench/README.md` defines them.

use fender_engine::cable::{CableSpec, Line, Pace, Point, Section, Tie};
use fender_engine::integrator::AlphaMethod;
use fender_engine::{
    BodyMotion, BodySpec, CableId, IntegratorSpec, Model, ModelBuilder, Surroundings, World,
};
use fender_marine::{Water, Wind};
use fender_math::series::PoseSeries;
use fender_math::{MassProperties, Pose, Quat, Twist, Vec3};
use std::f64::consts::TAU;
use std::sync::Arc;

/// The cable of every case.
pub const CABLE: CableId = CableId(0);
/// Time between samples [s].
pub const SAMPLE: f64 = 0.05;

/// Which case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// 100 m of soft line in water, one end moved in a circle.
    Soft,
    /// 20 m of wire rope with 500 kg, its top shaken.
    Stiff,
    /// A rod of rubber, pinned at one end, that falls.
    Rod,
}

impl Case {
    /// How long it runs [s].
    pub fn duration(self) -> f64 {
        if self == Self::Rod { 1.0 } else { 60.0 }
    }

    /// From when on the motion has its full size [s].
    pub fn ramp(self) -> f64 {
        match self {
            Self::Soft => 20.0,
            Self::Stiff => 2.0 / 0.15,
            Self::Rod => 0.0,
        }
    }

    /// The case with a number of elements.
    pub fn model(self, elements: usize) -> Model {
        match self {
            Self::Soft => soft(elements, None),
            Self::Stiff => stiff(elements),
            Self::Rod => rod(elements),
        }
    }

    /// What is compared: tension of the moved end's element [N], or place of the tip [m].
    pub fn sample(self, world: &World) -> [f64; 2] {
        let elements = world.state.cables[0].elements.len();
        match self {
            Self::Soft | Self::Stiff => [world.cable(CABLE).element_tension(elements - 1), 0.0],
            Self::Rod => {
                let p = world.cable(CABLE).node(elements);
                [p.x, p.z]
            }
        }
    }
}

fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// A body that follows a path for a little more than a minute.
fn moved(builder: &mut ModelBuilder, path: impl Fn(f64) -> Vec3) -> fender_engine::BodyId {
    let times: Vec<f64> = (0..=3100).map(|i| 0.02 * f64::from(i)).collect();
    let poses: Vec<Pose> =
        times.iter().map(|t| Pose { translation: path(*t), rotation: Quat::IDENTITY }).collect();
    let series = PoseSeries::new(times, &poses).expect("times increase");
    builder.body(BodySpec {
        name: "fairlead".into(),
        motion: BodyMotion::Driven { series },
        pose: poses[0],
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    })
}

fn tied(point: Point) -> Tie {
    Tie { point, clamp: None, attached: true }
}

fn spec(line: Line, length: f64, elements: usize, ends: [Option<Tie>; 2], from: Vec3, to: Vec3) -> CableSpec {
    CableSpec {
        name: "cable".into(),
        sections: vec![Section { line: Arc::new(line), length, elements }],
        ends,
        along: Vec::new(),
        shape: vec![(0.0, from), (length, to)],
        velocity: Vec3::ZERO,
        settle: true,
        payout: None,
        resolution: None,
        pace: None,
    }
}

fn builder() -> ModelBuilder {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder
}

/// The soft line with a rate of its own, or without.
pub fn soft(elements: usize, pace: Option<Pace>) -> Model {
    let mut builder = builder();
    let (a, b) = (Vec3::new(0.0, 0.0, -50.0), Vec3::new(80.0, 0.0, -50.0));
    let fairlead = moved(&mut builder, |t| {
        let (sin, cos) = (TAU * 0.1 * t).sin_cos();
        b + Vec3::new(cos, 0.0, sin) * (5.0 * smooth(t / 20.0))
    });
    let water = Water::still(1025.0, 0.0, f64::INFINITY).expect("it is water");
    builder.surroundings(Surroundings { water: Some(Box::new(water)), ..Surroundings::default() });
    let (mass, ea, diameter) = (20.0_f64, 1e7_f64, 0.05_f64);
    let line = Line {
        diameter,
        volume: TAU / 8.0 * diameter * diameter,
        axial_damping: 0.05 * 100.0 / elements as f64 * (ea * mass).sqrt(),
        drag_normal: 1.2,
        added_normal: 1.0,
        ..Line::new(mass, ea)
    };
    let ends =
        [Some(tied(Point { body: None, at: a })), Some(tied(Point { body: Some(fairlead), at: Vec3::ZERO }))];
    builder.cable(CableSpec { pace, ..spec(line, 100.0, elements, ends, a, b) });
    builder.build().expect("the soft line is a model")
}

fn stiff(elements: usize) -> Model {
    let mut builder = builder();
    let top = Vec3::new(0.0, 0.0, -50.0);
    let fairlead = moved(&mut builder, |t| {
        let (x, z) = (0.5 * (TAU * 0.15 * t).sin(), 0.2 * (TAU * 0.25 * t).sin());
        top + Vec3::new(x, 0.0, z) * smooth(t * 0.15 / 2.0)
    });
    let (mass, ea, diameter, length, weight) = (0.4, 5e6, 0.01, 20.0, 500.0_f64);
    let stiffness = ea / length;
    let damping = 2.0 * 0.02 * (stiffness * (weight + mass * length / 3.0)).sqrt();
    let low = top - Vec3::Z * (length + (weight + 0.5 * mass * length) * 9.81 / stiffness);
    let load = builder.body(BodySpec {
        name: "load".into(),
        motion: BodyMotion::Free { mass: MassProperties::solid_sphere(weight, 0.25) },
        pose: Pose { translation: low, rotation: Quat::IDENTITY },
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    });
    let wind = Wind::new(1.225, Vec3::ZERO).expect("it is air");
    builder.surroundings(Surroundings { air: Some(Box::new(wind)), ..Surroundings::default() });
    let line = Line {
        diameter,
        axial_damping: damping * length,
        bending: 1.0,
        drag_normal: 1.2,
        ..Line::new(mass, ea)
    };
    let ends = [
        Some(tied(Point { body: Some(load), at: Vec3::ZERO })),
        Some(tied(Point { body: Some(fairlead), at: Vec3::ZERO })),
    ];
    builder.cable(spec(line, length, elements, ends, low, top));
    builder.build().expect("the stiff rope is a model")
}

fn rod(elements: usize) -> Model {
    let mut builder = builder();
    let (radius, young, density) = (5e-3_f64, 1e7, 1000.0);
    let area = TAU / 2.0 * radius * radius;
    let line = Line {
        bending: young * TAU / 8.0 * radius.powi(4),
        slack: false,
        ..Line::new(density * area, young * area)
    };
    let ends = [Some(tied(Point { body: None, at: Vec3::ZERO })), None];
    let mut cable = spec(line, 1.0, elements, ends, Vec3::ZERO, Vec3::X);
    cable.settle = false;
    builder.cable(cable);
    builder.build().expect("the rod is a model")
}

/// Generalized-α with a spectral radius.
pub fn alpha(step: f64, radius: f64) -> IntegratorSpec {
    let method = AlphaMethod::GeneralizedAlpha { radius };
    IntegratorSpec::Alpha { step, method, iterations: 30, halvings: 6, real_time: false }
}

/// Samples of a case from its beginning to its end, every [`SAMPLE`]; `None` if it failed.
pub fn run(case: Case, world: &mut World, method: &IntegratorSpec) -> Option<Vec<[f64; 2]>> {
    let integrator = method.build();
    let step = method.fixed_step().expect("the step is fixed");
    let mut samples = Vec::new();
    // Steps longer than the time between samples are judged where they end.
    let (per_sample, per_step) =
        ((SAMPLE / step).round().max(1.0) as u64, (step / SAMPLE).round().max(1.0) as u64);
    let count = (case.duration() / step).round() as u64;
    for i in 0..=count {
        if i > 0 {
            world.step(integrator.as_ref(), f64::INFINITY).ok()?;
        }
        if i % per_sample == 0 {
            world.refresh();
            for _ in 0..if i == 0 { 1 } else { per_step } {
                samples.push(case.sample(world));
            }
        }
    }
    Some(samples)
}

/// Error of samples against finer ones: RMS of the tension after the ramp, of its range; or largest distance of the tip [m].
/// Steps of `every` samples are judged at their ends.
pub fn error(case: Case, samples: &[[f64; 2]], fine: &[[f64; 2]], every: usize) -> f64 {
    let first = (case.ramp() / SAMPLE).ceil() as usize;
    let pairs: Vec<_> = samples
        .iter()
        .zip(fine)
        .enumerate()
        .filter(|(i, _)| *i >= first && i % every == 0)
        .map(|(_, p)| p)
        .collect();
    if case == Case::Rod {
        return pairs.iter().map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(0.0, f64::max);
    }
    let squares: f64 = pairs.iter().map(|(a, b)| (a[0] - b[0]).powi(2)).sum();
    let range = |pick: fn(f64, f64) -> f64, from: f64| fine[first..].iter().map(|s| s[0]).fold(from, pick);
    (squares / pairs.len() as f64).sqrt() / (range(f64::max, f64::MIN) - range(f64::min, f64::MAX))
}
