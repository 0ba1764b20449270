//! One number of the rules, value after value: [`Sweep`], and what a study found at each value.

use std::fmt;
use std::str::FromStr;

use azulejo::excerpt;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{PairedGames, SeatFindings, TableStudy, label, seat_findings};
use crate::measures::{NamedEstimate, mean};
use crate::report::cells::{number, percent, value, with_interval};
use crate::report::chart::{Chart, ChartLine, ChartPoint, Ticks, curves};
use crate::report::{Section, Table, brief};
use crate::stats::Estimate;

/// The most values of a sweep.
const MOST_VALUES: usize = 200;

/// The letter that stands for the value in a sweep's list.
const PLACE: char = 'K';

/// A number of the rules with the values that it takes one after the other.
///
/// ```
/// use azulejo_experiments::balance::Sweep;
///
/// let sweep: Sweep = "column_bonus=0..20:10".parse()?;
/// assert_eq!(sweep.lines().collect::<Vec<_>>(), ["column_bonus=0", "column_bonus=10", "column_bonus=20"]);
/// let sweep: Sweep = "handicap=[0,K,0,0] for K=1,4".parse()?;
/// assert_eq!(sweep.lines().collect::<Vec<_>>(), ["handicap=[0,1,0,0]", "handicap=[0,4,0,0]"]);
/// # Ok::<(), azulejo_experiments::balance::SweepError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The key.
    key: String,
    /// What the key is set to, in TOML, with [`PLACE`] where the value stands.
    template: String,
    /// The values, each larger than the one before.
    values: Vec<i64>,
    /// The values as they were written.
    written: String,
}

/// A text that is no sweep.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "--sweep: found '{}', expected KEY=VALUES or 'KEY=LIST for K=VALUES' with a K in the list, and as VALUES whole numbers \
     FROM..TO, FROM..TO:STEP or A,B,C, each larger than the one before and at most {MOST_VALUES} of them",
    excerpt(.0)
)]
pub struct SweepError(String);

impl FromStr for Sweep {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Self, SweepError> {
        let read = || {
            let (key, rest) = text.split_once('=')?;
            let (template, written) = match rest.split_once(" for K=") {
                Some((list, values)) => (list.trim(), values.trim()),
                None => ("K", rest.trim()),
            };
            let key = key.trim();
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter);
            let is_key = !key.is_empty() && key.chars().all(is_plain);
            let values = values(written).filter(|_| is_key && template.contains(PLACE))?;
            let [key, template, written] = [key, template, written].map(str::to_owned);
            Some(Sweep { key, template, values, written })
        };
        read().ok_or_else(|| SweepError(text.to_owned()))
    }
}

/// Whole numbers in ascending order.
fn values(text: &str) -> Option<Vec<i64>> {
    let found: Vec<i64> = match text.split_once("..") {
        None => text.split(',').map(|value| value.trim().parse().ok()).collect::<Option<_>>()?,
        Some((from, rest)) => {
            let (to, step) = rest.split_once(':').unwrap_or((rest, "1"));
            let (from, to): (i64, i64) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
            let step: usize = step.trim().parse().ok().filter(|step| *step > 0)?;
            (from..=to).step_by(step).take(MOST_VALUES + 1).collect()
        }
    };
    let ascends = found.windows(2).all(|pair| pair[0] < pair[1]);
    Some(found).filter(|found| ascends && (1..=MOST_VALUES).contains(&found.len()))
}

impl fmt::Display for Sweep {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.template.as_str() {
            "K" => write!(out, "{}={}", self.key, self.written),
            list => write!(out, "{}={list} for K={}", self.key, self.written),
        }
    }
}

impl Sweep {
    /// What is changed: the key, with the list where the value is one of several numbers.
    pub fn name(&self) -> String {
        match self.template.as_str() {
            "K" => self.key.clone(),
            list => format!("{}={list}", self.key),
        }
    }

    /// The key.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// The values.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// For each value the line of TOML that sets it.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.values.iter().map(|&value| self.line(value))
    }

    /// The line of TOML that sets a value.
    pub(super) fn line(&self, value: i64) -> String {
        format!("{}={}", self.key, self.template.replace(PLACE, &value.to_string()))
    }
}

/// What a study found at one value of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepRow {
    /// The variant whose number is changed.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The agent at all seats.
    pub agent: String,
    /// What is changed.
    pub key: String,
    /// The value.
    pub value: i64,
    /// Whether the rules as they are have this value.
    pub usual: bool,
    /// The number of games.
    pub games: u64,
    /// The games that have the same moves as under the rules as they are.
    pub alike: u64,
    /// The first seat's wins a game.
    #[serde(with = "mean")]
    pub win_share: Option<Estimate>,
    /// Its points less the mean of the others'.
    #[serde(with = "mean")]
    pub lead: Option<Estimate>,
    /// What is told of games as a whole.
    pub figures: Vec<NamedEstimate>,
    /// Where the points of all seats come from.
    pub sources: Vec<NamedEstimate>,
    /// What differs from the rules as they are, game by game on the same deals; nothing at their own value.
    pub differences: Vec<NamedEstimate>,
}

impl SweepRow {
    fn new((sweep, at): (&Sweep, i64), found: SeatFindings, paired: Option<&PairedGames>) -> Self {
        let named = |(name, mean): (&str, Option<Estimate>)| NamedEstimate { name: name.to_owned(), mean };
        SweepRow {
            game: found.game,
            players: found.players,
            agent: found.agent,
            key: sweep.name(),
            value: at,
            usual: paired.is_none(),
            games: found.games,
            alike: paired.map_or(found.games, |paired| paired.alike),
            win_share: found.win_shares[0],
            lead: found.leads[0],
            figures: found.figures,
            sources: found.sources,
            differences: paired.map_or(Vec::new(), |paired| paired.differences().map(named).collect()),
        }
    }

    fn figure(&self, name: &str) -> Option<Estimate> {
        self.figures.iter().find(|it| it.name == name)?.mean
    }

    fn difference(&self, name: &str) -> Option<Estimate> {
        self.differences.iter().find(|it| it.name == name)?.mean
    }

    /// Whether two rows are of one curve.
    fn is_beside(&self, other: &SweepRow) -> bool {
        (&self.game, self.players, &self.agent, &self.key)
            == (&other.game, other.players, &other.agent, &other.key)
    }
}

/// The rows of a sweep, table by table and agent by agent.
pub(super) fn sweep_rows<'a>(sweep: &'a Sweep, studies: &'a [TableStudy]) -> Vec<SweepRow> {
    let bases = studies.iter().filter(|study| study.base.is_none());
    let of_base = |base: &'a TableStudy| {
        let agents = 0..base.seats.len();
        agents.flat_map(move |agent| {
            sweep.values.iter().filter_map(move |&at| row(sweep, at, agent, base, studies))
        })
    };
    bases.flat_map(of_base).collect()
}

/// What an agent's games at a value tell; those of the rules as they are where they have this value.
fn row(sweep: &Sweep, at: i64, agent: usize, base: &TableStudy, studies: &[TableStudy]) -> Option<SweepRow> {
    let is_here = |study: &&TableStudy| {
        (study.base, study.players, study.value) == (Some(base.game), base.players, Some(at))
    };
    let changed = studies.iter().find(is_here);
    let found = seat_findings(&changed.unwrap_or(base).seats[agent])?;
    let paired = changed.and_then(|study| study.paired.as_ref()).map(|paired| &paired.seats[agent]);
    Some(SweepRow::new((sweep, at), SeatFindings { game: base.game.to_string(), ..found }, paired))
}

/// What a sweep comes to: a sentence for each curve.
pub(super) fn swept(rows: &[SweepRow]) -> Vec<String> {
    curves_of(rows).into_iter().filter_map(from_end_to_end).collect()
}

/// What of a game a changed number may change: in words, and as differences are called.
const ASKED: [(&str, &str); 4] = [
    ("how good it is to go first", SHARE),
    ("how many points that brings", "first seat's lead"),
    ("how often games end close", "close end"),
    ("how many rounds they last", "rounds"),
];

/// What the first seat's wins are called among the differences.
const SHARE: &str = "first seat's win share";

/// In one sentence, which numbers of the rules change what of a game.
pub(super) fn in_short(rows: &[SweepRow]) -> Option<String> {
    let curves = curves_of(rows);
    let number = |curve: &&[SweepRow]| {
        let (first, key) = (&curve[0], curve[0].key.split('=').next().unwrap_or_default());
        let is_its = |other: &&&[SweepRow]| (&other[0].game, &other[0].key) == (&first.game, &first.key);
        let agent = match curves.iter().filter(is_its).count() {
            1 => String::new(),
            _ => format!(" ({})", brief(&first.agent)),
        };
        format!("{key} at {}{agent}", label(&first.game, first.players))
    };
    let answer = |(question, name): (&str, &str)| {
        let changed = curves.iter().filter(|curve| !moved(curve, name).is_empty());
        match &changed.map(number).collect::<Vec<_>>()[..] {
            [] => format!("{question} with none of them"),
            changed => format!("{question} with {}", changed.join(", ")),
        }
    };
    let answers = ASKED.map(answer).join("; ");
    (!curves.is_empty()).then(|| {
        format!("What changes beyond doubt with a number of the rules, value after value: {answers}.")
    })
}

/// The rows at whose values something differs from the rules as they are, beyond doubt for all values at once.
fn moved<'a>(curve: &'a [SweepRow], name: &str) -> Vec<&'a SweepRow> {
    let others = || curve.iter().filter(|row| !row.usual);
    let count = others().count();
    let differs =
        |row: &&SweepRow| row.difference(name).is_some_and(|difference| difference.differs_among(count));
    others().filter(differs).collect()
}

/// What becomes of the first seat and of the games from the first value to the last one.
fn from_end_to_end(curve: &[SweepRow]) -> Option<String> {
    let ([first, ..], [.., last]) = (curve, curve) else { return None };
    let figure = |name: &str, show: fn(Option<f64>) -> String| {
        format!("{} to {}", value(first.figure(name), show), value(last.figure(name), show))
    };
    let wins = |row: &SweepRow| with_interval(row.win_share, percent);
    Some(format!(
        "{}, {} from {} to {} ({}): {}; seat 0 wins {} to {}; close ends {}; rounds {}{}.",
        label(&first.game, first.players),
        first.key,
        first.value,
        last.value,
        brief(&first.agent),
        verdict(curve),
        wins(first),
        wins(last),
        figure("close end", percent),
        figure("rounds", number),
        most_changed_source(first, last),
    ))
}

/// Whether a value changes how good it is to go first.
fn verdict(curve: &[SweepRow]) -> String {
    let change =
        |row: &&SweepRow| format!("{} ({})", row.value, with_interval(row.difference(SHARE), percent));
    let ends = |row: &SweepRow| row.difference(SHARE)?.interval.map(|it| it.low.abs().max(it.high.abs()));
    let furthest = curve.iter().filter_map(ends).reduce(f64::max);
    match &moved(curve, SHARE)[..] {
        [] => format!(
            "no value changes beyond doubt how good it is to go first, to within {}",
            percent(furthest)
        ),
        moved => format!(
            "it changes how good it is to go first beyond doubt at {}",
            moved.iter().map(change).collect::<Vec<_>>().join(", ")
        ),
    }
}

/// From which source points change most between two rows.
fn most_changed_source(first: &SweepRow, last: &SweepRow) -> String {
    let sources = (0..first.sources.len()).filter_map(|place| {
        let (from, to) = (first.sources[place].mean?.value, last.sources.get(place)?.mean?.value);
        Some((first.sources[place].name.as_str(), from, to))
    });
    let most = sources.max_by(|one, other| (one.2 - one.1).abs().total_cmp(&(other.2 - other.1).abs()));
    most.map_or(String::new(), |(name, from, to)| {
        format!("; points from {name} {} to {}", number(Some(from)), number(Some(to)))
    })
}

/// The rows of each curve.
fn curves_of(rows: &[SweepRow]) -> Vec<&[SweepRow]> {
    rows.chunk_by(SweepRow::is_beside).collect()
}

/// The sections of a sweep: for each table and agent its curves.
pub(super) fn sweep_sections(rows: &[SweepRow], warnings: &str) -> Vec<Section> {
    curves_of(rows).into_iter().flat_map(|curve| sections_of(curve, warnings)).collect()
}

fn sections_of(rows: &[SweepRow], warnings: &str) -> Vec<Section> {
    let Some(first) = rows.first() else { return Vec::new() };
    let name = format!("{}, {}", label(&first.game, first.players), brief(&first.agent));
    let heading = |about: &str| format!("{name}: {about} by {}", first.key);
    let curve = |about: &str, unit: &str, even: Option<f64>, of: &dyn Fn(&SweepRow) -> Option<Estimate>| {
        let about = heading(about);
        let line = line("", rows, of);
        Some(curves(&about, (&first.key, unit), Ticks::Numbers, &[line], even))
    };
    let in_percent = |estimate: Option<Estimate>| estimate.map(|it| it.scaled(100.0));
    let section =
        |about: &str, chart: Option<Chart>| Section { heading: heading(about), chart, ..Section::default() };
    let share = curve("wins of seat 0", "% of wins", Some(100.0 / first.players as f64), &|row| {
        in_percent(row.win_share)
    });
    let lead = curve("lead of seat 0", "points", Some(0.0), &|row| row.lead);
    let length = curve("rounds", "rounds", None, &|row| row.figure("rounds"));
    let close = curve("close ends", "% of games", None, &|row| in_percent(row.figure("close end")));
    vec![
        Section { text: text(warnings), table: seats_table(rows), ..section("wins of seat 0", share) },
        section("lead of seat 0", lead),
        sources(rows, heading("points of a seat, source by source,")),
        section("rounds", length),
        section("close ends", close),
    ]
}

fn text(warnings: &str) -> String {
    let all = "Every value is played on the same deals; what changes is the difference to the rules as they are, game by game.";
    [all, warnings].join(" ").trim().to_owned()
}

fn line(label: &str, rows: &[SweepRow], of: &dyn Fn(&SweepRow) -> Option<Estimate>) -> ChartLine {
    let point = |row: &SweepRow| Some(ChartPoint { at: row.value as f64, estimate: of(row)? });
    ChartLine { label: label.to_owned(), points: rows.iter().filter_map(point).collect() }
}

fn seats_table(rows: &[SweepRow]) -> Table {
    let at = |row: &SweepRow| format!("{}{}", row.value, if row.usual { " (as it is)" } else { "" });
    let table = Table::of(rows)
        .text("value", at)
        .number("games", |row| row.games.to_string())
        .spare(1)
        .number("same moves", |row| row.alike.to_string())
        .spare(2)
        .estimate("wins of seat 0", percent, |row| row.win_share)
        .estimate("change", percent, |row| row.difference(SHARE))
        .estimate("lead of seat 0", number, |row| row.lead)
        .estimate("its change", number, |row| row.difference("first seat's lead"));
    table
        .number("rounds", |row| value(row.figure("rounds"), number))
        .spare(3)
        .number("close ends", |row| value(row.figure("close end"), percent))
        .spare(4)
        .build()
}

fn sources(rows: &[SweepRow], heading: String) -> Section {
    let Some(first) = rows.first() else { return Section::default() };
    let of = |row: &SweepRow, place: usize| row.sources.get(place).and_then(|source| source.mean);
    let matters =
        |place: &usize| rows.iter().any(|row| of(row, *place).is_some_and(|it| it.value.abs() >= 0.05));
    let places: Vec<usize> = (0..first.sources.len()).filter(matters).collect();
    let name = |place: usize| first.sources[place].name.as_str();
    let lines: Vec<ChartLine> =
        places.iter().map(|&place| line(name(place), rows, &|row| of(row, place))).collect();
    let chart = curves(&heading, (&first.key, "points"), Ticks::Numbers, &lines, Some(0.0));
    let table = Table::of(rows).text("value", |row| row.value.to_string());
    let table = places
        .iter()
        .fold(table, |table, &place| table.number(name(place), |row| value(of(row, place), number)));
    Section { heading, chart: Some(chart), table: table.build(), ..Section::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Interval;

    fn sweep(text: &str) -> Result<Sweep, SweepError> {
        text.parse()
    }

    #[test]
    fn values_are_read_and_printed_back() {
        for (text, expected) in [
            ("column_bonus=0..20:10", vec!["column_bonus=0", "column_bonus=10", "column_bonus=20"]),
            ("marker_points=-3..0:2", vec!["marker_points=-3", "marker_points=-1"]),
            ("last_round=4,5,9", vec!["last_round=4", "last_round=5", "last_round=9"]),
            ("handicap=[0,K] for K=7", vec!["handicap=[0,7]"]),
            ("floor=[K,K,-2] for K=-2..-1", vec!["floor=[-2,-2,-2]", "floor=[-1,-1,-2]"]),
        ] {
            let read = sweep(text).unwrap();
            assert_eq!(read.lines().collect::<Vec<_>>(), expected);
            assert_eq!(read.to_string(), text);
            assert_eq!(sweep(&read.to_string()).unwrap(), read);
        }
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        for text in [
            "column_bonus",
            "column_bonus=",
            "=1..2",
            "column_bonus=20..0",
            "column_bonus=0..20:0",
            "column_bonus=0..20:-1",
            "column_bonus=1,1",
            "column_bonus=3,2",
            "column_bonus=1.5",
            "column_bonus=0..x",
            "a b=1",
            "column_bonus=0..1000",
            "handicap=[0,1] for K=0..8",
            "handicap=[0,K]",
            "handicap=[0,K] for K=",
        ] {
            let problem = sweep(text).unwrap_err().to_string();
            assert!(
                problem.starts_with(&format!("--sweep: found '{text}', expected KEY=VALUES")),
                "{problem}"
            );
        }
    }

    fn rows() -> Vec<SweepRow> {
        let around = |value: f64| {
            Some(Estimate { value, interval: Some(Interval { low: value - 0.1, high: value + 0.1 }) })
        };
        let named = |name: &str, value| NamedEstimate { name: name.to_owned(), mean: around(value) };
        let row = |value: i64| SweepRow {
            game: "azul".to_owned(),
            players: 2,
            agent: "mcts:rollout=greedy".to_owned(),
            key: "column_bonus".to_owned(),
            value,
            usual: value == 7,
            games: 50,
            alike: 3,
            win_share: around(0.5),
            lead: around(value as f64),
            figures: vec![named("rounds", 5.0), named("close end", 0.3)],
            sources: vec![named("tiles", 40.0), named("columns", value as f64), named("never", 0.0)],
            differences: match value {
                7 => Vec::new(),
                _ => vec![named("first seat's lead", 0.5), named("first seat's win share", 0.01)],
            },
        };
        [0, 7, 10].map(row).to_vec()
    }

    #[test]
    fn a_sweep_has_curves_with_bands_and_a_table() {
        let sections = sweep_sections(&rows(), "Warning: none.");
        assert_eq!(sections.len(), 5);
        assert!(sections.iter().all(|it| it.chart.as_ref().is_some_and(|it| it.svg.contains("<polygon"))));
        let cells: Vec<Vec<&str>> = sections[0].table.rows().collect();
        assert_eq!((cells.len(), cells[1][0]), (3, "7 (as it is)"));
        assert!(cells[1].contains(&"-") && cells[2].contains(&"[0.4, 0.6]"), "{cells:?}");
        let legend = &sections[2].chart.as_ref().unwrap().legend;
        assert_eq!(legend.iter().map(|it| it.1.as_str()).collect::<Vec<_>>(), ["tiles", "columns"]);
        assert_eq!(
            swept(&rows()),
            [
                "azul 2, column_bonus from 0 to 10 (mcts:rollout=greedy): no value changes beyond doubt how good it is to go first, to \
                 within 11.0 %; seat 0 wins 50.0 % [40.0 %, 60.0 %] to 50.0 % [40.0 %, 60.0 %]; close ends 30.0 % to 30.0 %; rounds 5.0 to \
                 5.0; points from columns 0.0 to 10.0."
            ]
        );
        assert_eq!(
            in_short(&rows()).unwrap(),
            "What changes beyond doubt with a number of the rules, value after value: how good it is to go first with none of them; how many \
             points that brings with column_bonus at azul 2; how often games end close with none of them; how many rounds they last with \
             none of them."
        );
        assert!(swept(&[]).is_empty() && in_short(&[]).is_none());
    }

    #[test]
    fn what_moves_the_first_seat_is_told_with_all_values_in_mind() {
        let mut rows = rows();
        let with = |value: f64, half: f64| {
            let interval = Some(Interval { low: value - half, high: value + half });
            vec![NamedEstimate {
                name: "first seat's win share".to_owned(),
                mean: Some(Estimate { value, interval }),
            }]
        };
        // The one is sure alone, but not as one of two.
        (rows[0].differences, rows[2].differences) = (with(0.021, 0.02), with(-0.05, 0.02));
        let values: Vec<i64> = moved(&rows, SHARE).iter().map(|row| row.value).collect();
        assert_eq!(values, [10]);
        assert_eq!(
            verdict(&rows),
            "it changes how good it is to go first beyond doubt at 10 (-5.0 % [-7.0 %, -3.0 %])"
        );
        assert_eq!(
            in_short(&rows).unwrap(),
            "What changes beyond doubt with a number of the rules, value after value: how good it is to go first with column_bonus at azul 2; \
             how many points that brings with none of them; how often games end close with none of them; how many rounds they last with \
             none of them."
        );
    }
}
