//! `report.html`: a run on one page that needs nothing else.

use crate::plot::{Line, Look, Plot, STYLE, escape};
use crate::signal::vector;
use crate::summary::{Ended, Summary};
use crate::table::Table;
use std::fmt::Write;

/// Most plots on one page; a scene of a thousand bodies is looked at with other tools.
const MAX_PLOTS: usize = 60;
/// Most lines in one plot.
const MAX_LINES: usize = 8;

const PAGE_STYLE: &str = "
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1240px;margin:0 auto;padding:28px 24px 60px}h1{font-size:26px;line-height:1.25;margin:0 0 4px}
h2{font-size:18px;margin:36px 0 12px;padding-bottom:6px;border-bottom:1px solid var(--rule)}h3{font-size:15px;margin:22px 0 8px}
.sub{color:var(--soft);margin:0 0 16px}.lead{max-width:80ch;margin:0 0 8px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:10px;margin:18px 0}
.figure{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:10px 14px}
.figure b{display:block;font-size:17px;font-weight:600;white-space:nowrap;font-variant-numeric:tabular-nums}.figure span{color:var(--soft);font-size:12.5px}
.figure.doubtful{border-color:var(--bad);border-left-width:4px}.figure.doubtful b{color:var(--bad)}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,540px),1fr));gap:14px}
.plots svg{width:100%;height:auto;background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:8px}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:7px 12px 7px 0;border-bottom:1px solid var(--rule);vertical-align:top}
th{color:var(--soft);font-weight:500;font-size:13px}.met{color:var(--good);font-weight:600;white-space:nowrap}
.missed{color:var(--bad);font-weight:600;white-space:nowrap}.number{white-space:nowrap}.why{color:var(--soft)}
.note{border-left:3px solid var(--bad);background:var(--card);padding:8px 14px;margin:8px 0;border-radius:0 6px 6px 0}
footer{color:var(--soft);font-size:13px;margin-top:40px}code{font:13px ui-monospace,monospace}
";

/// The page.
pub fn page(summary: &Summary, description: &str, signals: &Table) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title}</title><style>{STYLE}{PAGE_STYLE}</style></head><body><main>\
         <h1>{title}</h1><p class=\"sub\">{name} · {state}</p>",
        title = escape(&summary.title),
        name = escape(&summary.scenario),
        state = match summary.ended {
            Ended::Complete => "complete".to_owned(),
            other => format!("{} at {} s", other.name(), crate::plot::number(summary.time)),
        },
    );
    for paragraph in description.split("\n\n").filter(|p| !p.trim().is_empty()) {
        let _ = write!(html, "<p class=\"lead\">{}</p>", escape(paragraph.trim()));
    }
    if let Some(message) = &summary.message {
        let _ = write!(html, "<p class=\"note\">{}</p>", escape(message));
    }
    for warning in &summary.warnings {
        let _ = write!(html, "<p class=\"note\">Warning: {}</p>", escape(warning));
    }
    html.push_str("<div class=\"figures\">");
    for (label, value) in summary.rows() {
        let doubtful = summary.residual_is_large() && label.ends_with("residual");
        let class = if doubtful { "figure doubtful" } else { "figure" };
        let _ = write!(html, "<div class=\"{class}\"><b>{}</b><span>{label}</span></div>", escape(&value));
    }
    html.push_str("</div>");
    expectations(&mut html, summary);
    energy(&mut html, signals);
    recorded(&mut html, signals);
    let _ = writeln!(
        html,
        "<footer>Fender {} · scenario hash <code>{}</code> · state hash <code>{}</code> · {} bodies, {} signals, {} \
         events · data in <code>signals.parquet</code>, <code>contacts.parquet</code>, <code>events.json</code></footer>\
         </main></body></html>",
        escape(&summary.version),
        summary.hash,
        summary.state_hash,
        summary.bodies,
        summary.signals,
        summary.events
    );
    html
}

fn expectations(html: &mut String, summary: &Summary) {
    if summary.expectations.is_empty() {
        return;
    }
    html.push_str(
        "<h2>Expectations</h2><div class=\"scroll\"><table><thead><tr><th>What</th><th>Asked</th><th>Got</th>\
         <th>Verdict</th><th>Why</th></tr></thead><tbody>",
    );
    for o in &summary.expectations {
        let (class, word) = match (o.reached, o.met) {
            (false, _) => ("why", "not reached"),
            (true, true) => ("met", "✓ met"),
            (true, false) => ("missed", "✗ missed"),
        };
        let _ = write!(
            html,
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"{class}\">{word}</td><td class=\"why\">{}</td></tr>",
            escape(&o.what),
            escape(&o.asked_text()),
            escape(&o.got_text()),
            escape(&o.why)
        );
    }
    html.push_str("</tbody></table></div>");
}

/// A line for a column, if it has samples.
fn line(signals: &Table, name: &str, label: &str) -> Option<Line> {
    let points = signals.series(name)?;
    (!points.is_empty()).then(|| Line { label: label.to_owned(), points, look: Look::Line })
}

fn over_time(title: &str, unit: &str, lines: Vec<Line>) -> Plot {
    let y_label = if unit == "1" { String::new() } else { unit.to_owned() };
    Plot { title: title.to_owned(), x_label: "time [s]".into(), y_label, lines }
}

fn put_plots(html: &mut String, plots: &[Plot]) {
    html.push_str("<div class=\"plots\">");
    for plot in plots {
        html.push_str(&plot.svg());
    }
    html.push_str("</div>");
}

fn energy(html: &mut String, signals: &Table) {
    let totals = ["kinetic", "potential", "stored", "dissipated", "work"];
    // What stays zero for the whole run only clutters the account.
    let moves = |l: &Line| l.points.iter().any(|p| p.1 != 0.0);
    let lines: Vec<Line> =
        totals.iter().filter_map(|n| line(signals, &format!("energy.{n}"), n)).filter(moves).collect();
    let mut plots = Vec::new();
    if !lines.is_empty() {
        plots.push(over_time("Energy account", "J", lines));
    }
    for (title, prefix) in
        [("Dissipated, by source", "energy.dissipated."), ("Work, by source", "energy.work.")]
    {
        let mut lines: Vec<Line> = signals
            .columns
            .iter()
            .filter_map(|c| line(signals, &c.name, c.name.strip_prefix(prefix)?))
            .filter(moves)
            .collect();
        if lines.is_empty() {
            continue;
        }
        let last = |l: &Line| l.points.last().map_or(0.0, |p| p.1.abs());
        lines.sort_by(|a, b| last(b).total_cmp(&last(a)));
        lines.truncate(MAX_LINES);
        plots.push(over_time(title, "J", lines));
    }
    if let Some(residual) = line(signals, "energy.residual", "") {
        plots.push(over_time("Residual: energy that the integration made or lost", "J", vec![residual]));
    }
    if !plots.is_empty() {
        html.push_str("<h2>Energy</h2>");
        put_plots(html, &plots);
    }
}

/// A plot's place: section, title within it, unit.
fn place(name: &str, unit: &str) -> (String, String) {
    let whole = vector(name).unwrap_or(name);
    let (owner, quantity) = whole.rsplit_once('.').unwrap_or((whole, ""));
    // Scalars of one owner share a plot per unit: normal and friction force, for instance.
    let quantity = if vector(name).is_some() { quantity.to_owned() } else { format!("[{unit}]") };
    match owner.strip_suffix(".contact") {
        Some(body) => (body.to_owned(), format!("contact {quantity}")),
        None => (owner.to_owned(), quantity),
    }
}

fn recorded(html: &mut String, signals: &Table) {
    // Sections in the order of the record, plots likewise.
    let mut sections: Vec<(String, Vec<(String, Plot)>)> = Vec::new();
    let mut plots = 0;
    let mut left_out = 0;
    for column in signals.columns.iter().filter(|c| c.name != "time" && !c.name.starts_with("energy.")) {
        let label = column.name.rsplit('.').next().unwrap_or(&column.name);
        let Some(line) = line(signals, &column.name, label) else { continue };
        let (owner, quantity) = place(&column.name, &column.unit);
        let section = match sections.iter().position(|(name, _)| *name == owner) {
            Some(i) => &mut sections[i].1,
            None if plots < MAX_PLOTS => {
                sections.push((owner.clone(), Vec::new()));
                let last = sections.len() - 1;
                &mut sections[last].1
            }
            None => {
                left_out += 1;
                continue;
            }
        };
        if let Some((_, plot)) = section.iter_mut().find(|(q, _)| *q == quantity) {
            plot.lines.push(line);
        } else if plots < MAX_PLOTS {
            plots += 1;
            let words = quantity.replace('_', " ");
            let title = match words.strip_prefix('[') {
                Some(_) => owner,
                None => format!("{owner}: {words}"),
            };
            section.push((quantity, over_time(&title, &column.unit, vec![line])));
        } else {
            left_out += 1;
        }
    }
    if sections.is_empty() {
        return;
    }
    html.push_str("<h2>Recorded signals</h2>");
    for (owner, plots) in sections {
        let _ = write!(html, "<h3>{}</h3>", escape(&owner));
        let plots: Vec<Plot> = plots.into_iter().map(|(_, plot)| plot).map(name_single_line).collect();
        put_plots(html, &plots);
    }
    if left_out > 0 {
        let _ =
            write!(html, "<p class=\"sub\">{left_out} more signals are in <code>signals.parquet</code>.</p>");
    }
}

/// A plot with one line says its name in the title instead of a legend.
fn name_single_line(mut plot: Plot) -> Plot {
    if let [only] = plot.lines.as_mut_slice() {
        if !plot.title.contains(&only.label.replace('_', " ")) {
            plot.title = format!("{}: {}", plot.title, only.label.replace('_', " "));
        }
        only.label.clear();
    }
    plot
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::Outcome;
    use crate::scenario::Check;
    use crate::table::{Column, Kind};

    pub(crate) fn sample() -> (Summary, Table) {
        let mut table = Table { columns: vec![Column::new("time", "s", "", Kind::Real)], texts: vec![] };
        let names = [
            ("ball.position.x", "m"),
            ("ball.position.z", "m"),
            ("contact.ball-floor.normal_force", "N"),
            ("contact.ball-floor.friction_force", "N"),
            ("contact.ball-floor.depth", "m"),
            ("energy.kinetic", "J"),
            ("energy.potential", "J"),
            ("energy.dissipated", "J"),
            ("energy.dissipated.contact.rubber-stone.damping", "J"),
            ("energy.residual", "J"),
        ];
        table.columns.extend(names.map(|(n, u)| Column::new(n, u, "", Kind::Real)));
        for i in 0..200 {
            let t = f64::from(i) * 0.01;
            for (j, column) in table.columns.iter_mut().enumerate() {
                column.values.push(if j == 0 { t } else { (t * j as f64).sin().abs() * j as f64 });
            }
        }
        let near = Check::Near { value: 1.0, tolerance: 0.1 };
        let summary = Summary {
            format: 1,
            version: "0.1.0".into(),
            scenario: "ball".into(),
            title: "Ball & <floor>".into(),
            hash: "0123".into(),
            folder: "results/ball-1".into(),
            ended: Ended::Complete,
            message: None,
            time: 2.0,
            duration: 2.0,
            steps: 20_000,
            rejected_steps: 0,
            evaluations: 80_000,
            wall_time: 0.25,
            real_time_factor: Some(8.0),
            deepest_penetration: Some(1.2e-4),
            deepest_time: Some(0.6),
            energy_residual: Some(1e-9),
            relative_energy_residual: Some(2e-11),
            bodies: 2,
            signals: 10,
            events: 4,
            state_hash: "abcd".into(),
            expectations: vec![
                Outcome::new("ball.position.x at 1 s".into(), "m", near, Some(1.05), "theory"),
                Outcome::new("max of ball.position.z".into(), "m", near, Some(2.0), "theory"),
            ],
            warnings: vec!["the step is large".into()],
        };
        (summary, table)
    }

    #[test]
    fn the_page_is_whole_and_needs_nothing_else() {
        let (summary, table) = sample();
        let html = page(&summary, "First.\n\nSecond.", &table);
        assert!(html.contains("Ball &amp; &lt;floor&gt;"));
        // A section with one chart keeps the grid, and numbers stay with their units.
        assert!(html.contains("repeat(auto-fill,") && html.contains("<td class=\"number\">1 ± 0.1 m</td>"));
        assert!(html.contains("✓ met") && html.contains("✗ missed"));
        assert!(html.contains("Energy account") && html.contains("Dissipated, by source"));
        assert!(html.contains("prefers-color-scheme:dark"));
        assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
        let elsewhere = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!elsewhere.contains("http") && !elsewhere.contains("src="));
        assert!(!html.contains("NaN"));
    }

    #[test]
    fn a_large_residual_is_marked() {
        let (mut summary, table) = sample();
        assert!(!page(&summary, "", &table).contains("class=\"figure doubtful\""));
        summary.relative_energy_residual = Some(-1.1 * crate::summary::RESIDUAL_LIMIT);
        assert_eq!(page(&summary, "", &table).matches("class=\"figure doubtful\"").count(), 2);
    }

    #[test]
    fn scalars_of_one_owner_share_a_plot_per_unit() {
        let (summary, table) = sample();
        let html = page(&summary, "", &table);
        // Energy 3; ball position; contact forces; contact depth.
        assert_eq!(html.matches("<svg").count(), 6);
    }

    #[test]
    fn a_great_scene_does_not_make_a_great_page() {
        let (summary, mut table) = sample();
        for i in 0..500 {
            let mut column = Column::new(format!("b{i}.position.z"), "m", "", Kind::Real);
            column.values = table.columns[0].values.clone();
            table.columns.push(column);
        }
        let html = page(&summary, "", &table);
        assert!(html.matches("<svg").count() <= MAX_PLOTS + 4);
        assert!(html.contains("more signals are in"));
    }
}
