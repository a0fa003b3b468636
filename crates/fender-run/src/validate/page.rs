//! Pages for the book: one per case, and a list of all.

use super::run::CaseReport;
use std::fmt::Write;

fn verdict(met: bool) -> &'static str {
    if met { "✓ met" } else { "✗ missed" }
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A case as a Markdown page; `picture` is the path of its plot, relative to the page.
pub fn markdown(report: &CaseReport, picture: Option<&str>) -> String {
    let mut page = format!("# {}\n\nReference: {}\n\n", report.title, report.source);
    if !report.note.is_empty() {
        let _ = write!(page, "{}\n\n", report.note.trim());
    }
    if let Some(picture) = picture {
        let _ = write!(page, "![{}]({picture})\n\n", report.title);
    }
    page.push_str("| What | Settings | Asked | Got | Off by | Verdict |\n|---|---|---|---|---|---|\n");
    for row in &report.rows {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} |",
            cell(&row.outcome.what),
            cell(&row.settings),
            cell(&row.outcome.asked_text()),
            cell(&row.outcome.got_text()),
            row.outcome.off_text(),
            verdict(row.outcome.met)
        );
    }
    // Each reason once, in the order of the rows.
    let mut reasons: Vec<(&str, &str)> = Vec::new();
    for row in &report.rows {
        let reason = (row.outcome.what.as_str(), row.outcome.why.as_str());
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    page.push_str("\nWhere the numbers and tolerances come from:\n\n");
    for (what, why) in reasons {
        let _ = writeln!(page, "- {what}: {why}");
    }
    let _ = write!(page, "\nRun it: `fender validate {}`\n", report.name);
    page
}

/// The list of all cases, with links to pages named after them.
pub fn markdown_index(reports: &[CaseReport]) -> String {
    let mut page = String::from("# Validation\n\n| Case | Reference | Rows | Verdict |\n|---|---|---|---|\n");
    for report in reports {
        let met = report.rows.iter().filter(|r| r.outcome.met).count();
        let _ = writeln!(
            page,
            "| [{}]({}.md) | {} | {met} of {} | {} |",
            cell(&report.title),
            report.name,
            cell(&report.source),
            report.rows.len(),
            verdict(report.met)
        );
    }
    page
}

#[cfg(test)]
mod tests {
    use super::super::run::Row;
    use super::*;
    use crate::expect::Outcome;
    use crate::scenario::Check;

    #[test]
    fn a_page_has_every_row_and_each_reason_once() {
        let row = |got| Row {
            settings: "e = 0.5".into(),
            outcome: Outcome::new(
                "a | b".into(),
                "1",
                Check::Near { value: 1.0, tolerance: 0.1 },
                got,
                "by hand",
            ),
            x: None,
            x_name: String::new(),
            series: 0,
        };
        let report = CaseReport {
            name: "author_1900_case".into(),
            title: "Title".into(),
            source: "Author 1900".into(),
            note: String::new(),
            met: false,
            rows: vec![row(Some(1.05)), row(None)],
            plot: None,
        };
        let page = markdown(&report, Some("case.svg"));
        assert!(page.contains("| a \\| b | e = 0.5 | 1 ± 0.1 | 1.05 | 0.05 | ✓ met |"), "{page}");
        assert!(page.contains("| nothing | – | ✗ missed |"));
        assert_eq!(page.matches("by hand").count(), 1);
        assert!(page.contains("![Title](case.svg)"));
        let index = markdown_index(&[report]);
        assert!(
            index.contains("[Title](author_1900_case.md) | Author 1900 | 1 of 2 | ✗ missed |"),
            "{index}"
        );
    }
}
