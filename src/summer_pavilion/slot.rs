//! The geometry of a board: slots, runs within a star, and the features between slots.

use std::fmt;

use super::{COLORS, Color, SLOTS, STAR_LETTERS, STAR_SLOTS};

/// A place for one tile on a board: slot 1 to 6 of a star. `Display` writes `B6` or `C1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u8);

impl Slot {
    /// The slot of a star (0 to 6) at a position (0 to 5, written from 1).
    ///
    /// # Panics
    /// If one of them is out of range.
    #[inline]
    pub const fn new(star: usize, position: usize) -> Self {
        assert!(star <= COLORS && position < STAR_SLOTS, "a board has 7 stars of 6 slots");
        Slot((star * STAR_SLOTS + position) as u8)
    }

    /// All slots in order: star by star, positions ascending.
    pub fn all() -> impl Iterator<Item = Slot> {
        (0..SLOTS as u8).map(Slot)
    }

    /// The slot's number on the board, 0 to 41: the number of its bit in a set of slots.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The slot's star: 0 to 5 in the order of colors, 6 for the center.
    #[inline]
    pub const fn star(self) -> usize {
        self.index() / STAR_SLOTS
    }

    /// The slot's position in its star, 0 to 5; slots are written from 1.
    #[inline]
    pub const fn position(self) -> usize {
        self.index() % STAR_SLOTS
    }

    /// The set of slots that holds only this one.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = self.star();
        write!(f, "{}{}", &STAR_LETTERS[star..=star], self.position() + 1)
    }
}

/// `RUN[ring][position]`: the length of the run of set bits of a ring of 6 through `position`, which counts
/// as set.
const RUN: [[u8; STAR_SLOTS]; 64] = run_lengths();

const fn run_lengths() -> [[u8; STAR_SLOTS]; 64] {
    let mut table = [[0; STAR_SLOTS]; 64];
    let mut ring = 0;
    while ring < 64 {
        let mut position = 0;
        while position < STAR_SLOTS {
            let set = ring | 1 << position;
            let mut run = 1;
            // Clockwise from the slot, then, unless that already went all around, the other way.
            while run < STAR_SLOTS && set >> ((position + run) % STAR_SLOTS) & 1 == 1 {
                run += 1;
            }
            let mut back = 1;
            while run < STAR_SLOTS && set >> ((position + STAR_SLOTS - back) % STAR_SLOTS) & 1 == 1 {
                run += 1;
                back += 1;
            }
            table[ring][position] = run as u8;
            position += 1;
        }
        ring += 1;
    }
    table
}

/// The length of the run of filled slots of a star through a position: `star` has bit `p` for position `p`.
#[inline]
pub(super) const fn run_length(star: u8, position: usize) -> i16 {
    RUN[star as usize % 64][position] as i16
}

/// What stands between slots; each kind brings its own number of bonus tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeatureKind {
    /// Between two slots of an outer star and two of the center.
    Pillar,
    /// Between two slots of an outer star and two of the next one clockwise.
    Statue,
    /// Beside two slots of one outer star.
    Window,
}

/// A pillar, statue or window with the slots that surround it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Feature {
    /// What it is.
    pub kind: FeatureKind,
    /// The set of slots to fill, bit [`Slot::index`].
    pub slots: u64,
}

impl Feature {
    /// All features: for each outer star in color order its pillar, its statue and its window.
    pub const ALL: [Feature; 3 * COLORS] = all_features();

    /// The features of the outer star of a color: pillar, statue, window.
    pub fn of_star(color: Color) -> &'static [Feature] {
        &Self::ALL[3 * color.index()..3 * color.index() + 3]
    }

    /// Whether all slots around it are among these.
    #[inline]
    pub(crate) const fn is_complete(self, filled: u64) -> bool {
        filled & self.slots == self.slots
    }
}

/// The set of slots given as pairs of a star and a slot number from 1.
const fn set<const N: usize>(slots: [(usize, usize); N]) -> u64 {
    let mut bits = 0;
    let mut i = 0;
    while i < N {
        bits |= Slot::new(slots[i].0, slots[i].1 - 1).bit();
        i += 1;
    }
    bits
}

const fn all_features() -> [Feature; 3 * COLORS] {
    let mut all = [NOTHING; 3 * COLORS];
    let mut star = 0;
    while star < COLORS {
        let next = (star + 1) % COLORS;
        // The pillar of star 0 touches center slots 6 and 1, that of star 1 slots 1 and 2, and so on around.
        let before = if star == 0 { STAR_SLOTS } else { star };
        let pillar = set([(star, 2), (star, 3), (COLORS, before), (COLORS, star + 1)]);
        let statue = set([(star, 1), (star, 2), (next, 3), (next, 4)]);
        let window = set([(star, 5), (star, 6)]);
        all[3 * star] = Feature { kind: FeatureKind::Pillar, slots: pillar };
        all[3 * star + 1] = Feature { kind: FeatureKind::Statue, slots: statue };
        all[3 * star + 2] = Feature { kind: FeatureKind::Window, slots: window };
        star += 1;
    }
    all
}

/// Fills the second place of slots that touch one feature only: never complete.
const NOTHING: Feature = Feature { kind: FeatureKind::Pillar, slots: u64::MAX };

/// The features that touch each slot: one or two.
const TOUCHING: [[Feature; 2]; SLOTS] = touching();

const fn touching() -> [[Feature; 2]; SLOTS] {
    let mut table = [[NOTHING; 2]; SLOTS];
    let mut slot = 0;
    while slot < SLOTS {
        let mut found = 0;
        let mut i = 0;
        while i < Feature::ALL.len() {
            if Feature::ALL[i].slots >> slot & 1 == 1 {
                table[slot][found] = Feature::ALL[i];
                found += 1;
            }
            i += 1;
        }
        slot += 1;
    }
    table
}

/// The features that touch a slot; the second may be one that is never complete.
#[inline]
pub(super) const fn features_at(slot: Slot) -> [Feature; 2] {
    TOUCHING[slot.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_around_the_ring() {
        for ring in 0..64u8 {
            for position in (0..STAR_SLOTS).filter(|position| ring >> position & 1 == 1) {
                let set = |place: &usize| ring >> (place % STAR_SLOTS) & 1 == 1;
                let ahead = (position + 1..position + 6).take_while(set).count();
                let after = (position + 1..position + 6).rev().take_while(set).count();
                let expected = (1 + ahead + after).min(STAR_SLOTS) as i16;
                assert_eq!(run_length(ring, position), expected, "{ring:06b} {position}");
            }
        }
    }

    #[test]
    fn every_slot_touches_one_or_two_features() {
        for slot in Slot::all() {
            let touching: Vec<Feature> =
                Feature::ALL.into_iter().filter(|feature| feature.slots & slot.bit() != 0).collect();
            let listed = features_at(slot).into_iter().filter(|feature| feature.slots != u64::MAX);
            assert_eq!(listed.collect::<Vec<_>>(), touching, "{slot}");
        }
    }
}
