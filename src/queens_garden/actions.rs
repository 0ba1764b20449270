//! Actions and chance outcomes of Queen's Garden with their notation.

use std::fmt;
use std::str::FromStr;

use super::counts::TileCounts;
use super::kind::{COLORS, Color, KINDS, Kind, KindSet, PATTERNS, Pattern};
use super::place::{AREAS, PLACES, Place};
use super::{MAX_SLOTS, TOP_TILES};
use crate::error::NotationError;
use crate::index::Indexed;

/// What is acquired together: all patterns of one color, or all colors of one pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selection {
    /// Every kind of this color.
    Color(Color),
    /// Every kind of this pattern.
    Pattern(Pattern),
}

impl Selection {
    /// The kinds that belong to the selection.
    #[inline]
    pub const fn kinds(self) -> KindSet {
        match self {
            Selection::Color(color) => KindSet::of_color(color),
            Selection::Pattern(pattern) => KindSet::of_pattern(pattern),
        }
    }

    /// 0 to 5 a color, 6 to 11 a pattern.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        match self {
            Selection::Color(color) => color.index(),
            Selection::Pattern(pattern) => COLORS + pattern.index(),
        }
    }

    /// The selection with this number.
    ///
    /// # Panics
    /// If `index` is above 11.
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Self {
        match index.checked_sub(COLORS) {
            None => Selection::Color(Color::ALL[index]),
            Some(pattern) => Selection::Pattern(Pattern::ALL[pattern]),
        }
    }
}

/// The number of selections.
pub(super) const SELECTIONS: usize = COLORS + PATTERNS;

/// A player's decision: a turn consists of one or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// `acq:B`, `acq:4`: acquire one item of every kind of a color or pattern that the display shows.
    Acquire(Selection),
    /// `take:2`: the next kind shown at several slots comes from this slot, numbered from 1.
    Take(u8),
    /// `tile:B4`: place a tile of this kind.
    Tile(Kind),
    /// `exp:B4`: place an expansion of this kind face up.
    Expansion(Kind),
    /// `at:23`: the tile's place, or the place of the expansion's printed hexagon.
    At(Place),
    /// `pay:B2`: pay with a tile.
    Pay(Kind),
    /// `payx:B2`: pay with an expansion.
    PayExpansion(Kind),
    /// `joker`: pay all that is still owed with jokers.
    Joker,
    /// `buy:3`: pay points for a face-down expansion and lay it on this area, 1 to 6.
    Buy(u8),
    /// `pass`: take no more turns in this round.
    #[default]
    Pass,
    /// `drop:B4`: after passing, discard a tile.
    Drop(Kind),
    /// `dropx:B4`: after passing, discard an expansion.
    DropExpansion(Kind),
    /// `done`: keep the rest of the storage.
    Done,
}

const TAKE: usize = SELECTIONS;
const TILE: usize = TAKE + MAX_SLOTS;
const EXPANSION: usize = TILE + KINDS;
const AT: usize = EXPANSION + KINDS;
const PAY: usize = AT + PLACES;
const PAY_EXPANSION: usize = PAY + KINDS;
const JOKER: usize = PAY_EXPANSION + KINDS;
const BUY: usize = JOKER + 1;
const PASS: usize = BUY + AREAS - 1;
const DROP: usize = PASS + 1;
const DROP_EXPANSION: usize = DROP + KINDS;
const DONE: usize = DROP_EXPANSION + KINDS;

impl Indexed for Action {
    /// 12 selections, 8 slots, 36 tiles and 36 expansions to place, 49 places, 36 tiles and 36 expansions to
    /// pay with, joker, 6 areas to buy for, pass, 36 tiles and 36 expansions to discard, done.
    const COUNT: usize = DONE + 1;

    fn index(self) -> usize {
        match self {
            Action::Acquire(selection) => selection.index(),
            Action::Take(slot) => TAKE + slot as usize - 1,
            Action::Tile(kind) => TILE + kind.index(),
            Action::Expansion(kind) => EXPANSION + kind.index(),
            Action::At(place) => AT + place.index(),
            Action::Pay(kind) => PAY + kind.index(),
            Action::PayExpansion(kind) => PAY_EXPANSION + kind.index(),
            Action::Joker => JOKER,
            Action::Buy(area) => BUY + area as usize - 1,
            Action::Pass => PASS,
            Action::Drop(kind) => DROP + kind.index(),
            Action::DropExpansion(kind) => DROP_EXPANSION + kind.index(),
            Action::Done => DONE,
        }
    }

    fn from_index(index: usize) -> Self {
        let kind = |first: usize| Kind::from_index(index - first);
        match index {
            0..TAKE => Action::Acquire(Selection::from_index(index)),
            TAKE..TILE => Action::Take((index - TAKE) as u8 + 1),
            TILE..EXPANSION => Action::Tile(kind(TILE)),
            EXPANSION..AT => Action::Expansion(kind(EXPANSION)),
            AT..PAY => Action::At(Place::from_index(index - AT)),
            PAY..PAY_EXPANSION => Action::Pay(kind(PAY)),
            PAY_EXPANSION..JOKER => Action::PayExpansion(kind(PAY_EXPANSION)),
            JOKER => Action::Joker,
            BUY..PASS => Action::Buy((index - BUY) as u8 + 1),
            PASS => Action::Pass,
            DROP..DROP_EXPANSION => Action::Drop(kind(DROP)),
            DROP_EXPANSION..DONE => Action::DropExpansion(kind(DROP_EXPANSION)),
            DONE => Action::Done,
            _ => panic!("action index {index} is not below {}", Self::COUNT),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Acquire(Selection::Color(color)) => write!(f, "acq:{color}"),
            Action::Acquire(Selection::Pattern(pattern)) => write!(f, "acq:{pattern}"),
            Action::Take(slot) => write!(f, "take:{slot}"),
            Action::Tile(kind) => write!(f, "tile:{kind}"),
            Action::Expansion(kind) => write!(f, "exp:{kind}"),
            Action::At(place) => write!(f, "at:{place}"),
            Action::Pay(kind) => write!(f, "pay:{kind}"),
            Action::PayExpansion(kind) => write!(f, "payx:{kind}"),
            Action::Joker => f.write_str("joker"),
            Action::Buy(area) => write!(f, "buy:{area}"),
            Action::Pass => f.write_str("pass"),
            Action::Drop(kind) => write!(f, "drop:{kind}"),
            Action::DropExpansion(kind) => write!(f, "dropx:{kind}"),
            Action::Done => f.write_str("done"),
        }
    }
}

/// The digit that a byte spells, if it is in 1 to `most`.
fn digit(byte: u8, most: usize) -> Option<u8> {
    let value = byte.wrapping_sub(b'0');
    (1..=most).contains(&value.into()).then_some(value)
}

fn selection(byte: u8) -> Option<Selection> {
    let color = Color::from_letter(byte as char).map(Selection::Color);
    color.or_else(|| Pattern::from_value(byte.wrapping_sub(b'0')).map(Selection::Pattern))
}

/// The action that a token spells, if it spells one.
fn parse(token: &str) -> Option<Action> {
    let Some((word, argument)) = token.split_once(':') else {
        return match token {
            "joker" => Some(Action::Joker),
            "pass" => Some(Action::Pass),
            "done" => Some(Action::Done),
            _ => None,
        };
    };
    let kind = Kind::from_text(argument);
    match (word, argument.as_bytes()) {
        ("acq", &[byte]) => selection(byte).map(Action::Acquire),
        ("take", &[slot]) => digit(slot, MAX_SLOTS).map(Action::Take),
        ("at", &[area, spot]) => Place::from_bytes(area, spot).map(Action::At),
        ("buy", &[area]) => digit(area, AREAS - 1).map(Action::Buy),
        ("tile", _) => kind.map(Action::Tile),
        ("exp", _) => kind.map(Action::Expansion),
        ("pay", _) => kind.map(Action::Pay),
        ("payx", _) => kind.map(Action::PayExpansion),
        ("drop", _) => kind.map(Action::Drop),
        ("dropx", _) => kind.map(Action::DropExpansion),
        _ => None,
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        parse(token).ok_or_else(|| {
            NotationError::new(token, "an action such as acq:B, acq:4, tile:B4, at:23, pay:B2, buy:3 or pass")
        })
    }
}

/// A chance outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// `FY1,B4,B4,V6`: these tiles, up to 4, come onto the stack's top; `F-` if bag and tower are empty.
    Fill(TileCounts),
    /// `R3:B4`: the empty expansion at a slot, numbered from 1, is turned up and shows this kind.
    Reveal {
        /// The slot, from 1.
        slot: u8,
        /// What the expansion shows.
        kind: Kind,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Fill(tiles) if tiles.is_empty() => f.write_str("F-"),
            Outcome::Fill(tiles) => tiles
                .iter()
                .enumerate()
                .try_for_each(|(i, kind)| write!(f, "{}{kind}", if i == 0 { "F" } else { "," })),
            Outcome::Reveal { slot, kind } => write!(f, "R{slot}:{kind}"),
        }
    }
}

fn parse_fill(tiles: &str) -> Option<TileCounts> {
    if tiles == "-" {
        return Some(TileCounts::EMPTY);
    }
    // Each kind takes two letters and, but for the last, a comma.
    if tiles.len() >= 3 * TOP_TILES as usize {
        return None;
    }
    let kinds: Vec<Kind> = tiles.split(',').map(Kind::from_text).collect::<Option<_>>()?;
    kinds.is_sorted().then(|| TileCounts::from_kinds(kinds))?
}

impl FromStr for Outcome {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        let outcome = match *token.as_bytes() {
            [b'R', slot, b':', color, value] => digit(slot, MAX_SLOTS)
                .zip(Kind::from_bytes(color, value))
                .map(|(slot, kind)| Outcome::Reveal { slot, kind }),
            _ => token.strip_prefix('F').and_then(parse_fill).map(Outcome::Fill),
        };
        outcome.ok_or_else(|| {
            NotationError::new(
                token,
                "tiles such as FY1,B4,B4,V6 (at most 4, in order; F- for none) or a reveal such as R3:B4",
            )
        })
    }
}
