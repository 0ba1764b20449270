//! One of the best actions, as an engine tells it: [`CandidateInfo`].

use std::fmt;

use azulejo::Game;

use crate::agent::SearchedAction;

/// A candidate of a search, as the text of an `info` line: `multipv 1 action 3B2 visits 812 win 0.571 lead 2.4 pv 3B2 0K2`.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateInfo {
    /// Its place among the candidates, from 1, the best.
    pub rank: usize,
    /// The action.
    pub action: String,
    /// How often the search visited it.
    pub visits: u64,
    /// The share of the win that the player to move can expect, 0 to 1.
    pub win: f32,
    /// The lead in points over the best other seat that the player to move can expect.
    pub lead: f32,
    /// The expected line of play, from the action on.
    pub line: Vec<String>,
}

impl CandidateInfo {
    /// The lines of a search's candidates, the best first.
    pub fn of<G: Game>(candidates: &[SearchedAction<G>]) -> impl Iterator<Item = Self> {
        let info = |(rank, candidate): (usize, &SearchedAction<G>)| CandidateInfo {
            rank,
            action: candidate.action.to_string(),
            visits: candidate.visits.into(),
            win: candidate.win,
            lead: candidate.lead,
            line: candidate.line.iter().map(ToString::to_string).collect(),
        };
        (1..).zip(candidates).map(info)
    }

    /// Reads the text of an `info` line; `None` if it is about something else, or something is missing. Words that are not
    /// known are passed over.
    pub fn read(text: &str) -> Option<Self> {
        let (before, line) = text.split_once(" pv ").unwrap_or((text, ""));
        let value = |key: &str| {
            let mut words = before.split_whitespace();
            words.find(|word| *word == key)?;
            words.next()
        };
        Some(CandidateInfo {
            rank: value("multipv")?.parse().ok().filter(|&rank| rank > 0)?,
            action: value("action")?.to_owned(),
            visits: value("visits")?.parse().ok()?,
            win: value("win")?.parse().ok()?,
            lead: value("lead")?.parse().ok()?,
            line: line.split_whitespace().map(str::to_owned).collect(),
        })
    }
}

impl fmt::Display for CandidateInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CandidateInfo { rank, action, visits, win, lead, line } = self;
        // Without the sign of what is rounded to nothing.
        let lead = (10.0 * lead).round() / 10.0 + 0.0;
        write!(f, "multipv {rank} action {action} visits {visits} win {win:.3} lead {lead:.1}")?;
        if line.is_empty() { Ok(()) } else { write!(f, " pv {}", line.join(" ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate() -> CandidateInfo {
        CandidateInfo {
            rank: 1,
            action: "3B2".to_owned(),
            visits: 812,
            win: 0.571,
            lead: 2.4,
            line: vec!["3B2".to_owned(), "0K2".to_owned()],
        }
    }

    #[test]
    fn a_candidate_prints_and_reads_back() {
        let text = "multipv 1 action 3B2 visits 812 win 0.571 lead 2.4 pv 3B2 0K2";
        assert_eq!(candidate().to_string(), text);
        assert_eq!(CandidateInfo::read(text), Some(candidate()));
        let short = CandidateInfo { lead: -0.04, line: Vec::new(), ..candidate() };
        assert_eq!(short.to_string(), "multipv 1 action 3B2 visits 812 win 0.571 lead 0.0");
        assert_eq!(CandidateInfo::read(&short.to_string()), Some(CandidateInfo { lead: 0.0, ..short }));
    }

    #[test]
    fn candidates_of_other_engines_are_read_leniently() {
        let text = " depth 7  multipv 1 visits 812 wdl 1 2 3 win 0.571 lead 2.4 action 3B2 pv 3B2 0K2 ";
        assert_eq!(CandidateInfo::read(text), Some(candidate()));
        for text in [
            "",
            "depth 3 nodes 5 score 0.1 -0.1 pv 3B2",
            "multipv 0 action 3B2 visits 812 win 0.571 lead 2.4",
            "multipv 1 action 3B2 visits many win 0.571 lead 2.4",
            "multipv 1 visits 812 win 0.571 lead 2.4 pv action 3B2",
            "multipv 1 action 3B2 visits 812 win 0.571 lead",
        ] {
            assert_eq!(CandidateInfo::read(text), None, "{text}");
        }
    }
}
