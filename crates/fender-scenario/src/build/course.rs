//! The way of a cable along what holds and leads it: straight between, around wheels from tangent to tangent.

use fender_math::{Quat, Vec3, float};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Pieces that the way around a wheel is drawn in.
const PARTS: usize = 48;
/// A wheel that the cable turns by at least this the other way around was meant the other way around [rad].
const CLEARLY: f64 = 0.35;

/// Something that holds or leads a cable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    /// Arc length there, if it is known [m]: of a wheel, at the middle of what lies on it.
    pub at: Option<f64>,
    /// Which of the things along the cable it is; an end is none of them.
    pub along: Option<usize>,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// The cable is held here, or an end lies here.
    Tie(Vec3),
    Ring(Vec3),
    Sheave(Sheave),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Sheave {
    pub center: Vec3,
    pub axis: Vec3,
    pub radius: f64,
    /// Around it by more than half a turn.
    pub long_way: bool,
}

/// A station on the way.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    /// Arc length of its middle [m].
    pub at: f64,
    /// Unstretched length that lies on it [m].
    pub rim: f64,
    /// Where the cable is there: lengths from where it arrives [m], and places.
    pub arc: Vec<(f64, Vec3)>,
    pub along: Option<usize>,
    /// The cable does not slide there.
    pub holds: bool,
}

impl Stop {
    pub fn arrives(&self) -> Vec3 {
        self.arc[0].1
    }

    pub fn leaves(&self) -> Vec3 {
        self.arc[self.arc.len() - 1].1
    }

    /// Length of the way on it [m].
    pub fn way(&self) -> f64 {
        self.arc[self.arc.len() - 1].0
    }
}

/// Why there is no way.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lost {
    /// Nothing says how much cable is before or after a ring or wheel.
    Unknown { along: usize },
    /// A wheel that it would go around the long way, or pass by: the angle by its axis and by the opposite one [rad].
    Reversed { along: usize, angle: f64, other: f64 },
}

impl Kind {
    fn place(&self) -> Vec3 {
        match self {
            Self::Tie(place) | Self::Ring(place) => *place,
            Self::Sheave(sheave) => sheave.center,
        }
    }
}

/// Where the cable comes from and goes to at each station.
pub(super) type Beside = Vec<[Vec3; 2]>;

/// Directions for a cable that is straight between its stations: what is beside a wheel is the tangent to the next.
pub(super) fn straight(stations: &[Station], gravity: Vec3) -> Beside {
    let down = |p: Vec3, size: f64| p + gravity.normalize_or(Vec3::NEG_Z) * (1e3 * size);
    let size = |kind: &Kind| if let Kind::Sheave(s) = kind { s.radius } else { 1.0 };
    let neighbours = |ends: &[[Vec3; 2]]| -> Beside {
        let place = |i: usize| {
            let hanging = down(stations[i].kind.place(), size(&stations[i].kind));
            let before = i.checked_sub(1).map_or(hanging, |i| ends[i][1]);
            [before, ends.get(i + 1).map_or(hanging, |next| next[0])]
        };
        (0..stations.len()).map(place).collect()
    };
    let mut ends: Vec<[Vec3; 2]> = stations.iter().map(|s| [s.kind.place(); 2]).collect();
    let mut beside = neighbours(&ends);
    // Between two wheels the line is tangent to both: each touch is found from the other's until they agree.
    let wheels = stations.iter().filter(|s| matches!(s.kind, Kind::Sheave(_))).count();
    for _ in 0..if wheels > 1 { 60 } else { 0 } {
        for (i, station) in stations.iter().enumerate() {
            if let Kind::Sheave(sheave) = &station.kind {
                let arc = around(sheave, beside[i]).0;
                ends[i] = [arc[0].1, arc[arc.len() - 1].1];
            }
        }
        beside = neighbours(&ends);
    }
    beside
}

/// The first thing that is wrong with the way, if anything is.
pub(super) fn check(stations: &[Station], beside: &Beside) -> Result<(), Lost> {
    for (station, beside) in stations.iter().zip(beside) {
        let (Kind::Sheave(sheave), Some(along)) = (&station.kind, station.along) else { continue };
        let angle = around(sheave, *beside).1;
        let other = around(&Sheave { axis: -sheave.axis, ..*sheave }, *beside).1;
        let long = angle > PI * (1.0 + 1e-9) && other > 0.0 && other < angle && !sheave.long_way;
        if long || angle < 0.0 && other > CLEARLY {
            return Err(Lost::Reversed { along, angle, other });
        }
    }
    Ok(())
}

/// The way of a cable of a length [m]: arc lengths that are not known follow from it, as evenly as it can be. `lift` forgets the arc
/// lengths of rings and wheels for which there is too little cable on a side.
pub(super) fn find(
    stations: &[Station],
    beside: &Beside,
    length: f64,
    lift: bool,
) -> Result<Vec<Stop>, Lost> {
    let mut stops: Vec<Stop> = Vec::new();
    for (station, beside) in stations.iter().zip(beside) {
        let arc = match &station.kind {
            Kind::Tie(place) | Kind::Ring(place) => vec![(0.0, *place)],
            Kind::Sheave(sheave) => around(sheave, *beside).0,
        };
        let holds = matches!(station.kind, Kind::Tie(_));
        stops.push(Stop { at: 0.0, rim: 0.0, arc, along: station.along, holds });
    }
    let mut ats: Vec<Option<f64>> = stations.iter().map(|s| s.at).collect();
    let leg = |i: usize, stops: &[Stop]| (stops[i + 1].arrives() - stops[i].leaves()).length();
    let known =
        |ats: &[Option<f64>]| -> Vec<usize> { (0..ats.len()).filter(|i| ats[*i].is_some()).collect() };
    // Way from the middle of one stop to that of another, and how much of it lies on wheels.
    let way = |from: usize, to: usize, stops: &[Stop]| {
        let rims = 0.5 * (stops[from].way() + stops[to].way())
            + stops[from + 1..to].iter().map(Stop::way).sum::<f64>();
        (rims + (from..to).map(|i| leg(i, stops)).sum::<f64>(), rims)
    };
    if lift {
        let held: Vec<usize> = (0..stops.len()).filter(|i| stops[*i].holds).collect();
        for pair in held.windows(2) {
            let (Some(from), Some(to)) = (ats[pair[0]], ats[pair[1]]) else { continue };
            let stretch = (way(pair[0], pair[1], &stops).0 / (to - from)).max(1.0);
            let inside: Vec<usize> =
                known(&ats).into_iter().filter(|i| (pair[0]..=pair[1]).contains(i)).collect();
            let short = inside.windows(2).any(|p| {
                let piece = ats[p[1]].unwrap_or(to) - ats[p[0]].unwrap_or(from);
                piece * stretch * (1.0 + 1e-6) < way(p[0], p[1], &stops).0
            });
            if short {
                ats[pair[0] + 1..pair[1]].fill(None);
            }
        }
    }
    let places = known(&ats);
    for (i, stop) in stops.iter().enumerate() {
        let between = places.iter().any(|k| *k <= i) && places.iter().any(|k| *k >= i);
        if let (None, false, Some(along)) = (ats[i], between, stop.along) {
            return Err(Lost::Unknown { along });
        }
    }
    for pair in places.windows(2) {
        let (first, last) = (pair[0], pair[1]);
        let (Some(from), Some(to)) = (ats[first], ats[last]) else { continue };
        let (whole, rims) = way(first, last, &stops);
        let piece = to - from;
        // What lies on wheels is not pushed together; what is slack hangs between.
        let (on, off) = if piece >= whole && whole > rims {
            (1.0, (piece - rims) / (whole - rims))
        } else {
            (piece / whole, piece / whole)
        };
        let mut s = from;
        for i in first..last {
            s += 0.5 * on * (stops[i].way() + stops[i + 1].way()) + off * leg(i, &stops);
            if i + 1 < last {
                ats[i + 1] = Some(s);
            }
            for i in [i, i + 1] {
                stops[i].rim = on * stops[i].way();
            }
        }
    }
    // A wheel with a free end beside it.
    for (stop, at) in stops.iter_mut().zip(&ats) {
        if stop.rim == 0.0 {
            stop.rim = stop.way().min(length);
        }
        stop.at = at.unwrap_or(0.0);
    }
    Ok(stops)
}

/// The way around a wheel from one point to another, by the right-hand rule about the axis: lengths from its beginning and places; and
/// the angle, less than 0 if the straight line is free of it: then the place is on that line.
fn around(sheave: &Sheave, [before, after]: [Vec3; 2]) -> (Vec<(f64, Vec3)>, f64) {
    let Sheave { center, axis, radius, .. } = *sheave;
    // Where the tangent from a point touches, how far it is and how high above the wheel's plane it begins: ahead of it for the one it
    // comes from, behind for the one it goes to.
    let touch = |p: Vec3, sign: f64| {
        let d = p - center;
        let height = d.dot(axis);
        let flat = d - axis * height;
        let distance = flat.length();
        let toward = flat.normalize_or(axis.any_orthonormal_vector());
        let ratio = (radius / distance.max(radius)).min(1.0);
        let turn = float::atan2((1.0 - ratio * ratio).sqrt(), ratio);
        let free = (distance * distance - radius * radius).max(0.0).sqrt();
        (Quat::from_axis_angle(axis, sign * turn) * toward, free)
    };
    let ((first, la), (last, lb)) = (touch(before, 1.0), touch(after, -1.0));
    // As the engine counts: three quarters of a turn at most, and a quarter back.
    let mut angle = float::atan2(first.cross(last).dot(axis), first.dot(last));
    if angle < -FRAC_PI_2 {
        angle += TAU;
    }
    if angle < 0.0 {
        let part = if la + lb > 0.0 { la / (la + lb) } else { 0.5 };
        return (vec![(0.0, before + (after - before) * part)], angle);
    }
    let place = |i: usize| {
        let turn = angle * i as f64 / PARTS as f64;
        let (sin, cos) = float::sin_cos(turn);
        (radius * turn, center + radius * (first * cos + axis.cross(first) * sin))
    };
    ((0..=PARTS).map(place).collect(), angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheave(center: Vec3, axis: Vec3, radius: f64) -> Sheave {
        Sheave { center, axis, radius, long_way: false }
    }

    fn station(kind: Kind, at: Option<f64>) -> Station {
        Station { at, along: matches!(kind, Kind::Tie(_)).then_some(0).xor(Some(0)), kind }
    }

    #[test]
    fn the_way_around_a_wheel_is_tangent_at_both_ends() {
        let wheel = sheave(Vec3::new(0.0, 0.0, 5.0), Vec3::Y, 0.5);
        let (before, after) = (Vec3::new(-0.5, 0.0, 0.0), Vec3::new(0.5, 0.0, 1.0));
        // By the right-hand rule about +y: up on the left, over the top to +x, down on the right.
        let (arc, angle) = around(&wheel, [before, after]);
        assert!((arc[0].1 - Vec3::new(-0.5, 0.0, 5.0)).length() < 1e-12, "{:?}", arc[0]);
        assert!((arc[PARTS / 2].1 - Vec3::new(0.0, 0.0, 5.5)).length() < 1e-12);
        assert!((arc[PARTS].1 - Vec3::new(0.5, 0.0, 5.0)).length() < 1e-12);
        assert!((arc[PARTS].0 - 0.5 * PI).abs() < 1e-12 && (angle - PI).abs() < 1e-12);
        // From farther away, off the plane.
        let (before, after) = (Vec3::new(-3.0, 0.2, 1.0), Vec3::new(4.0, -0.1, 2.0));
        let (arc, _) = around(&wheel, [before, after]);
        for (point, touch, sign) in [(before, arc[0].1, 1.0), (after, arc[PARTS].1, -1.0)] {
            let line = (touch - point) * Vec3::new(1.0, 0.0, 1.0);
            let radial = touch - wheel.center;
            assert!(line.dot(radial).abs() < 1e-12);
            assert!(sign * line.dot(wheel.axis.cross(radial)) > 0.0);
        }
    }

    #[test]
    fn between_two_wheels_the_line_is_tangent_to_both() {
        let wheels = [sheave(Vec3::ZERO, Vec3::Y, 0.5), sheave(Vec3::new(3.0, 0.0, -1.0), -Vec3::Y, 0.2)];
        let stations = [
            station(Kind::Tie(Vec3::new(-2.0, 0.0, -3.0)), Some(0.0)),
            station(Kind::Sheave(wheels[0]), None),
            station(Kind::Sheave(wheels[1]), None),
            station(Kind::Tie(Vec3::new(4.0, 0.0, 4.0)), Some(14.0)),
        ];
        let beside = straight(&stations, Vec3::NEG_Z);
        let stops = find(&stations, &beside, 14.0, false).unwrap();
        let line = stops[2].arrives() - stops[1].leaves();
        assert!(line.dot(stops[1].leaves() - wheels[0].center).abs() < 1e-9);
        assert!(line.dot(stops[2].arrives() - wheels[1].center).abs() < 1e-9);
        // All of it is used, and what is slack is spread over the legs.
        let legs = [0, 1, 2].map(|i| {
            let cable = stops[i + 1].at - stops[i].at - 0.5 * (stops[i].rim + stops[i + 1].rim);
            cable / (stops[i + 1].arrives() - stops[i].leaves()).length()
        });
        assert!((legs[0] - legs[1]).abs() < 1e-9 && (legs[1] - legs[2]).abs() < 1e-9, "{legs:?}");
        assert!(legs[0] > 1.0);
    }

    #[test]
    fn a_wheel_turned_around_is_seen() {
        let ends = |x: f64| [Vec3::new(-x, 0.0, -4.0), Vec3::new(x, 0.0, -5.0)];
        for (x, axis, fine) in [
            (0.3, Vec3::Y, true),
            (0.3, -Vec3::Y, false),
            (4.0, Vec3::Y, true),
            (4.0, -Vec3::Y, false),
            // A line above a wheel that it does not touch yet.
            (30.0, Vec3::Y, true),
        ] {
            let mut wheel = sheave(Vec3::ZERO, axis, 0.3);
            if x > 20.0 {
                wheel.center.z = -6.0;
            }
            let [a, b] = ends(x);
            let stations = [
                station(Kind::Tie(a), Some(0.0)),
                station(Kind::Sheave(wheel), None),
                station(Kind::Tie(b), Some(12.0)),
            ];
            let found = check(&stations, &straight(&stations, Vec3::NEG_Z));
            assert_eq!(found.is_ok(), fine, "{x} {axis} {found:?}");
        }
    }
}
