//! Volume and mass of the solid inside a closed mesh.

use super::TriMesh;
use fender_math::{MassProperties, Mat3, Vec3};

/// Integrals over the inside of triangles, as seen from `origin`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Integrals {
    /// Volume [m³].
    pub volume: f64,
    /// Of the position [m⁴].
    pub first: Vec3,
    /// Of x², y², z² [m⁵].
    squares: Vec3,
    /// Of yz, zx, xy [m⁵].
    products: Vec3,
}

impl Integrals {
    /// Sum over tetrahedra from the origin to each triangle (the polynomial integrals of Tonon 2004).
    pub fn of(triangles: impl Iterator<Item = [Vec3; 3]>) -> Self {
        let mut sum = Self::default();
        for [a, b, c] in triangles {
            let six = a.dot(b.cross(c));
            let total = a + b + c;
            sum.volume += six / 6.0;
            sum.first += total * (six / 24.0);
            // ∫x² = 6V/60·(Σ x_i² + Σ_{i<k} x_i·x_k) = 6V/120·(Σ x_i² + (Σ x_i)²).
            sum.squares += (a * a + b * b + c * c + total * total) * (six / 120.0);
            let mixed = |u: Vec3| Vec3::new(u.y * u.z, u.z * u.x, u.x * u.y);
            sum.products += (mixed(a) + mixed(b) + mixed(c) + mixed(total)) * (six / 120.0);
        }
        sum
    }

    /// Mass properties for a density [kg/m³], where the integrals are seen from `origin` [m].
    pub fn mass_properties(&self, density: f64, origin: Vec3) -> MassProperties {
        let (mass, middle) = (density * self.volume, self.first / self.volume);
        let squares = self.squares - middle * middle * self.volume;
        let mixed = Vec3::new(middle.y * middle.z, middle.z * middle.x, middle.x * middle.y);
        let p = (self.products - mixed * self.volume) * density;
        let d = Vec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y) * density;
        let inertia = Mat3::from_cols(
            Vec3::new(d.x, -p.z, -p.y),
            Vec3::new(-p.z, d.y, -p.x),
            Vec3::new(-p.y, -p.x, d.z),
        );
        MassProperties { mass, center: middle + origin, inertia }
    }
}

impl TriMesh {
    /// Area of all triangles [m²].
    pub fn area(&self) -> f64 {
        let twice = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a).length();
        0.5 * (0..self.triangles().len() as u32).map(|f| twice(self.corners(f))).sum::<f64>()
    }

    /// Volume inside [m³]; `None` for a mesh that is not closed.
    pub fn volume(&self) -> Option<f64> {
        self.is_closed().then(|| self.integrals().volume)
    }

    /// Mass properties of the solid for a density [kg/m³], in the mesh's frame; `None` for a mesh that is not closed.
    pub fn mass_properties(&self, density: f64) -> Option<MassProperties> {
        self.is_closed().then(|| self.integrals().mass_properties(density, self.tree.center()))
    }

    /// About the middle of the mesh: seen from far away, small differences of large tetrahedra would be left.
    fn integrals(&self) -> Integrals {
        let middle = self.tree.center();
        Integrals::of((0..self.triangles.len()).map(|f| self.corners(f as u32).map(|v| v - middle)))
    }
}
