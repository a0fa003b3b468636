//! The verbs, one file each.

mod check;
mod compare;
mod completions;
mod cycles;
mod export;
mod fit;
mod import;
mod lines;
mod list;
mod materials;
mod modes;
mod new;
mod plot;
mod resume;
mod run;
mod schema;
mod statics;
mod sweep;
mod validate;
mod view;

use crate::args::Verb;
use crate::failure::Failure;

/// Does what was typed.
pub fn perform(verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Run(args) => run::perform(&args),
        Verb::View(args) => view::perform(&args),
        Verb::Check(args) => check::perform(&args),
        Verb::Statics(args) => statics::perform(&args),
        Verb::Modes(args) => modes::perform(&args),
        Verb::List(args) => list::perform(&args),
        Verb::Materials => materials::perform(),
        Verb::Lines(args) => lines::perform(&args),
        Verb::New(args) => new::perform(&args),
        Verb::Import(args) => import::perform(&args),
        Verb::Schema => schema::perform(),
        Verb::Plot(args) => plot::perform(&args),
        Verb::Cycles(args) => cycles::perform(&args),
        Verb::Compare(args) => compare::perform(&args),
        Verb::Export(args) => export::perform(&args),
        Verb::Resume(args) => resume::perform(&args),
        Verb::Validate(args) => validate::perform(&args),
        Verb::Sweep(args) => sweep::perform(&args),
        Verb::Fit(args) => fit::perform(&args),
        Verb::Completions(args) => completions::perform(&args),
    }
}
