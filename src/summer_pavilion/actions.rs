//! Actions and chance outcomes of Summer Pavilion with their notation.

use std::fmt;
use std::str::FromStr;

use super::{COLORS, Color, LETTERS, SLOTS, SOURCES, STAR_LETTERS, STAR_SLOTS, Slot};
use crate::error::NotationError;
use crate::factories;
use crate::index::Indexed;
use crate::tiles::Tiles;

/// A player's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// `3R`: take all tiles of a color, and one wild tile if there is any, from a source; of the wild color,
    /// which can be named only where nothing else lies, one tile.
    Acquire {
        /// 0 is the center, 1 to 9 a factory.
        source: u8,
        /// The color taken.
        color: Color,
    },
    /// `B6B3`: place a tile, paying for the slot.
    Place {
        /// Where the tile goes.
        slot: Slot,
        /// The tile's color.
        color: Color,
        /// How many of the tiles paid are wild, 0 to 5; 0 if the tile itself has the wild color.
        wilds: u8,
    },
    /// `+O`: take one bonus tile from the supply.
    Bonus(Color),
    /// `pass`: place no more tiles in this round.
    Pass,
    /// `keep:O`: keep one tile for the next round.
    Keep(Color),
    /// `done`: keep no more tiles, discard the rest.
    Done,
}

/// The numbers of wild tiles that a payment can name.
const WILDS: usize = STAR_SLOTS;
const FIRST_PLACE: usize = SOURCES * COLORS;
const FIRST_BONUS: usize = FIRST_PLACE + SLOTS * COLORS * WILDS;
const PASS: usize = FIRST_BONUS + COLORS;
const FIRST_KEEP: usize = PASS + 1;
const DONE: usize = FIRST_KEEP + COLORS;

impl Indexed for Action {
    /// 60 acquisitions (by source, color), 1,512 placements (by star, slot, color, wild tiles), 6 bonus
    /// tiles, the pass, 6 tiles to keep, done.
    const COUNT: usize = DONE + 1;

    #[inline]
    fn index(self) -> usize {
        match self {
            Action::Acquire { source, color } => source as usize * COLORS + color.index(),
            Action::Place { slot, color, wilds } => {
                FIRST_PLACE + (slot.index() * COLORS + color.index()) * WILDS + wilds as usize
            }
            Action::Bonus(color) => FIRST_BONUS + color.index(),
            Action::Pass => PASS,
            Action::Keep(color) => FIRST_KEEP + color.index(),
            Action::Done => DONE,
        }
    }

    fn from_index(index: usize) -> Self {
        match index {
            ..FIRST_PLACE => {
                Action::Acquire { source: (index / COLORS) as u8, color: Color::ALL[index % COLORS] }
            }
            FIRST_PLACE..FIRST_BONUS => {
                let place = index - FIRST_PLACE;
                let slot = place / (COLORS * WILDS);
                Action::Place {
                    slot: Slot::new(slot / STAR_SLOTS, slot % STAR_SLOTS),
                    color: Color::ALL[place / WILDS % COLORS],
                    wilds: (place % WILDS) as u8,
                }
            }
            FIRST_BONUS..PASS => Action::Bonus(Color::ALL[index - FIRST_BONUS]),
            PASS => Action::Pass,
            FIRST_KEEP..DONE => Action::Keep(Color::ALL[index - FIRST_KEEP]),
            DONE => Action::Done,
            _ => panic!("action index {index} is not below {}", Self::COUNT),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Acquire { source, color } => write!(f, "{source}{color}"),
            Action::Place { slot, color, wilds } => write!(f, "{slot}{color}{wilds}"),
            Action::Bonus(color) => write!(f, "+{color}"),
            Action::Pass => f.write_str("pass"),
            Action::Keep(color) => write!(f, "keep:{color}"),
            Action::Done => f.write_str("done"),
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        let color = |byte: u8| Color::from_letter(byte as char);
        let action = match *token.as_bytes() {
            [source @ b'0'..=b'9', letter] => {
                color(letter).map(|color| Action::Acquire { source: source - b'0', color })
            }
            [b'+', letter] => color(letter).map(Action::Bonus),
            [b'k', b'e', b'e', b'p', b':', letter] => color(letter).map(Action::Keep),
            [star, number @ b'1'..=b'6', letter, wilds @ b'0'..=b'5'] => STAR_LETTERS
                .find(star as char)
                .map(|star| Slot::new(star, (number - b'1').into()))
                .zip(color(letter))
                .map(|(slot, color)| Action::Place { slot, color, wilds: wilds - b'0' }),
            _ if token == "pass" => Some(Action::Pass),
            _ if token == "done" => Some(Action::Done),
            _ => None,
        };
        action.ok_or_else(|| {
            NotationError::new(
                token,
                "an action such as 3R, B6B3 (slot, color, wild tiles), +O, pass or keep:O",
            )
        })
    }
}

/// A chance outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// `SOORGP`: tiles drawn into the supply, at least one.
    Supply(Tiles),
    /// `DOORG/BBYP/…`: tiles dealt to the factories.
    Deal(Deal),
}

/// The tiles dealt to each factory.
pub type Deal = factories::Deal<Color>;

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Supply(tiles) => write!(f, "S{}", tiles.letters(LETTERS)),
            Outcome::Deal(deal) => deal.fmt(f),
        }
    }
}

impl FromStr for Outcome {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        let outcome = if let Some(letters) = token.strip_prefix('S') {
            in_order(letters).map(Outcome::Supply)
        } else {
            Deal::read(token).map(Outcome::Deal)
        };
        outcome.ok_or_else(|| {
            NotationError::new(token, "a chance outcome such as SORBBYGPPPP or DOORG/BBYP/RRRR/OBGP/YYGG")
        })
    }
}

/// At least one tile, written in the order of colors: every multiset has one spelling.
fn in_order(letters: &str) -> Option<Tiles> {
    let sorted = letters.bytes().map(|letter| LETTERS.find(letter as char)).is_sorted();
    Tiles::from_letters(letters, LETTERS).filter(|tiles| sorted && !tiles.is_empty())
}
