//! A function in a table, read with cubics.

/// Values at equal distances, with one beyond each end.
#[derive(Debug)]
pub(crate) struct Cubic(Vec<f64>);

impl Cubic {
    /// Tabulates `f` at 0, 1, … `count`; beyond the ends it is continued by the cubic through the nearest four.
    pub(crate) fn new(count: usize, f: impl Fn(f64) -> f64) -> Self {
        let inner: Vec<f64> = (0..=count).map(|i| f(i as f64)).collect();
        let beyond = |[a, b, c, d]: [f64; 4]| 4.0 * a - 6.0 * b + 4.0 * c - d;
        let last = |i: usize| inner[count - i];
        let (before, after) = (beyond([0, 1, 2, 3].map(|i| inner[i])), beyond([0, 1, 2, 3].map(last)));
        Self([vec![before], inner, vec![after]].concat())
    }

    /// The function at `x` between 0 and `count`: the cubic through the four values about it.
    #[inline]
    pub(crate) fn at(&self, x: f64) -> f64 {
        let i = (x as usize).min(self.0.len() - 4);
        let t = x - i as f64;
        let [before, from, to, after] = [0, 1, 2, 3].map(|k| self.0[i + k]);
        let (left, right) = (t + 1.0, 2.0 - t);
        let inner = from * left * (1.0 - t) * right + to * left * t * right;
        let outer = before * (1.0 - t) * right + after * left * (1.0 - t);
        0.5 * inner - t * outer / 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_read_exactly() {
        let f = |x: f64| 2.0 - x * (0.3 + x * (0.1 - 0.02 * x));
        let table = Cubic::new(10, f);
        for i in 0..=1000 {
            let x = f64::from(i) * 0.01;
            assert!((table.at(x) - f(x)).abs() < 1e-12, "{x}");
        }
    }
}
