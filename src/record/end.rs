//! How a recorded game ended: [`End`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::excerpt;
use crate::game::{Game, Turn};
use crate::player::Seat;

/// How a recorded game ended. `Display` and `FromStr` are its written form: `finished`, `truncated`,
/// `forfeit:1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By its rules.
    Finished,
    /// At the move limit.
    Truncated,
    /// This seat's agent crashed, ran out of time or moved illegally.
    Forfeit(Seat),
}

impl End {
    /// The end of a game that stops in this state by nobody's fault.
    pub fn at<G: Game>(state: &G) -> Self {
        if state.turn() == Turn::Over { End::Finished } else { End::Truncated }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Finished => f.write_str("finished"),
            End::Truncated => f.write_str("truncated"),
            End::Forfeit(seat) => write!(f, "forfeit:{seat}"),
        }
    }
}

impl FromStr for End {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "finished" => Ok(End::Finished),
            "truncated" => Ok(End::Truncated),
            _ => text
                .strip_prefix("forfeit:")
                .and_then(|text| Seat::all(crate::MAX_PLAYERS).find(|seat| seat.to_string() == text))
                .map(End::Forfeit)
                .ok_or_else(|| {
                    format!("'{}' is no end: expected finished, truncated or forfeit:<seat>", excerpt(text))
                }),
        }
    }
}

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for End {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
