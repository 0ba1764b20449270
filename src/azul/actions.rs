//! Actions and chance outcomes of Azul with their notation.

use std::fmt;
use std::str::FromStr;

use super::{COLORS, Color, SOURCES};
use crate::error::NotationError;
use crate::factories;
use crate::index::Indexed;

/// A player's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// `3R4`: take all tiles of a color from a source into a pattern line.
    Draft {
        /// 0 is the center, 1 to 9 a factory.
        source: u8,
        /// The color taken.
        color: Color,
        /// 1 to 5 a pattern line, 0 the floor.
        line: u8,
    },
    /// `T42` (gray wall): move a complete line's tile to a column.
    Tile {
        /// The line and its row, 0 to 4 (written from 1).
        row: u8,
        /// The column, 0 to 4 (written from 1).
        column: u8,
    },
}

/// The number of targets of a draft: the floor and five lines.
const TARGETS: usize = COLORS + 1;
const DRAFTS: usize = SOURCES * COLORS * TARGETS;

impl Indexed for Action {
    /// 300 drafts (by source, color, line), then 25 tilings (by row, column).
    const COUNT: usize = DRAFTS + COLORS * COLORS;

    fn index(self) -> usize {
        match self {
            Action::Draft { source, color, line } => {
                (source as usize * COLORS + color.index()) * TARGETS + line as usize
            }
            Action::Tile { row, column } => DRAFTS + row as usize * COLORS + column as usize,
        }
    }

    fn from_index(index: usize) -> Self {
        assert!(index < Self::COUNT, "action index {index} is not below {}", Self::COUNT);
        match index.checked_sub(DRAFTS) {
            None => Action::Draft {
                source: (index / (COLORS * TARGETS)) as u8,
                color: Color::ALL[index / TARGETS % COLORS],
                line: (index % TARGETS) as u8,
            },
            Some(tile) => Action::Tile { row: (tile / COLORS) as u8, column: (tile % COLORS) as u8 },
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Draft { source, color, line } => write!(f, "{source}{color}{line}"),
            Action::Tile { row, column } => write!(f, "T{}{}", row + 1, column + 1),
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        let digit = |byte: u8, range: std::ops::RangeInclusive<u8>| {
            let value = byte.wrapping_sub(b'0');
            range.contains(&value).then_some(value)
        };
        let action = match *token.as_bytes() {
            [b'T', row, column] => digit(row, 1..=5)
                .zip(digit(column, 1..=5))
                .map(|(row, column)| Action::Tile { row: row - 1, column: column - 1 }),
            [source, color, line] => digit(source, 0..=9)
                .zip(digit(line, 0..=5))
                .zip(Color::from_letter(color as char))
                .map(|((source, line), color)| Action::Draft { source, color, line }),
            _ => None,
        };
        action.ok_or_else(|| NotationError::new(token, "an action such as 3R4 (source, color, line) or T42"))
    }
}

/// A chance outcome: the tiles dealt to each factory, `DBBYR/KKWW/BYRK/RRRR/BWWW`.
pub type Deal = factories::Deal<Color>;

impl FromStr for Deal {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        Deal::read(token).ok_or_else(|| NotationError::new(token, "a deal such as DBBYR/KKWW/BYRK/RRRR/BWWW"))
    }
}
