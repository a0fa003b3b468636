//! Cables of the model: each with its place among the coordinates, at rest where it should be.

use super::{Model, ModelError};
use crate::cable;
use crate::evaluate::{Treatment, evaluate};
use crate::{Cable, CableSpec, Control, Data};

impl Model {
    /// Cables that go with the bodies: those without a rate of their own.
    pub(crate) fn joined_cables(&self) -> impl Iterator<Item = &Cable> {
        self.cables.iter().filter(|cable| cable.pace.is_none())
    }

    pub(super) fn add_cables(&mut self, cables: Vec<CableSpec>) -> Result<(), ModelError> {
        for spec in cables {
            let name = spec.name.clone();
            if self.cables.iter().any(|other| other.name == name) {
                return Err(ModelError::DuplicateName(name));
            }
            let mut cable = Cable::new(spec).map_err(|source| ModelError::Cable { name, source })?;
            (cable.q, cable.v) = (self.nq, self.nv);
            self.nq += cable.coordinates();
            self.nv += cable.coordinates();
            self.cables.push(cable);
        }
        Ok(())
    }

    /// Lets the cables that begin at rest find their equilibrium.
    pub(super) fn settle_cables(&mut self) -> Result<(), ModelError> {
        if !self.cables.iter().any(|cable| cable.settle) {
            return Ok(());
        }
        let mut state = self.initial_state();
        for i in 0..self.cables.len() {
            if !self.cables[i].settle {
                continue;
            }
            let settled = cable::settle(self, &mut state, i);
            let name = self.cables[i].name.clone();
            let settled = settled.map_err(|source| ModelError::Cable { name, source })?;
            self.cables[i].begin_at(&state, i, settled);
        }
        Ok(())
    }

    /// No body may notice within its step a cable that has a rate of its own.
    pub(super) fn check_paces(&self) -> Result<(), ModelError> {
        if self.joined_cables().count() == self.cables.len() {
            return Ok(());
        }
        let (state, mut data) = (self.initial_state(), Data::default());
        evaluate(self, &Control::default(), &state, &mut data, Treatment::Instant);
        for (i, cable) in self.cables.iter().enumerate() {
            let Some(pace) = &cable.pace else { continue };
            let loose = cable::check_pace(self, &state, &data, i, pace);
            loose.map_err(|source| ModelError::Cable { name: cable.name.clone(), source })?;
        }
        Ok(())
    }
}
