//! The table that `train` prints while it runs, a line of figures for each generation: [`GenerationTable`].

use std::io::{self, Write};
use std::time::Duration;

use azulejo_agents::neural::Losses;
use azulejo_experiments::report::cells::{percent, shortened};
use azulejo_experiments::report::{GAP, Table};
use azulejo_experiments::train::{Row, TrainConfig};

use super::width::Wrapping;

/// The most letters of an opponent's name above its column.
const NAME: usize = 14;

/// A table whose lines are printed one by one: what has no room stands in the run's report.
pub(super) struct GenerationTable {
    opponents: Vec<String>,
    /// The share of the win of an agent as strong as its opponents.
    even: f64,
    columns: usize,
    started: bool,
}

impl GenerationTable {
    /// The table of a run, in lines of at most so many columns.
    pub(super) fn new(config: &TrainConfig, columns: usize) -> Self {
        let opponents = config.evaluation.as_ref().map(|evaluation| evaluation.opponents.clone());
        let players = config.tables.first().map_or(2, |table| table.players);
        GenerationTable {
            opponents: opponents.unwrap_or_default(),
            even: 1.0 / players as f64,
            columns,
            started: false,
        }
    }

    /// Writes the line of a stage that took so long, and before the first one what stands above them.
    pub(super) fn write(&mut self, out: &mut impl Write, row: &Row, took: Duration) -> io::Result<()> {
        let fitted = self.table(row, took).fitted(self.columns);
        let Some(table) = fitted.parts.first() else { return Ok(()) };
        let head: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        if !self.started {
            self.started = true;
            self.explain(out)?;
            writeln!(out, "{}", head.join(GAP_TEXT))?;
        }
        let cells = table.rows().next().unwrap_or_default();
        let aligned = head.iter().zip(cells).map(|(head, cell)| {
            let width = head.chars().count();
            format!("{cell:>width$}")
        });
        writeln!(out, "{}", aligned.collect::<Vec<_>>().join(GAP_TEXT))
    }

    fn explain(&self, out: &mut impl Write) -> io::Result<()> {
        let measured = match &self.opponents[..] {
            [] => String::new(),
            opponents => format!(
                "; then the share of the win against {}, ± half a 95 % interval, of which {} is even",
                opponents.join(", "),
                percent(Some(self.even))
            ),
        };
        let text = format!(
            "Losses of the policy (on the games that are learned from, and unseen on those held out), the wins and the \
             scores{measured}. All figures stand in metrics.csv and report.html."
        );
        Wrapping { columns: self.columns, indent: 0 }.write(out, "", &text)?;
        writeln!(out)
    }

    /// The one line as a table with its names. Where room is short seconds are left out first, then steps, positions
    /// and the losses of scores and wins.
    fn table(&self, row: &Row, took: Duration) -> Table {
        let head = |losses: Option<&Losses>, of: fn(&Losses) -> f32| {
            losses.map_or("-".to_owned(), |losses| format!("{:.3}", of(losses)))
        };
        let own = row.losses.as_ref();
        let unseen = row.unseen.as_ref().map(|sampled| &sampled.means);
        let rows = [row];
        let table = Table::of(&rows)
            .number(" gen", |row| row.generation.to_string())
            .number("positions", |row| row.positions.to_string())
            .spare(3)
            .number(" steps", |row| row.steps.to_string())
            .spare(2)
            .number("policy", |_| head(own, |losses| losses.policy))
            .number("unseen", |_| head(unseen, |losses| losses.policy))
            .number(" wins", |_| head(own, |losses| losses.wins))
            .spare(5)
            .number("scores", |_| head(own, |losses| losses.scores))
            .spare(4)
            .number("seconds", |_| format!("{:.0}", took.as_secs_f64()))
            .spare(1);
        let measured = self.opponents.iter().fold(table, |table, opponent| {
            let name = format!("{:>NAME$}", shortened(opponent, NAME));
            table.number(&name, |row| share(row, opponent))
        });
        measured.build()
    }
}

const GAP_TEXT: &str = "  ";
const _: () = assert!(GAP_TEXT.len() == GAP);

/// What a stage measured against an opponent: `61.3 ± 4.7 %`.
fn share(row: &Row, opponent: &str) -> String {
    let found = row.shares.iter().find(|share| share.opponent == opponent).and_then(|share| share.share);
    let Some(share) = found else { return "-".to_owned() };
    match share.half_width() {
        Some(half) => format!("{:.1} ± {:.1} %", 100.0 * share.value, 100.0 * half),
        None => percent(Some(share.value)),
    }
}

#[cfg(test)]
mod tests {
    use azulejo_experiments::stats::{Estimate, Interval};
    use azulejo_experiments::train::OpponentShare;

    use super::*;

    fn printed(columns: usize) -> Vec<String> {
        let text = include_str!("../../../configs/train-azul-tiny.toml");
        let mut table = GenerationTable::new(&TrainConfig::read(text).unwrap(), columns);
        let estimate = Estimate { value: 0.613, interval: Some(Interval { low: 0.566, high: 0.66 }) };
        let row = |generation| Row {
            generation,
            steps: 300,
            games: 400,
            positions: 25_017,
            losses: Some(Losses { policy: 1.5, wins: 0.25, scores: 0.125 }),
            seen: None,
            unseen: None,
            learning_rate: 0.001,
            plies: 70.0,
            shares: vec![OpponentShare {
                opponent: "greedy".to_owned(),
                games: 100,
                share: Some(estimate),
                scores: [None; 2],
                forfeits: [0; 2],
            }],
        };
        let mut out = Vec::new();
        for generation in 0..2 {
            table.write(&mut out, &row(generation), Duration::from_secs(41)).unwrap();
        }
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_generation_is_a_line_of_figures() {
        let wide = printed(usize::MAX);
        assert!(wide[0].contains("against random, greedy") && wide[0].contains("50.0 % is even"), "{wide:?}");
        let head =
            " gen  positions   steps  policy  unseen   wins  scores  seconds          random          greedy";
        let line =
            "   1      25017     300   1.500       -  0.250   0.125       41               -    61.3 ± 4.7 %";
        assert_eq!((wide.len(), wide[2].as_str(), wide[4].as_str()), (5, head, line));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for columns in [60, 80, 100] {
            let lines = printed(columns);
            assert!(lines.iter().all(|line| line.chars().count() <= columns), "{lines:?}");
            assert!(lines.last().unwrap().ends_with("61.3 ± 4.7 %"), "{lines:?}");
        }
        assert!(!printed(80).concat().contains("seconds") && printed(80).concat().contains("scores"));
    }
}
