//! What can be wrong with a cable.

/// Why a cable cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CableError {
    /// EA is zero or not a number.
    #[error("its axial stiffness EA is {stiffness} N; it must be positive (a stiff rope has 10⁶ to 10⁹ N)")]
    NoStiffness {
        /// What was given [N].
        stiffness: f64,
    },
    /// The table of tensions is not one.
    #[error(
        "its table of strain and tension needs two rows or more, both columns increasing, and the row 0, 0"
    )]
    BadTable,
    /// A number that cannot be.
    #[error("its {what} is {value}; it must be {}", if *value == 0.0 { "positive" } else { "a positive number" })]
    BadNumber {
        /// Which.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// Initial curvature without the frame it turns with.
    #[error("initial curvature turns with the line: it needs bending and torsional stiffness")]
    CurvatureNeedsTorsion,
    /// A section without length.
    #[error("section {section} has a length of {length} m; it must be positive")]
    NoLength {
        /// Which, from 1.
        section: usize,
        /// Its length [m].
        length: f64,
    },
    /// A rate of its own that is none.
    #[error(
        "its own step is {step} s with a spectral radius of {radius}; the step must be positive, the radius above 0 and up to 1"
    )]
    BadPace {
        /// Step [s].
        step: f64,
        /// Spectral radius.
        radius: f64,
    },
    /// A body would notice it within its own step.
    #[error(
        "body '{body}' feels it as {felt:.3} kg within a step of {step} s, and has {mass:.3} kg itself: that is too much for a cable at its own \
         rate"
    )]
    TooTight {
        /// The body.
        body: String,
        /// What it feels the cable as [kg].
        felt: f64,
        /// Its mass [kg].
        mass: f64,
        /// The cable's step [s].
        step: f64,
    },
    /// Something along it is beyond it.
    #[error("something is {at} m along it, but it is {length} m long")]
    Beyond {
        /// Where [m].
        at: f64,
        /// Length of the cable [m].
        length: f64,
    },
    /// There is not enough cable on a side of a guide.
    #[error(
        "there is no room for '{name}' along it: from {low:.6} to {high:.6} m it lies on it, but what is beside that is at {from:.6} and {to:.6} m"
    )]
    NoRoom {
        /// The guide's name.
        name: String,
        /// Where the guide begins and ends along the cable [m].
        low: f64,
        /// See `low`.
        high: f64,
        /// Where what is before and after it ends and begins [m].
        from: f64,
        /// See `from`.
        to: f64,
    },
    /// Something on the cable came to a guide that it cannot go through.
    #[error(
        "on its way to rest it slides through '{guide}' until {what} comes there, which cannot go through. Is it long enough, and is it \
         held beyond the guide?"
    )]
    Blocked {
        /// The guide's name.
        guide: String,
        /// What came there.
        what: &'static str,
    },
    /// The place where it lies at the start is not a curve.
    #[error("its shape at the start needs two points or more, and some length")]
    NoShape,
    /// Payout has bounds that do not hold its length.
    #[error("payout keeps its length between {shortest} and {longest} m, but it is {length} m long")]
    PayoutBounds {
        /// Shortest [m].
        shortest: f64,
        /// Longest [m].
        longest: f64,
        /// Length at the start [m].
        length: f64,
    },
    /// Payout at an end that nothing holds.
    #[error("payout is at its {end}, which nothing holds")]
    PayoutFree {
        /// `start` or `end`.
        end: &'static str,
    },
    /// It is stretched beyond what its law can be meant for.
    #[error(
        "it is {length:.6} m long but must span {span:.6} m: a strain of {:.1} %. Make it longer, or its stiffness lower", 100.0 * strain
    )]
    TooShort {
        /// Unstretched length [m].
        length: f64,
        /// What it must span [m].
        span: f64,
        /// The strain that needs.
        strain: f64,
    },
    /// No equilibrium was found.
    #[error(
        "no position of rest was found in {steps} steps: {force:.3e} N are left on node {node}. Is it held, and is the shape it \
         starts from near enough?"
    )]
    Restless {
        /// Steps taken.
        steps: usize,
        /// Which node, from the start.
        node: usize,
        /// Force left there [N].
        force: f64,
    },
    /// A tie that is made later cannot clamp.
    #[error("tie '{name}' is made later: it holds the place, and cannot clamp the direction")]
    LateClamp {
        /// Its name.
        name: String,
    },
    /// Nothing holds it, so that it cannot rest.
    #[error("nothing holds it: it cannot begin at rest")]
    NotHeld,
}
