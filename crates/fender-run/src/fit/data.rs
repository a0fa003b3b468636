//! Measured signals, from a CSV file.

use crate::error::RunError;
use crate::measure::measure;
use crate::scenario::Scenario;
use crate::signal::Catalogue;
use fender_scenario::suggest;
use std::fmt;
use std::path::Path;

/// A measured signal.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Name of the signal.
    pub name: String,
    /// Unit of the values.
    pub unit: String,
    /// One value for each time.
    pub values: Vec<f64>,
    /// What a difference is divided by: the standard deviation that was given, or the spread of the values.
    pub scale: f64,
}

/// Measured signals over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// Times, increasing [s].
    pub times: Vec<f64>,
    /// Signals, at least one.
    pub signals: Vec<Measured>,
}

/// Standard deviation of one signal's noise, as typed: `signal=value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Sigma {
    /// Name of the signal.
    pub signal: String,
    /// Number, perhaps with a unit.
    pub value: String,
}

impl Sigma {
    /// Reads `signal=value`.
    pub fn parse(text: &str) -> Result<Self, RunError> {
        let bad = |why: &str| RunError::BadInput(format!("--sigma '{text}': {why}; write signal=value"));
        let (signal, value) = text.split_once('=').ok_or_else(|| bad("there is no '='"))?;
        if measure(value.trim()).is_none_or(|m| m.value <= 0.0) {
            return Err(bad("the standard deviation is not a positive number"));
        }
        Ok(Self { signal: signal.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// A column's name and unit: `time [s]`, as `fender export` writes them.
fn heading(text: &str) -> (String, String) {
    let text = text.trim();
    match text.strip_suffix(']').and_then(|t| t.rsplit_once('[')) {
        Some((name, unit)) => (name.trim().to_owned(), unit.trim().to_owned()),
        None => (text.to_owned(), String::new()),
    }
}

/// Factor from one unit to another; `None` if they do not measure the same. No unit is any unit.
fn factor(from: &str, to: &str) -> Option<f64> {
    if from.is_empty() || from == to {
        return Some(1.0);
    }
    let (from, to) = (measure(&format!("1 {from}"))?, measure(&format!("1 {to}"))?);
    (from.dimension == to.dimension).then_some(from.value / to.value)
}

/// The text up to the end of a line: its number is counted when it is asked for.
struct Line<'a>(&'a [u8]);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.strip_suffix(b"\n").unwrap_or(self.0);
        write!(f, "{}", text.split(|b| *b == b'\n').count())
    }
}

impl Data {
    /// Reads the columns `time` and `wanted`, or all if none is wanted.
    pub fn read(path: &Path, wanted: &[String]) -> Result<Self, RunError> {
        let bytes = std::fs::read(path).map_err(|e| RunError::io(path, e))?;
        Self::parse(&bytes, wanted).map_err(|why| RunError::BadInput(format!("'{}'{why}", path.display())))
    }

    fn parse(bytes: &[u8], wanted: &[String]) -> Result<Self, String> {
        // A file from a spreadsheet may begin with a byte order mark.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader =
            csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(bytes);
        let headings: Vec<(String, String)> =
            reader.headers().map_err(|e| format!(": {e}"))?.iter().map(heading).collect();
        let names = || headings.iter().map(|(name, _)| name.as_str());
        let column = |name: &str| {
            names().position(|n| n == name).ok_or_else(|| {
                let help = suggest::help(name, names(), "columns").unwrap_or_default();
                format!(": there is no column `{name}`; {help}")
            })
        };
        if let Some((i, name)) = names().enumerate().find(|(i, name)| names().take(*i).any(|n| n == *name)) {
            return Err(format!(": column {} is called `{name}` like one before it", i + 1));
        }
        let time = column("time")?;
        let seconds = factor(&headings[time].1, "s")
            .ok_or_else(|| format!(": the column `time` is in {}, and not in s", headings[time].1))?;
        let mut chosen: Vec<usize> = wanted.iter().map(|name| column(name)).collect::<Result<_, _>>()?;
        if wanted.is_empty() {
            chosen = (0..headings.len()).filter(|i| *i != time).collect();
        }
        if chosen.is_empty() || chosen.contains(&time) {
            return Err(": there is no column besides `time` to fit".into());
        }

        let mut times: Vec<f64> = Vec::new();
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); chosen.len()];
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(|e| format!(": {e}"))? {
            // The reader's own count is that of the comment before a record.
            let end = reader.position().byte() as usize;
            let line = Line(bytes.get(..end).unwrap_or(bytes));
            let number = |i: usize| {
                let text = record.get(i).unwrap_or_default();
                let name = &headings[i].0;
                match text.parse::<f64>() {
                    Ok(x) if x.is_finite() => Ok(x),
                    _ if text.is_empty() => {
                        Err(format!(", line {line}: `{name}` is empty: leave the line out, or the column"))
                    }
                    _ => Err(format!(", line {line}: `{name}` is not a finite number, but '{text}'")),
                }
            };
            let t = number(time)? * seconds;
            match times.last() {
                _ if t < 0.0 => {
                    return Err(format!(", line {line}: the time {t} s is before the start of the run"));
                }
                Some(last) if t == *last => return Err(format!(", line {line}: the time {t} s is repeated")),
                Some(last) if t < *last => {
                    return Err(format!(
                        ", line {line}: the time {t} s comes after {last} s: sort the lines"
                    ));
                }
                _ => times.push(t),
            }
            for (values, i) in columns.iter_mut().zip(&chosen) {
                values.push(number(*i)?);
            }
        }
        let signal = |(values, i): (Vec<f64>, &usize)| {
            let (name, unit) = headings[*i].clone();
            Measured { name, unit, scale: spread(&values), values }
        };
        Ok(Self { times, signals: columns.into_iter().zip(&chosen).map(signal).collect() })
    }

    /// Checks that the signals exist and that the data are enough for so many parameters, and brings the values into the
    /// units of the signals.
    pub fn settle(
        &mut self,
        scenario: &Scenario,
        sigmas: &[Sigma],
        parameters: usize,
    ) -> Result<(), RunError> {
        let bad = |message: String| Err(RunError::BadInput(message));
        let (rows, columns) = (self.times.len(), self.signals.len());
        if rows * columns <= parameters {
            return bad(format!(
                "{rows} rows of {columns} signals are too few for {parameters} parameters: there must be more values than parameters"
            ));
        }
        let last = self.times.last().copied().unwrap_or_default();
        let duration = scenario.run.duration;
        if last > duration * (1.0 + 1e-9) {
            return bad(format!(
                "the data end at {last} s, after the run does at {duration} s: make it longer with --set run.duration={last}"
            ));
        }
        let catalogue = Catalogue::new(&scenario.model);
        for measured in &mut self.signals {
            let name = &measured.name;
            let signal = catalogue.one(name).map_err(|e| {
                RunError::BadInput(format!(
                    "the column `{name}` of the data: {e}; choose columns with --signal"
                ))
            })?;
            let Some(factor) = factor(&measured.unit, signal.unit) else {
                return bad(format!(
                    "the column `{name}` is in {}, the signal in {}",
                    measured.unit, signal.unit
                ));
            };
            for value in &mut measured.values {
                *value *= factor;
            }
            measured.scale *= factor;
            measured.unit = signal.unit.to_string();
        }
        for Sigma { signal, value } in sigmas {
            let names = self.signals.iter().map(|s| s.name.as_str());
            let help = suggest::help(signal, names, "fitted signals").unwrap_or_default();
            let Some(measured) = self.signals.iter_mut().find(|s| s.name == *signal) else {
                return bad(format!("--sigma: `{signal}` is not fitted; {help}"));
            };
            let (unit, number) = (&measured.unit, measure(value));
            let own = measure(&format!("1 {unit}")).map(|m| m.dimension);
            let plain = fender_scenario::units::Dimension::default();
            match number {
                Some(m) if m.dimension == plain || Some(m.dimension) == own => measured.scale = m.value,
                _ => return bad(format!("--sigma {signal}={value}: the signal is in {unit}")),
            }
        }
        Ok(())
    }
}

/// Standard deviation; of a constant its size, and of zeros one, so that it can be divided by.
pub(super) fn spread(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
    match (variance.sqrt(), mean.abs()) {
        (deviation, mean) if deviation > 1e-12 * mean => deviation,
        (_, mean) if mean > 0.0 => mean,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, wanted: &[&str]) -> Result<Data, String> {
        Data::parse(text.as_bytes(), &wanted.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn columns_have_names_and_units_in_any_order() {
        let data = parse("\u{feff}# made by hand\na [mm], time [ms] ,b\n1,0,5\n3,10,5\n", &[]).unwrap();
        assert_eq!(data.times, [0.0, 0.01]);
        let signals: Vec<_> = data
            .signals
            .iter()
            .map(|s| (s.name.as_str(), s.unit.as_str(), s.values.clone(), s.scale))
            .collect();
        assert_eq!(signals, [("a", "mm", vec![1.0, 3.0], 1.0), ("b", "", vec![5.0, 5.0], 5.0)]);
        assert_eq!(parse("time,a,b\n0,1,2\n", &["b"]).unwrap().signals[0].values, [2.0]);
    }

    #[test]
    fn mistakes_name_the_line_and_the_column() {
        for (text, wanted, said) in [
            ("t,a\n0,1\n", None, "there is no column `time`; columns: `t`, `a`"),
            ("time,ball.speed\n0,1\n", Some("ball.sped"), "did you mean `ball.speed`?"),
            ("time [m],a\n0,1\n", None, "not in s"),
            ("time\n0\n", None, "no column besides `time`"),
            ("time,a,a\n0,1,1\n", None, "column 3 is called `a`"),
            ("time,a\n0,1\n1,\n", None, ", line 3: `a` is empty"),
            ("time,a\r\n0,1\r\n1,\r\n2,3\r\n", None, ", line 3: `a` is empty"),
            ("time,a\n\n0,1\n\n1,", None, ", line 5: `a` is empty"),
            ("time,a\n0,1\n1,NaN\n", None, ", line 3: `a` is not a finite number, but 'NaN'"),
            ("time,a\n0,1\n1,x\n", None, "but 'x'"),
            ("time,a\n0,1\n# note\n0,2\n", None, ", line 4: the time 0 s is repeated"),
            ("time,a\n2,1\n1,2\n", None, ", line 3: the time 1 s comes after 2 s"),
            ("time,a\n-1,1\n", None, ", line 2: the time -1 s is before"),
            ("time,a\n0\n", None, "fields"),
            ("", None, "there is no column `time`"),
        ] {
            let error = parse(text, wanted.as_slice()).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn sigmas_are_positive() {
        assert_eq!(Sigma::parse("a.b = 2 N").unwrap(), Sigma { signal: "a.b".into(), value: "2 N".into() });
        for text in ["a", "a=0", "a=-1", "a=x"] {
            assert_eq!(Sigma::parse(text).unwrap_err().exit_code(), 2, "{text}");
        }
    }

    #[test]
    fn units_are_converted_where_they_measure_the_same() {
        assert_eq!(factor("mm", "m"), Some(1e-3));
        assert_eq!(factor("", "m"), Some(1.0));
        assert_eq!(factor("s", "m"), None);
    }
}
