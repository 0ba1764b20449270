//! A player's garden: where expansions and hexagons lie, and where more may lie.

use super::kind::{COLORS, Color, Kind, PATTERNS, Pattern};
use super::place::{AREAS, AROUND_GAP, EXPANSION_RINGS, PLACES, Place, SPOTS, flood, neighbors, ring};
use super::variant::{Ornament, QueensGardenRules, Wheel};
use crate::bits;
use crate::error::RuleViolation;

/// What lies on an expansion area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Area {
    /// Nothing: the area has no places yet.
    #[default]
    Free,
    /// A face-down expansion: seven places without a pavilion.
    FaceDown,
    /// A face-up expansion: a pavilion in the center, one hexagon printed on the ring.
    FaceUp {
        /// The printed hexagon's kind.
        kind: Kind,
        /// The printed hexagon's ring place, 1 to 6.
        rotation: u8,
    },
}

/// A garden. Sets of places are masks with bit [`Place::index`] for each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Garden {
    /// Areas 1 to 6.
    areas: [Area; AREAS - 1],
    /// The hexagons of each color.
    colors: [u64; COLORS],
    /// The hexagons of each pattern.
    patterns: [u64; PATTERNS],
    /// The places where hexagons can lie: those of the fountain board and of laid expansions.
    land: u64,
    /// The places that hold hexagons.
    filled: u64,
    /// The places adjacent to a hexagon.
    near: u64,
}

impl Default for Garden {
    fn default() -> Self {
        Garden {
            areas: [Area::Free; AREAS - 1],
            colors: [0; COLORS],
            patterns: [0; PATTERNS],
            land: ring(0),
            filled: 0,
            near: 0,
        }
    }
}

impl Garden {
    /// What lies on an expansion area, 1 to 6.
    #[inline]
    pub fn area(&self, area: usize) -> Area {
        self.areas[area - 1]
    }

    /// The places that hold hexagons, printed ones included.
    #[inline]
    pub fn filled(&self) -> u64 {
        self.filled
    }

    /// The places where a tile can lie and none lies yet.
    #[inline]
    pub fn free(&self) -> u64 {
        self.land & !self.filled
    }

    /// The places adjacent to a hexagon.
    #[inline]
    pub fn near(&self) -> u64 {
        self.near
    }

    /// The places that hold hexagons of a color.
    #[inline]
    pub fn places_of_color(&self, color: Color) -> u64 {
        self.colors[color.index()]
    }

    /// The places that hold hexagons of a pattern.
    #[inline]
    pub fn places_of_pattern(&self, pattern: Pattern) -> u64 {
        self.patterns[pattern.index()]
    }

    /// The hexagon at a place.
    pub fn hexagon(&self, place: Place) -> Option<Kind> {
        let color = Color::ALL.into_iter().find(|color| self.places_of_color(*color) & place.mask() != 0)?;
        let mut patterns = Pattern::ALL.into_iter();
        let pattern = patterns.find(|pattern| self.places_of_pattern(*pattern) & place.mask() != 0)?;
        Some(Kind::new(color, pattern))
    }

    /// The places with their hexagons, in order.
    pub fn hexagons(&self) -> impl Iterator<Item = (Place, Kind)> + '_ {
        let filled = bits::positions(self.filled).map(Place::from_index);
        filled.filter_map(|place| self.hexagon(place).map(|kind| (place, kind)))
    }

    /// The areas on which no expansion lies: bit `a` for area `a`.
    #[inline]
    pub fn free_areas(&self) -> u8 {
        (1..AREAS).fold(0, |areas, area| areas | u8::from(self.areas[area - 1] == Area::Free) << area)
    }

    /// The face-up expansions.
    #[inline]
    pub fn pavilions(&self) -> usize {
        self.areas.iter().filter(|area| matches!(area, Area::FaceUp { .. })).count()
    }

    /// The ring places of free areas: where the printed hexagon of an expansion could lie.
    #[inline]
    pub fn expansion_ground(&self) -> u64 {
        EXPANSION_RINGS & !self.land
    }

    /// The free places where the rules let a tile of this kind lie.
    #[inline]
    pub fn tile_places(&self, kind: Kind) -> u64 {
        self.fitting(kind, self.free())
    }

    /// The ring places of free areas where the rules let an expansion's printed hexagon of this kind lie.
    #[inline]
    pub fn expansion_places(&self, kind: Kind) -> u64 {
        self.fitting(kind, self.expansion_ground())
    }

    /// Whether there is a place for a tile of this kind.
    #[inline]
    pub(crate) fn takes_tile(&self, kind: Kind) -> bool {
        self.fits_somewhere(kind, self.free())
    }

    /// Whether there is a place for an expansion of this kind.
    #[inline]
    pub(crate) fn takes_expansion(&self, kind: Kind) -> bool {
        self.fits_somewhere(kind, self.expansion_ground())
    }

    fn fits_somewhere(&self, kind: Kind, ground: u64) -> bool {
        ground & !self.near != 0
            || bits::positions(self.touching(kind, ground)).any(|at| self.joins(kind, at))
    }

    fn fitting(&self, kind: Kind, ground: u64) -> u64 {
        let touching = bits::positions(self.touching(kind, ground));
        touching.filter(|&at| self.joins(kind, at)).fold(ground & !self.near, |all, at| all | 1 << at)
    }

    /// The places of `ground` beside a hexagon of the same color or pattern.
    #[inline]
    fn touching(&self, kind: Kind, ground: u64) -> u64 {
        let matching = self.colors[kind.color().index()] | self.patterns[kind.pattern().index()];
        ground & neighbors(matching)
    }

    /// Whether a hexagon of this kind at place number `at` leaves no hexagon twice in a group.
    fn joins(&self, kind: Kind, at: usize) -> bool {
        let (color, pattern) = (kind.color().index(), kind.pattern().index());
        let around = Place::from_index(at).neighbors();
        joins_distinct(self.colors[color], around, &self.patterns, pattern)
            && joins_distinct(self.patterns[pattern], around, &self.colors, color)
    }

    /// Why a hexagon of this kind may not lie on a place that is free otherwise.
    pub(super) fn why_unfit(&self, kind: Kind, place: Place) -> RuleViolation {
        if self.touching(kind, place.mask()) == 0 {
            RuleViolation("no adjacent hexagon has the same color or pattern")
        } else {
            RuleViolation("a group of one color or pattern would hold the same hexagon twice")
        }
    }

    /// Lays a hexagon on a place.
    #[inline]
    pub(super) fn lay_hexagon(&mut self, kind: Kind, place: Place) {
        debug_assert!(self.free() & place.mask() != 0, "{place} is not free");
        self.colors[kind.color().index()] |= place.mask();
        self.patterns[kind.pattern().index()] |= place.mask();
        self.filled |= place.mask();
        self.near |= place.neighbors();
    }

    /// Lays an expansion face up; `place` is where its printed hexagon comes to lie.
    pub(super) fn lay_face_up(&mut self, kind: Kind, place: Place) {
        self.areas[place.area() - 1] = Area::FaceUp { kind, rotation: place.spot() as u8 };
        self.land |= ring(place.area());
        self.lay_hexagon(kind, place);
    }

    /// Lays an expansion face down.
    pub(super) fn lay_face_down(&mut self, area: usize) {
        self.areas[area - 1] = Area::FaceDown;
        self.land |= ring(area) | Place::new(area, 0).mask();
    }

    /// The jokers for the elements that the hexagon at this place, the latest one, surrounded.
    #[inline]
    pub(super) fn awards(&self, place: Place, rules: &QueensGardenRules) -> u8 {
        let surrounded = self.elements_at(place, rules).filter(|(around, _)| around & !self.filled == 0);
        surrounded.map(|(_, jokers)| jokers).sum()
    }

    /// The elements beside a place: for each the six places around it and the jokers for surrounding it.
    #[inline]
    pub(crate) fn elements_at<'a>(
        &self,
        place: Place,
        rules: &'a QueensGardenRules,
    ) -> impl Iterator<Item = (u64, u8)> + 'a {
        let awards = &rules.joker_awards;
        let center = match place.area() {
            _ if place.spot() == 0 => 0,
            0 => awards.fountain,
            area if matches!(self.area(area), Area::FaceUp { .. }) => awards.pavilion,
            _ => 0,
        };
        let gaps =
            AROUND_GAP.iter().zip(&rules.ornaments).filter(move |(around, _)| **around & place.mask() != 0);
        let gaps = gaps.map(|(&around, ornament)| match ornament {
            Ornament::Statue => (around, awards.statue),
            Ornament::Bench => (around, awards.bench),
            Ornament::None => (around, 0),
        });
        gaps.chain((center > 0).then(|| (ring(place.area()), center)))
    }

    /// The points of a round's scoring.
    pub fn round_points(&self, wheel: &Wheel, rules: &QueensGardenRules) -> i16 {
        let count = |places: &u64| places.count_ones() as i16;
        let colors: i16 = self.colors.iter().map(count).zip(wheel.colors).map(|(n, points)| n * points).sum();
        let patterns: i16 =
            self.patterns.iter().map(count).zip(wheel.patterns).map(|(n, points)| n * points).sum();
        colors + patterns + self.pavilions() as i16 * rules.pavilion_points
    }

    /// The points of the groups at the end.
    pub(crate) fn group_points(&self, rules: &QueensGardenRules) -> i16 {
        self.color_group_points(rules) + self.pattern_group_points(rules)
    }

    /// The points of the groups of one color at the end.
    pub fn color_group_points(&self, rules: &QueensGardenRules) -> i16 {
        self.points_of_groups(&self.colors, rules)
    }

    /// The points of the groups of one pattern at the end.
    pub fn pattern_group_points(&self, rules: &QueensGardenRules) -> i16 {
        self.points_of_groups(&self.patterns, rules)
    }

    fn points_of_groups(&self, lines: &[u64], rules: &QueensGardenRules) -> i16 {
        let groups = lines.iter().flat_map(|&members| groups(members));
        groups.map(|group| self.points_of_group(group, rules)).sum()
    }

    fn points_of_group(&self, group: u64, rules: &QueensGardenRules) -> i16 {
        let size = group.count_ones() as usize;
        if size < rules.smallest_group.into() {
            return 0;
        }
        let values =
            self.patterns.iter().zip(1..).map(|(places, value)| (group & places).count_ones() as i16 * value);
        values.sum::<i16>() + rules.group_bonus[size - 1]
    }

    /// Whether some group holds two identical hexagons.
    pub(super) fn repeats_in_group(&self) -> bool {
        let twice = |group: u64, lines: &[u64]| lines.iter().any(|places| (group & places).count_ones() > 1);
        self.colors.iter().any(|&members| groups(members).any(|group| twice(group, &self.patterns)))
            || self.patterns.iter().any(|&members| groups(members).any(|group| twice(group, &self.colors)))
    }

    /// Whether the hexagons can have been laid one after the other, each apart from all others or beside a
    /// match.
    ///
    /// Hexagons linked by matches form chains. The first hexagon of a chain must have been laid apart from
    /// all others, the rest can follow along the links. So the chains can be laid if and only if one hexagon
    /// of each can be chosen such that no two chosen ones are adjacent.
    pub(super) fn can_have_grown(&self) -> bool {
        let mut chains = [0; PLACES];
        let (mut count, mut rest) = (0, self.filled);
        while rest != 0 {
            chains[count] = self.chain(rest & rest.wrapping_neg());
            rest &= !chains[count];
            count += 1;
        }
        can_choose_apart(&mut chains[..count])
    }

    /// All hexagons linked with those of `start`.
    fn chain(&self, start: u64) -> u64 {
        let (mut chain, mut edge) = (start, start);
        while edge != 0 {
            let lines = self.colors.iter().chain(&self.patterns);
            edge = lines.fold(0, |all, &members| all | neighbors(edge & members) & members) & !chain;
            chain |= edge;
        }
        chain
    }
}

/// Whether one place of each set can be chosen such that no two are adjacent.
fn can_choose_apart(sets: &mut [u64]) -> bool {
    // The set with the fewest places left decides first.
    sets.sort_unstable_by_key(|set| std::cmp::Reverse(set.count_ones()));
    let Some((&mut scarcest, others)) = sets.split_last_mut() else {
        return true;
    };
    bits::positions(scarcest).any(|at| {
        let around = Place::from_index(at).neighbors();
        let mut left = [0; PLACES];
        let left = &mut left[..others.len()];
        left.iter_mut().zip(others.iter()).for_each(|(left, set)| *left = set & !around);
        can_choose_apart(left)
    })
}

/// Whether a new hexagon beside the places of `around` can join the groups of its line (a color or a pattern
/// with these `members`): together with `own`, its number among the crossing lines, no crossing line occurs
/// twice.
#[inline]
fn joins_distinct(members: u64, around: u64, crossing: &[u64; 6], own: usize) -> bool {
    let start = members & around;
    if start == 0 {
        return true;
    }
    let group = flood(start, members);
    group & crossing[own] == 0
        && crossing.iter().all(|line| {
            let same = group & line;
            same & same.wrapping_sub(1) == 0
        })
}

/// The connected groups of these places.
fn groups(members: u64) -> impl Iterator<Item = u64> {
    let mut rest = members;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let group = flood(rest & rest.wrapping_neg(), members);
            rest &= !group;
            group
        })
    })
}

/// The places of area `area` (0 to 6).
pub(super) const fn places_of_area(area: usize) -> u64 {
    0b111_1111 << (SPOTS * area)
}
