//! A table, which the terminal, a page and Markdown draw each in their way.

use super::cells::{interval, value};
use crate::stats::Estimate;

/// Named columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns, from left to right.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// What stands above it.
    pub name: String,
    /// What its cells are.
    pub kind: ColumnKind,
    /// The cells, from the top to the bottom.
    pub cells: Vec<String>,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts, aligned to the left.
    Text,
    /// Numbers, aligned to the right.
    Number,
    /// The intervals of the numbers to the left, which stay beside them.
    Interval,
}

/// The width to which texts are shortened before columns move below.
const SHORT: usize = 16;

impl Column {
    /// The letters that it takes, without the space on either side.
    fn width(&self) -> usize {
        let cells = self.cells.iter().chain([&self.name]).map(|cell| cell.chars().count());
        cells.max().unwrap_or(0)
    }

    fn shortened(&self, most: usize) -> Column {
        let shorten = |text: &String| shortened(text, most);
        Column { name: shorten(&self.name), kind: self.kind, cells: self.cells.iter().map(shorten).collect() }
    }
}

impl Table {
    /// Begins a table with a row for each of these items.
    pub fn of<T>(items: &[T]) -> TableBuilder<'_, T> {
        TableBuilder { items, table: Table::default() }
    }

    /// Whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.columns.first().is_none_or(|column| column.cells.is_empty())
    }

    /// The rows, from the top to the bottom.
    pub fn rows(&self) -> impl Iterator<Item = Vec<&str>> {
        let rows = self.columns.first().map_or(0, |column| column.cells.len());
        (0..rows).map(|row| self.columns.iter().map(|column| column.cells[row].as_str()).collect())
    }

    /// The table as it fits into so many letters, with a space on either side of each column: texts are
    /// shortened, and if that does not suffice, it becomes several tables, which all have its texts. Numbers
    /// are never broken, and a table of nothing but texts stays as it is.
    pub fn fitted(&self, width: usize) -> Vec<Table> {
        let (texts, numbers): (Vec<Column>, Vec<Column>) =
            self.columns.iter().cloned().partition(|column| column.kind == ColumnKind::Text);
        if numbers.is_empty() || width_of(&self.columns, usize::MAX) <= width {
            return vec![self.clone()];
        }
        let least = width_of(&texts, SHORT);
        let mut parts: Vec<Vec<Column>> = Vec::new();
        for group in numbers.chunk_by(|_, next| next.kind == ColumnKind::Interval) {
            let room = width.saturating_sub(least + width_of(group, usize::MAX));
            match parts.last_mut().filter(|part| width_of(part, usize::MAX) <= room) {
                Some(part) => part.extend_from_slice(group),
                None => parts.push(group.to_vec()),
            }
        }
        let part = |numbers: Vec<Column>| {
            let room = width.saturating_sub(width_of(&numbers, usize::MAX));
            let longest = texts.iter().map(Column::width).max().unwrap_or(0).max(SHORT);
            let most = (SHORT..=longest).rev().find(|&most| width_of(&texts, most) <= room).unwrap_or(SHORT);
            let texts = texts.iter().map(|column| column.shortened(most));
            Table { columns: texts.chain(numbers).collect() }
        };
        parts.into_iter().map(part).collect()
    }
}

/// The letters that columns take, with a space on either side, if none has more than `most`.
fn width_of(columns: &[Column], most: usize) -> usize {
    columns.iter().map(|column| column.width().min(most) + 2).sum()
}

/// A text of at most so many letters. One that is too long begins with dots: what tells agents apart stands
/// at the end of their specs.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let end: String = text.chars().skip(length + 1 - most).collect();
    format!("…{end}")
}

/// A table in the making: a row for each item, column by column.
#[derive(Debug)]
pub struct TableBuilder<'a, T> {
    items: &'a [T],
    table: Table,
}

impl<T> TableBuilder<'_, T> {
    fn column(mut self, name: &str, kind: ColumnKind, cell: impl Fn(&T) -> String) -> Self {
        let cells = self.items.iter().map(cell).collect();
        self.table.columns.push(Column { name: name.to_owned(), kind, cells });
        self
    }

    /// Adds a column of texts.
    #[must_use]
    pub fn text(self, name: &str, cell: impl Fn(&T) -> String) -> Self {
        self.column(name, ColumnKind::Text, cell)
    }

    /// Adds a column of numbers.
    #[must_use]
    pub fn number(self, name: &str, cell: impl Fn(&T) -> String) -> Self {
        self.column(name, ColumnKind::Number, cell)
    }

    /// Adds a column of estimates and one of their intervals.
    #[must_use]
    pub(crate) fn estimate(
        self,
        name: &str,
        show: fn(Option<f64>) -> String,
        estimate: impl Fn(&T) -> Option<Estimate>,
    ) -> Self {
        self.shown_estimate(name, |item| (estimate(item), show))
    }

    /// Adds the same where each row is shown in its own way.
    #[must_use]
    pub(crate) fn shown_estimate(
        self,
        name: &str,
        cell: impl Fn(&T) -> (Option<Estimate>, fn(Option<f64>) -> String),
    ) -> Self {
        self.told_estimate(name, |item| {
            let (estimate, show) = cell(item);
            [value(estimate, show), interval(estimate, show)]
        })
    }

    /// Adds a column of estimates and one of their intervals in words of their own.
    #[must_use]
    pub fn told_estimate(self, name: &str, cells: impl Fn(&T) -> [String; 2]) -> Self {
        self.column(name, ColumnKind::Number, |item| {
            let [value, _] = cells(item);
            value
        })
        .column("95 %", ColumnKind::Interval, |item| {
            let [_, interval] = cells(item);
            interval
        })
    }

    /// The table.
    pub fn build(self) -> Table {
        self.table
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::{percent, whole};
    use super::*;
    use crate::stats::Interval;

    /// Agents with two estimates, and games at the end.
    fn table() -> Table {
        let share = Estimate { value: 0.5, interval: Some(Interval { low: 0.25, high: 0.75 }) };
        Table::of(&["greedy", "mcts:sims=1000,rollout=greedy", "random"])
            .text("agent", |agent| (*agent).to_owned())
            .estimate("share", percent, |_| Some(share))
            .estimate("rating", whole, |_| None)
            .number("games", |_| "1000".to_owned())
            .build()
    }

    fn names(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|column| column.name.as_str()).collect()
    }

    fn width(table: &Table) -> usize {
        width_of(&table.columns, usize::MAX)
    }

    #[test]
    fn a_table_that_fits_stays_as_it_is() {
        let table = table();
        assert_eq!(names(&table), ["agent", "share", "95 %", "rating", "95 %", "games"]);
        assert_eq!(table.rows().next().unwrap(), ["greedy", "50.0 %", "[25.0 %, 75.0 %]", "-", "-", "1000"]);
        assert_eq!(table.fitted(width(&table)), [table]);
        assert!(Table::default().is_empty() && Table::default().rows().next().is_none());
    }

    #[test]
    fn texts_are_shortened_before_columns_move_below() {
        let table = table();
        let fitted = table.fitted(width(&table) - 10);
        assert_eq!((fitted.len(), width(&fitted[0])), (1, width(&table) - 10));
        assert_eq!(fitted[0].columns[0].cells, ["greedy", "…000,rollout=greedy", "random"]);
        assert_eq!(fitted[0].columns[1..], table.columns[1..], "numbers stay");
    }

    #[test]
    fn however_narrow_numbers_stay_whole_beside_their_intervals() {
        let table = table();
        for most in 0..=width(&table) {
            let fitted = table.fitted(most);
            let numbers: Vec<&Column> = fitted.iter().flat_map(|part| &part.columns[1..]).collect();
            assert_eq!(numbers, table.columns[1..].iter().collect::<Vec<_>>());
            for part in &fitted {
                assert_eq!(part.columns[0].kind, ColumnKind::Text);
                assert_ne!(part.columns[1].kind, ColumnKind::Interval);
                let least = part.columns.len() <= 3;
                assert!(width(part) <= most || least, "{most}: {part:?}");
            }
        }
    }

    #[test]
    fn texts_alone_are_never_shortened() {
        let table = Table::of(&["x".repeat(200)]).text("found", Clone::clone).build();
        assert_eq!(table.fitted(20), [table]);
    }
}
