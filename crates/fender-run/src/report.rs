//! `report.html`: a run, or several, on one page that needs nothing else: the viewer with their streams inside.

use crate::error::RunError;
use crate::opening;
use crate::plot::escape;
use crate::results::Folder;
use crate::stream::head::{Head, signal_heads};
use crate::stream::{self, EVENTS, FRAMES, HEAD, MESH, PATCHES, SUMMARY, record, samples};
use crate::summary::Summary;
use crate::table::Table;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The viewer, built from `viewer/`.
const BUNDLE: &str = include_str!("../../../viewer/dist/index.html");
/// Where the data go.
const MARKER: &str = "<!--fender:data-->";
/// What the run's title takes the place of.
const TITLE: &str = "<title>Fender</title>";

/// Values of signals on a page that are told as they were recorded; beyond, signals are thinned.
const MAX_CELLS: usize = 1_000_000;
/// Samples of all signals on a page together once they are thinned. Each has its own time, so there are fewer.
const THINNED: usize = 300_000;
/// Fewest samples of a thinned signal; signals for which that does not leave room are left out.
const FEWEST: usize = 200;

/// A run as a page holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Name for people.
    pub name: String,
    /// Title.
    pub title: String,
    /// The stream.
    pub stream: Vec<u8>,
}

/// The page of one or several results folders, finished or not: the first is the run, the others are ghosts beside it. It begins with a
/// plot of the signals of each pattern; without any, with what the first run asks for.
pub fn page(folders: &[&Path], patterns: &[String]) -> Result<String, RunError> {
    let plots: Vec<Vec<String>> = patterns.iter().map(|pattern| vec![pattern.clone()]).collect();
    let runs = folders.iter().map(|dir| tell_folder(dir, &plots)).collect::<Result<Vec<_>, _>>()?;
    Ok(page_of(&runs))
}

/// The page that holds these runs.
pub fn page_of(runs: &[Told]) -> String {
    let titles: Vec<&str> = runs.iter().map(|run| run.title.as_str()).collect();
    let title = match titles.as_slice() {
        [] => "Fender".to_owned(),
        [first, ..] if titles.iter().all(|t| t == first) => format!("{first} – Fender"),
        several => format!("{} – Fender", several.join(", ")),
    };
    fill(&title, runs, "file")
}

/// The page that waits for a live run of the server that it comes from.
pub fn live_page(title: &str) -> String {
    fill(&format!("{title} – Fender"), &[], "live")
}

fn fill(title: &str, runs: &[Told], mode: &str) -> String {
    let settings = script_json(&json!({"mode": mode}));
    let mut data = format!("<script type=\"application/json\" id=\"fender-page\">{settings}</script>\n");
    for run in runs {
        data += "<script type=\"application/vnd.fender.stream\" data-name=\"";
        data += &escape(&run.name);
        data += "\">";
        BASE64_STANDARD.encode_string(&run.stream, &mut data);
        data += "</script>\n";
    }
    let (before, behind) = BUNDLE.split_once(MARKER).unwrap_or((BUNDLE, ""));
    let mut html = before.replacen(TITLE, &format!("<title>{}</title>", escape(title)), 1);
    html.reserve(data.len() + behind.len());
    html += &data;
    html += behind;
    html
}

/// JSON inside a script element: nothing in it may look like the element's end or like a comment.
fn script_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Tells the run in a results folder, as far as it has come, to begin with plots of signals that are named by patterns; without any,
/// with what the run asks for.
pub fn tell_folder(dir: &Path, plots: &[Vec<String>]) -> Result<Told, RunError> {
    let folder = Folder { path: dir.to_owned() };
    if !folder.holds_run() {
        let why = "it has no scenario.toml with results beside it".to_owned();
        return Err(RunError::NoRun { dir: dir.to_owned(), why });
    }
    let signals = match folder.table("signals") {
        // Nothing was recorded before it was stopped.
        Err(RunError::NoRun { .. }) => Table::default(),
        other => other?,
    };
    let events = read_json(&folder.file("events.json"))?;
    let events = events.as_ref().and_then(|e| e.get("events")).and_then(Value::as_array);
    tell(&folder, &signals, events.map_or(&[], Vec::as_slice), folder.summary().as_ref(), plots)
}

fn read_json(path: &Path) -> Result<Option<Value>, RunError> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|e| RunError::io(path, e)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(RunError::io(path, e)),
    }
}

/// Tells a run: its frames from the folder, the rest as given. The first frames come early, so that a page can show them
/// before it has read the rest. `plots` are as for [`tell_folder`].
pub fn tell(
    folder: &Folder,
    signals: &Table,
    events: &[Value],
    summary: Option<&Summary>,
    plots: &[Vec<String>],
) -> Result<Told, RunError> {
    let path = folder.file("frames.bin");
    let unreadable = |e: stream::StreamError| RunError::Stream { path: path.clone(), why: e.to_string() };
    let recorded = match fs::read(&path) {
        Ok(bytes) => bytes,
        // A scenario without frames still has bodies and signals.
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let scenario = fender_scenario::load(&folder.path, &[])?;
            Head::of(&scenario, signals).begin_with(&scenario.meshes)
        }
        Err(e) => return Err(RunError::io(&path, e)),
    };
    let mut records = stream::records(&recorded).map_err(unreadable)?.peekable();
    let head = records.next().filter(|r| r.kind == HEAD).and_then(|r| r.payload());
    let mut head: Head = head
        .and_then(|json| serde_json::from_slice(&json).ok())
        .ok_or_else(|| unreadable(stream::StreamError::NoHead))?;
    let plan = Thinning::of(signals);
    head.signals = signal_heads(signals);
    head.signals.truncate(plan.columns);
    if !plots.is_empty() {
        head.plots = opening::plots(plots, &[], signals);
    }
    if let Some(summary) = summary {
        // A folder that is run or resumed again would be called after itself.
        head.name.clone_from(&summary.scenario);
    }

    let mut bytes = head.begin();
    let mut take = |bytes: &mut Vec<u8>, kinds: &[u8], most: usize| {
        for _ in 0..most {
            let Some(record) = records.next_if(|r| kinds.contains(&r.kind)) else { break };
            bytes.extend_from_slice(record.bytes);
        }
    };
    take(&mut bytes, &[MESH], usize::MAX);
    // The first frames with their outlines.
    take(&mut bytes, &[PATCHES], 1);
    take(&mut bytes, &[FRAMES], 1);
    plan.put(&mut bytes, signals);
    if !events.is_empty() {
        record::put_json(&mut bytes, EVENTS, &stream::event::told(events, &head));
    }
    if let Some(summary) = summary {
        record::put_json(&mut bytes, SUMMARY, summary);
    }
    take(&mut bytes, &[PATCHES, FRAMES], usize::MAX);

    let name =
        folder.path.file_name().map_or_else(|| head.name.clone(), |n| n.to_string_lossy().into_owned());
    Ok(Told { name, title: head.title, stream: bytes })
}

/// Adds the signals of a table to a stream, whole or thinned, as a page holds them.
pub fn put_signals(stream: &mut Vec<u8>, signals: &Table) {
    Thinning::of(signals).put(stream, signals);
}

/// What a page leaves out of these signals, in words.
pub fn left_out(signals: &Table) -> Option<String> {
    let (told, all) = (Thinning::of(signals).columns, signals.columns.len().saturating_sub(1));
    (told < all)
        .then(|| format!("the report shows {told} of {all} signals; the others are in signals.parquet"))
}

/// How the signals of a run fit on a page.
struct Thinning {
    /// Signals that are told, from the first.
    columns: usize,
    /// Most samples of each; `None` for all.
    most: Option<usize>,
}

impl Thinning {
    fn of(signals: &Table) -> Self {
        let columns = signals.columns.len().saturating_sub(1);
        if columns * signals.rows() <= MAX_CELLS {
            return Self { columns, most: None };
        }
        let columns = columns.min(THINNED / FEWEST);
        Self { columns, most: Some(THINNED / columns) }
    }

    fn put(&self, stream: &mut Vec<u8>, signals: &Table) {
        let Some((time, columns)) = signals.columns.split_first() else { return };
        let columns = columns.iter().take(self.columns).enumerate();
        match self.most {
            None => {
                let columns: Vec<(u32, &[f64])> =
                    columns.map(|(i, c)| (i as u32, c.values.as_slice())).collect();
                samples::put_columns(stream, &time.values, &columns);
            }
            Some(most) => {
                for (i, column) in columns {
                    let (times, values) = samples::thin(&time.values, &column.values, most);
                    samples::put_columns(stream, &times, &[(i as u32, &values)]);
                }
            }
        }
    }
}

/// The streams inside a page with their names: what a test or another program reads back.
pub fn streams_in(html: &str) -> Vec<(String, Vec<u8>)> {
    let open = "<script type=\"application/vnd.fender.stream\" data-name=\"";
    let one = |text: &str| {
        let (name, rest) = text.split_once("\">")?;
        let (data, _) = rest.split_once("</script>")?;
        Some((name.to_owned(), BASE64_STANDARD.decode(data.trim()).ok()?))
    };
    html.split(open).skip(1).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, Kind};

    fn table(columns: usize, rows: usize) -> Table {
        let names = (0..columns).map(|i| format!("s{i}"));
        let names = std::iter::once("time".to_owned()).chain(names);
        let mut table =
            Table { columns: names.map(|n| Column::new(n, "m", "", Kind::Real)).collect(), texts: vec![] };
        for (i, column) in table.columns.iter_mut().enumerate() {
            column.values = (0..rows).map(|row| (row * (i + 1)) as f64).collect();
        }
        table
    }

    fn told(name: &str, title: &str) -> Told {
        Told { name: name.into(), title: title.into(), stream: vec![1, 2, 3, 250] }
    }

    #[test]
    fn names_and_titles_cannot_break_out_of_the_page() {
        let html = page_of(&[told("a\"><script>", "Ball </title><script> & co")]);
        assert!(html.contains("<title>Ball &lt;/title&gt;&lt;script&gt; &amp; co – Fender</title>"));
        assert!(html.contains("data-name=\"a&quot;&gt;&lt;script&gt;\""));
        assert!(!html.contains(MARKER) && html.contains(r#"{"mode":"file"}"#));
        assert_eq!(streams_in(&html)[0].1, [1, 2, 3, 250]);
        assert_eq!(script_json(&json!("</script><!--")), r#""\u003c/script>\u003c!--""#);
        assert!(live_page("Ball").contains(r#"{"mode":"live"}"#));
    }

    #[test]
    fn several_runs_share_a_page() {
        let html = page_of(&[told("one", "First"), told("two", "Second")]);
        let names: Vec<String> = streams_in(&html).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["one", "two"]);
        assert!(html.contains("<title>First, Second – Fender</title>"));
    }

    #[test]
    fn few_samples_are_told_whole_and_many_are_thinned() {
        let samples = |table: &Table| {
            let mut stream = record::begin();
            Thinning::of(table).put(&mut stream, table);
            let all =
                stream::records(&stream).unwrap().map(|r| samples::decode(&r.payload().unwrap()).unwrap());
            all.collect::<Vec<_>>()
        };
        let few = samples(&table(3, 1000));
        assert_eq!((few.len(), few[0].signals.as_slice(), few[0].times.len()), (1, &[0, 1, 2][..], 1000));
        assert_eq!(left_out(&table(3, 1000)), None);
        let many = samples(&table(50, 30_000));
        assert_eq!(many.len(), 50);
        assert!(many.iter().all(|s| s.times.len() <= 6000 && s.times.len() > 2900));
    }

    #[test]
    fn a_scene_of_thousands_of_signals_does_not_make_a_great_page() {
        let table = table(4000, 300);
        let note = left_out(&table).unwrap();
        assert!(note.starts_with("the report shows 1500 of 4000 signals"), "{note}");
        let mut stream = record::begin();
        Thinning::of(&table).put(&mut stream, &table);
        assert!(stream.len() < 4_000_000, "{}", stream.len());
    }
}
