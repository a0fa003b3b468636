//! How a body moves: fixed, driven or free.

use super::body::Part;
use super::mass::mass_properties;
use super::profile::series_problem;
use super::{Build, BuildError};
use crate::error::{ErrorKind, Problem};
use crate::series;
use crate::spec::{BodySpec, DrivenSpec};
use crate::tree::Path;
use fender_engine::BodyMotion;
use fender_geom::Shape;
use fender_math::series::PoseSeries;
use fender_math::six_degrees::SixDegrees;
use fender_math::{Pose, Quat, Vec3};

/// What to do about a free body with an open mesh.
const NO_VOLUME: &str = "give the body a `mass` [kg], an `inertia` such as [0.1, 0.1, 0.1] [kg·m²] and a `center_of_mass` [m], which is else at the origin of its \
                         frame; or close the mesh in the program that made it, or give it `convex = \"hull\"`, which has a volume unless it is flat";

impl Build<'_> {
    pub(super) fn motion(
        &mut self,
        name: &str,
        spec: &BodySpec,
        parts: &[Part],
        pose: Pose,
        path: &Path,
    ) -> Result<BodyMotion, BuildError> {
        let motion = match (&spec.driven, spec.fixed) {
            (Some(_), true) => {
                let message = "a body is either fixed or driven";
                return Err(Problem::new(ErrorKind::Key, path.key("driven"), message).into());
            }
            (Some(driven), false) => {
                if spec.position.is_some() && !matches!(driven, DrivenSpec::Motion(_)) {
                    let message = "a driven body is where its series says, so it has no position of its own";
                    return Err(Problem::new(ErrorKind::Key, path.key("position"), message).into());
                }
                BodyMotion::Driven { series: self.driven(driven, pose, &path.key("driven"))? }
            }
            (None, true) => BodyMotion::Fixed,
            (None, false) => {
                if let Some(part) = parts.iter().find(|p| p.shape.is_endless()) {
                    let message = format!("{} has no mass, so the body cannot be free", part.shape.noun());
                    let help = "fix it (fixed = true), drive it, or give it another shape".to_string();
                    return Err(Problem::new(ErrorKind::Model, part.path.clone(), message).help(help).into());
                }
                let why = |p: &Part| match &p.shape {
                    Shape::Mesh(mesh) => mesh.why_not_closed().map(|why| (p.path.clone(), why)),
                    _ => None,
                };
                let missing = match (spec.mass.is_none(), spec.inertia.is_none()) {
                    (true, true) => Some("keys `mass` and `inertia` are"),
                    (true, false) => Some("key `mass` is"),
                    (false, true) => Some("key `inertia` is"),
                    (false, false) => None,
                };
                if let Some(missing) = missing
                    && let Some((at, why)) = parts.iter().find_map(why)
                {
                    let message = format!(
                        "the mesh is not closed ({why}), so that it has no volume to weigh, and the {missing} missing"
                    );
                    return Err(Problem::new(ErrorKind::Model, at, message)
                        .help(NO_VOLUME.to_string())
                        .into());
                }
                return Ok(BodyMotion::Free { mass: mass_properties(spec, parts, path)? });
            }
        };
        let ignored = [
            ("mass", spec.mass.is_some()),
            ("inertia", spec.inertia.is_some()),
            ("center_of_mass", spec.center_of_mass.is_some()),
            ("velocity", spec.velocity.is_some()),
            ("angular_velocity", spec.angular_velocity.is_some()),
        ];
        for (key, _) in ignored.iter().filter(|(_, given)| *given) {
            self.warnings.push(format!("`body.{name}.{key}` has no effect, because the body is not free"));
        }
        Ok(motion)
    }

    fn driven(&mut self, spec: &DrivenSpec, rest: Pose, path: &Path) -> Result<PoseSeries, BuildError> {
        let rotation = rest.rotation;
        match spec {
            DrivenSpec::Motion(motion) => {
                let path = path.key("motion");
                let translation = [
                    self.motion_profile(&motion.surge, &path.key("surge"))?,
                    self.motion_profile(&motion.sway, &path.key("sway"))?,
                    self.motion_profile(&motion.heave, &path.key("heave"))?,
                ];
                let rotation = [
                    self.motion_profile(&motion.roll, &path.key("roll"))?,
                    self.motion_profile(&motion.pitch, &path.key("pitch"))?,
                    self.motion_profile(&motion.yaw, &path.key("yaw"))?,
                ];
                Ok(PoseSeries::degrees(SixDegrees { rest, translation, rotation }))
            }
            DrivenSpec::Points(points) => {
                let path = path.key("points");
                let times = points.iter().map(|p| p.0.value).collect();
                let poses: Vec<Pose> = points
                    .iter()
                    .map(|p| Pose { rotation, translation: Vec3::new(p.1.value, p.2.value, p.3.value) })
                    .collect();
                PoseSeries::new(times, &poses).map_err(|error| series_problem(&error, &path).into())
            }
            DrivenSpec::File(name) => {
                let bytes = self.asset(name, &path.key("file"))?;
                let file = series::read(name, &bytes, &["x", "y", "z"], &["qw", "qx", "qy", "qz"])?;
                let poses: Vec<Pose> = file
                    .rows
                    .iter()
                    .map(|row| Pose {
                        translation: Vec3::new(row[0], row[1], row[2]),
                        rotation: match row.get(3..7) {
                            Some([w, x, y, z]) => Quat::from_xyzw(*x, *y, *z, *w),
                            _ => rotation,
                        },
                    })
                    .collect();
                Ok(PoseSeries::new(file.times.clone(), &poses).map_err(|error| file.error(&error))?)
            }
        }
    }
}
