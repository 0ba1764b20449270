//! A table, which the terminal, a page and Markdown draw each in their way.

use super::cells::{interval, shortened, value};
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
    /// Where room is short, columns are left out in ascending order of this number; `None` for those that never are.
    pub spare: Option<u8>,
}

/// A table as it fits into a width.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedTable {
    /// The table, or several with the same texts where its columns do not fit side by side.
    pub parts: Vec<Table>,
    /// The names of the columns that had no room, from left to right.
    pub left_out: Vec<String>,
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

/// The letters between two columns.
pub const GAP: usize = 2;

/// The width to which texts are shortened before columns are left out.
const SHORT: usize = 16;

impl Column {
    /// The letters that it takes, without the space on either side.
    fn width(&self) -> usize {
        let cells = self.cells.iter().chain([&self.name]).map(|cell| cell.chars().count());
        cells.max().unwrap_or(0)
    }

    fn shortened(&self, most: usize) -> Column {
        let shorten = |text: &String| shortened(text, most);
        let cells = self.cells.iter().map(shorten).collect();
        Column { name: shorten(&self.name), cells, kind: self.kind, spare: self.spare }
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

    /// The table as it fits into so many letters, with [`GAP`] letters after each column but the last. Texts are
    /// shortened; if that does not suffice, spare columns are left out; and if there are none left, the table becomes
    /// several, which all have its texts. Numbers are never broken, and a table of nothing but texts stays as it is.
    pub fn fitted(&self, width: usize) -> FittedTable {
        let (mut kept, mut left_out) = (self.clone(), Vec::new());
        while kept.least_width() > width
            && let Some(first) = kept.columns.iter().filter_map(|column| column.spare).min()
        {
            let without = kept.columns.extract_if(.., |column| column.spare == Some(first));
            let named = without.filter(|column| column.kind != ColumnKind::Interval);
            left_out.extend(named.map(|column| column.name));
        }
        let place = |name: &String| self.columns.iter().position(|column| column.name == *name);
        left_out.sort_by_key(place);
        FittedTable { parts: kept.parts(width), left_out }
    }

    /// The letters that it takes with texts as short as can be.
    fn least_width(&self) -> usize {
        let most = |column: &Column| if column.kind == ColumnKind::Text { SHORT } else { usize::MAX };
        let all = self.columns.iter().map(|column| column.width().min(most(column)) + GAP).sum::<usize>();
        all.saturating_sub(GAP)
    }

    /// As many tables as it takes for all columns to fit into so many letters.
    fn parts(&self, width: usize) -> Vec<Table> {
        let (texts, numbers): (Vec<Column>, Vec<Column>) =
            self.columns.iter().cloned().partition(|column| column.kind == ColumnKind::Text);
        let width = width.saturating_add(GAP);
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

/// The letters that columns take with a gap after each, if none has more than `most`.
fn width_of(columns: &[Column], most: usize) -> usize {
    columns.iter().map(|column| column.width().min(most) + GAP).sum()
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
        self.table.columns.push(Column { name: name.to_owned(), kind, cells, spare: None });
        self
    }

    /// Lets the last column, with its intervals if it has some, be left out where room is short: those of the
    /// smallest number first, and those of one number together.
    #[must_use]
    pub fn spare(mut self, number: u8) -> Self {
        let last = self.table.columns.iter().rposition(|column| column.kind != ColumnKind::Interval);
        let spared = &mut self.table.columns[last.unwrap_or(0)..];
        spared.iter_mut().for_each(|column| column.spare = Some(number));
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
        width_of(&table.columns, usize::MAX) - GAP
    }

    #[test]
    fn a_table_that_fits_stays_as_it_is() {
        let table = table();
        assert_eq!(names(&table), ["agent", "share", "95 %", "rating", "95 %", "games"]);
        assert_eq!(table.rows().next().unwrap(), ["greedy", "50.0 %", "[25.0 %, 75.0 %]", "-", "-", "1000"]);
        let fitted = table.fitted(width(&table));
        assert_eq!(fitted, FittedTable { parts: vec![table], left_out: Vec::new() });
        assert!(Table::default().is_empty() && Table::default().rows().next().is_none());
    }

    #[test]
    fn texts_are_shortened_before_columns_move_below() {
        let table = table();
        let fitted = table.fitted(width(&table) - 10).parts;
        assert_eq!((fitted.len(), width(&fitted[0])), (1, width(&table) - 10));
        assert_eq!(fitted[0].columns[0].cells, ["greedy", "…000,rollout=greedy", "random"]);
        assert_eq!(fitted[0].columns[1..], table.columns[1..], "numbers stay");
    }

    #[test]
    fn however_narrow_numbers_stay_whole_beside_their_intervals() {
        let table = table();
        for most in 0..=width(&table) {
            let fitted = table.fitted(most).parts;
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
    fn spare_columns_are_left_out_in_their_order_with_their_intervals() {
        let share = Estimate { value: 0.5, interval: Some(Interval { low: 0.25, high: 0.75 }) };
        let table = Table::of(&["greedy"])
            .text("agent", |agent| (*agent).to_owned())
            .number("games", |_| "1000".to_owned())
            .spare(2)
            .estimate("share", percent, |_| Some(share))
            .number("1", |_| "-".to_owned())
            .spare(1)
            .estimate("rating", whole, |_| Some(share))
            .spare(3)
            .build();
        let left_out = |width| table.fitted(width).left_out.join(" ");
        let all = width(&table);
        assert_eq!(left_out(all), "");
        assert_eq!(left_out(all - 1), "1");
        assert_eq!(left_out(all - 4), "games 1");
        assert_eq!(left_out(all - 11), "games 1 rating");
        assert_eq!(left_out(10), "games 1 rating");
        for width in 32..all {
            let fitted = table.fitted(width).parts;
            assert_eq!(fitted.len(), 1);
            assert!(self::width(&fitted[0]) <= width);
        }
    }

    #[test]
    fn texts_alone_are_never_shortened() {
        let table = Table::of(&["x".repeat(200)]).text("found", Clone::clone).build();
        assert_eq!(table.fitted(20).parts, [table]);
    }
}
