//! Tree of boxes over triangles.
//!
//! Built once from the top by the surface area heuristic in bins (Wald 2007, "On fast construction of SAH-based bounding volume
//! hierarchies"). Boxes are single precision about the middle of the mesh, rounded outwards: half the memory, and nothing is
//! missed. Two children lie side by side, in one line of the cache.

use super::slab::{self, Slab};
use fender_math::Vec3;
use std::ops::Range;

/// Triangles per leaf.
const LEAF: usize = 4;
const BINS: usize = 16;
/// From this depth on, nodes are halved by count, so that the depth stays below [`STACK`].
const HALVING: usize = 30;
/// Depth of the stack of a search: 30 levels of any kind, then at most 32 that halve.
const STACK: usize = 64;

/// Boxes of triangles in order, and where that order came from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    slabs: Vec<Slab>,
    center: Vec3,
}

/// Box with what is in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    bounds: Bounds,
    /// First triangle of a leaf, or the first of two children.
    first: u32,
    /// Triangles of a leaf; zero for an inner node.
    count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl Bounds {
    const EMPTY: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    #[inline]
    fn union(self, other: &Self) -> Self {
        let mut sum = self;
        for i in 0..3 {
            // `f32::min` would look for what is not a number, which takes longer than all the rest.
            sum.min[i] = if other.min[i] < sum.min[i] { other.min[i] } else { sum.min[i] };
            sum.max[i] = if other.max[i] > sum.max[i] { other.max[i] } else { sum.max[i] };
        }
        sum
    }

    /// Half the area of its surface.
    #[inline]
    fn area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|i| (self.max[i] - self.min[i]).max(0.0));
        x * y + y * z + z * x
    }
}

/// Triangle while the tree grows.
#[derive(Clone, Copy)]
struct Item {
    bounds: Bounds,
    index: u32,
}

impl Item {
    /// Twice the middle of the box.
    #[inline]
    fn middle(&self, axis: usize) -> f32 {
        self.bounds.min[axis] + self.bounds.max[axis]
    }
}

impl Node {
    /// Lowest and highest corner, about the middle of the tree [m].
    #[inline]
    pub fn corners(&self) -> (Vec3, Vec3) {
        let wide = |x: [f32; 3]| Vec3::new(x[0].into(), x[1].into(), x[2].into());
        (wide(self.bounds.min), wide(self.bounds.max))
    }

    /// Square of the distance of the place `p` (about the middle of the tree) from the box [m²].
    #[inline]
    pub fn distance_squared(&self, p: Vec3) -> f64 {
        let (min, max) = self.corners();
        (min - p).max(p - max).max(Vec3::ZERO).length_squared()
    }

    /// Whether it meets the box between two corners (about the middle of the tree).
    #[inline]
    pub fn meets(&self, low: Vec3, high: Vec3) -> bool {
        let (min, max) = self.corners();
        min.cmple(high).all() && low.cmple(max).all()
    }

    /// Triangles of a leaf; none for an inner node.
    #[inline]
    pub fn leaf(&self) -> Option<Range<usize>> {
        (self.count > 0).then(|| self.first as usize..(self.first + self.count) as usize)
    }

    /// The two children of an inner node.
    #[inline]
    pub fn children(&self) -> [u32; 2] {
        [self.first, self.first + 1]
    }
}

impl Tree {
    /// Builds the tree and gives the order of triangles that it stands for.
    pub fn build(vertices: &[Vec3], triangles: &[[u32; 3]], center: Vec3) -> (Self, Vec<u32>) {
        let mut items: Vec<Item> = triangles
            .iter()
            .enumerate()
            .map(|(i, t)| {
                let [a, b, c] = t.map(|v| vertices[v as usize] - center);
                let (min, max) = (a.min(b).min(c).to_array(), a.max(b).max(c).to_array());
                let bounds = Bounds {
                    min: min.map(|x| (x as f32).next_down()),
                    max: max.map(|x| (x as f32).next_up()),
                };
                Item { bounds, index: i as u32 }
            })
            .collect();
        let nodes = grow(&mut items);
        (Self { nodes, slabs: Vec::new(), center }, items.iter().map(|item| item.index).collect())
    }

    /// Adds the slabs of all nodes, once the triangles are in the order of the tree.
    pub fn fit_slabs(&mut self, vertices: &[Vec3], triangles: &[[u32; 3]]) {
        self.slabs = slab::fit(&self.nodes, vertices, triangles, self.center);
    }

    /// The slab of a node.
    #[inline]
    pub fn slab(&self, i: u32) -> &Slab {
        &self.slabs[i as usize]
    }

    /// Middle of the coordinates of its boxes [m].
    #[inline]
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// A node by its number; 0 is the root.
    #[inline]
    pub fn node(&self, i: u32) -> &Node {
        &self.nodes[i as usize]
    }

    /// Memory that it takes [bytes].
    pub fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + size_of::<Slab>())
    }

    /// Visits the leaves whose `bound` is at most the limit, those with the least bound of two siblings first. `visit` is given
    /// their triangles and gives back the limit from then on.
    #[inline]
    pub fn search(
        &self,
        mut limit: f64,
        bound: impl Fn(&Node) -> f64,
        mut visit: impl FnMut(Range<usize>, f64) -> f64,
    ) {
        let mut stack = [(0_u32, 0.0_f64); STACK];
        let mut top = 0;
        let root = &self.nodes[0];
        // Written so that a bound that is not a number is left out.
        let within = |bound: f64, limit: f64| bound <= limit;
        if !within(bound(root), limit) {
            return;
        }
        let mut at = root;
        loop {
            if let Some(range) = at.leaf() {
                limit = visit(range, limit);
            } else {
                let [i, j] = at.children();
                let (bi, bj) = (bound(self.node(i)), bound(self.node(j)));
                let (near, far) = if bj < bi { ((j, bj), (i, bi)) } else { ((i, bi), (j, bj)) };
                if within(far.1, limit) {
                    stack[top] = far;
                    top += 1;
                }
                if within(near.1, limit) {
                    at = self.node(near.0);
                    continue;
                }
            }
            loop {
                if top == 0 {
                    return;
                }
                top -= 1;
                if within(stack[top].1, limit) {
                    at = self.node(stack[top].0);
                    break;
                }
            }
        }
    }
}

fn grow(items: &mut [Item]) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(items.len());
    let over = |items: &[Item]| items.iter().fold(Bounds::EMPTY, |sum, item| sum.union(&item.bounds));
    nodes.push(Node { bounds: over(items), first: 0, count: items.len() as u32 });
    let mut todo = vec![(0_usize, 0_usize)];
    while let Some((at, depth)) = todo.pop() {
        let range = nodes[at].leaf().unwrap_or(0..0);
        if range.len() <= LEAF {
            continue;
        }
        let own = &mut items[range.clone()];
        let middle = split(own, depth);
        let children = [range.start..range.start + middle, range.start + middle..range.end];
        let first = nodes.len();
        for child in children {
            let bounds = over(&items[child.clone()]);
            nodes.push(Node { bounds, first: child.start as u32, count: child.len() as u32 });
        }
        (nodes[at].first, nodes[at].count) = (first as u32, 0);
        todo.extend([(first + 1, depth + 1), (first, depth + 1)]);
    }
    nodes.shrink_to_fit();
    nodes
}

/// Puts the items of two children one behind the other and gives the number of the first.
fn split(items: &mut [Item], depth: usize) -> usize {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for item in items.iter() {
        for axis in 0..3 {
            let m = item.middle(axis);
            low[axis] = if m < low[axis] { m } else { low[axis] };
            high[axis] = if m > high[axis] { m } else { high[axis] };
        }
    }
    let longest = (0..3).fold(0, |best, i| if high[i] - low[i] > high[best] - low[best] { i } else { best });
    let cut = if depth < HALVING { best_cut(items, low, high) } else { None };
    if let Some((axis, bin)) = cut {
        let scale = BINS as f32 / (high[axis] - low[axis]);
        let middle = partition(items, |item| bin_of(item.middle(axis), low[axis], scale) <= bin);
        if middle > 0 && middle < items.len() {
            return middle;
        }
    }
    let half = items.len() / 2;
    // The index breaks ties, so the order is unique.
    items.select_nth_unstable_by(half, |a, b| {
        a.middle(longest).total_cmp(&b.middle(longest)).then(a.index.cmp(&b.index))
    });
    half
}

#[inline]
fn bin_of(middle: f32, low: f32, scale: f32) -> usize {
    // A cast saturates; what is not a number goes to the first.
    (((middle - low) * scale) as usize).min(BINS - 1)
}

/// Axis, and the last bin of the first child, for which a search is expected to be cheapest.
fn best_cut(items: &[Item], low: [f32; 3], high: [f32; 3]) -> Option<(usize, usize)> {
    let scale: [f32; 3] = std::array::from_fn(|axis| {
        let scale = BINS as f32 / (high[axis] - low[axis]);
        if scale.is_finite() { scale } else { 0.0 }
    });
    let mut bins = [[(Bounds::EMPTY, 0_u32); BINS]; 3];
    for item in items {
        for axis in 0..3 {
            let bin = &mut bins[axis][bin_of(item.middle(axis), low[axis], scale[axis])];
            *bin = (bin.0.union(&item.bounds), bin.1 + 1);
        }
    }
    let mut best = None;
    let mut least = f32::INFINITY;
    for axis in 0..3 {
        let bins = &bins[axis];
        // Cost of everything behind each cut, then of everything before it.
        let mut behind = [(0.0, 0); BINS];
        let (mut sum, mut count) = (Bounds::EMPTY, 0);
        for k in (1..BINS).rev() {
            (sum, count) = (sum.union(&bins[k].0), count + bins[k].1);
            behind[k - 1] = (sum.area() * count as f32, count);
        }
        (sum, count) = (Bounds::EMPTY, 0);
        for k in 0..BINS - 1 {
            (sum, count) = (sum.union(&bins[k].0), count + bins[k].1);
            let cost = sum.area() * count as f32 + behind[k].0;
            if count > 0 && behind[k].1 > 0 && cost < least {
                (best, least) = (Some((axis, k)), cost);
            }
        }
    }
    best
}

/// Puts the items for which `is_first` holds in front and gives their number.
fn partition(items: &mut [Item], is_first: impl Fn(&Item) -> bool) -> usize {
    let mut middle = 0;
    for i in 0..items.len() {
        if is_first(&items[i]) {
            items.swap(i, middle);
            middle += 1;
        }
    }
    middle
}
