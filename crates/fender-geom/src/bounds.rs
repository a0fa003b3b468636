//! Bounds of a shape in the world, for the pair search.

use fender_math::Vec3;

/// Simple region that holds a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bounds {
    /// Axis-aligned box.
    Box {
        /// Lower corner [m].
        min: Vec3,
        /// Upper corner [m].
        max: Vec3,
    },
    /// All points p with normal·p ≤ offset.
    HalfSpace {
        /// Outward unit normal.
        normal: Vec3,
        /// Distance of the surface from the world's origin along the normal [m].
        offset: f64,
    },
}

impl Bounds {
    /// Box of half extents `half` [m] about `center` [m].
    #[inline]
    pub fn around(center: Vec3, half: Vec3) -> Self {
        Self::Box { min: center - half, max: center + half }
    }

    /// Lower and upper corner of a box [m].
    #[inline]
    pub fn corners(&self) -> Option<(Vec3, Vec3)> {
        match self {
            Self::Box { min, max } => Some((*min, *max)),
            Self::HalfSpace { .. } => None,
        }
    }

    /// Whether the two regions, each grown by `margin` [m] on every side, meet. Touching counts; two half-spaces
    /// never meet here, because no contact between them is defined.
    #[inline]
    pub fn meet(&self, other: &Self, margin: f64) -> bool {
        match (self, other) {
            (Self::Box { min: min_a, max: max_a }, Self::Box { min: min_b, max: max_b }) => {
                let grow = Vec3::splat(2.0 * margin);
                min_a.cmple(*max_b + grow).all() && min_b.cmple(*max_a + grow).all()
            }
            (Self::HalfSpace { normal, offset }, Self::Box { min, max })
            | (Self::Box { min, max }, Self::HalfSpace { normal, offset }) => {
                // Lowest corner of the box seen along the normal.
                let n = *normal;
                let lowest = n.min(Vec3::ZERO).dot(*max) + n.max(Vec3::ZERO).dot(*min);
                lowest <= offset + margin * (1.0 + n.abs().element_sum())
            }
            (Self::HalfSpace { .. }, Self::HalfSpace { .. }) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cases::random_cases;
    use proptest::prelude::*;

    fn vector(r: f64) -> impl Strategy<Value = Vec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #![proptest_config(random_cases(1000))]

        /// Luaces 2013, eqs. 4.15 to 4.17: centre and half extents to corners and back, c = (t + b)/2, e = |t − b|/2; overlap is mutual, and
        /// is that of three intervals.
        #[test]
        fn boxes_by_centre_and_by_corners(
            (c, e) in (vector(3.0), vector(2.0)), (d, f) in (vector(3.0), vector(2.0)), margin in 0.0..0.5_f64,
        ) {
            let (e, f) = (e.abs(), f.abs());
            let (a, b) = (Bounds::around(c, e), Bounds::around(d, f));
            let (bottom, top) = a.corners().unwrap();
            let (center, extent) = (0.5 * (top + bottom), 0.5 * (top - bottom).abs());
            prop_assert!(center.distance(c) < 1e-15 * 8.0 && extent.distance(e) < 1e-15 * 8.0);
            prop_assert_eq!(a.meet(&b, margin), b.meet(&a, margin));
            prop_assert!(a.meet(&a, 0.0));
            let gap = ((d - c).abs() - e - f).max_element();
            prop_assert!((gap - 2.0 * margin).abs() < 1e-14 || a.meet(&b, margin) == (gap < 2.0 * margin));
        }
    }

    #[test]
    fn boxes_meet_up_to_twice_the_margin() {
        let a = Bounds::around(Vec3::ZERO, Vec3::ONE);
        let b = Bounds::around(Vec3::new(0.0, 2.5, 0.0), Vec3::ONE);
        assert!(!a.meet(&b, 0.24));
        assert!(a.meet(&b, 0.25));
        assert!(b.meet(&a, 0.25));
    }

    #[test]
    fn half_space_meets_a_box_by_its_lowest_corner() {
        let slope = Bounds::HalfSpace { normal: Vec3::new(0.6, 0.0, 0.8), offset: 1.0 };
        // Lowest corner along the normal: 0.6·(x − 1) + 0.8·(z − 1).
        let at = |z: f64| Bounds::around(Vec3::new(2.0, 7.0, z), Vec3::ONE);
        assert!(at(1.5).meet(&slope, 0.0));
        assert!(!at(1.51).meet(&slope, 0.0));
        assert!(slope.meet(&at(1.51), 0.01));
        assert!(!slope.meet(&slope, 1.0));
    }
}
