//! Slabs between two parallel planes over the triangles of a node, along their mean normal.
//!
//! A box along the axes is as thick as a slanted piece of a surface is long; the slab is as thick as the piece is bent. Seen from another
//! surface, most boxes look near and few slabs do, so that a search for the nearest triangles goes through tens of nodes rather
//! than thousands (as with the oriented volumes of Gottschalk, Lin and Manocha 1996, at a fraction of the memory).

use super::bvh::Node;
use fender_math::Vec3;

/// Nodes with more triangles have none: a large piece looks into all directions.
const MOST: usize = 512;

/// What lies between two planes, about the middle of the tree. Without a normal, everything does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slab {
    /// About a unit vector.
    normal: [f32; 3],
    low: f32,
    high: f32,
}

impl Slab {
    const NONE: Self = Self { normal: [0.0; 3], low: 0.0, high: 0.0 };

    #[inline]
    pub fn normal(&self) -> Vec3 {
        let [x, y, z] = self.normal;
        Vec3::new(x.into(), y.into(), z.into())
    }

    /// Lowest and highest place along its own normal.
    #[inline]
    pub fn own_range(&self) -> (f64, f64) {
        (self.low.into(), self.high.into())
    }

    /// Between which heights along `n` all that is both in this and in the node's box lies. The part of `n` along the slab's normal is
    /// bounded by the slab, the rest by the box.
    #[inline]
    pub fn range(&self, node: &Node, n: Vec3) -> (f64, f64) {
        let normal = self.normal();
        let along = n.dot(normal);
        let rest = n - normal * along;
        let (low, high) = node.corners();
        let middle = 0.5 * rest.dot(low + high);
        let spread = 0.5 * rest.abs().dot(high - low);
        let (mut below, mut above) = (along * f64::from(self.low), along * f64::from(self.high));
        if along < 0.0 {
            (below, above) = (above, below);
        }
        (below + middle - spread, above + middle + spread)
    }
}

/// Slabs of all nodes; `triangles` are in the order of the tree.
pub(super) fn fit(nodes: &[Node], vertices: &[Vec3], triangles: &[[u32; 3]], center: Vec3) -> Vec<Slab> {
    // Triangles of each node with the sum of their normals; children come behind their parents.
    let mut pieces = vec![(0..0, Vec3::ZERO); nodes.len()];
    let mut slabs = vec![Slab::NONE; nodes.len()];
    let place = |v: u32| vertices[v as usize] - center;
    for (i, node) in nodes.iter().enumerate().rev() {
        if let Some(range) = node.leaf() {
            let across = |t: &[u32; 3]| {
                let [a, b, c] = t.map(place);
                (b - a).cross(c - a)
            };
            let sum = triangles[range.clone()].iter().map(across).sum();
            pieces[i] = (range, sum);
        } else {
            let [first, second] = node.children().map(|k| &pieces[k as usize]);
            pieces[i] = (first.0.start..second.0.end, first.1 + second.1);
        }
        let (range, sum) = &pieces[i];
        // Scaled first, so that small triangles count too.
        let length = (*sum / sum.abs().max_element()).try_normalize();
        let Some(n) = length.filter(|_| range.len() <= MOST) else { continue };
        let normal = [n.x as f32, n.y as f32, n.z as f32];
        slabs[i].normal = normal;
        let n = slabs[i].normal();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in triangles[range.clone()].iter().flatten() {
            let height = n.dot(place(*v));
            low = if height < low { height } else { low };
            high = if height > high { height } else { high };
        }
        (slabs[i].low, slabs[i].high) = ((low as f32).next_down(), (high as f32).next_up());
    }
    slabs
}
