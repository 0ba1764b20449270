//! Actions and chance outcomes of Azul with their notation.

use std::fmt;
use std::str::FromStr;

use super::{COLORS, Color, FACTORY_TILES, LETTERS, MAX_FACTORIES, SOURCES};
use crate::encode::Indexed;
use crate::error::NotationError;
use crate::tiles::Tiles;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    factories: [Tiles; MAX_FACTORIES],
    count: u8,
}

impl Deal {
    /// The deal that gives these tiles to the factories in order, at most 4 tiles to each of at most 9.
    pub fn new(factories: &[Tiles]) -> Self {
        let mut deal = Deal { factories: [Tiles::EMPTY; MAX_FACTORIES], count: factories.len() as u8 };
        deal.factories[..factories.len()].copy_from_slice(factories);
        deal
    }

    /// The deal to `count` factories with the tiles that `tiles(i)` gives for factory `i` (from 0).
    #[inline]
    pub(super) fn from_fn(count: usize, mut tiles: impl FnMut(usize) -> Tiles) -> Self {
        let mut deal = Deal { factories: [Tiles::EMPTY; MAX_FACTORIES], count: count as u8 };
        deal.factories[..count].iter_mut().enumerate().for_each(|(i, factory)| *factory = tiles(i));
        deal
    }

    /// The tiles of each factory.
    #[inline]
    pub fn factories(&self) -> &[Tiles] {
        &self.factories[..self.count as usize]
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, factory) in self.factories().iter().enumerate() {
            f.write_str(if i == 0 { "D" } else { "/" })?;
            if factory.is_empty() {
                f.write_str("-")?;
            }
            factory.letters(LETTERS).fmt(f)?;
        }
        Ok(())
    }
}

impl FromStr for Deal {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        let factory = |text: &str| match text {
            "-" => Some(Tiles::EMPTY),
            "" => None,
            _ => Tiles::from_letters(text, LETTERS).filter(|tiles| tiles.total() <= FACTORY_TILES),
        };
        token
            .strip_prefix('D')
            .filter(|factories| factories.len() < MAX_FACTORIES * (FACTORY_TILES as usize + 1))
            .and_then(|factories| factories.split('/').map(factory).collect::<Option<Vec<Tiles>>>())
            .filter(|factories| factories.len() <= MAX_FACTORIES)
            .map(|factories| Deal::new(&factories))
            // Letters stand in the color order: an outcome has one spelling.
            .filter(|deal| deal.to_string() == token)
            .ok_or_else(|| NotationError::new(token, "a deal such as DBBYR/KKWW/BYRK/RRRR/BWWW"))
    }
}
