//! Reports: what a run or a study found, as charts with their tables, on one page that needs no network.

pub mod chart;
mod html;
mod markdown;
mod run;

use self::chart::Chart;

pub use self::run::{RunReport, compare};

/// A report: sections below a title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The title.
    pub title: String,
    /// What is reported, in a few sentences.
    pub lead: Vec<String>,
    /// The commands that reproduce it.
    pub commands: Vec<String>,
    /// The sections in order.
    pub sections: Vec<Section>,
}

/// A part of a report: a chart and the table behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// What is shown, in a sentence or two.
    pub text: String,
    /// The chart.
    pub chart: Option<Chart>,
    /// The table.
    pub table: Table,
}

/// A table: the first column names, the others are numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns' names.
    pub header: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(header: &[&str]) -> Self {
        Table { header: header.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }
}

impl Report {
    /// The report as one HTML page.
    pub fn to_html(&self) -> String {
        html::page(self)
    }

    /// The report as Markdown, without charts.
    pub fn to_markdown(&self) -> String {
        markdown::text(self)
    }
}

/// A number with one decimal; `-` if there is none.
pub(crate) fn number(value: Option<f64>) -> String {
    // What rounds to zero has no sign.
    value.map_or("-".to_owned(), |value| format!("{:.1}", (10.0 * value).round() / 10.0 + 0.0))
}

/// A share in percent; `-` if there is none.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// What tells an agent apart in a chart: strategies need no more than their names.
pub(crate) fn brief(agent: &str) -> &str {
    agent.strip_prefix("greedy:strategy=").unwrap_or(agent)
}

/// An interval; `-` if it lacks an end.
pub(crate) fn interval(low: Option<f64>, high: Option<f64>, show: fn(Option<f64>) -> String) -> String {
    if low.is_none() || high.is_none() {
        return "-".to_owned();
    }
    format!("{} to {}", show(low), show(high))
}
