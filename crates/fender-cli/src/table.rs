//! Plain tables for the terminal.

/// Lines up columns: the first to the left, the others as they are told.
pub fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| rows.iter().filter_map(|r| r.get(column)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or_default()).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let pad = widths[column] - cell.chars().count();
            let space = " ".repeat(pad);
            line += &if right.contains(&column) {
                format!("{space}{cell}  ")
            } else {
                format!("{cell}{space}  ")
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A time span for people: `3.2 s`, `4 min 05 s`, `1 h 02 min`.
pub fn duration(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        // Rounded first, so that 119.9 s is 2 min 00 s and not 1 min 60 s.
        let whole = seconds.round() as u64;
        if whole < 3600 {
            format!("{} min {:02} s", whole / 60, whole % 60)
        } else {
            format!("{} h {:02} min", whole / 3600, whole % 3600 / 60)
        }
    }
}

/// A length for people, with the unit that suits it.
pub fn length(metres: f64) -> String {
    match metres.abs() {
        0.0 => "0 m".into(),
        m if m < 1e-3 => format!("{:.3} µm", metres * 1e6),
        m if m < 1.0 => format!("{:.3} mm", metres * 1e3),
        _ => format!("{metres:.3} m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let row = |a: &str, b: &str| vec![a.to_string(), b.to_string()];
        assert_eq!(columns(&[row("a", "1"), row("bcd", "10")], &[1]), "a     1\nbcd  10\n");
    }

    #[test]
    fn spans_are_rounded_for_people() {
        assert_eq!(duration(0.0123), "12 ms");
        assert_eq!(duration(59.94), "59.9 s");
        assert_eq!(duration(119.9), "2 min 00 s");
        assert_eq!(duration(3_725.0), "1 h 02 min");
    }

    #[test]
    fn lengths_choose_their_unit() {
        assert_eq!(length(0.000_012), "12.000 µm");
        assert_eq!(length(0.001_234), "1.234 mm");
        assert_eq!(length(0.0), "0 m");
    }
}
