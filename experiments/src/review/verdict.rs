//! What a judge says of one decision.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A judge's verdict on a decision: an entry of a record's `analysis`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveVerdict {
    /// What each seat can expect before the move, -1 to 1: by a judge 2 × share of the win − 1, by players their utility.
    pub values: Vec<f32>,
    /// The actions that were searched with their visit counts.
    pub visits: Vec<(String, u32)>,
    /// The lead in points over the best other seat that each seat can expect before the move; empty in older reviews, and of
    /// players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leads: Vec<f32>,
    /// The best action; absent in records of players that analyzed their own moves: the most visited one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// The share of the win, 0 to 1, that who decides can expect after the best action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<f32>,
    /// The lead in points that who decides can expect after the best action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<f32>,
    /// The expected line of play, from the best action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// The share of the win, 0 to 1, that the move played has less than the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f32>,
    /// The lead in points, at the end of the game, that the move played has less than the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_lost: Option<f32>,
}

impl MoveVerdict {
    /// The best action.
    pub fn best(&self) -> Option<&str> {
        let most = self.visits.iter().max_by_key(|visit| visit.1).map(|visit| &visit.0);
        self.best.as_ref().or(most).map(String::as_str)
    }

    /// The mark of a move that loses much.
    pub fn mark(&self) -> Option<Mark> {
        let loss = self.loss?;
        Mark::ALL.into_iter().rev().find(|mark| loss >= mark.threshold())
    }
}

/// The mark of a move that loses much of the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `?!`: at least 5 %.
    Inaccuracy,
    /// `?`: at least 10 %.
    Mistake,
    /// `??`: at least 20 %.
    Blunder,
}

impl Mark {
    /// All marks, the mildest first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// What the mark means: `"blunder"`.
    pub fn in_words(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }

    /// The share of the win from which on a loss gets this mark.
    fn threshold(self) -> f32 {
        match self {
            Mark::Inaccuracy => 0.05,
            Mark::Mistake => 0.1,
            Mark::Blunder => 0.2,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        })
    }
}
