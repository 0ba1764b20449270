//! The result of a game: who won, and where the points came from.

use azulejo::{PerPlayer, Seat};

use super::table::GameTable;
use crate::display::{GameDisplay, cut};

/// Columns of a source's name.
const NAME: usize = 24;
/// Columns of a seat.
const SEAT: usize = 13;

/// Who won and a table with a row for each source that gave or took points, then the sums.
pub(super) fn result_lines<G: GameDisplay>(table: &GameTable<G>) -> Vec<String> {
    let (names, breakdown) = (table.names(), table.score_breakdown());
    let cells = |cell: &dyn Fn(Seat) -> String| -> String {
        Seat::all(names.len()).map(|seat| format!("{:>SEAT$}", cut(&cell(seat), SEAT - 1))).collect()
    };
    let mut lines = vec![verdict(&table.wins()), String::new()];
    lines.push(format!("{:NAME$}{}", "", cells(&|seat| format!("seat {seat}"))));
    lines.push(format!("{:NAME$}{}", "", cells(&|seat| names[seat.index()].clone())));
    let used = |points: &PerPlayer<i16>| points.as_slice().iter().any(|&points| points != 0);
    for (name, points) in breakdown.rows().filter(|row| used(row.1)) {
        lines.push(format!("{name:NAME$}{}", cells(&|seat| points[seat].to_string())));
    }
    lines.push("-".repeat(NAME + SEAT * names.len()));
    let totals = breakdown.totals();
    lines.push(format!("{:NAME$}{}", "points", cells(&|seat| totals[seat].to_string())));
    lines
}

/// `seat 1 wins`, `seats 0 and 2 share the win`.
fn verdict(wins: &PerPlayer<f64>) -> String {
    let winners: Vec<String> =
        wins.iter().filter(|(_, share)| **share > 0.0).map(|(seat, _)| seat.to_string()).collect();
    match &winners[..] {
        [winner] => format!("seat {winner} wins"),
        _ => format!("seats {} share the win", winners.join(" and ")),
    }
}
