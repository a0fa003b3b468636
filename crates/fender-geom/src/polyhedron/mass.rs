//! Volume and mass of a polyhedron.

use super::Polyhedron;
use crate::trimesh::Integrals;
use fender_math::MassProperties;

impl Polyhedron {
    /// Volume [m³].
    pub fn volume(&self) -> f64 {
        self.integrals().volume
    }

    /// Mass properties of the solid for a density [kg/m³], in its frame.
    pub fn mass_properties(&self, density: f64) -> MassProperties {
        self.integrals().mass_properties(density, self.middle())
    }

    /// About its middle: seen from far away, small differences of large tetrahedra would be left.
    fn integrals(&self) -> Integrals {
        let middle = self.middle();
        let corners = |t: [u32; 3]| t.map(|v| self.vertices[v as usize] - middle);
        Integrals::of(self.triangles().into_iter().map(corners))
    }
}
