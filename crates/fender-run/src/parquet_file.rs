//! Tables as Parquet files.
//!
//! Columns are optional doubles, 64-bit integers, booleans or strings. The file's metadata holds `fender.columns`, a JSON
//! object `{column: {unit, description}}`, beside whatever pairs the caller gives (version, scenario, hash).
//!
//! Every file has a checksum (CRC-32) of all its other bytes: twelve bytes right before the footer, `FENDERCK` and the sum,
//! little endian. Readers of Parquet find the footer from the end and the columns from the footer, so they pass over it. The
//! metadata says `fender.checksum`, so that a file that has lost it is not taken for one of an earlier version.

use crate::atomic;
use crate::error::RunError;
use crate::table::{Column, Kind, Table};
use ::parquet::basic::{LogicalType, Repetition, Type as Physical};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::{Type, TypePtr};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Values a row group holds at most: large enough to be read fast, small enough to be merged in little memory.
const GROUP_VALUES: usize = 1 << 22;

/// Key of the columns' units and descriptions in a file's metadata.
const COLUMNS_KEY: &str = "fender.columns";

/// Key that says that the file has a checksum.
const CHECKSUM_KEY: &str = "fender.checksum";
/// What the checksum comes behind.
const CHECKSUM_MARK: &[u8; 8] = b"FENDERCK";
/// Bytes of the mark and the checksum.
const CHECKSUM_LENGTH: u64 = 12;
/// Bytes behind the footer: its length and `PAR1`.
const TAIL_LENGTH: u64 = 8;
/// What can be done about a damaged table.
const REMEDY: &str = "The other files are not concerned: put a copy of this one in its place, or move it away to use \
                      what is left (a run can be resumed without some of its parts)";

/// Pairs for a file's metadata.
pub type Metadata = Vec<(String, String)>;

/// Rows of one row group for a table with so many columns. It depends on nothing else, so that a merged file does not
/// depend on where its parts were cut.
pub fn group_rows(columns: usize) -> usize {
    (GROUP_VALUES / columns.max(1)).clamp(1024, 1 << 18)
}

/// Writes a table as one file, atomically.
pub fn write(path: &Path, table: &Table, metadata: &Metadata) -> Result<(), RunError> {
    atomic::replace(path, |file| {
        let failed = |e| RunError::io(path, said(e));
        let mut writer = Writer::new(file, table, metadata).map_err(failed)?;
        writer.push(table).map_err(failed)?;
        writer.finish().map_err(failed)
    })
}

/// Merges files with the same columns into one, atomically. The result does not depend on how the rows were spread. An error
/// among the parts ends it.
pub fn merge(
    parts: impl IntoIterator<Item = Result<PathBuf, RunError>>,
    columns: &Table,
    to: &Path,
    metadata: &Metadata,
) -> Result<(), RunError> {
    atomic::replace(to, |file| {
        let failed = |e| RunError::io(to, said(e));
        let mut writer = Writer::new(file, columns, metadata).map_err(failed)?;
        for part in parts {
            for_each_group(&part?, |group| writer.push(&group).map_err(failed))?;
        }
        writer.finish().map_err(failed)
    })
}

/// Reads a whole file.
pub fn read(path: &Path) -> Result<Table, RunError> {
    let mut table: Option<Table> = None;
    for_each_group(path, |group| {
        match &mut table {
            None => table = Some(group),
            Some(table) => table.append(&group),
        }
        Ok(())
    })?;
    match table {
        Some(table) => Ok(table),
        None => read_columns(path),
    }
}

/// Reads a file row group by row group.
pub fn for_each_group(
    path: &Path,
    mut visit: impl FnMut(Table) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let (reader, columns) = open(path)?;
    for i in 0..reader.num_row_groups() {
        let group = reader.get_row_group(i).map_err(|e| unreadable(path, e))?;
        visit(read_group(&*group, &columns).map_err(|e| unreadable(path, e))?)?;
    }
    Ok(())
}

/// The columns of a file, without rows.
pub fn read_columns(path: &Path) -> Result<Table, RunError> {
    Ok(open(path)?.1)
}

/// The pairs in a file's metadata.
pub fn read_metadata(path: &Path) -> Result<Metadata, RunError> {
    let (reader, _) = open(path)?;
    let pairs = reader.metadata().file_metadata().key_value_metadata();
    let pairs = pairs.into_iter().flatten();
    Ok(pairs.filter_map(|kv| Some((kv.key.clone(), kv.value.clone()?))).collect())
}

/// Checks that a file is as it was written. Files of versions without checksums are only checked for their footer.
pub fn check(path: &Path) -> Result<(), RunError> {
    open(path).map(|_| ())
}

/// The system could not read the file, or what it read makes no sense.
fn unreadable(path: &Path, error: ParquetError) -> RunError {
    match error {
        ParquetError::External(e) => RunError::io(path, e),
        e => RunError::Damaged { path: path.to_owned(), why: format!("{e}. {REMEDY}") },
    }
}

fn said(error: ParquetError) -> String {
    match error {
        // The system's own words, without the library's prefix.
        ParquetError::External(e) => e.to_string(),
        e => e.to_string(),
    }
}

fn schema(table: &Table) -> Result<TypePtr, ParquetError> {
    let mut fields = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        let (physical, logical) = match column.kind {
            Kind::Real => (Physical::DOUBLE, None),
            Kind::Whole => (Physical::INT64, None),
            Kind::Truth => (Physical::BOOLEAN, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()?;
        fields.push(Arc::new(field));
    }
    Ok(Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?))
}

/// Writes row groups of a size that depends only on the columns, whatever pieces the rows come in.
struct Writer {
    file: SerializedFileWriter<Summed>,
    pending: Table,
    group: usize,
    levels: Vec<i16>,
}

impl Writer {
    fn new(file: File, columns: &Table, metadata: &Metadata) -> Result<Self, ParquetError> {
        let mut about = Map::new();
        for column in &columns.columns {
            let entry = json!({"unit": column.unit, "description": column.description});
            about.insert(column.name.clone(), entry);
        }
        let mut pairs = vec![KeyValue::new(COLUMNS_KEY.to_owned(), Value::Object(about).to_string())];
        pairs.push(KeyValue::new(CHECKSUM_KEY.to_owned(), "crc32".to_owned()));
        pairs.extend(metadata.iter().map(|(k, v)| KeyValue::new(k.clone(), v.clone())));
        let properties = WriterProperties::builder()
            .set_created_by(format!("fender {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(pairs))
            .build();
        let file = Summed { file, sum: crc32fast::Hasher::new() };
        let file = SerializedFileWriter::new(file, schema(columns)?, Arc::new(properties))?;
        let mut pending = columns.clone();
        pending.clear();
        Ok(Self { file, group: group_rows(columns.columns.len()), pending, levels: Vec::new() })
    }

    fn push(&mut self, table: &Table) -> Result<(), ParquetError> {
        self.pending.append(table);
        let mut start = 0;
        while self.pending.rows() - start >= self.group {
            self.write_rows(start, start + self.group)?;
            start += self.group;
        }
        if start > 0 {
            for column in &mut self.pending.columns {
                column.values.drain(..start);
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<File, ParquetError> {
        let rows = self.pending.rows();
        if rows > 0 {
            self.write_rows(0, rows)?;
        }
        Ok(self.file.into_inner()?.with_checksum()?)
    }

    fn write_rows(&mut self, from: usize, to: usize) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for column in &self.pending.columns {
            let Some(mut writer) = group.next_column()? else {
                return Err(ParquetError::General("the file has fewer columns than the table".into()));
            };
            let values = &column.values[from..to];
            self.levels.clear();
            self.levels.extend(values.iter().map(|v| i16::from(v.is_finite())));
            write_column(&mut writer, column.kind, values, &self.pending.texts, &self.levels)?;
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }
}

/// A file and the checksum of what was written to it.
struct Summed {
    file: File,
    sum: crc32fast::Hasher,
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Summed {
    /// Puts the checksum before the footer.
    fn with_checksum(self) -> std::io::Result<File> {
        let Self { mut file, sum } = self;
        let start = footer_start(&mut file)?;
        let mut footer = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.read_to_end(&mut footer)?;
        file.seek(SeekFrom::Start(start))?;
        file.write_all(CHECKSUM_MARK)?;
        file.write_all(&sum.finalize().to_le_bytes())?;
        file.write_all(&footer)?;
        Ok(file)
    }
}

/// Where the footer begins, by the length that is written behind it.
fn footer_start(file: &mut File) -> std::io::Result<u64> {
    let short = || std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "the file is cut short");
    let size = file.metadata()?.len();
    let tail = size.checked_sub(TAIL_LENGTH).ok_or_else(short)?;
    file.seek(SeekFrom::Start(tail))?;
    let mut length = [0; 4];
    file.read_exact(&mut length)?;
    tail.checked_sub(u64::from(u32::from_le_bytes(length))).ok_or_else(short)
}

/// How the checksum of a file is.
#[derive(PartialEq, Eq)]
enum Sum {
    Right,
    Wrong,
    Missing,
}

fn read_sum(file: &mut File) -> std::io::Result<Sum> {
    let Some(at) = footer_start(file)?.checked_sub(CHECKSUM_LENGTH) else { return Ok(Sum::Missing) };
    let mut mark = [0; CHECKSUM_LENGTH as usize];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut mark)?;
    let Some(expected) = mark.strip_prefix(CHECKSUM_MARK) else { return Ok(Sum::Missing) };
    let mut sum = crc32fast::Hasher::new();
    for (from, length) in [(0, at), (at + CHECKSUM_LENGTH, u64::MAX)] {
        file.seek(SeekFrom::Start(from))?;
        let mut reader = BufReader::with_capacity(1 << 16, (&mut *file).take(length));
        loop {
            let bytes = std::io::BufRead::fill_buf(&mut reader)?;
            if bytes.is_empty() {
                break;
            }
            sum.update(bytes);
            let read = bytes.len();
            std::io::BufRead::consume(&mut reader, read);
        }
    }
    Ok(if sum.finalize().to_le_bytes() == expected { Sum::Right } else { Sum::Wrong })
}

fn write_column(
    writer: &mut SerializedColumnWriter<'_>,
    kind: Kind,
    values: &[f64],
    texts: &[String],
    levels: &[i16],
) -> Result<(), ParquetError> {
    let defined = values.iter().copied().filter(|v| v.is_finite());
    match kind {
        Kind::Real => {
            writer.typed::<DoubleType>().write_batch(&defined.collect::<Vec<_>>(), Some(levels), None)?;
        }
        Kind::Whole => {
            let whole: Vec<i64> = defined.map(|v| v as i64).collect();
            writer.typed::<Int64Type>().write_batch(&whole, Some(levels), None)?;
        }
        Kind::Truth => {
            let truth: Vec<bool> = defined.map(|v| v != 0.0).collect();
            writer.typed::<BoolType>().write_batch(&truth, Some(levels), None)?;
        }
        Kind::Text => {
            let text = |v: f64| texts.get(v as usize).map_or("", String::as_str);
            let bytes: Vec<ByteArray> = defined.map(|v| ByteArray::from(text(v))).collect();
            writer.typed::<ByteArrayType>().write_batch(&bytes, Some(levels), None)?;
        }
    }
    Ok(())
}

fn open(path: &Path) -> Result<(SerializedFileReader<File>, Table), RunError> {
    let damaged = |why: &str| RunError::Damaged { path: path.to_owned(), why: format!("{why}. {REMEDY}") };
    let mut file = File::open(path).map_err(|e| RunError::io(path, e))?;
    let sum = match read_sum(&mut file) {
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => return Err(damaged("it is cut short")),
        other => other.map_err(|e| RunError::io(path, e))?,
    };
    if sum == Sum::Wrong {
        return Err(damaged("its contents do not have the checksum they were written with"));
    }
    let reader = SerializedFileReader::new(file).map_err(|e| unreadable(path, e))?;
    let metadata = reader.metadata().file_metadata();
    let has_sum = metadata.key_value_metadata().into_iter().flatten().any(|kv| kv.key == CHECKSUM_KEY);
    if has_sum && sum == Sum::Missing {
        return Err(damaged("its checksum is missing"));
    }
    let about: Map<String, Value> = metadata
        .key_value_metadata()
        .into_iter()
        .flatten()
        .find(|kv| kv.key == COLUMNS_KEY)
        .and_then(|kv| serde_json::from_str(kv.value.as_deref()?).ok())
        .unwrap_or_default();
    let mut table = Table::default();
    for column in metadata.schema_descr().columns() {
        let kind = match column.physical_type() {
            Physical::DOUBLE => Kind::Real,
            Physical::INT64 => Kind::Whole,
            Physical::BOOLEAN => Kind::Truth,
            Physical::BYTE_ARRAY => Kind::Text,
            other => {
                return Err(RunError::io(path, format!("column '{}' has type {other}", column.name())));
            }
        };
        let text = |key: &str| about.get(column.name()).and_then(|a| a.get(key)).and_then(Value::as_str);
        table.columns.push(Column::new(
            column.name(),
            text("unit").unwrap_or_default(),
            text("description").unwrap_or_default(),
            kind,
        ));
    }
    Ok((reader, table))
}

fn read_group(group: &dyn RowGroupReader, columns: &Table) -> Result<Table, ParquetError> {
    let mut table = columns.clone();
    let rows = group.metadata().num_rows() as usize;
    let mut index: HashMap<Vec<u8>, f64> = HashMap::new();
    let Table { columns, texts } = &mut table;
    for (i, column) in columns.iter_mut().enumerate() {
        match group.get_column_reader(i)? {
            ColumnReader::DoubleColumnReader(reader) => read_values(reader, rows, column, |v| *v)?,
            ColumnReader::Int64ColumnReader(reader) => read_values(reader, rows, column, |v| *v as f64)?,
            ColumnReader::BoolColumnReader(reader) => {
                read_values(reader, rows, column, |v| f64::from(u8::from(*v)))?;
            }
            ColumnReader::ByteArrayColumnReader(reader) => read_values(reader, rows, column, |v| {
                if let Some(known) = index.get(v.data()) {
                    return *known;
                }
                texts.push(String::from_utf8_lossy(v.data()).into_owned());
                let new = (texts.len() - 1) as f64;
                index.insert(v.data().to_vec(), new);
                new
            })?,
            _ => return Err(ParquetError::General("unexpected column type".into())),
        }
    }
    Ok(table)
}

fn read_values<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    column: &mut Column,
    mut convert: impl FnMut(&T::T) -> f64,
) -> Result<(), ParquetError> {
    let mut values = Vec::with_capacity(rows);
    let mut levels = Vec::with_capacity(rows);
    while levels.len() < rows {
        let (records, _, _) =
            reader.read_records(rows - levels.len(), Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Err(ParquetError::EOF(format!("column '{}' is cut short", column.name)));
        }
    }
    let mut defined = values.iter();
    column.values.reserve(rows);
    for level in levels {
        let value = if level > 0 { defined.next().map_or(f64::NAN, &mut convert) } else { f64::NAN };
        column.values.push(value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(rows: usize) -> Table {
        let mut table = Table {
            columns: vec![
                Column::new("time", "s", "Time", Kind::Real),
                Column::new("ball.position.x", "m", "Position \"x\"", Kind::Real),
                Column::new("count", "1", "How many", Kind::Whole),
                Column::new("sticking", "1", "Whether", Kind::Truth),
                Column::new("who", "", "Name", Kind::Text),
            ],
            texts: vec!["anna".into(), "bert".into()],
        };
        for i in 0..rows {
            let x = if i % 3 == 0 { f64::NAN } else { (i as f64).sqrt() };
            let row = [i as f64 * 0.1, x, (i % 5) as f64, (i % 2) as f64, (i / 7 % 2) as f64];
            for (column, value) in table.columns.iter_mut().zip(row) {
                column.values.push(value);
            }
        }
        table
    }

    /// NaN differs from itself: compare bits, with one pattern for "not defined".
    fn same(a: &Table, b: &Table) -> bool {
        let bits =
            |c: &Column| c.values.iter().map(|v| v.is_finite().then_some(v.to_bits())).collect::<Vec<_>>();
        a.columns.len() == b.columns.len()
            && a.columns.iter().zip(&b.columns).all(|(x, y)| {
                x.name == y.name && x.unit == y.unit && x.description == y.description && bits(x) == bits(y)
            })
    }

    #[test]
    fn a_table_comes_back_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        let table = sample(1000);
        let metadata = vec![("fender.hash".to_owned(), "abc".to_owned())];
        write(&path, &table, &metadata).unwrap();
        let back = read(&path).unwrap();
        assert!(same(&table, &back));
        assert_eq!(back.texts, table.texts);
        assert!(read_metadata(&path).unwrap().contains(&metadata[0]));
    }

    #[test]
    fn not_defined_is_a_null_and_never_a_nan_in_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        let mut table = sample(3);
        table.columns[1].values = vec![f64::NAN, f64::INFINITY, 2.0];
        write(&path, &table, &vec![]).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let group = reader.get_row_group(0).unwrap();
        let ColumnReader::DoubleColumnReader(mut column) = group.get_column_reader(1).unwrap() else {
            panic!("a double column")
        };
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        column.read_records(3, Some(&mut levels), None, &mut values).unwrap();
        assert_eq!((values, levels), (vec![2.0], vec![0, 0, 1]));
    }

    #[test]
    fn a_merged_file_does_not_depend_on_where_the_parts_were_cut() {
        let dir = tempfile::tempdir().unwrap();
        let all = sample(5000);
        let cut = |at: &[usize], to: &Path| {
            let mut from = 0;
            let mut paths = Vec::new();
            for (i, &end) in at.iter().enumerate() {
                let mut part = all.clone();
                for (p, a) in part.columns.iter_mut().zip(&all.columns) {
                    p.values = a.values[from..end].to_vec();
                }
                from = end;
                let path = dir.path().join(format!("{}-{i}.parquet", at.len()));
                write(&path, &part, &vec![]).unwrap();
                paths.push(path);
            }
            let mut columns = all.clone();
            columns.clear();
            merge(paths.into_iter().map(Ok), &columns, to, &vec![]).unwrap();
        };
        let (a, b) = (dir.path().join("a.parquet"), dir.path().join("b.parquet"));
        cut(&[5000], &a);
        cut(&[1, 17, 2000, 2000, 5000], &b);
        assert_eq!(std::fs::read(&a).unwrap(), std::fs::read(&b).unwrap());
        assert!(same(&read(&a).unwrap(), &all));
    }

    #[test]
    fn an_empty_table_is_a_file_with_columns() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        write(&path, &sample(0), &vec![]).unwrap();
        let back = read(&path).unwrap();
        assert_eq!((back.rows(), back.columns.len()), (0, 5));
        assert_eq!(back.columns[1].unit, "m");
    }

    #[test]
    fn a_damaged_file_is_an_error_with_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        write(&path, &sample(50), &vec![]).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let error = read(&path).unwrap_err();
        assert!(matches!(error, RunError::Damaged { .. }) && error.exit_code() == 4, "{error}");
        assert!(error.to_string().contains("t.parquet"));
    }

    /// Every bit of the file, one after the other.
    #[test]
    fn a_flipped_bit_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        write(&path, &sample(5), &vec![]).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let mark = bytes.windows(8).position(|w| w == CHECKSUM_MARK).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &bytes).unwrap();
            let error = read(&path).err();
            assert!(
                matches!(&error, Some(RunError::Damaged { path: p, .. }) if *p == path),
                "bit {bit} of {}, mark at {mark}: {error:?}",
                8 * bytes.len()
            );
        }
    }

    /// As other programs read it, and as files of earlier versions are: without looking at the checksum.
    #[test]
    fn a_reader_of_parquet_needs_no_checksum() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        write(&path, &sample(50), &vec![]).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let rows = reader.into_iter().map(|row| row.unwrap()).collect::<Vec<_>>();
        assert_eq!((rows.len(), rows[3].len()), (50, 5));
        // A file without a checksum, as other programs write them.
        let (field, type_) =
            ("message schema { optional double time; }", Arc::new(WriterProperties::default()));
        let schema = Arc::new(::parquet::schema::parser::parse_message_type(field).unwrap());
        let mut writer = SerializedFileWriter::new(File::create(&path).unwrap(), schema, type_).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&[7.0], Some(&[1]), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        assert_eq!(read(&path).unwrap().columns[0].values, [7.0]);
    }
}
