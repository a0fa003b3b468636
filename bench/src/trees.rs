//! Random trees, as every program that computes their accelerations reads them.
//!
//! Frames are chosen so that conventions meet: a body's frame is its joint's frame on the child, revolute joints turn
//! about z, prismatic joints slide along z, spherical joints have a quaternion and the angular velocity in the child's
//! frame. The root may float; its coordinates are then the pose of its frame (x y z, quaternion x y z w) and its
//! velocities those of the frame's origin and the angular velocity, both in the body's axes.

use fender_engine::joint::{Joint, Prismatic, Revolute, Spherical};
use fender_engine::tree::{self, LinkData};
use fender_engine::{BodyId, BodyMotion, BodySpec, FreeBody, JointSpec, ModelBuilder, World};
use fender_math::{MassProperties, Mat3, Pose, Quat, Twist, Vec3, Wrench, rotation};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Kinds of joints that the trees have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Turning about z.
    Revolute,
    /// Sliding along z.
    Prismatic,
    /// Turning about a point.
    Spherical,
    /// Floating; roots only.
    Free,
}

/// A body and what carries it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TreeBody {
    /// Kind of its joint.
    pub kind: Kind,
    /// Which body carries it; `None` for the world.
    pub parent: Option<usize>,
    /// Joint frame in the parent's frame: orientation (quaternion x y z w) …
    pub rotation: [f64; 4],
    /// … and position [m].
    pub translation: [f64; 3],
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass in the body's frame [m].
    pub center: [f64; 3],
    /// Inertia about the centre, along the body's axes: xx xy xz yy yz zz [kg·m²].
    pub inertia: [f64; 6],
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Generalised forces on the coordinates; zero for a floating root.
    pub effort: Vec<f64>,
    /// Force on the body [N] and torque about its centre of mass [N·m], in the world's axes.
    pub wrench: [f64; 6],
    /// Accelerations for which inverse dynamics is asked.
    pub rates: Vec<f64>,
}

/// A tree in a given state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tree {
    /// Gravity [m/s²].
    pub gravity: [f64; 3],
    /// Its bodies, parents first.
    pub bodies: Vec<TreeBody>,
}

/// What a program finds for a tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Accelerations of the coordinates under the forces.
    pub accelerations: Vec<f64>,
    /// Rows of the mass matrix.
    pub mass: Vec<Vec<f64>>,
    /// Generalised forces that give `TreeBody::rates` without other forces than gravity.
    pub efforts: Vec<f64>,
}

/// Numbers that are the same everywhere.
struct Random(u64);

impl Random {
    /// Between −1 and 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        // Few digits, so that files of them are short.
        (number * 1e4).round() / 1e4
    }

    fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn rotation(&mut self) -> Quat {
        rotation::from_rotation_vector(self.vector() * 2.0)
    }

    fn pick(&mut self, n: usize) -> usize {
        ((self.number() + 1.0) * 0.5 * n as f64) as usize % n
    }
}

/// Shape of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branching {
    /// Every body is carried by the one before it.
    Serial,
    /// By the one before it or any that carries that one.
    Random,
}

impl Tree {
    /// A random tree of `n` bodies with joints of the given kinds; a floating root if `floating`.
    pub fn random(seed: u64, n: usize, kinds: &[Kind], branching: Branching, floating: bool) -> Self {
        let mut random = Random(seed);
        let mut bodies: Vec<TreeBody> = Vec::with_capacity(n);
        for i in 0..n {
            let kind = if i == 0 && floating { Kind::Free } else { kinds[random.pick(kinds.len())] };
            let parent = match branching {
                _ if i == 0 => None,
                Branching::Serial => Some(i - 1),
                Branching::Random => {
                    // One of those that carry the body before it, or itself: subtrees are then contiguous, which
                    // Pinocchio's mass matrix asks for.
                    let up: Vec<usize> = std::iter::successors(Some(i - 1), |j| bodies[*j].parent).collect();
                    Some(up[random.pick(up.len())])
                }
            };
            // Moments of three unequal point masses and a small ball: every such body exists.
            let mut inertia = Mat3::from_diagonal(Vec3::splat(0.02));
            for _ in 0..3 {
                let p = random.vector() * 0.3;
                inertia += Mat3::from_diagonal(Vec3::splat(p.length_squared()))
                    - Mat3::from_cols(p * p.x, p * p.y, p * p.z);
            }
            let (nq, nv) = match kind {
                Kind::Revolute | Kind::Prismatic => (1, 1),
                Kind::Spherical => (4, 3),
                Kind::Free => (7, 6),
            };
            let mut q = random.numbers(nq);
            if nq > 1 {
                q[nq - 4..].copy_from_slice(&random.rotation().to_array());
            }
            let wrench = random.numbers(6);
            bodies.push(TreeBody {
                kind,
                parent,
                rotation: if kind == Kind::Free { Quat::IDENTITY } else { random.rotation() }.to_array(),
                translation: if kind == Kind::Free { Vec3::ZERO } else { random.vector() * 0.5 }.to_array(),
                mass: 1.5 + random.number(),
                center: (random.vector() * 0.3).to_array(),
                inertia: [
                    inertia.x_axis.x,
                    inertia.x_axis.y,
                    inertia.x_axis.z,
                    inertia.y_axis.y,
                    inertia.y_axis.z,
                    inertia.z_axis.z,
                ],
                q,
                v: random.numbers(nv),
                effort: if kind == Kind::Free { vec![0.0; 6] } else { random.numbers(nv) },
                wrench: std::array::from_fn(|i| wrench[i]),
                rates: random.numbers(nv),
            });
        }
        Self { gravity: [0.3, -0.2, -9.81], bodies }
    }

    /// The tree in Fender, in its state; everything is up to date.
    pub fn world(&self) -> World {
        let mut builder = ModelBuilder::new();
        builder.gravity(self.gravity.into());
        let mut poses: Vec<Pose> = Vec::new();
        for (i, body) in self.bodies.iter().enumerate() {
            let placement =
                Pose { rotation: Quat::from_array(body.rotation), translation: body.translation.into() };
            let frame = body.parent.map_or(placement, |p| poses[p] * placement);
            poses.push(frame);
            let [xx, xy, xz, yy, yz, zz] = body.inertia;
            let columns = [Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz)];
            let inertia = Mat3::from_cols(columns[0], columns[1], columns[2]);
            let mass = MassProperties { mass: body.mass, center: body.center.into(), inertia };
            let (mut pose, mut twist) = (frame, Twist::default());
            if body.kind == Kind::Free {
                let rotation = Quat::from_slice(&body.q[3..]);
                pose = Pose { rotation, translation: Vec3::from_slice(&body.q) };
                let (linear, angular) = (Vec3::from_slice(&body.v), Vec3::from_slice(&body.v[3..]));
                twist = Twist { linear: rotation * linear, angular: rotation * angular };
                // What it carries is drawn where it is.
                poses[i] = pose;
            }
            let child = builder.body(BodySpec {
                name: format!("b{i}"),
                motion: BodyMotion::Free { mass },
                pose,
                twist,
                shapes: Vec::new(),
                group: 0,
            });
            let joint: Arc<dyn Joint> = match body.kind {
                Kind::Revolute => Arc::new(Revolute),
                Kind::Prismatic => Arc::new(Prismatic),
                Kind::Spherical => Arc::new(Spherical),
                Kind::Free => continue,
            };
            let scalar = joint.nq() == joint.nv();
            builder.joint(JointSpec {
                name: format!("j{i}"),
                parent: body.parent.map(|p| BodyId(p as u32)),
                child,
                frame,
                start: if scalar { body.q.clone() } else { vec![0.0; joint.nv()] },
                rates: body.v.clone(),
                joint,
                guide: None,
                actions: Vec::new(),
                keep: false,
            });
        }
        let mut world = World::new(builder.build().expect("a random tree is valid"));
        for (i, body) in self.bodies.iter().enumerate() {
            let link = &world.model.links[world.model.bodies[i].link.unwrap_or_default()];
            if body.kind == Kind::Spherical {
                world.state.q[link.q..link.q + 4].copy_from_slice(&body.q);
            }
            let [x, y, z, a, b, c] = body.wrench;
            let push = Wrench { force: Vec3::new(x, y, z), torque: Vec3::new(a, b, c) };
            world.control.push.push((BodyId(i as u32), push));
        }
        world.data.clear();
        world.refresh();
        self.put_efforts(&mut world);
        world
    }

    /// Puts the efforts on the coordinates; every evaluation of the world clears them.
    pub fn put_efforts(&self, world: &mut World) {
        for (i, body) in self.bodies.iter().enumerate() {
            if let Some(link) = world.model.bodies[i].link.filter(|_| body.kind != Kind::Free) {
                world.data.links[link].force[..body.effort.len()].copy_from_slice(&body.effort);
            }
        }
    }

    /// Fender's answer, in the coordinates of the description.
    pub fn answer(&self) -> Answer {
        let mut world = self.world();
        let root = Root::new(self, &world);
        let model = &world.model;
        let mut accelerations = vec![0.0; model.nv];
        tree::accelerations(
            &model.links,
            &world.data.bodies,
            &world.data.wrenches,
            model.gravity,
            |_| Twist::default(),
            &mut world.data.links,
            &mut accelerations,
        );
        // Where each body's velocities are in `State::v`.
        let links: Vec<usize> = (0..self.bodies.len()).filter_map(|i| model.bodies[i].link).collect();
        let places: Vec<usize> =
            links.iter().flat_map(|i| model.links[*i].v..model.links[*i].v + model.links[*i].nv).collect();
        let data: &[LinkData] = &world.data.links;
        let matrix = tree::mass_matrix(&model.links, &world.data.bodies, data, model.nv);
        let given: Vec<f64> = self.bodies.iter().flat_map(|b| b.rates.clone()).collect();
        let mut rates = vec![0.0; model.nv];
        for (place, rate) in places.iter().zip(root.ours(&given)) {
            rates[*place] = rate;
        }
        let none = vec![Wrench::default(); model.bodies.len()];
        let efforts =
            tree::inverse_dynamics(&model.links, &world.data.bodies, data, &none, model.gravity, &rates);
        let ordered = |list: &[f64]| -> Vec<f64> { places.iter().map(|p| list[*p]).collect() };
        let mass: Vec<Vec<f64>> = places.iter().map(|p| root.forces(&ordered(&matrix[*p]))).collect();
        // Rows are transformed; columns follow by symmetry of the transformation.
        let n = mass.len();
        let mut turned = vec![vec![0.0; n]; n];
        for j in 0..n {
            let column = root.forces(&mass.iter().map(|row| row[j]).collect::<Vec<f64>>());
            for i in 0..n {
                turned[i][j] = column[i];
            }
        }
        Answer {
            accelerations: root.theirs(&ordered(&accelerations)),
            mass: turned,
            efforts: root.forces(&ordered(&efforts)),
        }
    }
}

/// Change of coordinates of a floating root: Fender's are the velocity of the centre of mass in the world and the
/// angular velocity about the principal axes.
struct Root {
    floats: Option<FloatingRoot>,
}

struct FloatingRoot {
    /// From the body's axes to the world's.
    rotation: Quat,
    /// From the central axes to the body's.
    axes: Quat,
    /// Centre in the body's axes [m].
    center: Vec3,
    /// Velocity of the origin and angular velocity, in the body's axes.
    linear: Vec3,
    omega: Vec3,
}

impl Root {
    fn new(tree: &Tree, world: &World) -> Self {
        let first = &tree.bodies[0];
        let free: Option<&FreeBody> = world.model.bodies[0].free.as_ref();
        let floats = free.filter(|_| first.kind == Kind::Free).map(|free| FloatingRoot {
            rotation: Quat::from_slice(&first.q[3..]),
            axes: free.pose_bc.rotation,
            center: free.pose_bc.translation,
            linear: Vec3::from_slice(&first.v),
            omega: Vec3::from_slice(&first.v[3..]),
        });
        Self { floats }
    }

    /// Accelerations of the description's coordinates from Fender's.
    fn theirs(&self, rates: &[f64]) -> Vec<f64> {
        let mut out = rates.to_vec();
        if let Some(f) = &self.floats {
            let angular = f.axes * Vec3::from_slice(&rates[3..]);
            let center = f.rotation.conjugate() * Vec3::from_slice(rates);
            let origin = center - angular.cross(f.center) - f.omega.cross(f.omega.cross(f.center));
            // The components of the velocity in turning axes.
            put(&mut out, origin - f.omega.cross(f.linear), angular);
        }
        out
    }

    /// Fender's accelerations from those of the description.
    fn ours(&self, rates: &[f64]) -> Vec<f64> {
        let mut out = rates.to_vec();
        if let Some(f) = &self.floats {
            let (linear, angular) = (Vec3::from_slice(rates), Vec3::from_slice(&rates[3..]));
            let origin = linear + f.omega.cross(f.linear);
            let center = origin + angular.cross(f.center) + f.omega.cross(f.omega.cross(f.center));
            put(&mut out, f.rotation * center, f.axes.conjugate() * angular);
        }
        out
    }

    /// Generalised forces on the description's coordinates from those on Fender's.
    fn forces(&self, forces: &[f64]) -> Vec<f64> {
        let mut out = forces.to_vec();
        if let Some(f) = &self.floats {
            let force = f.rotation.conjugate() * Vec3::from_slice(forces);
            let torque = f.axes * Vec3::from_slice(&forces[3..]) + f.center.cross(force);
            put(&mut out, force, torque);
        }
        out
    }
}

fn put(out: &mut [f64], first: Vec3, second: Vec3) {
    out[..3].copy_from_slice(&first.to_array());
    out[3..6].copy_from_slice(&second.to_array());
}

/// The trees of the comparison: 1 to 60 joints, every kind, half of them floating.
pub fn comparison(count: usize) -> Vec<Tree> {
    let kinds = [Kind::Revolute, Kind::Prismatic, Kind::Spherical];
    (0..count)
        .map(|i| {
            let branching = if i % 5 == 4 { Branching::Serial } else { Branching::Random };
            let n = 1 + (i * 59) / count.saturating_sub(1).max(1);
            // A single floating body is no tree.
            Tree::random(1 + i as u64, n, &kinds, branching, i % 2 == 1 && n > 1)
        })
        .collect()
}

/// Largest difference of two lists, relative to the largest number in the second.
pub fn difference(ours: &[f64], theirs: &[f64]) -> f64 {
    if ours.len() != theirs.len() {
        return f64::INFINITY;
    }
    let size = theirs.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let apart = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs());
    apart.fold(0.0_f64, |a, x| if x.is_nan() { f64::INFINITY } else { a.max(x) }) / size
}
