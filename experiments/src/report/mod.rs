//! Reports: what a run or a study found, as charts with their tables, on one page that needs no network.

mod answer;
pub mod cells;
mod change;
pub(crate) mod chart;
mod compare;
mod html;
mod markdown;
mod measured;
mod repetition;
mod run;
mod table;
pub mod tables;

use std::io;
use std::path::Path;

use azulejo_agents::label;

use self::chart::Chart;
use crate::atomic_file::{Durability, replace};

pub(crate) use self::change::split_change;
pub use self::compare::compare;
pub(crate) use self::measured::figure_cell;
pub use self::repetition::unrepeated;
pub use self::run::RunReport;
pub use self::table::{Column, ColumnKind, FittedTable, GAP, Table, TableBuilder};

/// A report: sections below a title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The title.
    pub title: String,
    /// The answer in a few sentences: who won, by how much, how sure that is.
    pub lead: Vec<String>,
    /// The sections in order; the first one is what the answer comes from.
    pub sections: Vec<Section>,
    /// What a long report has after them, question by question.
    pub chapters: Vec<Chapter>,
    /// How it was measured, for those who want to know more.
    pub notes: Vec<String>,
    /// The commands that reproduce it.
    pub commands: Vec<String>,
    /// The agents whose moves may be others then.
    pub unrepeated: Vec<String>,
}

/// A question, its answers, and the sections that they come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chapter {
    /// The question.
    pub heading: String,
    /// The answers, a paragraph each.
    pub answers: Vec<String>,
    /// The sections in order.
    pub sections: Vec<Section>,
}

impl Chapter {
    /// What links to the chapter name: its heading in small letters, words joined by hyphens, marks left out.
    fn anchor(&self) -> String {
        let kept = |letter: char| letter.is_alphanumeric() || letter == ' ' || letter == '-';
        self.heading.to_lowercase().replace(|letter| !kept(letter), "").replace(' ', "-")
    }
}

/// A part of a report: a chart and the table that it shows.
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

/// The names of a report's files.
pub const FILES: [&str; 2] = ["report.html", "report.md"];

impl Report {
    /// Writes `report.html` and `report.md` into a directory, in the place of a report that is there.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        let [html, markdown] = FILES.map(|name| directory.join(name));
        replace(&html, self.to_html(), Durability::Process)?;
        replace(&markdown, self.to_markdown(), Durability::Process)
    }

    /// The report as one HTML page.
    pub fn to_html(&self) -> String {
        html::page(self)
    }

    /// The report as Markdown, without charts.
    pub fn to_markdown(&self) -> String {
        markdown::text(self)
    }
}

/// What tells an agent apart, by its spec: its name if it has one; strategies need no more than theirs.
pub(crate) fn brief(agent: &str) -> &str {
    let label = label(agent);
    label.strip_prefix("greedy:strategy=").unwrap_or(label)
}
