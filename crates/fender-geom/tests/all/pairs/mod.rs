//! Random pairs of shapes, and a text for them that other programs read too: `sphere 0.5 x y z qw qx qy qz box …`.

use super::meshes::{Soup, potato};
use fender_geom::{Polyhedron, Shape};
use fender_math::{Pose, Quat, Vec3};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::str::SplitWhitespace;
use std::sync::Arc;

/// Meshes by their names: a bumpy ball with this many cells along a side, 12·n² triangles.
pub fn soup(name: &str) -> Soup {
    potato(name.trim_start_matches("potato").parse().expect("a mesh is named potatoN"))
}

/// Corners of polyhedra by their names: this many places on a ball.
pub fn cloud(name: &str) -> Vec<Vec3> {
    let count: u64 = name.trim_start_matches("hull").parse().expect("a polyhedron is named hullN");
    let chance = &mut Chance(count);
    (0..count).map(|_| chance.direction() * 0.6).collect()
}

/// Shapes made of meshes and corners, each once.
#[derive(Default)]
pub struct Library(BTreeMap<String, Shape>);

impl Library {
    pub fn shape(&mut self, name: &str) -> Shape {
        let hull = || Polyhedron::hull(&cloud(name)).expect("not flat");
        let make = || {
            if name.starts_with("hull") {
                Shape::Polyhedron(Arc::new(hull()))
            } else {
                Shape::Mesh(Arc::new(soup(name).mesh()))
            }
        };
        self.0.entry(name.to_owned()).or_insert_with(make).clone()
    }
}

/// Numbers that look like chance (Steele, Lea and Flood 2014, "SplitMix").
pub struct Chance(pub u64);

impl Chance {
    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.length_squared() < 1.0 && v.length_squared() > 1e-4 {
                return v.normalize();
            }
        }
    }

    pub fn turn(&mut self) -> Quat {
        loop {
            let (v, w) = (self.vector(), self.between(-1.0, 1.0));
            let sq = v.length_squared() + w * w;
            if sq < 1.0 && sq > 1e-4 {
                return Quat::from_xyzw(v.x, v.y, v.z, w).normalize();
            }
        }
    }

    /// A shape of a kind, with sizes of the order of one metre times `scale`. Meshes have the size they have.
    pub fn shape(&mut self, kind: &str, scale: f64, library: &mut Library) -> Shape {
        let mut size = || self.between(0.1, 1.0) * scale;
        match kind {
            "sphere" => Shape::Sphere { radius: size() },
            "box" => Shape::Box { half: Vec3::new(size(), size(), size()) },
            "capsule" => Shape::Capsule { radius: size(), half_height: size() },
            "cylinder" => Shape::Cylinder { radius: size(), half_height: size() },
            "cone" => Shape::Cone { radius: size(), half_height: size() },
            "ellipsoid" => Shape::Ellipsoid { radii: Vec3::new(size(), size(), size()) },
            "half_space" => Shape::HalfSpace,
            name => library.shape(name),
        }
    }

    /// A pair whose centres are `near` times the sum of the radii around them apart.
    pub fn pair(&mut self, kinds: [&str; 2], near: [f64; 2], scale: f64, library: &mut Library) -> Pair {
        let [a, b] = kinds.map(|kind| self.shape(kind, scale, library));
        let reach = |s: &Shape| if s.is_endless() { 0.0 } else { s.bounding_radius() };
        let distance = self.between(near[0], near[1]) * (reach(&a) + reach(&b));
        let middle = self.vector() * scale;
        let mut poses = [Pose::IDENTITY; 2];
        for pose in &mut poses {
            *pose = Pose { translation: middle, rotation: self.turn() };
        }
        let out = if a.is_endless() {
            -(poses[0].rotation * Vec3::Z)
        } else if b.is_endless() {
            poses[1].rotation * Vec3::Z
        } else {
            self.direction()
        };
        poses[0].translation += out * distance;
        let names = kinds.map(str::to_owned);
        Pair { names, shapes: [a, b], poses }
    }
}

/// Two shapes in the world.
#[derive(Clone)]
pub struct Pair {
    /// Kinds, or the names of meshes.
    pub names: [String; 2],
    pub shapes: [Shape; 2],
    pub poses: [Pose; 2],
}

impl Pair {
    /// One line.
    pub fn text(&self) -> String {
        let mut line = String::new();
        for i in 0..2 {
            let name = &self.names[i];
            let sizes: Vec<f64> = match &self.shapes[i] {
                Shape::Sphere { radius } => vec![*radius],
                Shape::Box { half } => half.to_array().to_vec(),
                Shape::Ellipsoid { radii } => radii.to_array().to_vec(),
                Shape::Capsule { radius, half_height }
                | Shape::Cylinder { radius, half_height }
                | Shape::Cone { radius, half_height } => vec![*radius, *half_height],
                _ => Vec::new(),
            };
            let (t, q) = (self.poses[i].translation, self.poses[i].rotation);
            let place = [t.x, t.y, t.z, q.w, q.x, q.y, q.z];
            line += &match self.shapes[i] {
                Shape::Mesh(_) => format!("mesh {name}"),
                Shape::Polyhedron(_) => format!("polyhedron {name}"),
                _ => name.clone(),
            };
            for x in sizes.iter().chain(&place) {
                write!(line, " {x}").expect("a string takes all");
            }
            line.push(' ');
        }
        line.trim_end().to_owned()
    }

    /// From such a line; what is left of it is not looked at.
    pub fn read(words: &mut SplitWhitespace, library: &mut Library) -> Option<Self> {
        let mut one = || {
            let kind = words.next()?;
            let name = if matches!(kind, "mesh" | "polyhedron") { words.next()? } else { kind };
            let mut number = || words.next()?.parse::<f64>().ok();
            let mut vector = || Some(Vec3::new(number()?, number()?, number()?));
            let shape = match kind {
                "sphere" => Shape::Sphere { radius: number()? },
                "box" => Shape::Box { half: vector()? },
                "ellipsoid" => Shape::Ellipsoid { radii: vector()? },
                "capsule" => Shape::Capsule { radius: number()?, half_height: number()? },
                "cylinder" => Shape::Cylinder { radius: number()?, half_height: number()? },
                "cone" => Shape::Cone { radius: number()?, half_height: number()? },
                "half_space" => Shape::HalfSpace,
                "mesh" | "polyhedron" => library.shape(name),
                _ => return None,
            };
            let translation = Vec3::new(number()?, number()?, number()?);
            let (w, x, y, z) = (number()?, number()?, number()?, number()?);
            Some((name.to_owned(), shape, Pose { translation, rotation: Quat::from_xyzw(x, y, z, w) }))
        };
        let (first, second) = (one()?, one()?);
        Some(Self { names: [first.0, second.0], shapes: [first.1, second.1], poses: [first.2, second.2] })
    }
}

/// How far a shape with an end reaches along the unit vector `n`, from the world's origin [m]; written down apart from the code under
/// test.
pub fn reach(shape: &Shape, pose: &Pose, n: Vec3) -> f64 {
    let l = pose.rotation.inverse() * n;
    let rho = l.x.hypot(l.y);
    let farthest = |places: &[Vec3]| places.iter().map(|p| p.dot(l)).fold(f64::NEG_INFINITY, f64::max);
    let own = match *shape {
        Shape::Sphere { radius } => radius,
        Shape::Box { half } => l.abs().dot(half),
        Shape::Cylinder { radius, half_height } => radius * rho + half_height * l.z.abs(),
        Shape::Capsule { radius, half_height } => radius + half_height * l.z.abs(),
        Shape::Cone { radius, half_height } => (half_height * l.z).max(radius * rho - half_height * l.z),
        Shape::Ellipsoid { radii } => (radii * l).length(),
        Shape::Mesh(ref mesh) => farthest(mesh.vertices()),
        Shape::Polyhedron(ref hull) => farthest(hull.vertices()),
        _ => f64::INFINITY,
    };
    n.dot(pose.translation) + own
}
