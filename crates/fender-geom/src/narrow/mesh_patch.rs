//! The parts of two surfaces that are inside each other, and what is between them.
//!
//! A patch is the part of a mesh's surface that is inside the other mesh. It is integrated without being cut out: its border is made of pieces in each
//! triangle, of a contour or of the triangle's edges, and the integral over what they enclose is the sum over the triangles
//! that they form with a corner, counted negative if they go round the other way (Green's theorem).

use super::mesh_cut::Pair;
use super::mesh_groove::Groove;
use crate::TriMesh;
use crate::trimesh::NONE;
use fender_math::Vec3;

/// Points of a triangle, as parts of its three corners in turn, with the weight of each of the three: exact for polynomials of the fourth degree
/// (Dunavant 1985, table II, degree 4).
const QUADRATURE: [([f64; 2], f64); 2] = [
    ([0.108_103_018_168_070, 0.445_948_490_915_965], 0.223_381_589_678_011),
    ([0.816_847_572_980_459, 0.091_576_213_509_771], 0.109_951_743_655_322),
];

/// A piece of the border of a patch in one triangle, with the patch on its left, in the frame of the first mesh.
#[derive(Clone, Copy)]
pub struct Piece {
    /// 0 for the first mesh, 1 for the second.
    pub side: usize,
    pub face: u32,
    pub ends: [Vec3; 2],
    /// The contour by which it is known.
    pub contour: u32,
}

/// Adds the pieces on both sides of a part of an edge that is inside the other mesh, and the edge itself if it is a groove.
pub fn along_edge(
    mesh: &TriMesh,
    edge: u32,
    piece: Piece,
    pieces: &mut Vec<Piece>,
    grooves: &mut Vec<Groove>,
) {
    grooves.extend(Groove::of(mesh, edge, &piece));
    let [p, q] = piece.ends;
    let [first, second] = mesh.edges()[edge as usize].faces;
    for (face, ends) in [(first, [p, q]), (second, [q, p])] {
        if face != NONE {
            pieces.push(Piece { face, ends, ..piece });
        }
    }
}

/// The plane of a region: middle, normal to the first mesh, and two lengths across it by which places are measured.
#[derive(Clone, Copy)]
pub struct Plane {
    pub origin: Vec3,
    pub normal: Vec3,
    /// Perpendicular to the normal; one unit of x and of y [m].
    pub across: [Vec3; 2],
    /// Their duals: places times these are x and y [1/m].
    duals: [Vec3; 2],
}

impl Plane {
    /// Least and greatest x, and y, of some places; `None` if there is none, or one is not finite.
    pub fn extent(&self, places: impl Iterator<Item = Vec3>) -> Option<[[f64; 2]; 2]> {
        let mut extent = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for p in places {
            for ([low, high], dual) in extent.iter_mut().zip(self.duals) {
                let x = dual.dot(p - self.origin);
                (*low, *high) = (low.min(x), high.max(x));
            }
        }
        // Written so that what is not a number is left out.
        extent.iter().all(|[low, high]| low <= high && low.is_finite() && high.is_finite()).then_some(extent)
    }

    /// With the root of the region's second moments as units, so that x and y are about 1 however long and thin it is: `spread` gives
    /// the means of x², x·y and y² for directions across.
    pub fn new(origin: Vec3, normal: Vec3, spread: impl Fn(Vec3, Vec3) -> [f64; 3]) -> Self {
        let (u, v) = normal.any_orthonormal_pair();
        let [uu, uv, vv] = spread(u, v);
        let least = 1e-12 * (uu + vv) + f64::MIN_POSITIVE;
        let l = uu.max(least).sqrt();
        let slope = uv / l;
        let m = (vv - slope * slope).max(least).sqrt();
        Self {
            origin,
            normal,
            across: [u * l + v * slope, v * m],
            duals: [u / l, v / m - u * (slope / (l * m))],
        }
    }
}

/// How many times as far from the middle as the region is wide a corner may be to be integrated from.
const FAR: f64 = 8.0;

/// Monomials xⁱ·yᵏ up to the fourth degree.
const ALL: usize = 15;
/// Those up to the second.
const QUADRATIC: usize = 6;

/// Powers of x and y in the monomial with this number.
const POWERS: [[usize; 2]; ALL] = {
    let mut powers = [[0; 2]; ALL];
    let (mut number, mut degree) = (0, 0);
    while degree <= 4 {
        let mut k = 0;
        while k <= degree {
            powers[number] = [degree - k, k];
            number += 1;
            k += 1;
        }
        degree += 1;
    }
    powers
};

/// Number of the product of two monomials.
const fn product(m: usize, n: usize) -> usize {
    let k = POWERS[m][1] + POWERS[n][1];
    let degree = POWERS[m][0] + POWERS[n][0] + k;
    degree * (degree + 1) / 2 + k
}

/// Integrals over a patch as it is seen along the normal of a plane; h is the depth of the patch beyond the plane [m], p each monomial.
#[derive(Clone, Copy, Default)]
pub struct Patch {
    /// Vector area, outwards [m²].
    pub area: Vec3,
    /// ∫ p dA [m²].
    own: [f64; ALL],
    /// ∫ h·p dA [m³].
    depth: [f64; ALL],
    /// ∫ h²·p dA [m⁴].
    square: [f64; QUADRATIC],
}

impl Patch {
    /// Adds what a piece and a corner of its triangle enclose.
    pub fn add(&mut self, pair: &Pair, plane: &Plane, piece: &Piece) {
        let (corner, normal) = pair.corner(piece.side, piece.face);
        // A corner of a triangle that is much larger than the region would cost the higher moments all their digits; any place of its plane will do.
        let from = plane.origin - corner;
        let is_far = plane.duals.iter().any(|dual| dual.dot(from).abs() > FAR);
        let corner = if is_far { corner + from - normal * normal.dot(from) } else { corner };
        let [p, q] = piece.ends;
        let size = 0.5 * normal.dot((p - corner).cross(q - corner));
        // Two of three edges of a whole triangle end at the corner.
        if size == 0.0 || p == corner || q == corner {
            return;
        }
        self.add_triangle(plane, piece.side, [corner, p, q], normal, size);
    }

    /// Adds a triangle of the surface of mesh `side` with its `size` [m²], which is negative if it goes round against its normal.
    pub fn add_triangle(&mut self, plane: &Plane, side: usize, corners: [Vec3; 3], normal: Vec3, size: f64) {
        self.area += normal * size;
        // Down is out of the first mesh, up out of the second.
        let outward = if side == 0 { -plane.normal } else { plane.normal };
        let seen = size * normal.dot(outward);
        let corners = corners.map(|p| {
            let from = p - plane.origin;
            Vec3::new(plane.duals[0].dot(from), plane.duals[1].dot(from), outward.dot(from))
        });
        let sum = corners[0] + corners[1] + corners[2];
        for ([own, others], weight) in QUADRATURE {
            for corner in corners {
                let Vec3 { x, y, z: h } = sum * others + corner * (own - others);
                let (xx, xy, yy) = (x * x, x * y, y * y);
                let monomials = [
                    1.0,
                    x,
                    y,
                    xx,
                    xy,
                    yy,
                    xx * x,
                    xx * y,
                    x * yy,
                    yy * y,
                    xx * xx,
                    xx * xy,
                    xx * yy,
                    xy * yy,
                    yy * yy,
                ];
                let part = seen * weight;
                for (i, monomial) in monomials.into_iter().enumerate() {
                    self.own[i] += part * monomial;
                    self.depth[i] += part * h * monomial;
                    if i < QUADRATIC {
                        self.square[i] += part * h * h * monomial;
                    }
                }
            }
        }
    }

    /// The quadratic that is nearest to h in the mean, over an area with the moments `own`; `None` if no area has these, because it lies over itself.
    fn fit(&self, own: &[f64; ALL]) -> Option<[f64; QUADRATIC]> {
        // Cholesky's method; a monomial that the others give already, as y² on a region without width, is left out.
        let mut root = [[0.0; QUADRATIC]; QUADRATIC];
        let mut found = [0.0; QUADRATIC];
        for i in 0..QUADRATIC {
            for k in 0..=i {
                let rest = own[product(i, k)] - (0..k).map(|m| root[i][m] * root[k][m]).sum::<f64>();
                let least = 1e-9 * own[product(i, i)].abs();
                if i == k && rest < -least {
                    return None;
                }
                root[i][k] = if i == k {
                    if rest > least { rest.sqrt() } else { 0.0 }
                } else if root[k][k] > 0.0 {
                    rest / root[k][k]
                } else {
                    0.0
                };
            }
            let rest = self.depth[i] - (0..i).map(|m| root[i][m] * found[m]).sum::<f64>();
            found[i] = if root[i][i] > 0.0 { rest / root[i][i] } else { 0.0 };
        }
        for i in (0..QUADRATIC).rev() {
            let rest = found[i] - (i + 1..QUADRATIC).map(|m| root[m][i] * found[m]).sum::<f64>();
            found[i] = if root[i][i] > 0.0 { rest / root[i][i] } else { 0.0 };
        }
        Some(found)
    }

    /// ∫ h·f·p dA for the quadratic f and the monomial p.
    fn times(&self, f: &[f64; QUADRATIC], p: usize) -> f64 {
        f.iter().enumerate().map(|(m, c)| c * self.depth[product(m, p)]).sum()
    }
}

/// What is between two patches, t along the normal.
///
/// With the depth D = ∫t² / ∫t the energy ½·k·D² is a potential, however a body moves over a plane: ∫t changes by the area for each unit of
/// way along the normal, ∫t² by 2·∫t, and both for a turn by their moments. So the force is k·D·|∇D|, where
/// |∇D| = 2 − D·A / ∫t, and it acts where (2·∫t·x − D·∫x) / ∫t says. On a face |∇D| is 1; on an edge, where D is two thirds of the largest depth, it is ⅔; on a
/// corner both are ½, and the force acts at the corner itself.
#[derive(Clone, Copy)]
pub struct Between {
    /// ∫ t dA [m³].
    pub volume: f64,
    /// Mean of t, weighted with itself: D [m].
    pub depth: f64,
    /// |∇D|: share of the force.
    pub share: f64,
    /// Where the force acts, half-way between the patches [m].
    pub center: Vec3,
    /// Two directions in which places deviate from the middle, weighted with t², as the columns of their matrix's root [m].
    pub spread: [Vec3; 2],
}

/// Above this D·A / ∫t a region is no longer like a face, edge, corner or round side. One that is deep in a small part and shallow around it would
/// be pulled there by the potential, so it pushes with its t² instead.
const POINTED: f64 = 1.5;
/// How far above that the change is complete.
const MORE: f64 = 0.25;

impl Between {
    /// `None` where nothing is between them, or they lie over themselves.
    ///
    /// With t = h₁ + h₂ the products h₁·h₂ would need both surfaces at each place. Instead each is multiplied with the quadratic that is nearest to
    /// the other: exact where one of them is flat, or bent like a paraboloid.
    ///
    /// The force acts between the least and greatest x and y of the curves, `extent`: a region that lies over itself, or has next to no area, could have its means anywhere.
    pub fn of(plane: &Plane, first: &Patch, second: &Patch, extent: [[f64; 2]; 2]) -> Option<Self> {
        let depth = |p: usize| first.depth[p] + second.depth[p];
        let own: [f64; ALL] = std::array::from_fn(|i| 0.5 * (first.own[i] + second.own[i]));
        let fits = [first.fit(&own)?, second.fit(&own)?];
        let square = |p: usize| {
            first.square[p] + second.square[p] + first.times(&fits[1], p) + second.times(&fits[0], p)
        };
        let (volume, sum) = (depth(0), square(0));
        // Written so that what is not a number ends here.
        if !(volume > 0.0 && sum > 0.0) {
            return None;
        }
        let deep = sum / volume;
        let pointed = deep * own[0] / volume;
        let share = (2.0 - pointed.min(POINTED)).min(1.0);
        let other = ((pointed - POINTED) / MORE).clamp(0.0, 1.0);
        let mean = |p: usize| square(p) / sum;
        let middle = [mean(1), mean(2)];
        let acts = |p: usize| {
            (2.0 * depth(p) - deep * own[p]) / (volume * (2.0 - pointed).max(2.0 - POINTED - MORE))
        };
        let [x, y] = [1, 2].map(|p| {
            let [low, high] = extent[p - 1];
            (acts(p) + (middle[p - 1] - acts(p)) * other).clamp(low, high)
        });
        let spread = |p: usize, i: usize, k: usize| mean(p) - middle[i] * middle[k];
        // No two places are farther from each other than the ends.
        let [wide, high] = extent.map(|[low, high]| 0.5 * (high - low));
        let l = spread(3, 0, 0).max(0.0).sqrt().min(wide);
        let slope = if l > 0.0 { (spread(4, 0, 1) / l).clamp(-high, high) } else { 0.0 };
        let m = (spread(5, 1, 1) - slope * slope).max(0.0).sqrt().min(high);
        // Depth of either patch there.
        let [down, up] =
            fits.map(|f| f[0] + f[1] * x + f[2] * y + f[3] * x * x + f[4] * x * y + f[5] * y * y);
        let height = (0.5 * (up - down)).clamp(-deep, deep);
        let [u, v] = plane.across;
        let found = Self {
            volume,
            depth: deep,
            share,
            center: plane.origin + u * x + v * y + plane.normal * height,
            spread: [u * l + v * slope, v * m],
        };
        let is_finite = found.depth.is_finite() && found.center.is_finite();
        (is_finite && found.spread.iter().all(|s| s.is_finite())).then_some(found)
    }

    /// A single place.
    pub fn at(center: Vec3, volume: f64, depth: f64) -> Self {
        Self { volume, depth, share: 1.0, center, spread: [Vec3::ZERO; 2] }
    }
}
