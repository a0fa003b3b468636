//! Grids of heights in files: CSV rows, or ESRI's ASCII grid.

use super::Heightfield;

/// What is wrong with a file of heights, with its name and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HeightsError(String);

impl Heightfield {
    /// Reads a grid from the contents of the file `name`. A CSV file has one row of heights [m] along x per line, the row with the
    /// lowest y first, and no header; an ASCII grid (`.asc`) has its own spacing and its northernmost row first. `spacing` [m] is for
    /// the first kind.
    pub fn read(name: &str, bytes: &[u8], spacing: Option<[f64; 2]>) -> Result<Self, HeightsError> {
        read(name, bytes, spacing).map_err(HeightsError)
    }
}

fn read(name: &str, bytes: &[u8], spacing: Option<[f64; 2]>) -> Result<Heightfield, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| format!("{name} is not text"))?;
    let text = text.trim_start_matches('\u{feff}');
    let is_grid = name.to_ascii_lowercase().ends_with(".asc");
    let (mut rows, own) = if is_grid { ascii_grid(name, text)? } else { (rows(name, text)?, None) };
    if is_grid {
        rows.reverse();
    }
    let spacing = match (own, spacing) {
        (Some(_), Some(_)) => return Err(format!("{name} has its own spacing: leave out `spacing`")),
        (Some(cell), None) => [cell; 2],
        (None, Some(spacing)) => spacing,
        (None, None) => return Err(format!("{name} has no spacing of its own: give `spacing`")),
    };
    Ok(Heightfield { columns: rows[0].len(), heights: rows.concat(), spacing })
}

type Rows = Vec<Vec<f64>>;

/// Lines of numbers, all of one length.
fn rows(name: &str, text: &str) -> Result<Rows, String> {
    let mut rows = Rows::new();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| is_data(line)) {
        let row = row(name, i + 1, line.split(',').map(str::trim))?;
        push(name, i + 1, row, &mut rows)?;
    }
    enough(name, rows)
}

fn is_data(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

fn row<'a>(name: &str, line: usize, cells: impl Iterator<Item = &'a str>) -> Result<Vec<f64>, String> {
    let number = |(i, cell): (usize, &str)| match cell.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("{name}: line {line}, column {}: expected a height, got \"{cell}\"", i + 1)),
    };
    cells.enumerate().map(number).collect()
}

fn push(name: &str, line: usize, row: Vec<f64>, rows: &mut Rows) -> Result<(), String> {
    match rows.first() {
        Some(first) if first.len() != row.len() => Err(format!(
            "{name}: line {line}: expected {} heights as in the first row, got {}",
            first.len(),
            row.len()
        )),
        _ => {
            rows.push(row);
            Ok(())
        }
    }
}

fn enough(name: &str, rows: Rows) -> Result<Rows, String> {
    if rows.len() < 2 || rows[0].len() < 2 {
        let columns = rows.first().map_or(0, Vec::len);
        let plural = if rows.len() == 1 { "" } else { "s" };
        return Err(format!(
            "{name} has {} row{plural} of {columns} heights, and a field has at least 2 of 2",
            rows.len()
        ));
    }
    Ok(rows)
}

/// Rows from north to south, and the spacing [m].
fn ascii_grid(name: &str, text: &str) -> Result<(Rows, Option<f64>), String> {
    let (mut cell, mut none, mut rows) = (None, None, Rows::new());
    let mut told = [None; 2];
    for (i, line) in text.lines().enumerate().filter(|(_, line)| is_data(line)) {
        let mut words = line.split_ascii_whitespace();
        let key = words.clone().next().unwrap_or_default();
        if key.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let value = words.nth(1).and_then(|word| word.parse::<f64>().ok()).filter(|v| v.is_finite());
            let Some(value) = value else {
                return Err(format!("{name}: line {}: expected a number after `{key}`", i + 1));
            };
            match key.to_ascii_lowercase().as_str() {
                "cellsize" if value > 0.0 => cell = Some(value),
                "nodata_value" => none = Some(value),
                "ncols" => told[0] = Some(value),
                "nrows" => told[1] = Some(value),
                "xllcorner" | "yllcorner" | "xllcenter" | "yllcenter" => {}
                _ => return Err(format!("{name}: line {}: `{key} {value}` is not of an ASCII grid", i + 1)),
            }
            continue;
        }
        let row = row(name, i + 1, words)?;
        if let Some(column) = row.iter().position(|height| Some(*height) == none) {
            return Err(format!("{name}: line {}, column {}: there is no height here", i + 1, column + 1));
        }
        push(name, i + 1, row, &mut rows)?;
    }
    let cell = cell.ok_or_else(|| format!("{name}: the line with `cellsize` is missing"))?;
    let rows = enough(name, rows)?;
    for (key, told, found) in [("ncols", told[0], rows[0].len()), ("nrows", told[1], rows.len())] {
        if let Some(told) = told.filter(|told| *told != found as f64) {
            return Err(format!(
                "{name}: `{key}` says {told}, and there are {found}: the file may be cut short"
            ));
        }
    }
    Ok((rows, Some(cell)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_mean_the_same() {
        let csv = read("f.csv", b"# low y first\n1, 2, 3\n4, 5, 6\n", Some([2.0, 2.0])).unwrap();
        let grid =
            "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -9999\n4 5 6\n1 2 3\n";
        assert_eq!(read("f.ASC", grid.as_bytes(), None).unwrap(), csv);
        assert_eq!((csv.columns, csv.rows(), csv.heights[3]), (3, 2, 4.0));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let told = |name: &str, text: &str, spacing: Option<[f64; 2]>| {
            read(name, text.as_bytes(), spacing).unwrap_err()
        };
        let one = Some([1.0, 1.0]);
        assert_eq!(told("f.csv", "1,2\n3,x\n", one), "f.csv: line 2, column 2: expected a height, got \"x\"");
        assert_eq!(
            told("f.csv", "1,2\n3\n", one),
            "f.csv: line 2: expected 2 heights as in the first row, got 1"
        );
        assert_eq!(
            told("f.csv", "1,2\n", one),
            "f.csv has 1 row of 2 heights, and a field has at least 2 of 2"
        );
        assert_eq!(told("f.csv", "", one), "f.csv has 0 rows of 0 heights, and a field has at least 2 of 2");
        assert_eq!(told("f.csv", "1,2\n3,4\n", None), "f.csv has no spacing of its own: give `spacing`");
        assert_eq!(
            told("f.asc", "cellsize 1\n1 2\n3 4\n", one),
            "f.asc has its own spacing: leave out `spacing`"
        );
        assert_eq!(told("f.asc", "1 2\n3 4\n", None), "f.asc: the line with `cellsize` is missing");
        assert_eq!(
            told("f.asc", "cellsize 0\n", None),
            "f.asc: line 1: `cellsize 0` is not of an ASCII grid"
        );
        let short = "ncols 2\nnrows 3\ncellsize 1\n1 2\n3 4\n";
        assert_eq!(
            told("f.asc", short, None),
            "f.asc: `nrows` says 3, and there are 2: the file may be cut short"
        );
        let hole = "cellsize 1\nnodata_value -1\n1 2\n-1 4\n";
        assert_eq!(told("f.asc", hole, None), "f.asc: line 4, column 1: there is no height here");
    }
}
