//! The shapes of one body in balls within balls.
//!
//! A machine's part may have many shapes (Luaces 2013, section 4.4.4: a graph of bounding spheres). Balls turn with the body without changing, so the hierarchy is
//! built once, in the body's frame. Two bodies are compared from their largest balls down: of two balls that meet the larger one is opened, so that
//! balls of similar size are compared, and shapes are reached only where the bodies are near each other.

use super::Ball;
use fender_math::{Pose, Vec3};

/// Balls within balls around the parts of a body, in its frame.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    /// Parents before children, a node's left child right behind it.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    ball: Ball,
    /// The right child, or which part it is.
    next: Next,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Next {
    Right(u32),
    Part(u32),
}

impl Hierarchy {
    /// The hierarchy of some balls, of which there is at least one: parts are numbered in their order. `None` if there is none, or one without end.
    pub fn new(parts: &[Ball]) -> Option<Self> {
        let finite = |b: &Ball| b.center.is_finite() && b.radius.is_finite();
        if parts.is_empty() || !parts.iter().all(finite) {
            return None;
        }
        let mut order: Vec<u32> = (0..parts.len() as u32).collect();
        let mut hierarchy = Self { nodes: Vec::with_capacity(2 * parts.len() - 1) };
        hierarchy.add(parts, &mut order);
        Some(hierarchy)
    }

    /// Adds the node of some parts, and what is below it.
    fn add(&mut self, parts: &[Ball], order: &mut [u32]) -> Ball {
        let at = self.nodes.len();
        if let [part] = *order {
            let ball = parts[part as usize];
            self.nodes.push(Node { ball, next: Next::Part(part) });
            return ball;
        }
        // Halves along the axis on which the centres spread most.
        let of = |i: &u32| parts[*i as usize].center;
        let low = order.iter().map(of).fold(Vec3::INFINITY, Vec3::min);
        let high = order.iter().map(of).fold(Vec3::NEG_INFINITY, Vec3::max);
        let axis = (high - low)
            .to_array()
            .iter()
            .enumerate()
            .fold((0, -1.0), |best, (i, x)| if *x > best.1 { (i, *x) } else { best })
            .0;
        let half = order.len() / 2;
        order.sort_unstable_by(|a, b| of(a)[axis].total_cmp(&of(b)[axis]).then(a.cmp(b)));
        // About the middle: often smaller than what holds the two halves' balls.
        let center = 0.5 * (low + high);
        let radius =
            order.iter().map(|i| of(i).distance(center) + parts[*i as usize].radius).fold(0.0, f64::max);
        self.nodes.push(Node { ball: Ball { center, radius }, next: Next::Part(0) });
        let (left, right) = order.split_at_mut(half);
        let left = self.add(parts, left);
        let behind = self.nodes.len() as u32;
        let merged = Ball::around(&left, &self.add(parts, right));
        let node = &mut self.nodes[at];
        node.next = Next::Right(behind);
        if merged.radius < node.ball.radius {
            node.ball = merged;
        }
        node.ball
    }

    /// The ball that holds all.
    #[inline]
    pub fn whole(&self) -> &Ball {
        &self.nodes[0].ball
    }

    /// How many balls there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All balls with the body at `pose`, as the searches below want them.
    pub(super) fn placed<'a>(&'a self, pose: &'a Pose) -> impl Iterator<Item = Ball> + 'a {
        self.nodes.iter().map(|node| node.ball.transformed(pose))
    }

    /// Calls `found` with the parts whose balls, and all around them, meet something. `balls` are the placed ones.
    pub(super) fn search(
        &self,
        balls: &[Ball],
        meets: impl Fn(&Ball) -> bool,
        stack: &mut Vec<(u32, u32)>,
        mut found: impl FnMut(u32),
    ) {
        stack.clear();
        stack.push((0, 0));
        while let Some((at, _)) = stack.pop() {
            if !meets(&balls[at as usize]) {
                continue;
            }
            match self.nodes[at as usize].next {
                Next::Part(part) => found(part),
                Next::Right(right) => stack.extend([(right, 0), (at + 1, 0)]),
            }
        }
    }

    /// Calls `found` with the parts of two bodies that come as near as `gap` [m], with all around them. `balls` are the placed ones of each.
    pub(super) fn cross(
        [one, two]: [&Self; 2],
        [balls_one, balls_two]: [&[Ball]; 2],
        gap: f64,
        stack: &mut Vec<(u32, u32)>,
        mut found: impl FnMut(u32, u32),
    ) {
        stack.clear();
        stack.push((0, 0));
        while let Some((i, j)) = stack.pop() {
            let (a, b) = (&balls_one[i as usize], &balls_two[j as usize]);
            if !a.is_near(b, gap) {
                continue;
            }
            match (one.nodes[i as usize].next, two.nodes[j as usize].next) {
                (Next::Part(a), Next::Part(b)) => found(a, b),
                (Next::Right(right), Next::Part(_)) => stack.extend([(right, j), (i + 1, j)]),
                (Next::Right(right), Next::Right(_)) if a.radius >= b.radius => {
                    stack.extend([(right, j), (i + 1, j)]);
                }
                (_, Next::Right(right)) => stack.extend([(i, right), (i, j + 1)]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cases::random_cases;
    use fender_math::rotation::from_axis_angle;
    use proptest::prelude::*;

    fn any_parts() -> impl Strategy<Value = Vec<Ball>> {
        let part = (-1.0..1.0, -1.0..1.0, -0.2..0.2, 0.01..0.2)
            .prop_map(|(x, y, z, radius)| Ball { center: Vec3::new(x, y, z), radius });
        proptest::collection::vec(part, 1..40)
    }

    /// Whether every ball from a node on holds all parts below it; `below` gets those.
    fn holds_parts(hierarchy: &Hierarchy, at: usize, parts: &[Ball], below: &mut Vec<u32>) -> bool {
        let (first, ball) = (below.len(), hierarchy.nodes[at].ball);
        let fine = match hierarchy.nodes[at].next {
            Next::Part(part) => {
                below.push(part);
                true
            }
            Next::Right(right) => {
                [at + 1, right as usize].into_iter().all(|child| holds_parts(hierarchy, child, parts, below))
            }
        };
        let holds = |p: &Ball| ball.center.distance(p.center) + p.radius <= ball.radius + 1e-12;
        fine && below[first..].iter().all(|part| holds(&parts[*part as usize]))
    }

    proptest! {
        #![proptest_config(random_cases(256))]

        #[test]
        fn all_parts_are_in_every_ball_above_them(parts in any_parts()) {
            let hierarchy = Hierarchy::new(&parts).unwrap();
            let mut seen = Vec::new();
            prop_assert!(holds_parts(&hierarchy, 0, &parts, &mut seen));
            seen.sort_unstable();
            prop_assert!(seen.iter().copied().eq(0..parts.len() as u32));
            prop_assert_eq!(hierarchy.len(), 2 * parts.len() - 1);
        }

        #[test]
        fn two_bodies_meet_where_trying_every_pair_says_so(
            one in any_parts(), two in any_parts(), x in -2.5..2.5, angle in -3.0..3.0_f64, gap in 0.0..0.1,
        ) {
            let pose = Pose { translation: Vec3::new(x, 0.1, 0.05), rotation: from_axis_angle(Vec3::new(0.3, 1.0, -0.4), angle) };
            let (a, b) = (Hierarchy::new(&one).unwrap(), Hierarchy::new(&two).unwrap());
            let placed: [Vec<Ball>; 2] = [a.placed(&Pose::IDENTITY).collect(), b.placed(&pose).collect()];
            let mut found = Vec::new();
            let mut stack = Vec::new();
            Hierarchy::cross([&a, &b], [&placed[0], &placed[1]], gap, &mut stack, |i, j| found.push((i, j)));
            found.sort_unstable();
            let mut wanted = Vec::new();
            for (i, p) in one.iter().enumerate() {
                for (j, q) in two.iter().enumerate() {
                    if p.is_near(&q.transformed(&pose), gap) {
                        wanted.push((i as u32, j as u32));
                    }
                }
            }
            prop_assert_eq!(&found, &wanted);
            // One ball of the other body alone.
            let single = two[0].transformed(&pose);
            let mut found = Vec::new();
            a.search(&placed[0], |ball| ball.is_near(&single, gap), &mut stack, |i| found.push(i));
            found.sort_unstable();
            let wanted: Vec<u32> = (0..one.len() as u32).filter(|i| one[*i as usize].is_near(&single, gap)).collect();
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn none_without_parts_or_with_one_without_end() {
        assert!(Hierarchy::new(&[]).is_none());
        assert!(Hierarchy::new(&[Ball { center: Vec3::ZERO, radius: f64::INFINITY }]).is_none());
    }
}
