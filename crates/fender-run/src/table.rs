//! Tables: what recorders fill, Parquet and CSV files hold, and expectations, plots and reports read.

use std::collections::HashMap;

/// Type of a column in files. In memory every value is an `f64`, and a value that is not defined is NaN, so that a
/// sampling loop only ever pushes numbers; files hold nulls instead and never a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A real number.
    Real,
    /// A whole number.
    Whole,
    /// True (1) or false (0).
    Truth,
    /// An index into [`Table::texts`].
    Text,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, unique in its table.
    pub name: String,
    /// Unit, `1` for a pure number, empty for text.
    pub unit: String,
    /// What it is, in one sentence.
    pub description: String,
    /// Type in files.
    pub kind: Kind,
    /// One value per row; NaN where it is not defined.
    pub values: Vec<f64>,
}

impl Column {
    /// A column without rows.
    pub fn new(
        name: impl Into<String>,
        unit: impl Into<String>,
        description: impl Into<String>,
        kind: Kind,
    ) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            description: description.into(),
            kind,
            values: Vec::new(),
        }
    }

    /// Value of a row, if it is defined.
    pub fn value(&self, row: usize) -> Option<f64> {
        self.values.get(row).copied().filter(|v| v.is_finite())
    }
}

/// A table: columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Columns.
    pub columns: Vec<Column>,
    /// Texts that columns of kind [`Kind::Text`] point to.
    pub texts: Vec<String>,
}

impl Table {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len())
    }

    /// Column by name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// Removes the rows, keeps the columns and their memory.
    pub fn clear(&mut self) {
        for column in &mut self.columns {
            column.values.clear();
        }
    }

    /// Index of a text, added if it is new. For tables with few texts.
    pub fn intern(&mut self, text: &str) -> f64 {
        let index = self.texts.iter().position(|t| t == text).unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        });
        index as f64
    }

    /// Indices of another table's texts in this one, which takes those it lacks.
    fn adopt(&mut self, others: &[String]) -> Vec<f64> {
        if self.texts == others {
            return (0..others.len()).map(|i| i as f64).collect();
        }
        let mut index: HashMap<String, usize> =
            self.texts.drain(..).enumerate().map(|(i, t)| (t, i)).collect();
        let mut places = Vec::with_capacity(others.len());
        for text in others {
            let next = index.len();
            places.push(*index.entry(text.clone()).or_insert(next) as f64);
        }
        let mut texts: Vec<(String, usize)> = index.into_iter().collect();
        texts.sort_unstable_by_key(|(_, i)| *i);
        self.texts = texts.into_iter().map(|(t, _)| t).collect();
        places
    }

    /// Adds the rows of another table with the same columns (texts are matched by content).
    pub fn append(&mut self, other: &Self) {
        let texts = self.adopt(&other.texts);
        for (to, from) in self.columns.iter_mut().zip(&other.columns) {
            if to.kind == Kind::Text {
                // NaN would turn into index 0.
                let place = |i: &f64| i.is_finite().then(|| texts.get(*i as usize).copied()).flatten();
                to.values.extend(from.values.iter().map(|i| place(i).unwrap_or(f64::NAN)));
            } else {
                to.values.extend_from_slice(&from.values);
            }
        }
    }

    /// The defined samples of a column over the column `time`.
    pub fn series(&self, name: &str) -> Option<Vec<(f64, f64)>> {
        let time = self.column("time")?;
        let column = self.column(name)?;
        let pairs = time.values.iter().zip(&column.values);
        Some(pairs.filter(|(_, v)| v.is_finite()).map(|(t, v)| (*t, *v)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appended_texts_are_matched_by_content() {
        let column = || Column::new("who", "", "", Kind::Text);
        let mut a = Table { columns: vec![column()], texts: vec!["x".into()] };
        a.columns[0].values.push(0.0);
        let mut b = Table { columns: vec![column()], texts: vec!["y".into(), "x".into()] };
        b.columns[0].values.extend([0.0, 1.0]);
        a.append(&b);
        let texts: Vec<&str> = a.columns[0].values.iter().map(|&i| a.texts[i as usize].as_str()).collect();
        assert_eq!(texts, ["x", "y", "x"]);
    }

    #[test]
    fn a_series_leaves_out_what_is_not_defined() {
        let mut table = Table {
            columns: vec![Column::new("time", "s", "", Kind::Real), Column::new("v", "m", "", Kind::Real)],
            texts: vec![],
        };
        table.columns[0].values.extend([0.0, 1.0, 2.0]);
        table.columns[1].values.extend([5.0, f64::NAN, 7.0]);
        assert_eq!(table.series("v"), Some(vec![(0.0, 5.0), (2.0, 7.0)]));
        assert_eq!(table.series("w"), None);
        assert_eq!(table.columns[1].value(1), None);
    }
}
