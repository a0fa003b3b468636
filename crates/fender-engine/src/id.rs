//! Ids: indices into the model's dense arrays, one type each so that they cannot be mixed up.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// Position in the model's array.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A body: index into `Model::bodies`.
    BodyId
);
id!(
    /// A shape of a body: index into `Model::shapes`.
    ShapeId
);
id!(
    /// A material: index into `Model::materials`.
    MaterialId
);
id!(
    /// A contact rule: index into `Model::rules`.
    RuleId
);
id!(
    /// A joint: index into `Model::joints`.
    JointId
);
id!(
    /// A force element: index into `Model::forces`.
    ForceId
);
id!(
    /// A loop: index into `Model::loops`.
    LoopId
);
id!(
    /// A sensor: index into `Model::sensors`.
    SensorId
);
id!(
    /// A controller: index into `Model::controllers`.
    ControllerId
);
id!(
    /// A cable: index into `Model::cables`.
    CableId
);
