//! Validation: scenarios and formulas held to published numbers.
//!
//! A case is a folder `validation/<author_year_case>/` with `case.toml`, reference data and `SOURCE.md`:
//! ```toml
//! title = "Restitution of a free impact"
//! source = "Author 2007, section 5.1.1, figure 5.1"
//! scenario = "bouncing-ball"            # a shipped one; without it, scenario.toml in the folder
//!
//! [plot]                                # optional: each run as a line, instead of asked and got
//! x = "contact.ball-floor.depth"        # by default time
//! y = "contact.ball-floor.normal_force"
//!
//! [[check]]                             # one run, one number
//! name = "what is checked"              # optional
//! set = { restitution = 0.5 }           # overrides
//! signal = "ball.velocity.z"
//! at = 1.0                              # or: of = "max" | "min" | "mean" | "final" | "range", from, until
//! value = 0.5
//! tolerance = 1e-6                      # or relative_tolerance
//! why = "where value and tolerance come from"
//!
//! [[table]]                             # one run per row of a CSV file
//! file = "reference.csv"
//! set = ["restitution", "speed"]        # columns that are overrides
//! x = "speed"                           # column along x in the picture; by default the first override
//! x_label = "speed [m/s]"               # what that axis is called
//! label = ["speed"]                     # columns that name the runs if [plot] shows them; by default that one
//! [[table.check]]
//! column = "restitution"                # column with the value asked for
//! signal = "ball.velocity.z"
//! of = "final"                          # or: at = 1.0, at = "column"
//! scale = 1.0                           # the signal is multiplied by this …
//! per = "speed"                         # … and divided by this column
//! tolerance = 1e-6
//! why = "…"
//!
//! [[formula]]                           # a registered formula, by row of a CSV file or once
//! name = "damping_factor.exact"
//! what = "factor"                       # optional: what is checked, in words
//! file = "factors.csv"                  # arguments are columns of their names; `with` gives constants
//! column = "y"
//! tolerance = 1e-9
//! why = "…"
//! ```

mod case;
mod formula;
mod page;
mod pendulum;
mod picture;
mod run;

pub use case::{Case, CaseSpec, CheckSpec, FormulaSpec, PlotSpec, TableCheckSpec, TableSpec, TimeSpec};
pub use formula::{Formula, formulas};
pub use page::{markdown, markdown_index};
pub use run::{CaseReport, Row, Shipped, run_case};
