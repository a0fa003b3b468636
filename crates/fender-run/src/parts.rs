//! Closed parts of a table that is still growing: `signals/part-00001.parquet`, ….

use crate::atomic;
use crate::error::RunError;
use crate::parquet_file::{self, Metadata};
use crate::results::Folder;
use crate::table::Table;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};

/// Closed parts of a table.
#[derive(Debug)]
pub struct Parts {
    folder: Folder,
    table: &'static str,
    count: u32,
    missing: Vec<u32>,
    metadata: Metadata,
}

/// The number of a part, by its name; with `temporary` also of one that is not yet closed.
pub fn number_of(path: &Path, temporary: bool) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let name = if temporary { name.strip_suffix(".tmp").unwrap_or(name) } else { name };
    let digits = name.strip_prefix("part-")?.strip_suffix(".parquet")?;
    (digits.len() >= 5 && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// An error if the interrupt is set to a signal's number.
fn heard(interrupt: &AtomicI32) -> Result<(), RunError> {
    match interrupt.load(Ordering::Relaxed) {
        0 => Ok(()),
        signal => Err(RunError::InterruptedReading(signal)),
    }
}

impl Parts {
    /// Parts of a table of which none is closed.
    pub fn start(folder: &Folder, table: &'static str, metadata: Metadata) -> Result<Self, RunError> {
        let dir = folder.file(table);
        fs::create_dir_all(&dir).map_err(|e| RunError::io(&dir, e))?;
        Ok(Self { folder: folder.clone(), table, count: 0, missing: Vec::new(), metadata })
    }

    /// Parts of a table of which `count` are closed. Those are checked, unless they have been merged; parts beyond, from
    /// after the checkpoint, are removed.
    pub fn resume(
        folder: &Folder,
        table: &'static str,
        count: u32,
        metadata: Metadata,
        interrupt: &AtomicI32,
    ) -> Result<Self, RunError> {
        let mut parts = Self { count, ..Self::start(folder, table, metadata)? };
        if !parts.merged().exists() {
            for n in 1..=count {
                heard(interrupt)?;
                match parts.path(n) {
                    path if path.exists() => parquet_file::check(&path)?,
                    _ => parts.missing.push(n),
                }
            }
        }
        let dir = folder.file(table);
        for entry in fs::read_dir(&dir).map_err(|e| RunError::io(&dir, e))? {
            let path = entry.map_err(|e| RunError::io(&dir, e))?.path();
            let closed = |n| n <= count && path == parts.path(n);
            if number_of(&path, true).is_some_and(|n| !closed(n)) {
                heard(interrupt)?;
                atomic::remove(&path)?;
            }
        }
        Ok(parts)
    }

    /// Number of closed parts.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// What to tell of closed parts that are no longer there.
    pub fn warning(&self) -> Option<String> {
        let first = self.missing.first()?;
        Some(format!(
            "{} of {} parts of '{}' are missing (the first is part {first}): the table lacks their rows. Put them \
             back and resume before the end of the run if there is a copy.",
            self.missing.len(),
            self.count,
            self.folder.file(self.table).display()
        ))
    }

    /// The folder has moved.
    pub fn move_to(&mut self, folder: &Folder) {
        self.folder = folder.clone();
    }

    fn path(&self, n: u32) -> PathBuf {
        self.folder.file(self.table).join(format!("part-{n:05}.parquet"))
    }

    fn merged(&self) -> PathBuf {
        self.folder.file(&format!("{}.parquet", self.table))
    }

    /// Writes the rows as the next part and takes them from the table; nothing if there are none.
    pub fn close(&mut self, rows: &mut Table) -> Result<(), RunError> {
        if rows.rows() == 0 {
            return Ok(());
        }
        parquet_file::write(&self.path(self.count + 1), rows, &self.metadata)?;
        self.count += 1;
        rows.clear();
        Ok(())
    }

    /// Merges the parts into `<table>.parquet` and removes them. `columns` gives the columns of a table without rows.
    pub fn merge(&self, columns: &Table, interrupt: &AtomicI32) -> Result<(), RunError> {
        // A merged file that is there already was finished before the process was stopped.
        if !self.merged().exists() {
            let there = (1..=self.count).filter(|n| self.missing.binary_search(n).is_err());
            let parts = there.map(|n| heard(interrupt).map(|()| self.path(n)));
            parquet_file::merge(parts, columns, &self.merged(), &self.metadata)?;
        }
        for n in 1..=self.count {
            atomic::remove(&self.path(n))?;
        }
        atomic::remove_if_empty(&self.folder.file(self.table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, Kind};

    fn rows(values: &[f64]) -> Table {
        let mut column = Column::new("time", "s", "Time", Kind::Real);
        column.values = values.to_vec();
        Table { columns: vec![column], texts: vec![] }
    }

    fn none() -> AtomicI32 {
        AtomicI32::new(0)
    }

    fn three_parts(folder: &Folder) -> Parts {
        let mut parts = Parts::start(folder, "signals", vec![]).unwrap();
        for i in 0..3 {
            parts.close(&mut rows(&[f64::from(i)])).unwrap();
        }
        parts
    }

    #[test]
    fn parts_are_closed_cut_back_and_merged() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let mut parts = three_parts(&folder);
        parts.close(&mut rows(&[])).unwrap();
        assert_eq!((parts.count(), folder.table("signals").unwrap().rows()), (3, 3));
        // As after a kill: the checkpoint knows of two, the third is forgotten.
        fs::write(folder.file("signals").join("part-00004.parquet.tmp"), "half").unwrap();
        fs::write(folder.file("signals").join("mine.parquet"), "not a part").unwrap();
        let mut parts = Parts::resume(&folder, "signals", 2, vec![], &none()).unwrap();
        assert_eq!(folder.table("signals").unwrap().columns[0].values, [0.0, 1.0]);
        parts.close(&mut rows(&[9.0])).unwrap();
        parts.merge(&rows(&[]), &none()).unwrap();
        let left: Vec<_> =
            fs::read_dir(folder.file("signals")).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["mine.parquet"]);
        assert_eq!(folder.table("signals").unwrap().columns[0].values, [0.0, 1.0, 9.0]);
        assert_eq!(folder.table_files("signals").unwrap(), [folder.file("signals.parquet")]);
    }

    #[test]
    fn parts_are_read_in_the_order_of_their_numbers() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let mut parts = Parts { count: 99_997, ..Parts::start(&folder, "signals", vec![]).unwrap() };
        let values: Vec<f64> = (0..5).map(f64::from).collect();
        for value in &values {
            parts.close(&mut rows(&[*value])).unwrap();
        }
        assert!(folder.file("signals/part-100002.parquet").exists());
        assert_eq!(folder.table("signals").unwrap().columns[0].values, values);
    }

    #[test]
    fn a_damaged_part_is_told_before_the_run_goes_on_and_can_be_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        three_parts(&folder);
        let path = folder.file("signals/part-00002.parquet");
        let mut bytes = fs::read(&path).unwrap();
        bytes[20] ^= 4;
        fs::write(&path, bytes).unwrap();
        let resume = || Parts::resume(&folder, "signals", 3, vec![], &none());
        let error = resume().unwrap_err();
        assert!(matches!(&error, RunError::Damaged { path: p, .. } if *p == path), "{error}");
        assert!(error.to_string().contains("move it away"), "{error}");
        assert!(folder.file("signals/part-00003.parquet").exists());
        fs::rename(&path, folder.file("damaged")).unwrap();
        let parts = resume().unwrap();
        assert!(parts.warning().unwrap().contains("1 of 3 parts"), "{:?}", parts.warning());
        parts.merge(&rows(&[]), &none()).unwrap();
        assert_eq!(folder.table("signals").unwrap().columns[0].values, [0.0, 2.0]);
    }

    #[test]
    fn a_signal_is_heard_while_parts_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let parts = three_parts(&folder);
        let interrupt = AtomicI32::new(15);
        for result in [
            Parts::resume(&folder, "signals", 3, vec![], &interrupt).map(|_| ()),
            parts.merge(&rows(&[]), &interrupt),
        ] {
            assert_eq!(result.unwrap_err().exit_code(), 143);
        }
        assert_eq!(folder.table("signals").unwrap().rows(), 3);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_leaves_the_closed_parts_readable() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let mut parts = Parts::start(&folder, "signals", vec![]).unwrap();
        parts.close(&mut rows(&[1.0])).unwrap();
        let next = folder.file("signals").join("part-00002.parquet.tmp");
        std::os::unix::fs::symlink("/dev/full", next).unwrap();
        let mut pending = rows(&[2.0]);
        let error = parts.close(&mut pending).unwrap_err();
        assert_eq!(error.exit_code(), 4);
        assert!(error.to_string().to_lowercase().contains("no space left"), "{error}");
        assert_eq!((parts.count(), pending.rows()), (1, 1));
        assert_eq!(folder.table("signals").unwrap().columns[0].values, [1.0]);
    }
}
