//! Terrain: a grid of heights with a solid body below.

use super::{TriMesh, TriMeshError};
use fender_math::Vec3;

/// Heights over a regular grid about the origin of the x–y plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    /// Points along x.
    pub columns: usize,
    /// Heights [m], row by row: along x first, the rows along y.
    pub heights: Vec<f64>,
    /// Distance of the points along x and y [m].
    pub spacing: [f64; 2],
}

impl Heightfield {
    /// Points along y.
    pub fn rows(&self) -> usize {
        self.heights.len().checked_div(self.columns).unwrap_or(0)
    }

    /// The ground: each cell is two triangles, divided from its lowest x and y to its highest, and what is `depth` [m] below the
    /// lowest point and above is solid. So what has sunk in is pushed up, however it came there.
    pub fn solid(&self, depth: f64) -> Result<TriMesh, TriMeshError> {
        let (columns, rows) = (self.columns, self.rows());
        if columns < 2 || rows < 2 {
            return Err(TriMeshError::Empty);
        }
        if columns * rows > crate::mesh::MAX_SIZE {
            return Err(TriMeshError::TooLarge);
        }
        let [dx, dy] = self.spacing;
        let place = |i: usize, j: usize, z: f64| {
            let about = |k: usize, n: usize, d: f64| (k as f64 - 0.5 * (n - 1) as f64) * d;
            Vec3::new(about(i, columns, dx), about(j, rows, dy), z)
        };
        let top = |i: usize, j: usize| (j * columns + i) as u32;
        let mut vertices: Vec<Vec3> = Vec::with_capacity(columns * rows + 2 * (columns + rows));
        let mut triangles = Vec::with_capacity(2 * columns * rows + 6 * (columns + rows));
        for j in 0..rows {
            vertices.extend((0..columns).map(|i| place(i, j, self.heights[top(i, j) as usize])));
        }
        for j in 1..rows {
            for i in 1..columns {
                let [a, b, c, d] = [top(i - 1, j - 1), top(i, j - 1), top(i, j), top(i - 1, j)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        // Around the border, counter-clockwise seen from above: a wall below each side, and a bottom of triangles about its middle.
        let south = (0..columns - 1).map(|i| (i, 0));
        let east = (0..rows - 1).map(|j| (columns - 1, j));
        let north = (1..columns).rev().map(|i| (i, rows - 1));
        let west = (1..rows).rev().map(|j| (0, j));
        let border: Vec<_> = south.chain(east).chain(north).chain(west).collect();
        let lowest = self.heights.iter().copied().fold(f64::INFINITY, f64::min);
        let (first, floor) = (vertices.len() as u32, lowest - depth);
        vertices.extend(border.iter().map(|(i, j)| place(*i, *j, floor)));
        let middle = vertices.len() as u32;
        vertices.push(Vec3::Z * floor);
        for (k, (i, j)) in border.iter().enumerate() {
            let next = (k + 1) % border.len();
            let (a, b) = (top(*i, *j), top(border[next].0, border[next].1));
            let (c, d) = (first + k as u32, first + next as u32);
            triangles.extend([[c, d, b], [c, b, a], [middle, d, c]]);
        }
        TriMesh::new(&vertices, &triangles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hills(columns: usize, rows: usize) -> Heightfield {
        let height = |k: usize| 0.3 * ((k * 7919) % 13) as f64 / 13.0;
        Heightfield { columns, heights: (0..columns * rows).map(height).collect(), spacing: [0.5, 0.25] }
    }

    #[test]
    fn it_is_a_closed_solid_with_the_volume_of_its_columns() {
        for (columns, rows) in [(2, 2), (5, 3), (40, 30)] {
            let field = hills(columns, rows);
            let mesh = field.solid(1.0).unwrap();
            assert!(mesh.is_closed(), "{:?}", mesh.diagnostics());
            let lowest = field.heights.iter().copied().fold(f64::INFINITY, f64::min);
            let above = |i: usize, j: usize| field.heights[j * columns + i] - lowest + 1.0;
            let mut volume = 0.0;
            for j in 1..rows {
                for i in 1..columns {
                    let [a, b, c, d] = [above(i - 1, j - 1), above(i, j - 1), above(i, j), above(i - 1, j)];
                    volume += 0.5 * 0.5 * 0.25 * ((a + b + c) / 3.0 + (a + c + d) / 3.0);
                }
            }
            let found = mesh.volume().unwrap();
            assert!((found / volume - 1.0).abs() < 1e-12, "{found} {volume}");
        }
    }

    /// A ray from above meets the points of the grid at their heights (Luaces 2013, eq. 4.105), and between them the triangles.
    #[test]
    fn a_ray_from_above_finds_the_heights() {
        let field = hills(6, 5);
        let mesh = field.solid(1.0).unwrap();
        let down =
            |x: f64, y: f64| 10.0 - mesh.cast(Vec3::new(x, y, 10.0), Vec3::NEG_Z, 100.0).unwrap().distance;
        for j in 0..5 {
            for i in 0..6 {
                let (x, y) = ((i as f64 - 2.5) * 0.5, (j as f64 - 2.0) * 0.25);
                // On the border a ray may pass by.
                let inward = 1.0 - 1e-12;
                let found = down(x * inward, y * inward);
                assert!((found - field.heights[j * 6 + i]).abs() < 1e-10, "{i} {j}: {found}");
            }
        }
        // A third into the first cell's lower triangle.
        let third = (field.heights[0] + field.heights[1] + field.heights[7]) / 3.0;
        let found = down(-1.25 + 0.5 * 2.0 / 3.0, -0.5 + 0.25 / 3.0);
        assert!((found - third).abs() < 1e-12, "{found} {third}");
    }

    #[test]
    fn too_little_and_not_finite_is_refused() {
        assert_eq!(hills(1, 5).solid(1.0), Err(TriMeshError::Empty));
        let mut broken = hills(3, 3);
        broken.heights[4] = f64::NAN;
        assert_eq!(broken.solid(1.0), Err(TriMeshError::NotFinite { vertex: 4 }));
    }
}
