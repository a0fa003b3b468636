//! Convex solids against each other: the least overlap, then the points where the facing features lie
//! over one another.

use super::bend::Bend;
use super::clip::{clip, clip_by_cap, tributary_lengths};
use super::feature::Feature;
use super::least::Least;
use super::line_line::Lines;
use super::outline::{Piece, Pieces, cap_over, join_around};
use super::penetration::Best;
use super::placed::{Kind, Placed};
use super::{MAX_POINTS, Overlaps, ellipsoid};
use fender_contact::PointOverlap;
use fender_math::Vec3;

/// The features reach the full depth when only this part of it lacks: the last digits of a direction found by search,
/// and the deepest point of a cap that is level but for rounding.
const REACHED: f64 = 1e-6;
/// A side lies along a plane if it is off by less than this sine, the accuracy of the search for the normal.
const ALONG: f64 = 1e-7;

/// Overlaps of two solids; the normal points to `a`.
pub fn solids(a: &Placed, b: &Placed) -> Overlaps {
    if !a.is_basic() || !b.is_basic() {
        return general(a, b).unwrap_or(Overlaps::none());
    }
    let Some(mut best) = Best::of(a, b) else {
        return Overlaps::none();
    };
    let mut patch = Patch::of(a, b, best.normal, best.depth());
    // The true contact may be on a rim, whose direction cannot be written down beforehand. Cores that are apart belong to
    // capsules, whose nearest points are known.
    if (a.is_cylinder() || b.is_cylinder()) && best.gap <= 0.0 && !patch.is_least() {
        if best.cores_are_apart() {
            return Overlaps::none();
        }
        best.refine_on_rims();
        // A gap of less than about 1e-7 m is not seen along the direction that GJK gives, which is too coarse for it.
        if best.is_apart() {
            return Overlaps::none();
        }
        let (mut normal, mut depth) = (best.normal, best.depth());
        // Deep inside each other many directions are nearly as good, and the best may be around none of those that were tried.
        if depth > a.thinnest().min(b.thinnest()) {
            let of_all = Least::start(a, b).and_then(Least::of_all);
            if let Some(least) = of_all.filter(|least| least.depth() < depth) {
                (normal, depth) = (least.normal, least.depth());
            }
        }
        patch = Patch::of(a, b, normal, depth);
    }
    patch.finish()
}

/// Any two: faces first, then what is around the best of them, then all directions, until it is certain that no other is better. `None` if they
/// are apart.
fn general(a: &Placed, b: &Placed) -> Option<Overlaps> {
    let mut least = Least::start(a, b)?;
    let certain = |least: &Least| {
        // A single deepest point is certain or not without all the others.
        let point = if a.has_one_support(-least.normal) {
            a.center + a.support(-least.normal)
        } else if b.has_one_support(least.normal) {
            b.center + b.support(least.normal)
        } else {
            let patch = Patch::of(a, b, least.normal, least.depth());
            return if patch.is_least() { Some(patch.finish()) } else { None };
        };
        let is_least = is_proof(a, b, point, least.normal, least.depth());
        is_least.then(|| Patch::of(a, b, least.normal, least.depth()).finish())
    };
    if let Some(found) = certain(&least) {
        return Some(found);
    }
    // Where both have edges only, nothing is certain.
    if a.is_round_toward(-least.normal) || b.is_round_toward(least.normal) {
        least = least.around()?;
        if let Some(found) = certain(&least) {
            return Some(found);
        }
    }
    let least = least.of_all()?;
    Some(Patch::of(a, b, least.normal, least.depth()).finish())
}

/// Whether an overlap along `n` that has its full `depth` [m] at `point` is surely the least one: two balls, one inside each body, that touch
/// the surfaces there overlap by the same depth along the same normal, and they have to be parted too.
fn is_proof(a: &Placed, b: &Placed, point: Vec3, n: Vec3, depth: f64) -> bool {
    let rounding = 1e-12 * (a.size() + b.size());
    let in_a = a.inner_radius(point - a.center, -n);
    let in_b = b.inner_radius(point - b.center, n);
    in_a.min(in_b) >= -rounding
        && in_a + in_b >= depth
        && a.is_farthest_over(point - a.center, -n)
        && b.is_farthest_over(point - b.center, n)
}

/// Points of one contact while they are collected.
struct Patch<'a> {
    a: &'a Placed<'a>,
    b: &'a Placed<'a>,
    n: Vec3,
    /// Depth of the contact [m].
    depth: f64,
    facing_a: Feature,
    facing_b: Feature,
    /// Depth of the deepest point that the features have [m].
    reached: f64,
    /// How much of the contact is at its deepest point, whatever the features are: nothing if 0, all if 1.
    pointed: f64,
    /// Their shares are weights until the end.
    found: Overlaps,
}

impl<'a> Patch<'a> {
    fn of(a: &'a Placed<'a>, b: &'a Placed<'a>, n: Vec3, depth: f64) -> Self {
        // Coordinates are from the centre of `b`, so that precision does not depend on where in the world this is.
        let facing_a = Feature::toward(a, a.center - b.center, -n, depth);
        let facing_b = Feature::toward(b, Vec3::ZERO, n, depth);
        let mut patch =
            Self { a, b, n, depth, facing_a, facing_b, reached: 0.0, pointed: 0.0, found: Overlaps::none() };
        if patch.facing_b.is_face() {
            patch.over_face(true);
        } else if patch.facing_a.is_face() {
            patch.over_face(false);
        } else if patch.facing_a.is_side() && patch.facing_b.is_side() {
            patch.lines();
        }
        patch
    }

    /// Boundary of the part of the feature of one body that lies over the face of the other, which is `b`'s or `a`'s.
    ///
    /// Where another face of either is as near to the normal, it counts as much, so that nothing jumps when it becomes the nearest. A line that leaves a face
    /// goes on over the next.
    fn over_face(&mut self, of_b: bool) {
        let (subject, face) =
            if of_b { (&self.facing_a, &self.facing_b) } else { (&self.facing_b, &self.facing_a) };
        let from_b = self.a.center - self.b.center;
        let (below, above) = ((self.b, Vec3::ZERO, self.n), (self.a, from_b, -self.n));
        let (of_subject, of_face) = if of_b { (above, below) } else { (below, above) };
        // Squares of angles; from twice the least one on nothing.
        let weight =
            |best: &Feature, cos: f64| 2.0 - (1.0 - cos) / (1.0 - best.normal.dot(self.n).abs()).max(1e-12);
        // Faces have their common edges twice.
        let near = 1e-7 * (self.a.size() + self.b.size());
        let add = |pieces: &mut Pieces, others: Pieces| {
            for other in others {
                let is_same = |p: &&mut Piece| p.place().distance_squared(other.place()) < near * near;
                match pieces.iter_mut().find(is_same) {
                    Some(same) => *same = same.and(&other),
                    None => pieces.push(other),
                }
            }
        };
        let mut pieces = self.pieces(subject, face, of_b, 1.0);
        // A face seen edge-on is none.
        let seen = |cos: f64| (10.0 * cos - 0.1).min(1.0);
        let part_of_face = |cos: f64| if subject.is_line() { seen(cos) } else { weight(face, cos) };
        Feature::beside(of_face.0, of_face.1, of_face.2, part_of_face, |other, part| {
            add(&mut pieces, self.pieces(subject, &other, of_b, part));
        });
        Feature::beside(
            of_subject.0,
            of_subject.1,
            of_subject.2,
            |cos| weight(subject, cos),
            |other, part| {
                add(&mut pieces, self.pieces(&other, face, of_b, part));
            },
        );
        let round = of_subject.0;
        // The line of a capsule goes on as its end.
        let mut pointed = if round.is_capsule() { 0.0 } else { self.lean(subject) };
        if subject.is_cap() {
            pointed = pointed.max(self.lean(face));
            // The deepest place may still be added.
            join_around(&mut pieces, subject, [round.axes[0], round.axes[1]], MAX_POINTS - 1);
        } else {
            join(&mut pieces, MAX_POINTS);
        }
        for piece in &pieces {
            self.push(piece.place(), piece.depth(), piece.share / piece.depth());
        }
        self.pointed = pointed;
    }

    /// What is below the surface of the boundary of the part of `subject` over `face`, counted `part` times, midway between both.
    fn pieces(&self, subject: &Feature, face: &Feature, of_b: bool, part: f64) -> Pieces {
        let tolerance = 1e-9 * (self.a.size() + self.b.size());
        let slope = face.normal.dot(self.n);
        let (normal, origin) = (face.normal, face.points()[0]);
        // Along the normal from a place to the plane of the face: up when the face is that of `b`.
        let to_face = |x: Vec3| normal.dot(origin - x) / slope;
        let depth = |x: Vec3| to_face(x) * slope.signum() + self.a.border + self.b.border;
        let mut pieces = if subject.is_cap() {
            let (axes, own) = if of_b { (&self.b.axes, &self.a.axes) } else { (&self.a.axes, &self.b.axes) };
            cap_over((subject, own[0]), &face.outline(axes), self.n, depth, tolerance)
        } else {
            let corners = if face.is_cap() {
                clip_by_cap(subject, face, self.n, tolerance)
            } else {
                clip(subject, face, self.n, tolerance)
            };
            // A contact as small as a point has no boundary to share it by.
            let lengths = tributary_lengths(&corners, self.n);
            let pieces = corners.iter().zip(&lengths);
            pieces.map(|(x, length)| Piece::at(*x, depth(*x).min(self.depth), length + tolerance)).collect()
        };
        pieces.retain(|piece| piece.force > 0.0);
        for piece in &mut pieces {
            let x = piece.place();
            let middle = x + self.n * (0.5 * (to_face(x) + self.b.border - self.a.border));
            let (share, force) = (piece.share * part, piece.force * part);
            *piece = Piece { share, force, moment: middle * force };
        }
        pieces
    }

    fn lines(&mut self) {
        let of = |solid: &Placed| {
            // From its base to its tip.
            if matches!(solid.kind, Kind::Cone) { [solid.round, 0.0] } else { [solid.radius(); 2] }
        };
        let radii = [of(self.a), of(self.b)];
        let lines = Lines { a: &self.facing_a, b: &self.facing_b, n: self.n, radii };
        let Some(ends) = lines.ends() else {
            return;
        };
        // Which stretch is beside the other line changes at once where one turns across the end of the other, and a stretch that ends may be less deep than the
        // contact: so lines that are nearly across touch at a point, and a stretch shorter than the contact is deep fades out.
        let stretch = ends[1].on_a - ends[0].on_a;
        let across = 1.0 - 2.0 * lines.parallel();
        let short = 1.0 - stretch.length() / self.depth;
        let lean = self.lean(&self.facing_a).max(self.lean(&self.facing_b));
        self.pointed = lean.max(across).max(short);
        // The surfaces meet between the two lines, nearer to the thinner body, and have curved away up to there.
        for end in ends {
            let (apart, part) = (end.on_b - end.on_a, end.part);
            let depth = self.n.dot(apart) + self.a.border + self.b.border - end.retreat;
            let beside = end.on_a + (apart - self.n * self.n.dot(apart)) * part;
            let lowest_a = end.retreat * part - self.a.border;
            let highest_b = self.n.dot(apart) + self.b.border - end.retreat * (1.0 - part);
            self.push(beside + self.n * (0.5 * (lowest_a + highest_b)), depth, 1.0);
        }
    }

    /// Adds a point with a weight proportional to its depth, so that it comes and goes without a jump.
    fn push(&mut self, from_b: Vec3, depth: f64, weight: f64) {
        let depth = depth.min(self.depth);
        if depth > 0.0 {
            self.reached = self.reached.max(depth);
            self.found.push(PointOverlap {
                point: self.b.center + from_b,
                normal: self.n,
                depth,
                // Both are known at the end.
                curvature: 0.0,
                elongation: Vec3::ZERO,
                share: weight * depth,
            });
        }
    }

    fn reaches_depth(&self) -> bool {
        // A direction that is not clearly worse than the best was good enough.
        let rounding = 2e-10 * (self.a.size() + self.b.size());
        self.reached >= self.depth * (1.0 - REACHED) - rounding
    }

    /// How far a feature of a round solid touches with its end or a point of its rim only: wholly if it leans so much that the other end of a line, or the rim a quarter of a turn beside
    /// that point, is above the surface, and not at all while half of that is below.
    fn lean(&self, feature: &Feature) -> f64 {
        let rises = if feature.is_cap() {
            feature.round * feature.normal.cross(self.n).length()
        } else if feature.is_line() {
            self.n.dot(feature.points()[1] - feature.points()[0]).abs()
        } else {
            0.0
        };
        (2.0 * rises / self.depth - 1.0).clamp(0.0, 1.0)
    }

    /// Whether the overlap is surely the least one, as seen from a place where it has its full depth.
    fn is_least(&self) -> bool {
        let (a, b) = (self.a, self.b);
        let is_proof = |point: Vec3| is_proof(a, b, point, self.n, self.depth);
        let full = self.depth * (1.0 - REACHED);
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for p in self.found.points().iter().filter(|p| p.depth >= full) {
            if is_proof(p.point) {
                return true;
            }
            sum += p.point;
            count += 1.0;
        }
        // All of them may be on edges and the middle not. Then there may be others: a corner or rim over a cap, and
        // where two sides cross.
        let has_other = a.has_one_support(-self.n)
            || b.has_one_support(self.n)
            || self.facing_a.is_side() && self.facing_b.is_side();
        count > 0.0 && is_proof(sum / count) || has_other && is_proof(self.deepest_point().point)
    }

    /// Turns weights into shares, says how the surfaces bend, and adds the deepest point where the features do not have it.
    fn finish(mut self) -> Overlaps {
        let sum: f64 = self.found.points().iter().map(|p| p.share).sum();
        let rest = self.depth - self.reached;
        // What rounding took is given back to all alike.
        let (lacking, rounding) =
            if self.reaches_depth() { (0.0, rest.max(0.0)) } else { (rest / self.depth, 0.0) };
        let lacking = lacking.max(self.pointed);
        for p in self.found.points_mut() {
            p.share *= (1.0 - lacking) / sum;
            p.depth += rounding;
        }
        if lacking >= 1.0 {
            self.found = Overlaps::one(Some(self.deepest_point()));
        } else if lacking > 0.0 {
            let mut point = self.deepest_point();
            point.share = lacking;
            let near = 1e-9 * (self.a.size() + self.b.size());
            let same = |p: &&mut PointOverlap| p.point.distance_squared(point.point) < near * near;
            if let Some(same) = self.found.points_mut().iter_mut().find(same) {
                same.share += lacking;
            } else {
                self.found.push(point);
            }
            // It may have taken the place of another.
            let sum: f64 = self.found.points().iter().map(|p| p.share).sum();
            for p in self.found.points_mut() {
                p.share /= sum;
            }
        }
        let bend = self.bend();
        for p in self.found.points_mut() {
            (p.curvature, p.elongation) = (bend.mean, bend.elongation);
        }
        self.found
    }

    /// Relative bend at the contact; the rules are on the module's page.
    fn bend(&self) -> Bend {
        let (a, b, n) = (self.a, self.b, self.n);
        if !a.is_basic() && !a.is_flat() || !b.is_basic() && !b.is_flat() {
            return self.bend_at_point();
        }
        let along_line = line_curvature(a, n) + line_curvature(b, n);
        if self.facing_a.is_face() || self.facing_b.is_face() {
            return Bend { mean: along_line, ..Bend::FLAT };
        }
        let at_point = point_bend(a, n).plus(&point_bend(b, n), n);
        let is_end = |solid: &Placed| solid.is_capsule() && !touches_with_side(solid, n);
        if is_end(a) || is_end(b) {
            return at_point;
        }
        // Nearly parallel sides would overlap over a longer stretch than they have: the more of it is missing, the more of a line
        // the contact is.
        let least = 0.5 * (at_point.mean - at_point.elongation.length()).max(0.0);
        let part = (least / self.depth).sqrt() * a.half.z.min(b.half.z);
        let part = part.min(1.0);
        Bend {
            mean: along_line + part * (at_point.mean - along_line),
            elongation: at_point.elongation * part,
        }
    }

    /// Relative bend of a contact with a cone or an ellipsoid, at its middle.
    fn bend_at_point(&self) -> Bend {
        let (mut moment, mut force) = (Vec3::ZERO, 0.0);
        for p in self.found.points() {
            moment += (p.point - self.b.center) * (p.share * p.depth);
            force += p.share * p.depth;
        }
        let middle = self.b.center + moment / force;
        let of = |solid: &Placed, other: &Feature, outward: Vec3| match solid.kind {
            Kind::Ellipsoid => {
                let own = solid.in_own_axes(outward);
                let bend = ellipsoid::bend(solid.half, own, solid.reach(outward));
                Bend { elongation: solid.in_world_axes(bend.elongation), ..bend }
            }
            Kind::Cone => cone_bend(solid, other, outward, middle),
            _ => point_bend(solid, self.n),
        };
        of(self.a, &self.facing_b, -self.n).plus(&of(self.b, &self.facing_a, self.n), self.n)
    }

    /// A point common to both when they are moved apart until they just touch, by projecting to and fro. For level
    /// contacts at the rim of a cap, where rounding leaves none of it over the other face.
    fn meeting_point(&self) -> Vec3 {
        let parted = Placed { center: self.a.center + self.n * self.depth, ..*self.a };
        let mut p = self.b.center;
        for _ in 0..32 {
            p = self.b.nearest(parted.nearest(p));
        }
        p - self.b.center
    }

    /// A point where the overlap has its full depth. Its share goes to zero as the others reach that depth.
    fn deepest_point(&self) -> PointOverlap {
        let lowest_a = self.a.center - self.b.center + self.a.support(-self.n);
        let highest_b = self.b.support(self.n);
        let beside = if self.a.has_one_support(-self.n) {
            lowest_a
        } else if self.b.has_one_support(self.n) {
            highest_b
        } else if self.facing_a.is_line() && self.facing_b.is_line() {
            Lines { a: &self.facing_a, b: &self.facing_b, n: self.n, radii: [[0.0; 2]; 2] }.crossing()
        } else if let (Some([p, q]), Some([r, s])) =
            (self.a.supporting_edge(-self.n), self.b.supporting_edge(self.n))
        {
            let from_b = self.a.center - self.b.center;
            let (a, b) = (Feature::line(p + from_b, q + from_b), Feature::line(r, s));
            Lines { a: &a, b: &b, n: self.n, radii: [[0.0; 2]; 2] }.crossing()
        } else {
            self.meeting_point()
        };
        // Midway between the two surfaces, above or below that point.
        let height = 0.5 * (self.n.dot(lowest_a) - self.a.border + self.n.dot(highest_b) + self.b.border);
        let from_b = beside + self.n * (height - self.n.dot(beside));
        PointOverlap {
            point: self.b.center + from_b,
            normal: self.n,
            depth: self.depth,
            curvature: 0.0,
            elongation: Vec3::ZERO,
            share: 1.0,
        }
    }
}

/// Makes pieces that follow one another one, if there are more than `most`. The deepest stays alone, so that its depth is told.
fn join(pieces: &mut Pieces, most: usize) {
    if pieces.len() <= most {
        return;
    }
    let deeper = |best: usize, i: usize| if pieces[i].depth() > pieces[best].depth() { i } else { best };
    let deepest = pieces.remove((1..pieces.len()).fold(0, deeper));
    let count = pieces.len();
    let number = |i: usize| i * (most - 1) / count;
    let mut kept = 0;
    for i in 1..count {
        if number(i) == number(i - 1) {
            pieces[kept] = pieces[kept].and(&pieces[i]);
        } else {
            kept += 1;
            pieces[kept] = pieces[i];
        }
    }
    pieces.truncate(kept + 1);
    pieces.push(deepest);
}

/// What a solid adds to the curvature where it touches a face [1/m], along a line if it is its side.
fn line_curvature(solid: &Placed, n: Vec3) -> f64 {
    if solid.is_flat() {
        0.0
    } else if solid.is_capsule() {
        1.0 / solid.border
    } else {
        rim_part(solid, n) / solid.round
    }
}

/// What a solid adds to the bend where it touches at a point.
fn point_bend(solid: &Placed, n: Vec3) -> Bend {
    if solid.is_flat() {
        Bend::FLAT
    } else if solid.is_capsule() && !touches_with_side(solid, n) {
        Bend::ball(solid.border)
    } else {
        let tangent = solid.axis().cross(n).normalize_or_zero();
        Bend::single(rim_part(solid, n) / solid.radius(), tangent, tangent.cross(n))
    }
}

/// What a cone adds where it touches at `at` [m] with the outward normal `n`: with its side across the axis at that place, with its rim by
/// the circle's curvature along the normal. Its tip and base are not bent.
fn cone_bend(solid: &Placed, other: &Feature, n: Vec3, at: Vec3) -> Bend {
    let tangent = solid.axis().cross(n);
    let out = tangent.length();
    let Some(tangent) = tangent.try_normalize() else { return Bend::FLAT };
    let over = solid.axis().dot(n) - solid.side_cos();
    if over > ALONG {
        return Bend::FLAT;
    }
    if over < -ALONG {
        return Bend::single(out / solid.round, tangent, tangent.cross(n));
    }
    let from_axis = solid.axis().cross(at - solid.center).length();
    // Near its tip it is taken to be blunt, as for a sphere.
    let curvature = out / from_axis.clamp(1e-6 * solid.round, solid.round);
    if other.is_face() {
        // Along a line it counts whole.
        return Bend { mean: curvature, ..Bend::FLAT };
    }
    Bend::single(curvature, tangent, tangent.cross(n))
}

/// sin² of the angle between a normal and the axis: 1 on the side of a cylinder, 0 on its cap.
fn rim_part(solid: &Placed, n: Vec3) -> f64 {
    let cos = solid.axis().dot(n);
    (1.0 - cos * cos).max(0.0)
}

/// Whether the normal is across the axis, up to the accuracy of the search for it.
fn touches_with_side(solid: &Placed, n: Vec3) -> bool {
    solid.axis().dot(n).abs() < ALONG
}
