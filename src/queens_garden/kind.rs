//! Colors, patterns, kinds of hexagons and sets of kinds.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use crate::bits;
use crate::colors::colors;

/// The number of colors.
pub const COLORS: usize = 6;
/// The number of patterns.
pub const PATTERNS: usize = 6;
/// The number of kinds: every color with every pattern.
pub const KINDS: usize = COLORS * PATTERNS;

colors! {
    /// A hexagon's color.
    Yellow = "Y",
    LightBlue = "B",
    LightGreen = "L",
    DarkGreen = "G",
    LightPurple = "P",
    DarkPurple = "V",
}

/// A hexagon's pattern; `Display` is its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Pattern {
    /// Worth 1.
    #[default]
    Tree,
    /// Worth 2.
    Bird,
    /// Worth 3.
    Butterfly,
    /// Worth 4.
    Flower,
    /// Worth 5.
    Plant,
    /// Worth 6.
    Lily,
}

impl Pattern {
    /// All patterns, cheapest first.
    pub const ALL: [Pattern; PATTERNS] =
        [Pattern::Tree, Pattern::Bird, Pattern::Butterfly, Pattern::Flower, Pattern::Plant, Pattern::Lily];

    /// The pattern's number, 0 to 5: its value less 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What the pattern is worth and what placing it costs: 1 to 6.
    #[inline]
    pub const fn value(self) -> u8 {
        self as u8 + 1
    }

    /// The pattern with this value, 1 to 6.
    pub(crate) fn from_value(value: u8) -> Option<Self> {
        Pattern::ALL.get((value as usize).wrapping_sub(1)).copied()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

/// What a hexagon shows, on a tile or printed on a garden expansion: a color and a pattern. Written `B4`.
///
/// Kinds are ordered by color, then value, and numbered 0 to 35 in that order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u8);

impl Kind {
    /// The kind of this color and pattern.
    #[inline]
    pub const fn new(color: Color, pattern: Pattern) -> Self {
        Kind((color.index() * PATTERNS + pattern.index()) as u8)
    }

    /// The kind with this number.
    ///
    /// # Panics
    /// If `index` is not below [`KINDS`].
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < KINDS, "a kind is a number from 0 to 35");
        Kind(index as u8)
    }

    /// All kinds in order.
    pub fn all() -> impl Iterator<Item = Kind> {
        (0..KINDS).map(Kind::from_index)
    }

    /// The kind's number, below [`KINDS`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The kind's color.
    #[inline]
    pub const fn color(self) -> Color {
        Color::ALL[self.index() / PATTERNS]
    }

    /// The kind's pattern.
    #[inline]
    pub const fn pattern(self) -> Pattern {
        Pattern::ALL[self.index() % PATTERNS]
    }

    /// The pattern's value, 1 to 6.
    #[inline]
    pub const fn value(self) -> u8 {
        self.pattern().value()
    }

    /// The kind that two bytes spell: `B4`.
    pub(crate) fn from_bytes(color: u8, value: u8) -> Option<Self> {
        let color = Color::from_letter(color as char)?;
        Pattern::from_value(value.wrapping_sub(b'0')).map(|pattern| Kind::new(color, pattern))
    }

    /// The kind that a text spells: `B4`.
    pub fn from_text(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [color, value] => Kind::from_bytes(color, value),
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.color(), self.pattern())
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Kind>", into = "Vec<Kind>")]
pub struct KindSet(u64);

impl KindSet {
    /// No kind.
    pub const EMPTY: KindSet = KindSet(0);
    /// Every kind.
    pub const ALL: KindSet = KindSet((1 << KINDS) - 1);

    /// The set of one kind.
    #[inline]
    pub const fn of(kind: Kind) -> Self {
        KindSet(1 << kind.index())
    }

    /// The kinds of a color.
    #[inline]
    pub const fn of_color(color: Color) -> Self {
        KindSet(0b11_1111 << (PATTERNS * color.index()))
    }

    /// The kinds of a pattern.
    #[inline]
    pub const fn of_pattern(pattern: Pattern) -> Self {
        KindSet(0x4104_1041 << pattern.index())
    }

    /// The kinds after this one.
    #[inline]
    pub const fn after(kind: Kind) -> Self {
        KindSet(Self::ALL.0 & !(Self::of(kind).0 * 2 - 1))
    }

    /// The set whose kinds' numbers are the set bits.
    #[inline]
    pub(super) const fn from_mask(mask: u64) -> Self {
        KindSet(mask & Self::ALL.0)
    }

    /// Bit `k` for kind number `k`.
    #[inline]
    pub const fn mask(self) -> u64 {
        self.0
    }

    /// Whether the kind is in the set.
    #[inline]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 >> kind.index() & 1 == 1
    }

    /// Whether there is no kind.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of kinds.
    #[inline]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// The kinds in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Kind> + Clone {
        bits::positions(self.0).map(Kind::from_index)
    }

    /// Kind number `n` of the set, counted from 0 in order; `n` is below [`KindSet::len`].
    #[inline]
    pub(crate) fn nth(self, n: u8) -> Kind {
        Kind::from_index(bits::nth(self.0, n.into()))
    }

    /// How many kinds of each color there are.
    #[inline]
    pub fn by_color(self) -> PerLine {
        // Within each color's 6 bits: pairs, then the three pairs together.
        let pairs = (self.0 & ODD) + (self.0 >> 1 & ODD);
        PerLine((pairs & PAIR) + (pairs >> 2 & PAIR) + (pairs >> 4 & PAIR))
    }

    /// How many kinds of each pattern there are.
    #[inline]
    pub fn by_pattern(self) -> PerLine {
        PerLine((0..COLORS).map(|color| SPREAD[(self.0 >> (PATTERNS * color) & 0b11_1111) as usize]).sum())
    }
}

/// The lowest bit of each color's lane of 6 bits.
const LANES: u64 = 0x4104_1041;
const ODD: u64 = LANES * 0b01_0101;
const PAIR: u64 = LANES * 0b11;

/// For each 6 bits: bit `i` moved to the lowest bit of lane `i`.
const SPREAD: [u64; 64] = {
    let mut spread = [0; 64];
    let mut bits = 0;
    while bits < 64 {
        let mut bit = 0;
        while bit < PATTERNS {
            spread[bits] |= (bits as u64 >> bit & 1) << (PATTERNS * bit);
            bit += 1;
        }
        bits += 1;
    }
    spread
};

/// Six small numbers, below 64 each, one per color or per pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerLine(u64);

impl PerLine {
    /// The number for color or pattern number `line` (0 to 5).
    #[inline]
    pub const fn get(self, line: usize) -> u8 {
        (self.0 >> (PATTERNS * line) & 0b11_1111) as u8
    }

    /// The lines whose number is not 0: bit `i` for line `i`.
    #[inline]
    pub(crate) const fn nonzero(self) -> u8 {
        // One less than half a lane carries a number from 1 up into the lane's high bit.
        high_bits(self.0 + LANES * 0b01_1111)
    }

    /// The lines whose number is at most `bound`, below 32: bit `i` for line `i`.
    #[inline]
    pub(crate) const fn at_most(self, bound: u8) -> u8 {
        high_bits(LANES * (0b10_0000 | bound as u64) - self.0)
    }
}

/// The lanes' high bits side by side.
#[inline]
const fn high_bits(lanes: u64) -> u8 {
    // The product moves bit 6 i to bit 25 + i; no two of its partial products meet.
    ((lanes >> 5 & LANES).wrapping_mul(0x0210_8421) >> 25 & 0b11_1111) as u8
}

impl BitOr for KindSet {
    type Output = KindSet;
    #[inline]
    fn bitor(self, other: KindSet) -> KindSet {
        KindSet(self.0 | other.0)
    }
}

impl BitOrAssign for KindSet {
    #[inline]
    fn bitor_assign(&mut self, other: KindSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for KindSet {
    type Output = KindSet;
    #[inline]
    fn bitand(self, other: KindSet) -> KindSet {
        KindSet(self.0 & other.0)
    }
}

/// The kinds of the left set that are not in the right one.
impl Sub for KindSet {
    type Output = KindSet;
    #[inline]
    fn sub(self, other: KindSet) -> KindSet {
        KindSet(self.0 & !other.0)
    }
}

impl SubAssign for KindSet {
    #[inline]
    fn sub_assign(&mut self, other: KindSet) {
        self.0 &= !other.0;
    }
}

impl From<KindSet> for Vec<Kind> {
    fn from(kinds: KindSet) -> Self {
        kinds.iter().collect()
    }
}

impl TryFrom<Vec<Kind>> for KindSet {
    type Error = String;

    fn try_from(list: Vec<Kind>) -> Result<Self, String> {
        list.into_iter().try_fold(KindSet::EMPTY, |set, kind| match set.contains(kind) {
            true => Err(format!("found {kind} twice; each expansion exists once")),
            false => Ok(set | KindSet::of(kind)),
        })
    }
}

impl FromIterator<Kind> for KindSet {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        kinds.into_iter().fold(KindSet::EMPTY, |all, kind| all | KindSet::of(kind))
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    #[test]
    fn kinds_print_and_parse_in_order() {
        let all: Vec<String> = Kind::all().map(|kind| kind.to_string()).collect();
        assert_eq!((all[0].as_str(), all[9].as_str(), all[35].as_str()), ("Y1", "B4", "V6"));
        assert!(Kind::all().all(|kind| Kind::from_text(&kind.to_string()) == Some(kind)));
        for text in ["", "B", "B0", "B7", "X1", "b4", "B44", "4B", "Bé"] {
            assert_eq!(Kind::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn lines_are_counted() {
        let mut rng = crate::Generator::new(1);
        for _ in 0..1000 {
            let set = KindSet::from_mask(rng.next_u64());
            for bound in 0..=14 {
                let (colors, patterns) = (set.by_color(), set.by_pattern());
                for line in 0..6 {
                    assert_eq!(colors.at_most(bound) >> line & 1 == 1, colors.get(line) <= bound);
                    assert_eq!(patterns.nonzero() >> line & 1 == 1, patterns.get(line) > 0);
                }
            }
            for color in Color::ALL {
                assert_eq!(set.by_color().get(color.index()), (set & KindSet::of_color(color)).len());
            }
            for pattern in Pattern::ALL {
                assert_eq!(set.by_pattern().get(pattern.index()), (set & KindSet::of_pattern(pattern)).len());
            }
        }
    }
}
