//! Broad phase: which shapes might touch.
//!
//! A tree of boxes is built anew in every call, so nothing is remembered: the boxes are sorted along a Morton curve
//! (Karras 2012, "Maximizing parallelism in the construction of BVHs", section 4), neighbours on the curve are put
//! eight to a leaf, and the leaves form a complete binary tree in an array. Each box then asks the tree for the boxes
//! behind it on the curve. A tree, and not a grid, because bodies in one scene differ in size by orders of magnitude.

use crate::Bounds;
use fender_math::Vec3;

/// Boxes per leaf. Four single-precision numbers fill a vector register of any x86-64 or ARM processor; eight were
/// faster than four and as fast as sixteen on piles of spheres (`examples/broad_phase.rs`).
const LEAF: usize = 8;

/// Finds candidate pairs in O(n log n), without allocating once its buffers have grown.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    /// Place on the Morton curve and index into the caller's list.
    keys: Vec<(u64, u32)>,
    /// Grown boxes in the order of the curve, `LEAF` at a time.
    leaves: Vec<Leaf>,
    /// Boxes of the tree: node i has the children 2i and 2i + 1, the root is 1.
    nodes: Vec<Aabb>,
    half_spaces: Vec<u32>,
    /// Pairs as found, before they are put in order.
    found: Vec<(u32, u32)>,
    by_second: Vec<(u32, u32)>,
    /// Where the pairs of each index begin.
    starts: Vec<u32>,
}

/// Box in single precision, rounded outwards: it finds a few pairs too many, which the exact test drops.
#[derive(Clone, Copy, Debug)]
struct Aabb {
    min: [f32; 3],
    max: [f32; 3],
}

/// Boxes side by side, so that one box is tested against all of them at once.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    min: [[f32; LEAF]; 3],
    max: [[f32; LEAF]; 3],
}

impl Aabb {
    /// Holds nothing and meets nothing.
    const EMPTY: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    fn around(min: Vec3, max: Vec3) -> Self {
        let (min, max) = (min.to_array(), max.to_array());
        Self { min: min.map(|x| (x as f32).next_down()), max: max.map(|x| (x as f32).next_up()) }
    }

    #[inline]
    fn union(self, other: Self) -> Self {
        let pick =
            |f: fn(f32, f32) -> f32, a: [f32; 3], b: [f32; 3]| [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])];
        Self { min: pick(f32::min, self.min, other.min), max: pick(f32::max, self.max, other.max) }
    }

    // Bitwise `&` here and below: whether two boxes meet is close to random, and a branch that the processor cannot
    // foresee costs more than all six comparisons.
    #[allow(clippy::needless_bitwise_bool)]
    #[inline]
    fn meets(&self, other: &Self) -> bool {
        (self.min[0] <= other.max[0])
            & (other.min[0] <= self.max[0])
            & (self.min[1] <= other.max[1])
            & (other.min[1] <= self.max[1])
            & (self.min[2] <= other.max[2])
            & (other.min[2] <= self.max[2])
    }
}

impl Leaf {
    const EMPTY: Self = Self { min: [[f32::INFINITY; LEAF]; 3], max: [[f32::NEG_INFINITY; LEAF]; 3] };

    fn set(&mut self, place: usize, b: Aabb) {
        for axis in 0..3 {
            self.min[axis][place] = b.min[axis];
            self.max[axis][place] = b.max[axis];
        }
    }

    #[inline]
    fn get(&self, place: usize) -> Aabb {
        Aabb { min: self.min.map(|x| x[place]), max: self.max.map(|x| x[place]) }
    }

    fn union(&self) -> Aabb {
        (0..LEAF).fold(Aabb::EMPTY, |sum, place| sum.union(self.get(place)))
    }

    /// One bit for each box that meets `b`.
    #[allow(clippy::needless_bitwise_bool)]
    #[inline]
    fn meeting(&self, b: &Aabb) -> u32 {
        let mut meets = [true; LEAF];
        for axis in 0..3 {
            let (low, high) = (b.min[axis], b.max[axis]);
            for ((meets, min), max) in meets.iter_mut().zip(&self.min[axis]).zip(&self.max[axis]) {
                *meets &= (*min <= high) & (low <= *max);
            }
        }
        let mut mask = 0;
        for (place, meets) in meets.iter().enumerate() {
            mask |= u32::from(*meets) << place;
        }
        mask
    }
}

impl BroadPhase {
    /// Writes into `pairs` every pair (a < b) whose bounds, each grown by `margin` [m], meet and for which
    /// `skip(a, b)` is false, in increasing order. The result depends on the arguments only.
    /// Two half-spaces are never a pair. A box with a coordinate that is not a number meets nothing.
    pub fn find(
        &mut self,
        bounds: &[Bounds],
        margin: f64,
        skip: impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        self.sort_along_curve(bounds, margin);
        self.build_tree();
        self.collect_box_pairs();
        self.collect_half_space_pairs(bounds, margin);
        self.write_in_order(bounds, margin, skip, pairs);
    }

    fn sort_along_curve(&mut self, bounds: &[Bounds], margin: f64) {
        self.keys.clear();
        self.half_spaces.clear();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (i, b) in bounds.iter().enumerate() {
            match b {
                Bounds::Box { min, max } => {
                    let twice = *min + *max;
                    (low, high) = (low.min(twice), high.max(twice));
                    self.keys.push((0, i as u32));
                }
                Bounds::HalfSpace { .. } => self.half_spaces.push(i as u32),
            }
        }
        // 21 bits for each axis; the cast of a value that is not a number gives 0, which is as good as any place.
        let cells = f64::from((1_u32 << 21) - 1);
        let scale = Vec3::splat(cells) / (high - low).max(Vec3::splat(f64::MIN_POSITIVE));
        for key in &mut self.keys {
            if let Bounds::Box { min, max } = bounds[key.1 as usize] {
                let cell = ((min + max - low) * scale).min(Vec3::splat(cells));
                key.0 = spread(cell.x as u64) | spread(cell.y as u64) << 1 | spread(cell.z as u64) << 2;
            }
        }
        // The index breaks ties, so the order is unique.
        self.keys.sort_unstable();
        self.leaves.clear();
        let grow = Vec3::splat(margin);
        for keys in self.keys.chunks(LEAF) {
            let mut leaf = Leaf::EMPTY;
            for (place, &(_, index)) in keys.iter().enumerate() {
                if let Bounds::Box { min, max } = bounds[index as usize] {
                    leaf.set(place, Aabb::around(min - grow, max + grow));
                }
            }
            self.leaves.push(leaf);
        }
    }

    fn build_tree(&mut self) {
        let width = self.leaves.len().next_power_of_two();
        self.nodes.clear();
        self.nodes.resize(2 * width, Aabb::EMPTY);
        for (node, leaf) in self.nodes[width..].iter_mut().zip(&self.leaves) {
            *node = leaf.union();
        }
        for i in (1..width).rev() {
            self.nodes[i] = self.nodes[2 * i].union(self.nodes[2 * i + 1]);
        }
    }

    fn collect_box_pairs(&mut self) {
        let Self { keys, leaves, nodes, found, .. } = self;
        found.clear();
        let width = nodes.len() / 2;
        // Each level of the tree leaves at most one node waiting, plus the two just put there.
        let mut stack = [0_usize; 64];
        for (l, own) in leaves.iter().enumerate() {
            let mut push = |i: usize, other: usize, mut mask: u32| {
                while mask != 0 {
                    let j = mask.trailing_zeros() as usize;
                    let (a, b) = (keys[l * LEAF + i].1, keys[other * LEAF + j].1);
                    found.push((a.min(b), a.max(b)));
                    mask &= mask - 1;
                }
            };
            for i in 0..LEAF {
                let behind = !0 << (i + 1);
                push(i, l, own.meeting(&own.get(i)) & behind);
            }
            // The leaf's box walks the tree once for all its entries, through the leaves behind it only: going up
            // from the leaf, every right sibling holds leaves that are all behind it.
            let reach = nodes[width + l];
            let mut node = width + l;
            while node > 1 {
                let mut top = 0;
                if node % 2 == 0 {
                    stack[0] = node + 1;
                    top = usize::from(nodes[node + 1].meets(&reach));
                }
                while top > 0 {
                    top -= 1;
                    let at = stack[top];
                    if at >= width {
                        let other = at - width;
                        let mut near = own.meeting(&nodes[at]);
                        while near != 0 {
                            let i = near.trailing_zeros() as usize;
                            push(i, other, leaves[other].meeting(&own.get(i)));
                            near &= near - 1;
                        }
                        continue;
                    }
                    for child in [2 * at, 2 * at + 1] {
                        stack[top] = child;
                        top += usize::from(nodes[child].meets(&reach));
                    }
                }
                node /= 2;
            }
        }
    }

    fn collect_half_space_pairs(&mut self, bounds: &[Bounds], margin: f64) {
        for &h in &self.half_spaces {
            let half_space = &bounds[h as usize];
            for (i, b) in bounds.iter().enumerate() {
                if half_space.meet(b, margin) {
                    self.found.push((h.min(i as u32), h.max(i as u32)));
                }
            }
        }
    }

    /// Drops the pairs that do not meet exactly or are to be skipped, and puts the others in order.
    fn write_in_order(
        &mut self,
        bounds: &[Bounds],
        margin: f64,
        skip: impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let Self { found, by_second, starts, .. } = self;
        found.retain(|&(a, b)| bounds[a as usize].meet(&bounds[b as usize], margin) && !skip(a, b));
        counting_sort(found, |pair| pair.1, bounds.len(), starts, by_second);
        counting_sort(by_second, |pair| pair.0, bounds.len(), starts, pairs);
    }
}

/// Stable sort by a key below `n`. Linear in the number of pairs: a general sort would take longer than finding them.
fn counting_sort(
    from: &[(u32, u32)],
    key: impl Fn(&(u32, u32)) -> u32,
    n: usize,
    starts: &mut Vec<u32>,
    to: &mut Vec<(u32, u32)>,
) {
    starts.clear();
    starts.resize(n + 1, 0);
    for pair in from {
        starts[key(pair) as usize + 1] += 1;
    }
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
    to.clear();
    to.resize(from.len(), (0, 0));
    for pair in from {
        let place = &mut starts[key(pair) as usize];
        to[*place as usize] = *pair;
        *place += 1;
    }
}

/// Puts two zero bits behind each of the lowest 21 bits.
fn spread(x: u64) -> u64 {
    let x = x & 0x1f_ffff;
    let x = (x | x << 32) & 0x001f_0000_0000_ffff;
    let x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    let x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    let x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cases::random_cases;
    use proptest::prelude::*;

    fn all_pairs(bounds: &[Bounds], margin: f64) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for a in 0..bounds.len() {
            for b in a + 1..bounds.len() {
                if bounds[a].meet(&bounds[b], margin) {
                    pairs.push((a as u32, b as u32));
                }
            }
        }
        pairs
    }

    fn any_bounds() -> impl Strategy<Value = Bounds> {
        let vector = |r: f64| (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z));
        prop_oneof![
            // Sizes over four orders of magnitude.
            20 => (vector(3.0), -3.0..1.0).prop_map(|(c, e)| {
                Bounds::around(c, Vec3::new(1.0, 0.7, 1.3) * fender_math::float::pow(10.0, e))
            }),
            1 => (vector(1.0), -2.0..2.0).prop_map(|(n, offset)| Bounds::HalfSpace {
                normal: (n + Vec3::new(0.0, 0.0, 1.1)).normalize(),
                offset,
            }),
        ]
    }

    proptest! {
        #![proptest_config(random_cases(256))]

        #[test]
        fn finds_what_trying_every_pair_finds(
            bounds in proptest::collection::vec(any_bounds(), 0..120),
            margin in 0.0..0.2_f64,
        ) {
            let mut broad = BroadPhase::default();
            let mut pairs = vec![(7, 7)];
            broad.find(&bounds, margin, |_, _| false, &mut pairs);
            prop_assert_eq!(&pairs, &all_pairs(&bounds, margin));
            // A used search gives the same, and what is skipped is left out.
            broad.find(&bounds[..bounds.len() / 2], margin, |_, _| false, &mut pairs);
            prop_assert_eq!(&pairs, &all_pairs(&bounds[..bounds.len() / 2], margin));
            broad.find(&bounds, margin, |a, b| (a + b) % 3 == 0, &mut pairs);
            let mut kept = all_pairs(&bounds, margin);
            kept.retain(|(a, b)| (a + b) % 3 != 0);
            prop_assert_eq!(pairs, kept);
        }
    }

    #[test]
    fn coincident_boxes_and_no_boxes() {
        let mut broad = BroadPhase::default();
        let mut pairs = Vec::new();
        broad.find(&[], 0.1, |_, _| false, &mut pairs);
        assert!(pairs.is_empty());
        let bounds = [Bounds::around(Vec3::ONE, Vec3::ONE); 9];
        broad.find(&bounds, 0.0, |_, _| false, &mut pairs);
        assert_eq!(pairs.len(), 36);
    }

    #[test]
    fn a_lost_body_does_not_disturb_the_others() {
        let mut bounds = vec![Bounds::around(Vec3::ZERO, Vec3::ONE); 3];
        bounds[1] = Bounds::around(Vec3::new(f64::NAN, 0.0, 0.0), Vec3::ONE);
        let mut pairs = Vec::new();
        BroadPhase::default().find(&bounds, 0.0, |_, _| false, &mut pairs);
        assert_eq!(pairs, [(0, 2)]);
    }
}
