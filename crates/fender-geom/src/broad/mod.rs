//! Broad phase: which shapes might touch.
//!
//! What moves is put into a tree of boxes that is built anew in every call, so nothing is remembered; what never moves is in a tree of its own ([`Scenery`]) that is built once. Bodies of many
//! shapes are in the tree as a whole, and are opened ([`Hierarchy`]) only where something is near.

mod ball;
mod hierarchy;
mod scenery;
mod tree;

pub use ball::Ball;
pub use hierarchy::Hierarchy;
pub use scenery::Scenery;
pub use tree::BoxTree;

use crate::Bounds;
use fender_math::{Pose, Vec3};
use std::ops::Range;

/// What the search asks of a scene. Shapes are known by their numbers.
pub trait Scene {
    /// How many shapes there are.
    fn shapes(&self) -> usize;
    /// What never moves.
    fn scenery(&self) -> &Scenery;
    /// How many bodies move.
    fn movers(&self) -> usize;
    /// A body that moves.
    fn mover(&self, index: usize) -> Mover<'_>;
    /// Where a shape of a moving body is.
    fn bounds(&self, shape: u32) -> Bounds;
    /// Whether two shapes are no pair, however near they are.
    fn skips(&self, a: u32, b: u32) -> bool;
}

/// A body that moves.
#[derive(Clone, Debug)]
pub struct Mover<'a> {
    /// Its shapes.
    pub shapes: Range<u32>,
    /// For a body of many shapes: their balls in its frame, in their order, and its pose.
    pub many: Option<(&'a Hierarchy, Pose)>,
}

/// Finds candidate pairs in O(n log n), without allocating once its buffers have grown.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    /// What is in the tree.
    units: Vec<Unit>,
    tree: BoxTree,
    /// Bounds of the moving shapes, as far as they were needed.
    bounds: Vec<Bounds>,
    /// Shapes that are moving half-spaces.
    half_spaces: Vec<u32>,
    bodies: Vec<ManyShapes>,
    /// Balls of the bodies that are opened, in the world.
    balls: Vec<Ball>,
    /// Units that meet, and units that meet scenery.
    met: Vec<(u32, u32)>,
    met_scenery: Vec<(u32, u32)>,
    stack: Vec<(u32, u32)>,
    /// Pairs as found, before they are put in order.
    found: Vec<(u32, u32)>,
    by_second: Vec<(u32, u32)>,
    /// Where the pairs of each shape begin.
    starts: Vec<u32>,
}

/// A shape by itself, or a body of many.
#[derive(Clone, Copy, Debug)]
struct Unit {
    /// The shape, or the body's first.
    shape: u32,
    /// Index into `bodies`, or `ALONE`.
    body: u32,
}

const ALONE: u32 = u32::MAX;

/// A body that is in the tree as a whole.
#[derive(Clone, Copy, Debug)]
struct ManyShapes {
    mover: u32,
    /// Holds all of it, in the world.
    whole: Ball,
    /// Where its balls begin once it is opened.
    opened: Option<u32>,
}

impl BroadPhase {
    /// Writes into `pairs` every pair (a < b) of shapes of which at least one moves, which the scene does not skip, and whose bounds, each grown by `margin` [m], meet,
    /// in increasing order. Of bodies of many shapes also the balls, grown alike, must meet. The result depends on the arguments only.
    /// Two half-spaces are never a pair, nor is a moving one with scenery. A box with a coordinate that is not a number meets nothing.
    pub fn find(&mut self, scene: &impl Scene, margin: f64, pairs: &mut Vec<(u32, u32)>) {
        self.gather(scene);
        let Self { units, bounds, bodies, tree, met, met_scenery, .. } = self;
        tree.build(units.len(), margin, |i| {
            let unit = units[i as usize];
            match bodies.get(unit.body as usize) {
                None => bounds[unit.shape as usize].corners(),
                Some(ManyShapes { whole: Ball { center, radius }, .. }) => {
                    Some((*center - *radius, *center + *radius))
                }
            }
        });
        met.clear();
        tree.pairs(|a, b| met.push((a, b)));
        met_scenery.clear();
        tree.cross(&scene.scenery().tree, margin, |unit, still| met_scenery.push((unit, still)));
        self.found.clear();
        self.collect_moving(scene, margin);
        self.collect_scenery(scene, margin);
        self.collect_half_spaces(scene, margin);
        self.write_in_order(scene.shapes(), pairs);
    }

    fn gather(&mut self, scene: &impl Scene) {
        self.units.clear();
        self.half_spaces.clear();
        self.bodies.clear();
        self.balls.clear();
        self.bounds.resize(scene.shapes(), Bounds::around(Vec3::NAN, Vec3::NAN));
        for index in 0..scene.movers() {
            let Mover { shapes, many } = scene.mover(index);
            if let Some((hierarchy, pose)) = many {
                self.units.push(Unit { shape: shapes.start, body: self.bodies.len() as u32 });
                let whole = hierarchy.whole().transformed(&pose);
                self.bodies.push(ManyShapes { mover: index as u32, whole, opened: None });
                continue;
            }
            for shape in shapes {
                let bounds = scene.bounds(shape);
                self.bounds[shape as usize] = bounds;
                self.units.push(Unit { shape, body: ALONE });
                if matches!(bounds, Bounds::HalfSpace { .. }) {
                    self.half_spaces.push(shape);
                }
            }
        }
    }

    /// Places the balls and shapes of a body, if it has not been done, and returns the range of its balls.
    fn open(&mut self, scene: &impl Scene, body: u32) -> Range<usize> {
        let ManyShapes { mover, opened, .. } = &mut self.bodies[body as usize];
        let Mover { shapes, many } = scene.mover(*mover as usize);
        let Some((hierarchy, pose)) = many else { return 0..0 };
        if let Some(first) = *opened {
            return first as usize..first as usize + hierarchy.len();
        }
        let first = self.balls.len();
        *opened = Some(first as u32);
        self.balls.extend(hierarchy.placed(&pose));
        for shape in shapes {
            self.bounds[shape as usize] = scene.bounds(shape);
        }
        first..self.balls.len()
    }

    fn collect_moving(&mut self, scene: &impl Scene, margin: f64) {
        // Most pairs are of two shapes.
        let Self { units, bounds, met, found, .. } = self;
        met.retain(|&(a, b)| {
            let (a, b) = (units[a as usize], units[b as usize]);
            let alone = a.body == ALONE && b.body == ALONE;
            if alone {
                keep(scene, margin, a.shape, (b.shape, &bounds[b.shape as usize]), bounds, found);
            }
            !alone
        });
        let met = std::mem::take(&mut self.met);
        for &(a, b) in &met {
            let (a, b) = (self.units[a as usize], self.units[b as usize]);
            match (a.body, b.body) {
                (_, ALONE) => self.search(scene, margin, a, (b.shape, self.bounds[b.shape as usize])),
                (ALONE, _) => self.search(scene, margin, b, (a.shape, self.bounds[a.shape as usize])),
                _ => {
                    let (balls_a, balls_b) = (self.open(scene, a.body), self.open(scene, b.body));
                    let Self { bounds, bodies, balls, stack, found, .. } = self;
                    let [of_a, of_b] =
                        [a, b].map(|unit| scene.mover(bodies[unit.body as usize].mover as usize).many);
                    if let (Some((of_a, _)), Some((of_b, _))) = (of_a, of_b) {
                        let balls = [&balls[balls_a], &balls[balls_b]];
                        Hierarchy::cross([of_a, of_b], balls, 2.0 * margin, stack, |i, j| {
                            let other = b.shape + j;
                            keep(scene, margin, a.shape + i, (other, &bounds[other as usize]), bounds, found);
                        });
                    }
                }
            }
        }
        self.met = met;
    }

    fn collect_scenery(&mut self, scene: &impl Scene, margin: f64) {
        let met = std::mem::take(&mut self.met_scenery);
        for &(unit, still) in &met {
            let unit = self.units[unit as usize];
            let (shape, still) = &scene.scenery().boxes[still as usize];
            self.unit_with(scene, margin, unit, (*shape, still));
        }
        self.met_scenery = met;
    }

    fn collect_half_spaces(&mut self, scene: &impl Scene, margin: f64) {
        for half_space in &scene.scenery().half_spaces {
            self.collect_half_space(scene, margin, half_space);
        }
        for i in 0..self.half_spaces.len() {
            let shape = self.half_spaces[i];
            self.collect_half_space(scene, margin, &(shape, self.bounds[shape as usize]));
        }
    }

    fn collect_half_space(&mut self, scene: &impl Scene, margin: f64, (shape, half_space): &(u32, Bounds)) {
        for i in 0..self.units.len() {
            let unit = self.units[i];
            // Most are above it.
            if unit.body != ALONE || half_space.meet(&self.bounds[unit.shape as usize], margin) {
                self.unit_with(scene, margin, unit, (*shape, half_space));
            }
        }
    }

    /// Keeps the pairs of a unit with a shape.
    #[inline]
    fn unit_with(&mut self, scene: &impl Scene, margin: f64, unit: Unit, other: (u32, &Bounds)) {
        if unit.body == ALONE {
            keep(scene, margin, unit.shape, other, &self.bounds, &mut self.found);
        } else {
            self.search(scene, margin, unit, (other.0, *other.1));
        }
    }

    /// Keeps the pairs of a body of many shapes with a shape.
    fn search(&mut self, scene: &impl Scene, margin: f64, unit: Unit, (shape, other): (u32, Bounds)) {
        let meets = |ball: &Ball| match other {
            Bounds::Box { min, max } => ball.is_near_box(min, max, 2.0 * margin),
            Bounds::HalfSpace { normal, offset } => {
                normal.dot(ball.center) - ball.radius <= offset + 2.0 * margin
            }
        };
        if !meets(&self.bodies[unit.body as usize].whole) {
            return;
        }
        let range = self.open(scene, unit.body);
        let Self { bounds, bodies, balls, stack, found, .. } = self;
        if let Some((hierarchy, _)) = scene.mover(bodies[unit.body as usize].mover as usize).many {
            hierarchy.search(&balls[range], meets, stack, |part| {
                keep(scene, margin, unit.shape + part, (shape, &other), bounds, found);
            });
        }
    }

    /// Puts the pairs in order.
    fn write_in_order(&mut self, shapes: usize, pairs: &mut Vec<(u32, u32)>) {
        let Self { found, by_second, starts, .. } = self;
        // A few pairs among many shapes are sorted faster than shapes are counted.
        if found.len() < shapes / 8 {
            pairs.clear();
            pairs.extend_from_slice(found);
            pairs.sort_unstable();
            return;
        }
        counting_sort(found, |pair| pair.1, shapes, starts, by_second);
        counting_sort(by_second, |pair| pair.0, shapes, starts, pairs);
    }
}

/// Keeps a pair if its bounds meet exactly and the scene does not skip it.
#[inline]
fn keep(
    scene: &impl Scene,
    margin: f64,
    a: u32,
    (b, bounds_b): (u32, &Bounds),
    bounds: &[Bounds],
    found: &mut Vec<(u32, u32)>,
) {
    if bounds[a as usize].meet(bounds_b, margin) {
        let (a, b) = (a.min(b), a.max(b));
        if !scene.skips(a, b) {
            found.push((a, b));
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cases::random_cases;
    use fender_math::rotation::from_axis_angle;
    use proptest::prelude::*;

    /// Shapes one by one, some of which are scenery.
    struct Shapes {
        bounds: Vec<Bounds>,
        scenery: Scenery,
        moving: Vec<u32>,
        skipped: fn(u32, u32) -> bool,
    }

    impl Shapes {
        fn new(bounds: &[Bounds], is_fixed: impl Fn(u32) -> bool) -> Self {
            let of = |i: u32| (i, bounds[i as usize]);
            let (fixed, moving): (Vec<u32>, Vec<u32>) = (0..bounds.len() as u32).partition(|i| is_fixed(*i));
            let scenery = Scenery::new(fixed.into_iter().map(of));
            Self { bounds: bounds.to_vec(), scenery, moving, skipped: |_, _| false }
        }

        fn pairs(&self, broad: &mut BroadPhase, margin: f64) -> Vec<(u32, u32)> {
            let mut pairs = vec![(7, 7)];
            broad.find(self, margin, &mut pairs);
            pairs
        }

        /// What trying every pair finds.
        fn all_pairs(&self, margin: f64) -> Vec<(u32, u32)> {
            let mut pairs = Vec::new();
            let moves = |i: u32| self.moving.binary_search(&i).is_ok();
            let endless = |i: u32| matches!(self.bounds[i as usize], Bounds::HalfSpace { .. });
            for a in 0..self.bounds.len() as u32 {
                for b in a + 1..self.bounds.len() as u32 {
                    let meet = self.bounds[a as usize].meet(&self.bounds[b as usize], margin);
                    let wanted = match (moves(a), moves(b)) {
                        (true, true) => true,
                        (true, false) => !endless(a),
                        (false, true) => !endless(b),
                        (false, false) => false,
                    };
                    if meet && wanted && !(self.skipped)(a, b) {
                        pairs.push((a, b));
                    }
                }
            }
            pairs
        }
    }

    impl Scene for Shapes {
        fn shapes(&self) -> usize {
            self.bounds.len()
        }
        fn scenery(&self) -> &Scenery {
            &self.scenery
        }
        fn movers(&self) -> usize {
            self.moving.len()
        }
        fn mover(&self, index: usize) -> Mover<'_> {
            Mover { shapes: self.moving[index]..self.moving[index] + 1, many: None }
        }
        fn bounds(&self, shape: u32) -> Bounds {
            self.bounds[shape as usize]
        }
        fn skips(&self, a: u32, b: u32) -> bool {
            (self.skipped)(a, b)
        }
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

    /// Bodies of balls at poses; every third body of the first is scenery, every fifth is looked at ball by ball.
    struct Bodies {
        parts: Vec<Vec<Ball>>,
        poses: Vec<Pose>,
        hierarchies: Vec<Option<Hierarchy>>,
        scenery: Scenery,
        moving: Vec<usize>,
    }

    impl Bodies {
        fn new(bodies: Vec<(Vec<Ball>, Pose)>) -> Self {
            let (parts, poses): (Vec<_>, Vec<_>) = bodies.into_iter().unzip();
            let many =
                |(i, parts): (usize, &Vec<Ball>)| (i % 5 != 0).then(|| Hierarchy::new(parts)).flatten();
            let hierarchies = parts.iter().enumerate().map(many).collect();
            let moving = (0..parts.len()).filter(|i| i % 3 != 1).collect();
            let mut scene = Self { parts, poses, hierarchies, scenery: Scenery::default(), moving };
            let fixed = (0..scene.parts.len()).filter(|i| i % 3 == 1).flat_map(|i| scene.range(i));
            scene.scenery = Scenery::new(fixed.map(|shape| (shape, scene.bounds(shape))));
            scene
        }

        fn range(&self, body: usize) -> Range<u32> {
            let before: usize = self.parts[..body].iter().map(Vec::len).sum();
            before as u32..(before + self.parts[body].len()) as u32
        }

        fn ball(&self, shape: u32) -> (usize, Ball) {
            let body = (0..self.parts.len()).find(|i| self.range(*i).contains(&shape)).unwrap();
            let part = (shape - self.range(body).start) as usize;
            (body, self.parts[body][part].transformed(&self.poses[body]))
        }
    }

    impl Scene for Bodies {
        fn shapes(&self) -> usize {
            self.parts.iter().map(Vec::len).sum()
        }
        fn scenery(&self) -> &Scenery {
            &self.scenery
        }
        fn movers(&self) -> usize {
            self.moving.len()
        }
        fn mover(&self, index: usize) -> Mover<'_> {
            let body = self.moving[index];
            let many = self.hierarchies[body].as_ref().map(|h| (h, self.poses[body]));
            Mover { shapes: self.range(body), many }
        }
        fn bounds(&self, shape: u32) -> Bounds {
            let (_, Ball { center, radius }) = self.ball(shape);
            Bounds::around(center, Vec3::splat(radius))
        }
        fn skips(&self, a: u32, b: u32) -> bool {
            self.ball(a).0 == self.ball(b).0
        }
    }

    proptest! {
        #![proptest_config(random_cases(256))]

        #[test]
        fn finds_what_trying_every_pair_finds(
            bounds in proptest::collection::vec(any_bounds(), 0..120),
            margin in 0.0..0.2_f64,
        ) {
            let mut broad = BroadPhase::default();
            let mut scene = Shapes::new(&bounds, |_| false);
            prop_assert_eq!(scene.pairs(&mut broad, margin), scene.all_pairs(margin));
            // A used search gives the same, and what is skipped is left out.
            let half = Shapes::new(&bounds[..bounds.len() / 2], |_| false);
            prop_assert_eq!(half.pairs(&mut broad, margin), half.all_pairs(margin));
            scene.skipped = |a, b| (a + b) % 3 == 0;
            prop_assert_eq!(scene.pairs(&mut broad, margin), scene.all_pairs(margin));
        }

        #[test]
        fn finds_what_moves_near_scenery(
            bounds in proptest::collection::vec(any_bounds(), 0..120),
            fixed in proptest::collection::vec(any::<bool>(), 120),
            margin in 0.0..0.2_f64,
        ) {
            let scene = Shapes::new(&bounds, |i| fixed[i as usize]);
            prop_assert_eq!(scene.pairs(&mut BroadPhase::default(), margin), scene.all_pairs(margin));
            // The scenery tells by itself what is in a box.
            if let Some((min, max)) = bounds.first().and_then(Bounds::corners) {
                let mut near = Vec::new();
                scene.scenery.near(min, max, |i| near.push(i));
                near.sort_unstable();
                let meets = |i: &u32| fixed[*i as usize] && bounds[*i as usize].meet(&bounds[0], 0.0);
                for i in (0..bounds.len() as u32).filter(meets) {
                    prop_assert!(near.binary_search(&i).is_ok());
                }
            }
        }

        #[test]
        fn bodies_of_many_shapes_are_opened_where_they_are_near(
            bodies in proptest::collection::vec(
                (
                    proptest::collection::vec(((-0.5..0.5, -0.1..0.1, -0.2..0.2), 0.01..0.2), 1..12),
                    (-2.0..2.0, -0.5..0.5, -0.5..0.5),
                    -3.0..3.0,
                ),
                0..12,
            ),
            margin in 0.0..0.1_f64,
        ) {
            let vector = |(x, y, z): (f64, f64, f64)| Vec3::new(x, y, z);
            let bodies = bodies.into_iter().map(|(parts, place, angle)| {
                let parts = parts.into_iter().map(|(center, radius)| Ball { center: vector(center), radius }).collect();
                (parts, Pose { translation: vector(place), rotation: from_axis_angle(Vec3::new(0.3, 1.0, -0.4), angle) })
            });
            let scene = Bodies::new(bodies.collect());
            let mut pairs = Vec::new();
            BroadPhase::default().find(&scene, margin, &mut pairs);
            prop_assert!(pairs.is_sorted_by(|a, b| a < b));
            for a in 0..scene.shapes() as u32 {
                for b in a + 1..scene.shapes() as u32 {
                    let ((i, ball_a), (j, ball_b)) = (scene.ball(a), scene.ball(b));
                    let found = pairs.binary_search(&(a, b)).is_ok();
                    if i == j || (i % 3 == 1 && j % 3 == 1) {
                        prop_assert!(!found);
                    } else if ball_a.is_near(&ball_b, 2.0 * margin - 1e-12) {
                        prop_assert!(found, "{a} {b}");
                    } else if !scene.bounds(a).meet(&scene.bounds(b), margin) {
                        prop_assert!(!found, "{a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_body_of_many_shapes_over_a_half_space() {
        let parts = (0..20).map(|i| Ball { center: Vec3::Z * f64::from(i), radius: 0.4 }).collect();
        let mut scene = Bodies::new(vec![
            (vec![], Pose::IDENTITY),
            (vec![], Pose::IDENTITY),
            (parts, Pose::from_translation(Vec3::new(3.0, 4.0, -1.3))),
        ]);
        assert!(scene.hierarchies[2].is_some());
        scene.scenery = Scenery::new([(20, Bounds::HalfSpace { normal: Vec3::Z, offset: 0.0 })]);
        scene.parts.push(vec![Ball { center: Vec3::ZERO, radius: 0.0 }]);
        scene.poses.push(Pose::IDENTITY);
        let mut pairs = Vec::new();
        // Lowest points at −1.7, −0.7, 0.3, 1.3: within twice the margin.
        for (margin, count) in [(0.0, 2), (0.149, 2), (0.151, 3), (0.66, 4)] {
            BroadPhase::default().find(&scene, margin, &mut pairs);
            assert_eq!(pairs, (0..count).map(|i| (i, 20)).collect::<Vec<_>>(), "{margin}");
        }
    }

    #[test]
    fn coincident_boxes_and_no_boxes() {
        let mut broad = BroadPhase::default();
        assert!(Shapes::new(&[], |_| false).pairs(&mut broad, 0.1).is_empty());
        let bounds = [Bounds::around(Vec3::ONE, Vec3::ONE); 9];
        assert_eq!(Shapes::new(&bounds, |_| false).pairs(&mut broad, 0.0).len(), 36);
        // Four of them fixed: 36 − 6.
        assert_eq!(Shapes::new(&bounds, |i| i < 4).pairs(&mut broad, 0.0).len(), 30);
    }

    #[test]
    fn a_lost_body_does_not_disturb_the_others() {
        let mut bounds = vec![Bounds::around(Vec3::ZERO, Vec3::ONE); 3];
        bounds[1] = Bounds::around(Vec3::new(f64::NAN, 0.0, 0.0), Vec3::ONE);
        for is_fixed in [|_| false, |i| i == 0] {
            assert_eq!(Shapes::new(&bounds, is_fixed).pairs(&mut BroadPhase::default(), 0.0), [(0, 2)]);
        }
        // One without end meets all others, and what fills the tree up is none of them.
        bounds[1] = Bounds::Box { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
        for is_fixed in [|i| i == 0, |i| i == 1] {
            let found = Shapes::new(&bounds, is_fixed).pairs(&mut BroadPhase::default(), 0.0);
            assert_eq!(found, [(0, 1), (0, 2), (1, 2)]);
        }
    }
}
