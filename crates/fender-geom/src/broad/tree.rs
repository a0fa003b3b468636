//! A tree of boxes.
//!
//! Boxes are sorted along a Morton curve (Karras 2012, "Maximizing parallelism in the construction of BVHs", section 4),
//! neighbours on the curve are put eight to a leaf, and the leaves form a complete binary tree in an array. A tree, and
//! not a grid, because bodies in one scene differ in size by orders of magnitude.

use fender_math::Vec3;

/// Boxes per leaf. Four single-precision numbers fill a vector register of any x86-64 or ARM processor; eight were
/// faster than four and as fast as sixteen on piles of spheres (`examples/broad_phase.rs`).
const LEAF: usize = 8;

/// A tree of boxes; building it again does not allocate once its buffers have grown.
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    /// Place on the Morton curve and the box's number.
    keys: Vec<(u64, u32)>,
    /// Boxes in the order of the curve, `LEAF` at a time.
    leaves: Vec<Leaf>,
    /// Boxes of the tree: node i has the children 2i and 2i + 1, the root is 1.
    nodes: Vec<Aabb>,
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
    /// Holds nothing and meets nothing, not even a box without end; least and largest of a number and NaN are the number.
    const EMPTY: Self = Self { min: [f32::NAN; 3], max: [f32::NAN; 3] };

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

    /// Grown on every side by `by` [m], and outwards by rounding.
    #[inline]
    fn grown(self, by: f32) -> Self {
        Self { min: self.min.map(|x| (x - by).next_down()), max: self.max.map(|x| (x + by).next_up()) }
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
    const EMPTY: Self = Self { min: [[f32::NAN; LEAF]; 3], max: [[f32::NAN; LEAF]; 3] };

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

impl BoxTree {
    /// Builds the tree of the boxes with the numbers below `count`, as `of` tells them by their lower and upper corners [m], grown by
    /// `margin` [m] on every side. Without a box a number is not in the tree; a box with a coordinate that is not a number
    /// meets nothing.
    pub fn build(&mut self, count: usize, margin: f64, of: impl Fn(u32) -> Option<(Vec3, Vec3)>) {
        self.sort_along_curve(count, margin, of);
        self.join();
    }

    fn sort_along_curve(&mut self, count: usize, margin: f64, of: impl Fn(u32) -> Option<(Vec3, Vec3)>) {
        self.keys.clear();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for i in 0..count as u32 {
            if let Some((min, max)) = of(i) {
                let twice = min + max;
                (low, high) = (low.min(twice), high.max(twice));
                self.keys.push((0, i));
            }
        }
        // 21 bits for each axis; the cast of a value that is not a number gives 0, which is as good as any place.
        let cells = f64::from((1_u32 << 21) - 1);
        let scale = Vec3::splat(cells) / (high - low).max(Vec3::splat(f64::MIN_POSITIVE));
        for key in &mut self.keys {
            if let Some((min, max)) = of(key.1) {
                let cell = ((min + max - low) * scale).min(Vec3::splat(cells));
                key.0 = spread(cell.x as u64) | spread(cell.y as u64) << 1 | spread(cell.z as u64) << 2;
            }
        }
        // The number breaks ties, so the order is unique.
        self.keys.sort_unstable();
        self.leaves.clear();
        let grow = Vec3::splat(margin);
        for keys in self.keys.chunks(LEAF) {
            let mut leaf = Leaf::EMPTY;
            for (place, &(_, number)) in keys.iter().enumerate() {
                if let Some((min, max)) = of(number) {
                    leaf.set(place, Aabb::around(min - grow, max + grow));
                }
            }
            self.leaves.push(leaf);
        }
    }

    fn join(&mut self) {
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

    /// Calls `found` with the numbers of every two boxes that meet, or nearly do.
    pub fn pairs(&self, mut found: impl FnMut(u32, u32)) {
        let (keys, leaves, nodes) = (&self.keys[..], &self.leaves[..], &self.nodes[..]);
        let width = nodes.len() / 2;
        for (l, own) in leaves.iter().enumerate() {
            let mut push = |i: usize, other: usize, mut mask: u32| {
                while mask != 0 {
                    let j = mask.trailing_zeros() as usize;
                    found(keys[l * LEAF + i].1, keys[other * LEAF + j].1);
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
                if node % 2 == 0 {
                    self.walk(node + 1, &reach, |other| {
                        let mut near = own.meeting(&nodes[width + other]);
                        while near != 0 {
                            let i = near.trailing_zeros() as usize;
                            push(i, other, leaves[other].meeting(&own.get(i)));
                            near &= near - 1;
                        }
                    });
                }
                node /= 2;
            }
        }
    }

    /// Calls `found` with the numbers of every box of this tree and every box of another one that come as near as `gap` [m], or nearly do.
    pub fn cross(&self, other: &Self, gap: f64, mut found: impl FnMut(u32, u32)) {
        if other.keys.is_empty() {
            return;
        }
        let (grow, width) = ((gap as f32).next_up(), other.nodes.len() / 2);
        let reaches = &self.nodes[self.nodes.len() / 2..];
        for ((own, keys), reach) in self.leaves.iter().zip(self.keys.chunks(LEAF)).zip(reaches) {
            other.walk(1, &reach.grown(grow), |l| {
                let mut near = own.meeting(&other.nodes[width + l].grown(grow));
                while near != 0 {
                    let i = near.trailing_zeros() as usize;
                    other.in_leaf(l, &own.get(i).grown(grow), |their| found(keys[i].1, their));
                    near &= near - 1;
                }
            });
        }
    }

    /// Calls `found` with the numbers of the boxes that meet the box from `min` to `max` [m], or nearly do.
    pub fn near(&self, min: Vec3, max: Vec3, mut found: impl FnMut(u32)) {
        let reach = Aabb::around(min, max);
        self.walk(1, &reach, |l| self.in_leaf(l, &reach, &mut found));
    }

    /// Calls `found` with the leaves below a node that meet a box.
    #[inline]
    fn walk(&self, from: usize, reach: &Aabb, mut found: impl FnMut(usize)) {
        let (nodes, width) = (&self.nodes[..], self.nodes.len() / 2);
        // Each level of the tree leaves at most one node waiting, plus the two just put there.
        let mut stack = [0_usize; 64];
        stack[0] = from;
        let mut top = usize::from(nodes.get(from).is_some_and(|node| node.meets(reach)));
        while top > 0 {
            top -= 1;
            let at = stack[top];
            if at >= width {
                found(at - width);
                continue;
            }
            for child in [2 * at, 2 * at + 1] {
                stack[top] = child;
                top += usize::from(nodes[child].meets(reach));
            }
        }
    }

    #[inline]
    fn in_leaf(&self, leaf: usize, reach: &Aabb, mut found: impl FnMut(u32)) {
        let mut mask = self.leaves[leaf].meeting(reach);
        while mask != 0 {
            found(self.keys[leaf * LEAF + mask.trailing_zeros() as usize].1);
            mask &= mask - 1;
        }
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
