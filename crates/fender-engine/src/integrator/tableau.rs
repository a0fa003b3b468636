//! Coefficients of Runge–Kutta methods.

/// A method k_i = f(y + h Σ_j a_ij k_j + h·γ k_i) at t + c_i h, y₁ = y + h Σ b_i k_i; explicit for γ = 0.
#[derive(Debug)]
pub struct Tableau {
    /// γ, the same for all stages.
    pub diagonal: f64,
    /// Lower triangle: row i holds a_i0 … a_i(i−1).
    pub a: &'static [&'static [f64]],
    /// Weights of the result.
    pub b: &'static [f64],
    /// Times of the stages.
    pub c: &'static [f64],
    /// Weights of the result minus those of the embedded result; empty without one.
    pub error: &'static [f64],
    /// Order of the embedded error estimate plus one: the exponent of step control is its inverse.
    pub order: u32,
}

/// Explicit Euler.
pub const EULER: Tableau = Tableau { diagonal: 0.0, a: &[&[]], b: &[1.0], c: &[0.0], error: &[], order: 1 };

/// The implicit midpoint rule.
pub const MIDPOINT: Tableau =
    Tableau { diagonal: 0.5, a: &[&[]], b: &[1.0], c: &[0.5], error: &[], order: 2 };

/// Bogacki & Shampine (1989), the third-order weights.
pub const BOGACKI_SHAMPINE: Tableau = Tableau {
    diagonal: 0.0,
    a: &[&[], &[0.5], &[0.0, 0.75]],
    b: &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0],
    c: &[0.0, 0.5, 0.75],
    error: &[],
    order: 3,
};

/// The classical method of Runge and Kutta (1901).
pub const CLASSICAL: Tableau = Tableau {
    diagonal: 0.0,
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
    error: &[],
    order: 4,
};

/// Fehlberg (1969) 4(5): the fourth-order result goes on, the fifth-order one judges it.
pub const FEHLBERG: Tableau = Tableau {
    diagonal: 0.0,
    a: &[
        &[],
        &[1.0 / 4.0],
        &[3.0 / 32.0, 9.0 / 32.0],
        &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
        &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
        &[-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
    ],
    b: &[25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -1.0 / 5.0, 0.0],
    c: &[0.0, 1.0 / 4.0, 3.0 / 8.0, 12.0 / 13.0, 1.0, 1.0 / 2.0],
    error: &[
        25.0 / 216.0 - 16.0 / 135.0,
        0.0,
        1408.0 / 2565.0 - 6656.0 / 12825.0,
        2197.0 / 4104.0 - 28561.0 / 56430.0,
        -1.0 / 5.0 + 9.0 / 50.0,
        -2.0 / 55.0,
    ],
    order: 5,
};

/// Dormand & Prince (1980) 5(4): the fifth-order result goes on.
pub const DORMAND_PRINCE: Tableau = Tableau {
    diagonal: 0.0,
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ],
    b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0],
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0],
    error: &[
        35.0 / 384.0 - 5179.0 / 57600.0,
        0.0,
        500.0 / 1113.0 - 7571.0 / 16695.0,
        125.0 / 192.0 - 393.0 / 640.0,
        -2187.0 / 6784.0 + 92097.0 / 339200.0,
        11.0 / 84.0 - 187.0 / 2100.0,
        -1.0 / 40.0,
    ],
    order: 5,
};

/// Hairer & Wanner (1996), Solving Ordinary Differential Equations II, table IV.6.5: order 4 with an embedded order 3,
/// L-stable and stiffly accurate.
pub const SDIRK4: Tableau = Tableau {
    diagonal: 1.0 / 4.0,
    a: &[
        &[],
        &[1.0 / 2.0],
        &[17.0 / 50.0, -1.0 / 25.0],
        &[371.0 / 1360.0, -137.0 / 2720.0, 15.0 / 544.0],
        &[25.0 / 24.0, -49.0 / 48.0, 125.0 / 16.0, -85.0 / 12.0],
    ],
    b: &[25.0 / 24.0, -49.0 / 48.0, 125.0 / 16.0, -85.0 / 12.0, 1.0 / 4.0],
    c: &[1.0 / 4.0, 3.0 / 4.0, 11.0 / 20.0, 1.0 / 2.0, 1.0],
    error: &[
        25.0 / 24.0 - 59.0 / 48.0,
        -49.0 / 48.0 + 17.0 / 96.0,
        125.0 / 16.0 - 225.0 / 32.0,
        0.0,
        1.0 / 4.0,
    ],
    order: 4,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_weights_and_errors_are_consistent() {
        for t in [&EULER, &BOGACKI_SHAMPINE, &CLASSICAL, &FEHLBERG, &DORMAND_PRINCE, &SDIRK4] {
            for (row, c) in t.a.iter().zip(t.c) {
                assert!((t.diagonal + row.iter().sum::<f64>() - c).abs() < 1e-14);
            }
            assert!((t.b.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            assert!(t.error.iter().sum::<f64>().abs() < 1e-14);
        }
    }
}
