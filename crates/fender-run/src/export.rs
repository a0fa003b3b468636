//! Results as CSV: from the merged file, or from the parts of a run that was cut.

use crate::error::RunError;
use crate::parquet_file;
use crate::results::Folder;
use crate::table::{Kind, Table};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Writes `signals.csv` and `contacts.csv` next to the Parquet files; gives the paths written. The first line holds the
/// names, with the unit in brackets where there is one; what is not defined is empty.
pub fn csv(dir: &Path) -> Result<Vec<PathBuf>, RunError> {
    let folder = Folder { path: dir.to_owned() };
    let mut written = Vec::new();
    for name in ["signals", "contacts"] {
        let files = folder.table_files(name)?;
        if files.is_empty() {
            continue;
        }
        let path = folder.file(&format!("{name}.csv"));
        files_to_csv(&files, &path)?;
        written.push(path);
    }
    Ok(written)
}

fn files_to_csv(files: &[PathBuf], to: &Path) -> Result<(), RunError> {
    let file = File::create(to).map_err(|e| RunError::io(to, e))?;
    let mut writer = csv::Writer::from_writer(file);
    let mut headed = false;
    for file in files {
        if !headed {
            write_header(&mut writer, &parquet_file::read_columns(file)?).map_err(|e| RunError::io(to, e))?;
            headed = true;
        }
        parquet_file::for_each_group(file, |group| {
            write_rows(&mut writer, &group).map_err(|e| RunError::io(to, e))
        })?;
    }
    writer.flush().map_err(|e| RunError::io(to, e))
}

/// Writes one table as CSV.
pub fn table_to_csv(table: &Table, to: &Path) -> Result<(), RunError> {
    crate::atomic::replace(to, |file| {
        let mut writer = csv::Writer::from_writer(file);
        write_header(&mut writer, table).map_err(|e| RunError::io(to, e))?;
        write_rows(&mut writer, table).map_err(|e| RunError::io(to, e))?;
        writer.into_inner().map_err(|e| RunError::io(to, e))
    })
}

fn write_header(writer: &mut csv::Writer<File>, table: &Table) -> csv::Result<()> {
    writer.write_record(table.columns.iter().map(|c| match c.unit.as_str() {
        "" | "1" => c.name.clone(),
        unit => format!("{} [{unit}]", c.name),
    }))
}

fn write_rows(writer: &mut csv::Writer<File>, table: &Table) -> csv::Result<()> {
    let mut text = String::new();
    for row in 0..table.rows() {
        for column in &table.columns {
            text.clear();
            if let Some(value) = column.value(row) {
                cell(&mut text, value, column.kind, &table.texts);
            }
            writer.write_field(&text)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(())
}

/// The shortest text that reads back as the same number.
fn cell(text: &mut String, value: f64, kind: Kind, texts: &[String]) {
    use std::fmt::Write;
    // Writing to a `String` cannot fail.
    let _ = match kind {
        Kind::Real if value != 0.0 && !(1e-5..1e16).contains(&value.abs()) => write!(text, "{value:e}"),
        Kind::Real => write!(text, "{value}"),
        Kind::Whole => write!(text, "{}", value as i64),
        Kind::Truth => write!(text, "{}", value != 0.0),
        Kind::Text => write!(text, "{}", texts.get(value as usize).map_or("", String::as_str)),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::Parts;
    use crate::table::Column;

    fn table(rows: &[[f64; 4]]) -> Table {
        let mut table = Table {
            columns: vec![
                Column::new("time", "s", "", Kind::Real),
                Column::new("who", "", "", Kind::Text),
                Column::new("count", "1", "", Kind::Whole),
                Column::new("stuck", "1", "", Kind::Truth),
            ],
            texts: vec!["anna, the \"first\"".into()],
        };
        for row in rows {
            for (column, value) in table.columns.iter_mut().zip(row) {
                column.values.push(*value);
            }
        }
        table
    }

    #[test]
    fn parts_of_a_cut_run_are_exported() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        for name in ["signals", "contacts"] {
            let mut parts = Parts::start(&folder, name, vec![]).unwrap();
            parts.close(&mut table(&[[0.1, 0.0, 3.0, 1.0]])).unwrap();
            parts.close(&mut table(&[[1e-7, f64::NAN, 0.0, 0.0]])).unwrap();
        }
        let files = csv(dir.path()).unwrap();
        assert_eq!(files.len(), 2);
        assert_eq!(
            std::fs::read_to_string(&files[0]).unwrap(),
            "time [s],who,count,stuck\n0.1,\"anna, the \"\"first\"\"\",3,true\n1e-7,,0,false\n"
        );
    }

    #[test]
    fn a_folder_without_a_run_is_bad_input() {
        let dir = tempfile::tempdir().unwrap();
        let error = csv(dir.path()).unwrap_err();
        assert_eq!(error.exit_code(), 2);
    }
}
