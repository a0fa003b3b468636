//! Water and seabed as height fields, as far as there is something to see.

use super::head::FieldHead;
use fender_engine::{Model, Surroundings};
use fender_math::Vec3;

/// Heights along each side of water that moves.
const WAVY: usize = 21;
/// How far the fields reach beyond what there is at the start, as a part of its size.
const MARGIN: f64 = 0.5;

/// The fields of a model: its water's surface, then its seabed.
pub fn fields(model: &Model) -> Vec<FieldHead> {
    let mut fields = Vec::new();
    let Some((low, high)) = extent(model) else { return fields };
    let mut put = |name: &str, kind: &str, count: usize| {
        let spacing = (high - low) / (count - 1) as f64;
        fields.push(FieldHead {
            name: name.into(),
            kind: kind.into(),
            origin: [low.x, low.y],
            spacing: [spacing.x, spacing.y],
            count: [count; 2],
        });
    };
    if let Some(water) = &model.surroundings.water {
        put("water", "water", if water.still() { 2 } else { WAVY });
    }
    if model.surroundings.seabed.is_some() {
        put("seabed", "terrain", 2);
    }
    fields
}

/// Heights of a field at a time.
pub fn heights(around: &Surroundings, field: &FieldHead, time: f64, into: &mut Vec<f64>) {
    into.clear();
    for y in 0..field.count[1] {
        for x in 0..field.count[0] {
            let place = [0, 1].map(|k| field.origin[k] + field.spacing[k] * [x, y][k] as f64);
            into.push(match (field.kind.as_str(), &around.water, &around.seabed) {
                ("water", Some(water), _) => water.surface(place[0], place[1], time),
                (_, _, Some(seabed)) => seabed.height,
                _ => 0.0,
            });
        }
    }
}

/// A square above and below everything that can be seen, and some more.
fn extent(model: &Model) -> Option<(Vec3, Vec3)> {
    let nodes = model.cables.iter().flat_map(|cable| cable.places().iter().copied());
    let bodies = model.bodies.iter().map(|body| body.pose.translation);
    let mut all = nodes.chain(bodies);
    let first = all.next()?;
    let (low, high) = all.fold((first, first), |(low, high), p| (low.min(p), high.max(p)));
    let size = (high - low).max_element().max(1.0);
    let middle = 0.5 * (low + high);
    let half = (0.5 + MARGIN) * size;
    Some((middle - Vec3::splat(half), middle + Vec3::splat(half)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_seabed_lies_below_all_of_a_cable() {
        let model = testing::rope();
        let [field] = fields(&model).try_into().unwrap();
        assert_eq!((field.kind.as_str(), field.count), ("terrain", [2, 2]));
        assert!(field.origin[0] < -1.0 && field.origin[0] + field.spacing[0] > 5.0, "{field:?}");
        let mut got = Vec::new();
        heights(&model.surroundings, &field, 1.0, &mut got);
        assert_eq!(got, [-3.0; 4]);
        assert_eq!(fields(&testing::two_balls()), []);
    }
}
