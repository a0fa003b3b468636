//! Bodies: shapes, motion, arrays.

use super::orientation::{direction, orientation};
use super::{Build, BuildError, check_name};
use crate::error::{ErrorKind, Problem};
use crate::quantity::vec3;
use crate::spec::{ArraySpec, BodySpec, GridSpec, ShapeSpec};
use crate::tree::Path;
use fender_engine::{BodyId, BodyMotion, MaterialId};
use fender_geom::{Polyhedron, Shape, TriMesh};
use fender_math::{Pose, Twist, Vec3, rotation};
use std::sync::Arc;

/// Most bodies that one array may make.
const MAX_ARRAY: u64 = 1_000_000;

/// A shape of a body with what mass needs to know of it.
pub(super) struct Part {
    pub shape: Shape,
    pub pose: Pose,
    pub material: MaterialId,
    /// Density of its material [kg/m³].
    pub density: Option<f64>,
    /// What of it weighs something.
    pub weight: Weight,
    /// Where it stands in the file.
    pub path: Path,
}

/// What of a shape counts for the mass of its body.
pub(super) enum Weight {
    /// The shape itself.
    Own,
    /// The mesh that this shape and others stand for.
    Mesh(Arc<TriMesh>),
    /// Nothing: it is one of those others.
    None,
}

impl Build<'_> {
    pub(super) fn bodies(&mut self) -> Result<(), BuildError> {
        let spec = self.spec;
        for (name, body) in spec.body.iter() {
            let path = Path::root().key("body").key(name);
            check_name(name, &path)?;
            self.body(name, body, &path)?;
        }
        Ok(())
    }

    fn body(&mut self, name: &str, spec: &BodySpec, path: &Path) -> Result<(), BuildError> {
        let parts = self.parts(spec, path)?;
        let rotation = orientation(&spec.orientation, &path.key("orientation"))?;
        let position = spec.position.as_ref().map_or(Vec3::ZERO, vec3);
        let pose = Pose { rotation, translation: position };
        let motion = self.motion(name, spec, &parts, pose, path)?;
        let pose = match &motion {
            BodyMotion::Driven { series } => series.sample(0.0).pose,
            _ => pose,
        };
        let twist = match motion {
            BodyMotion::Free { .. } => Twist {
                linear: spec.velocity.as_ref().map_or(Vec3::ZERO, vec3),
                angular: spec.angular_velocity.as_ref().map_or(Vec3::ZERO, vec3),
            },
            _ => Twist::default(),
        };
        let group = self.group(spec.group.as_deref());
        let body = fender_engine::BodySpec {
            name: name.into(),
            motion,
            pose,
            twist,
            shapes: parts.into_iter().map(|p| (p.shape, p.pose, p.material)).collect(),
            group,
        };
        let first = self.bodies.list.len();
        match &spec.array {
            None => self.add(name, body, path)?,
            Some(ArraySpec::Grid(grid)) => self.grid(name, &body, grid, path)?,
        }
        if spec.fast {
            (first..self.bodies.list.len()).for_each(|i| self.builder.fast(BodyId(i as u32)));
        }
        self.look(name, spec, first..self.bodies.list.len(), path)?;
        Ok(())
    }

    fn add(&mut self, key: &str, body: fender_engine::BodySpec, path: &Path) -> Result<(), Problem> {
        if self.bodies.ids.contains_key(&body.name) || self.bodies.arrays.contains_key(&body.name) {
            let message = format!("the name `{}` is used twice", body.name);
            let help = "an array NAME makes bodies called NAME-0-0-0, NAME-1-0-0, …".to_string();
            return Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help));
        }
        let name = body.name.clone();
        self.bodies.list.push((key.into(), body.pose));
        let id = self.builder.body(body);
        self.bodies.ids.insert(name, id);
        Ok(())
    }

    fn grid(
        &mut self,
        name: &str,
        like: &fender_engine::BodySpec,
        grid: &GridSpec,
        path: &Path,
    ) -> Result<(), Problem> {
        let path = path.key("array").key("grid");
        let total = grid.count.iter().try_fold(1_u64, |n, c| n.checked_mul(u64::from(*c)));
        let Some(1..=MAX_ARRAY) = total else {
            let message = format!("an array has between 1 and {MAX_ARRAY} bodies");
            return Err(Problem::new(ErrorKind::Value, path.key("count"), message));
        };
        if matches!(like.motion, BodyMotion::Driven { .. }) {
            let message = "a driven body has one path, so it cannot be an array";
            return Err(Problem::new(ErrorKind::Value, path, message));
        }
        if total > Some(1) && like.shapes.iter().any(|(shape, ..)| matches!(shape, Shape::HalfSpace)) {
            let message = "an array of half-spaces is one half-space: each lies within the outermost";
            let help = "leave `array` out; for steps or walls take boxes".to_string();
            return Err(Problem::new(ErrorKind::Value, path, message).help(help));
        }
        let (spacing, jitter) = (vec3(&grid.spacing), vec3(&grid.jitter));
        let mut random = SplitMix(u64::from(grid.seed));
        let first = self.bodies.list.len() as u32;
        let [nx, ny, nz] = grid.count;
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    let mut body = like.clone();
                    body.name = format!("{name}-{i}-{j}-{k}");
                    let index = Vec3::new(f64::from(i), f64::from(j), f64::from(k));
                    let offset = Vec3::new(random.symmetric(), random.symmetric(), random.symmetric());
                    body.pose.translation += index * spacing + offset * jitter;
                    self.add(name, body, &path)?;
                }
            }
        }
        self.bodies.arrays.insert(name.into(), first..self.bodies.list.len() as u32);
        Ok(())
    }

    /// The shapes of a body.
    fn parts(&mut self, spec: &BodySpec, path: &Path) -> Result<Vec<Part>, Problem> {
        match (&spec.shape, &spec.shapes) {
            (Some(_), Some(_)) => {
                let message = "give either one `shape` or a list of `shapes`";
                Err(Problem::new(ErrorKind::Key, path.key("shapes"), message))
            }
            (Some(shape), None) => {
                let here = path.key("shape");
                let mut parts = Vec::new();
                for solid in self.solids(shape, Pose::IDENTITY, &here)? {
                    parts.push(self.part(solid, spec.material.as_deref(), &here, path)?);
                }
                Ok(parts)
            }
            (None, Some(list)) => {
                let mut parts = Vec::new();
                for (i, part) in list.iter().enumerate() {
                    let here = path.key("shapes").index(i);
                    let rotation = orientation(&part.orientation, &here.key("orientation"))?;
                    let pose = Pose { rotation, translation: vec3(&part.position) };
                    let own = if part.material.is_some() { here.clone() } else { path.clone() };
                    let material = part.material.as_deref().or(spec.material.as_deref());
                    for solid in self.solids(&part.shape, pose, &here.key("shape"))? {
                        parts.push(self.part(solid, material, &here.key("shape"), &own)?);
                    }
                }
                Ok(parts)
            }
            (None, None) => {
                if let Some(material) = &spec.material {
                    self.material(material, &path.key("material"))?;
                }
                Ok(Vec::new())
            }
        }
    }

    fn part(
        &mut self,
        (shape, pose, weight): (Shape, Pose, Weight),
        material: Option<&str>,
        path: &Path,
        owner: &Path,
    ) -> Result<Part, Problem> {
        if let Err(error) = shape.check() {
            return Err(Problem::new(ErrorKind::Value, path.clone(), error.to_string()));
        }
        let Some(name) = material else {
            let message = "the key `material` is missing: a shape needs one";
            let known: Vec<_> = self.spec.material.names().map(|n| format!("`{n}`")).collect();
            let help = if known.is_empty() {
                "add [material.NAME] to the file and material = \"NAME\" to the body".to_string()
            } else {
                format!("materials: {}", known.join(", "))
            };
            return Err(Problem::new(ErrorKind::Key, owner.clone(), message).help(help));
        };
        let material = self.material(name, &owner.key("material"))?;
        self.materials_used[material.index()] = true;
        let density = self.spec.material.0[material.index()].1.density();
        Ok(Part { shape, pose, material, density, weight, path: path.clone() })
    }

    /// Id of a group.
    fn group(&mut self, name: Option<&str>) -> u32 {
        let Some(name) = name else { return 0 };
        let next = self.groups.len() as u32 + 1;
        *self.groups.entry(name.into()).or_insert(next)
    }
}

impl Build<'_> {
    /// A shape in the engine's terms, and its frame in the body's: several if a mesh is divided.
    fn solids(
        &mut self,
        spec: &ShapeSpec,
        pose: Pose,
        path: &Path,
    ) -> Result<Vec<(Shape, Pose, Weight)>, Problem> {
        if let ShapeSpec::Mesh { file, scale, convex: Some(convex) } = spec {
            let path = path.key("mesh");
            let mesh = self.collision_mesh(file, scale, &path.key("file"))?;
            let pieces = self.convex(file, &mesh, convex, &path)?;
            let mut weight = if mesh.is_closed() { Weight::Mesh(mesh) } else { Weight::Own };
            let mut solids = Vec::new();
            for piece in pieces {
                let after = if matches!(weight, Weight::Own) { Weight::Own } else { Weight::None };
                solids.push((Shape::Polyhedron(piece), pose, std::mem::replace(&mut weight, after)));
            }
            return Ok(solids);
        }
        let (shape, pose) = self.solid(spec, pose, path)?;
        Ok(vec![(shape, pose, Weight::Own)])
    }

    /// A single shape.
    pub(super) fn solid(
        &mut self,
        spec: &ShapeSpec,
        pose: Pose,
        path: &Path,
    ) -> Result<(Shape, Pose), Problem> {
        match spec {
            ShapeSpec::Mesh { file, scale, convex: None } => {
                Ok((Shape::Mesh(self.touched_mesh(file, scale, &path.key("mesh").key("file"))?), pose))
            }
            ShapeSpec::Heightfield { .. } => {
                Ok((Shape::Mesh(self.ground(spec, &path.key("heightfield"))?), pose))
            }
            _ => {
                if let ShapeSpec::Link { diameter, width, .. } = spec
                    && width.value < diameter.value
                {
                    self.warnings.push(format!(
                        "`{}`: another link of the same bar does not fit through it: its inner width is {} m, less than the diameter \
                         of its bar, {} m",
                        path.key("link"),
                        width.value,
                        diameter.value
                    ));
                }
                primitive(spec, pose, path)
            }
        }
    }
}

/// A shape that its numbers describe.
fn primitive(spec: &ShapeSpec, pose: Pose, path: &Path) -> Result<(Shape, Pose), Problem> {
    Ok(match spec {
        ShapeSpec::Heightfield { .. } => {
            return Err(Problem::new(ErrorKind::Value, path.clone(), "a mesh has no numbers"));
        }
        ShapeSpec::Mesh { .. } => {
            let message = "what is only shown need not be convex";
            return Err(Problem::new(ErrorKind::Key, path.key("mesh").key("convex"), message));
        }
        ShapeSpec::Polyhedron { points } => {
            let points: Vec<Vec3> = points.iter().map(vec3).collect();
            let polyhedron = Polyhedron::hull(&points).map_err(|error| {
                let path = path.key("polyhedron").key("points");
                Problem::new(ErrorKind::Value, path, error.to_string())
            })?;
            (Shape::Polyhedron(Arc::new(polyhedron)), pose)
        }
        ShapeSpec::Sphere { radius } => (Shape::Sphere { radius: radius.value }, pose),
        ShapeSpec::Box { size } => (Shape::Box { half: vec3(size) * 0.5 }, pose),
        ShapeSpec::Cylinder { radius, height } => {
            (Shape::Cylinder { radius: radius.value, half_height: 0.5 * height.value }, pose)
        }
        ShapeSpec::Capsule { radius, height } => {
            (Shape::Capsule { radius: radius.value, half_height: 0.5 * height.value }, pose)
        }
        ShapeSpec::Ellipsoid { radii } => (Shape::Ellipsoid { radii: vec3(radii) }, pose),
        ShapeSpec::Cone { radius, height } => {
            (Shape::Cone { radius: radius.value, half_height: 0.5 * height.value }, pose)
        }
        ShapeSpec::Bore { radius, length } => {
            let half_height = length.as_ref().map_or(f64::INFINITY, |length| 0.5 * length.value);
            (Shape::Bore { radius: radius.value, half_height }, pose)
        }
        ShapeSpec::Funnel { radius, height } => {
            (Shape::Funnel { radius: radius.value, half_height: 0.5 * height.value }, pose)
        }
        ShapeSpec::Torus { radius, tube } => (Shape::Torus { radius: radius.value, tube: tube.value }, pose),
        ShapeSpec::HalfTorus { radius, tube } => {
            (Shape::HalfTorus { radius: radius.value, tube: tube.value }, pose)
        }
        ShapeSpec::Link { diameter, length, width } => {
            let half_straight = 0.5 * (length.value - width.value);
            if half_straight <= 0.0 {
                let message = "the inner length of a link must be greater than its inner width";
                let problem = Problem::new(ErrorKind::Value, path.key("link").key("length"), message);
                return Err(problem.help("for a round link use a torus".to_string()));
            }
            let (radius, tube) = (0.5 * (width.value + diameter.value), 0.5 * diameter.value);
            (Shape::Link { radius, half_straight, tube }, pose)
        }
        ShapeSpec::Edge { normals } => {
            let path = path.key("edge").key("normals");
            let [a, b] = [
                direction(vec3(&normals[0]), &path.index(0))?,
                direction(vec3(&normals[1]), &path.index(1))?,
            ];
            let (shape, turn) = Shape::edge(a, b);
            (shape, pose * Pose { rotation: turn, translation: Vec3::ZERO })
        }
        ShapeSpec::HalfSpace { normal, offset } => {
            let normal = direction(vec3(normal), &path.key("half_space").key("normal"))?;
            let plane =
                Pose { rotation: rotation::between(Vec3::Z, normal), translation: normal * offset.value };
            (Shape::HalfSpace, pose * plane)
        }
    })
}

/// `SplitMix64` (Steele, Lea and Flood 2014): small, well mixed, and the same everywhere.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly between −1 and 1.
    fn symmetric(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix;

    #[test]
    fn random_numbers_are_the_published_ones_and_spread_evenly() {
        // First outputs for seed 1234567 of the authors' reference implementation.
        let mut random = SplitMix(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        let mean = (0..10_000).map(|_| random.symmetric()).sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 0.02, "{mean}");
    }
}
