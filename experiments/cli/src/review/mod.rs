//! A recorded game looked at again: every decision judged by an agent, blunders marked, shown move by move.
//!
//! `azulejo_experiments::review` finds a [`MoveVerdict`] on each decision. [`Review`] is the game with its verdicts, however they
//! are shown; [`screen`] shows them on a terminal. A review is kept in the record itself, under `analysis`.

pub(crate) mod screen;
#[cfg(test)]
mod tests;

use azulejo::record::RecordError;
use azulejo::{Game, History, Move, PerPlayer, Ply, Record, Seat, Turn, printable};
use serde::{Deserialize, Serialize};

use azulejo_experiments::review::{JudgedDecision, KindReview, Mark, MoveVerdict, SeatReview, mistake_kind};

use crate::display::GameDisplay;
use crate::play::advice::{shares, shares_in_words};

/// Actions of an expected line that are shown.
const LINE: usize = 8;

/// A recorded game with what is known about its decisions.
#[derive(Clone, Debug)]
pub(crate) struct Review<G: Game> {
    /// The record.
    pub record: Record,
    /// The game that its moves tell.
    pub history: History<G>,
    /// For each move the verdict, where there is one.
    pub verdicts: Vec<Option<MoveVerdict>>,
    /// The spec of the agent that judged; none if the players themselves left their analysis in the record.
    pub judge: Option<String>,
}

/// What a record's line says beyond the record.
#[derive(Deserialize)]
struct Annotations {
    #[serde(default)]
    analysis: Option<Vec<Option<MoveVerdict>>>,
    #[serde(default)]
    analyzed_by: Option<String>,
}

/// A record with verdicts in the place of its analysis.
#[derive(Serialize)]
struct Annotated<'a> {
    #[serde(flatten)]
    record: &'a Record,
    analysis: &'a [Option<MoveVerdict>],
    #[serde(skip_serializing_if = "Option::is_none")]
    analyzed_by: Option<&'a str>,
}

/// `3.1 % of the win and 1.4 points`; nothing where that is nothing. Of older reviews the points are not known.
fn in_words(loss: f32, points_lost: Option<f32>) -> Option<String> {
    let points = points_lost.map_or(String::new(), |points| format!(" and {points:.1} points"));
    let is_something = loss > 0.0 || points_lost.is_some_and(|points| points >= 0.05);
    is_something.then(|| format!("{:.1} % of the win{points}", 100.0 * loss))
}

impl<G: GameDisplay> Review<G> {
    /// The game of a record, with the verdicts that its line has already.
    ///
    /// # Errors
    /// A move that cannot be played, or an analysis that has not an entry for each move.
    pub(crate) fn read(rules: &'static G::Rules, record: Record, line: &str) -> Result<Self, RecordError> {
        let expected = record.moves.len();
        let found = record.analysis.as_ref().map_or(expected, Vec::len);
        if found != expected {
            return Err(RecordError::Length { key: "analysis", found, expected });
        }
        let history = record.history::<G>(rules)?;
        let found: Annotations = serde_json::from_str(line)?;
        // Of the moves of other programs records keep no more than the time that they took.
        let told = |verdict: Option<MoveVerdict>| verdict.filter(|verdict| !verdict.values.is_empty());
        let verdicts = found.analysis.unwrap_or_else(|| vec![None; expected]).into_iter().map(told).collect();
        Ok(Review { record, history, verdicts, judge: found.analyzed_by })
    }

    /// The record with the verdicts, as one line of JSON: `analysis` as the format has it, with the keys
    /// `best`, `line` and `loss` beside `values` and `visits`, and `analyzed_by`.
    pub(crate) fn to_line(&self) -> String {
        let record = Record { analysis: None, ..self.record.clone() };
        let annotated =
            Annotated { record: &record, analysis: &self.verdicts, analyzed_by: self.judge.as_deref() };
        serde_json::to_string(&annotated).expect("a record has only plain values and text keys")
    }

    /// What the players are called, seat by seat, as a terminal can show it.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |seat| printable(self.record.name(seat).unwrap_or("?"));
        Seat::all(self.record.players).map(name).collect()
    }

    /// What led to a position: `12: seat 0 (greedy) plays 3R4 ?: take 2 red from factory 3 to line 4`.
    pub(crate) fn caption(&self, ply: usize) -> String {
        let Some(last) = ply.checked_sub(1) else {
            return format!("{ply}: start of game {}", self.record.index);
        };
        let (before, played) = (self.history.state_at(last), &self.history.moves()[last]);
        match (before.turn(), played) {
            (Turn::Player(seat), Move::Action(action)) => {
                let agent = self.names().swap_remove(seat.index());
                let mark = self.verdicts[last].as_ref().and_then(MoveVerdict::mark);
                let mark = mark.map_or(String::new(), |mark| format!(" {mark}"));
                format!(
                    "{ply}: seat {seat} ({agent}) plays {action}{mark}: {}",
                    before.action_in_words(*action)
                )
            }
            (_, Move::Outcome(outcome)) => {
                format!("{ply}: {outcome} is drawn: {}", before.outcome_in_words(outcome))
            }
            (_, Move::Action(action)) => format!("{ply}: {action}"),
        }
    }

    /// What the judge says of the move that led to a position and of the position itself: lines of text, none
    /// where nothing is known.
    pub(crate) fn comment(&self, ply: usize) -> Vec<String> {
        let last = ply.checked_sub(1).and_then(|last| self.verdicts[last].as_ref());
        let missed = last.and_then(|verdict| {
            let loss = in_words(verdict.loss?, verdict.points_lost)?;
            Some(format!("the move loses {loss}; {} was best", verdict.best()?))
        });
        let next = self.verdicts.get(ply).and_then(Option::as_ref);
        let here = next.map(|verdict| {
            let best = verdict.best().unwrap_or("-");
            format!("{}; best: {best}", shares_in_words(&self.shares(verdict)))
        });
        let line = next.filter(|verdict| verdict.line.len() > 1);
        let line = line
            .map(|verdict| format!("expected: {}", verdict.line[..verdict.line.len().min(LINE)].join(" ")));
        let better = last.and_then(|verdict| self.better(ply - 1, verdict));
        missed.into_iter().chain(better).chain(here).chain(line).collect()
    }

    /// What would have been better than the move at a ply: in words, with its values and what was expected then.
    fn better(&self, ply: usize, verdict: &MoveVerdict) -> Option<String> {
        in_words(verdict.loss?, verdict.points_lost)?;
        let (win, lead) = (100.0 * verdict.win?, verdict.lead?);
        let best: G::Action = verdict.best()?.parse().ok()?;
        let before = self.history.state_at(ply);
        let words = before.is_legal(best).then(|| before.action_in_words(best))?;
        let line = verdict.line[..verdict.line.len().min(LINE)].join(" ");
        Some(format!("better: {words}; {win:.0} % of the win, {lead:+.1} points; {line}"))
    }

    /// The seats' shares of the win by a verdict.
    fn shares(&self, verdict: &MoveVerdict) -> PerPlayer<f32> {
        let value = |seat: Seat| verdict.values.get(seat.index()).copied().unwrap_or(0.0);
        shares(&PerPlayer::from_fn(self.record.players, value))
    }

    /// The shares at a position: of its own verdict or else of the last one before it.
    pub(crate) fn shares_at(&self, ply: usize) -> Option<PerPlayer<f32>> {
        let known = &self.verdicts[..self.verdicts.len().min(ply + 1)];
        known.iter().rev().flatten().next().map(|verdict| self.shares(verdict))
    }

    /// The next position, later than this one, that a marked move led to, if there is one.
    pub(crate) fn next_mark(&self, ply: usize) -> Option<usize> {
        let marked = |verdict: &Option<MoveVerdict>| verdict.as_ref().and_then(MoveVerdict::mark).is_some();
        (ply..self.verdicts.len()).find(|&ply| marked(&self.verdicts[ply])).map(|ply| ply + 1)
    }

    /// How the game ended, for each seat how often its moves were marked, and its mistakes by kind.
    pub(crate) fn summary(&self) -> Vec<String> {
        let Record { end, scores, wins, .. } = &self.record;
        let mut lines = vec![format!("{end}: scores {scores:?}, wins {wins:?}")];
        if self.verdicts.iter().flatten().all(|verdict| verdict.loss.is_none()) {
            return lines;
        }
        let seats = self.seat_reviews();
        lines.extend(seats.iter().map(seat_line));
        lines.extend(kinds_table(&seats));
        lines
    }

    /// What the verdicts say of each seat.
    fn seat_reviews(&self) -> Vec<SeatReview> {
        let judged = |(it, verdict): (Ply<'_, G>, _)| {
            let verdict: &MoveVerdict = Option::as_ref(verdict)?;
            Some((it.before.turn(), verdict, mistake_kind(&it.before, it.played, verdict)))
        };
        let decisions: Vec<JudgedDecision<'_>> =
            self.history.replay().zip(&self.verdicts).filter_map(judged).collect();
        let of = |seat| SeatReview::of(seat, decisions.iter().copied());
        Seat::all(self.record.players).map(of).collect()
    }
}

/// `seat 0: 31 decisions, mean loss 3.1 % and 0.9 points, 2 ?!, 1 ?, 0 ??`.
fn seat_line(review: &SeatReview) -> String {
    let SeatReview { seat, moves, loss, points_lost, inaccuracies, mistakes, blunders, .. } = review;
    let counts = [inaccuracies, mistakes, blunders].into_iter().zip(Mark::ALL);
    let marks: Vec<String> = counts.map(|(count, mark)| format!("{count} {mark}")).collect();
    let (loss, marks) = (100.0 * loss, marks.join(", "));
    let points = points_lost.map_or(String::new(), |points| format!(" and {points:.1} points"));
    format!("seat {seat}: {moves} decisions, mean loss {loss:.1} %{points}, {marks}")
}

/// A table of the seats' mistakes by kind; nothing where there are none.
fn kinds_table(seats: &[SeatReview]) -> Vec<String> {
    let row = |(seat, of): (Seat, &KindReview)| {
        let KindReview { kind, moves, loss, points_lost } = of;
        format!("{seat:>4}  {moves:>5}  {points_lost:>6.1}  {:>5.1}  {kind}", 100.0 * loss)
    };
    let kinds = seats.iter().flat_map(|review| review.kinds.iter().map(|kind| (review.seat, kind)));
    let rows: Vec<String> = kinds.map(row).collect();
    let head =
        ["", "seat  moves  points  win %  lost by what was played -> what was better"].map(str::to_owned);
    if rows.is_empty() { rows } else { head.into_iter().chain(rows).collect() }
}
