//! A mesh to collide with from one that was read to be looked at.

use super::{TriMesh, TriMeshError};
use crate::VisualMesh;
use fender_math::{Pose, Vec3};

impl TriMesh {
    /// The triangles of `mesh`, scaled along the file's axes, then placed. A scale that mirrors turns the triangles, so that outside
    /// stays outside.
    pub fn of_visual(mesh: &VisualMesh, scale: Vec3, pose: &Pose) -> Result<Self, TriMeshError> {
        let wide = |p: &[f32; 3]| Vec3::new(p[0].into(), p[1].into(), p[2].into());
        let vertices: Vec<Vec3> =
            mesh.positions.iter().map(|p| pose.transform_point(wide(p) * scale)).collect();
        let mirrors = scale.x * scale.y * scale.z < 0.0;
        let turned = |[a, b, c]: [u32; 3]| if mirrors { [a, c, b] } else { [a, b, c] };
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| turned(*t)).collect();
        Self::new(&vertices, &triangles)
    }
}
