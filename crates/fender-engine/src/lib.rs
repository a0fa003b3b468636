//! The engine: bodies, forces, contacts, integrators, events and the energy account.
//!
//! Data flows one way. A [`Model`] is fixed during a run; a [`State`] holds everything whose history can change a
//! later bit; [`Data`] is scratch that can be thrown away at any time; [`Control`] is the input of one step.
//! [`evaluate`](evaluate::evaluate) lists the stages from state to accelerations, an [`Integrator`] calls it as
//! often as its method needs, and a [`World`] bundles the four.

pub mod account;
pub mod action;
pub mod activity;
pub mod balance;
pub mod body;
pub mod cable;
pub mod change;
pub mod closure;
pub mod contact;
pub mod control;
pub mod controller;
pub mod data;
pub mod evaluate;
pub mod event;
pub mod fluid;
pub mod force;
pub mod id;
pub mod impact;
pub mod integrator;
mod island;
pub mod joint;
pub mod model;
pub mod observe;
mod sampling;
pub mod sensor;
pub mod state;
pub mod tangent;
pub mod tree;
mod trigger;
pub mod world;

pub use account::Energy;
pub use activity::Activity;
pub use body::{Body, BodyMotion, BodyShape, FreeBody};
pub use cable::{Cable, CableSpec};
pub use change::Change;
pub use contact::{Contact, ContactSlot, DeepStart, Mark, PatchContact, StepForces};
pub use control::Control;
pub use controller::Controller;
pub use data::Data;
pub use event::{Event, EventKind, PayoutStop};
pub use fender_math::Profile;
pub use fluid::{Fluid, FluidMotion, Seabed, Surroundings};
pub use force::{Force, ForceSink};
pub use id::{
    BodyId, CableId, ControllerId, ForceId, JointId, LoopId, MaterialId, RuleId, SensorId, ShapeId,
};
pub use impact::ImpactRule;
pub use integrator::{Adaptive, Integrator, IntegratorSpec, StepError};
pub use model::{
    BodySpec, Changes, ContactRule, Fence, JointSpec, Limit, LoopKind, LoopSpec, Model, ModelBuilder,
    ModelError,
};
pub use sensor::Sensor;
pub use state::{Effort, State, StateError};
pub use world::World;
