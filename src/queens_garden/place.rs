//! The geometry of a garden: 7 areas of 7 places.

use std::fmt;

/// The garden's areas: the fountain board, number 0, and six areas for expansions.
pub const AREAS: usize = 7;
/// The places of an area: its center, number 0, and the ring, 1 to 6.
pub(super) const SPOTS: usize = 7;
/// The places of a garden.
pub const PLACES: usize = AREAS * SPOTS;

/// A hex in axial coordinates (q, r).
pub(super) type Hex = (i8, i8);

/// The six directions in the order of ring places: E, SE, SW, W, NW, NE.
pub(super) const DIRECTIONS: [Hex; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// A place of the garden, written as its area's and its own digit: `23`. Sets of places are masks with bit
/// [`index`](Place::index) for each place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u8);

impl Place {
    /// The place of this area (0 to 6) and number (0 the center, 1 to 6 the ring).
    ///
    /// # Panics
    /// If one of them is above 6.
    #[inline]
    pub const fn new(area: usize, spot: usize) -> Self {
        assert!(area < AREAS && spot < SPOTS, "areas and their places are numbered 0 to 6");
        Place((area * SPOTS + spot) as u8)
    }

    /// The place with this number.
    ///
    /// # Panics
    /// If `index` is not below [`PLACES`].
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < PLACES, "a place is a number from 0 to 48");
        Place(index as u8)
    }

    /// The place's number: 7 times its area plus its number there.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The place's area, 0 to 6.
    #[inline]
    pub const fn area(self) -> usize {
        self.index() / SPOTS
    }

    /// The place's number in its area: 0 the center, 1 to 6 the ring.
    #[inline]
    pub const fn spot(self) -> usize {
        self.index() % SPOTS
    }

    /// The set of this place alone.
    #[inline]
    pub const fn mask(self) -> u64 {
        1 << self.0
    }

    /// The place's hex.
    pub const fn hex(self) -> Hex {
        let (q, r) = area_center(self.area());
        match self.spot() {
            0 => (q, r),
            spot => (q + DIRECTIONS[spot - 1].0, r + DIRECTIONS[spot - 1].1),
        }
    }

    /// The places adjacent to this one.
    #[inline]
    pub const fn neighbors(self) -> u64 {
        NEIGHBORS[self.index()]
    }

    /// The place that two digits name: `23`.
    pub(crate) fn from_bytes(area: u8, spot: u8) -> Option<Self> {
        let (area, spot) = (area.wrapping_sub(b'0') as usize, spot.wrapping_sub(b'0') as usize);
        (area < AREAS && spot < SPOTS).then(|| Place::new(area, spot))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.area(), self.spot())
    }
}

const fn area_center(area: usize) -> Hex {
    match area {
        0 => (0, 0),
        _ => (3 * DIRECTIONS[area - 1].0, 3 * DIRECTIONS[area - 1].1),
    }
}

/// The hex of gap `gap` (0 to 5): it lies between areas `gap + 1` and `gap + 2` (after 6 comes 1) and the
/// fountain board, and belongs to none of them.
pub const fn gap_hex(gap: usize) -> Hex {
    let (a, b) = (DIRECTIONS[gap], DIRECTIONS[(gap + 1) % 6]);
    (a.0 + b.0, a.1 + b.1)
}

/// The places adjacent to a hex.
const fn places_around(hex: Hex) -> u64 {
    let mut mask = 0;
    let mut index = 0;
    while index < PLACES {
        let (q, r) = Place(index as u8).hex();
        let mut direction = 0;
        while direction < 6 {
            let (dq, dr) = DIRECTIONS[direction];
            if hex.0 + dq == q && hex.1 + dr == r {
                mask |= 1 << index;
            }
            direction += 1;
        }
        index += 1;
    }
    mask
}

/// For each place the places adjacent to it.
const NEIGHBORS: [u64; PLACES] = {
    let mut neighbors = [0; PLACES];
    let mut index = 0;
    while index < PLACES {
        neighbors[index] = places_around(Place(index as u8).hex());
        index += 1;
    }
    neighbors
};

/// For each gap (see [`gap_hex`]) the six places around it.
pub const AROUND_GAP: [u64; 6] = {
    let mut around = [0; 6];
    let mut gap = 0;
    while gap < 6 {
        around[gap] = places_around(gap_hex(gap));
        gap += 1;
    }
    around
};

/// The ring of area `area` (0 to 6).
pub const fn ring(area: usize) -> u64 {
    0b111_1110 << (SPOTS * area)
}

/// The places of all expansion areas' rings.
pub(super) const EXPANSION_RINGS: u64 = {
    let (mut rings, mut area) = (0, 1);
    while area < AREAS {
        rings |= ring(area);
        area += 1;
    }
    rings
};

/// All places adjacent to one of these.
#[inline]
pub fn neighbors(places: u64) -> u64 {
    crate::bits::positions(places).fold(0, |all, place| all | NEIGHBORS[place])
}

/// The members connected with `start`, a subset of the members, through members.
#[inline]
pub(super) fn flood(start: u64, members: u64) -> u64 {
    let (mut group, mut edge) = (start, start);
    while edge != 0 {
        edge = neighbors(edge) & members & !group;
        group |= edge;
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hex_is_one_place_and_adjacency_is_mutual() {
        for a in (0..PLACES).map(Place::from_index) {
            for b in (0..PLACES).map(Place::from_index) {
                assert_eq!(a.hex() == b.hex(), a == b, "{a} {b}");
                let (dq, dr) = (b.hex().0 - a.hex().0, b.hex().1 - a.hex().1);
                assert_eq!(a.neighbors() & b.mask() != 0, DIRECTIONS.contains(&(dq, dr)), "{a} {b}");
            }
        }
    }

    #[test]
    fn each_gap_touches_its_two_areas_and_the_fountain_board() {
        for (gap, around) in AROUND_GAP.into_iter().enumerate() {
            let areas: Vec<usize> =
                crate::bits::positions(around).map(|index| Place::from_index(index).area()).collect();
            let mut expected = [0, 0, gap + 1, gap + 1, (gap + 1) % 6 + 1, (gap + 1) % 6 + 1];
            expected.sort_unstable();
            assert_eq!(areas, expected, "gap {gap}");
        }
    }

    #[test]
    fn places_print_and_parse() {
        assert_eq!(Place::new(2, 3).to_string(), "23");
        assert_eq!(Place::from_bytes(b'2', b'3'), Some(Place::new(2, 3)));
        assert_eq!(Place::from_bytes(b'7', b'0'), None);
        assert_eq!(Place::from_bytes(b'0', b'7'), None);
    }
}
