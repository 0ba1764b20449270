//! Where hexagons can lie in a garden, and what the garden gains by each.

use azulejo::queens_garden::{
    AREAS, AROUND_GAP, Area, COLORS, Color, Garden, KINDS, Kind, Ornament, PATTERNS, PLACES, Pattern, Place,
    QueensGardenRules, ROUNDS, flood, ring,
};

use super::weights::QueensGardenWeights;

/// What groups of each size are worth in one round, with the hope of growing.
struct GroupWorth {
    /// By size: the share of the sum of values that counts in any case.
    sure: [f32; PATTERNS + 1],
    /// By size: the share that counts while the group can grow.
    hoped: [f32; PATTERNS + 1],
    /// By size: the bonus that is sure.
    bonus: [f32; PATTERNS + 1],
    /// By size: the hoped-for bonus, beyond the sure one, while the group can grow.
    later_bonus: [f32; PATTERNS + 1],
    /// By free places beside the group: the worth of growing a group that scores.
    growth: f32,
    /// By free places beside the group, at most 3: the share of hopes that counts.
    open: [f32; 4],
    smallest: usize,
}

impl GroupWorth {
    fn new(rules: &QueensGardenRules, weights: &QueensGardenWeights, round: usize) -> Self {
        let smallest = rules.smallest_group as usize;
        let (mut sure, mut hoped) = ([0.0; PATTERNS + 1], [0.0; PATTERNS + 1]);
        let (mut bonus, mut later_bonus) = ([0.0; PATTERNS + 1], [0.0; PATTERNS + 1]);
        let mut best_later = 0.0_f32;
        for size in (1..=PATTERNS).rev() {
            match smallest.saturating_sub(size) {
                0 => sure[size] = 1.0,
                1 => hoped[size] = weights.couple[round],
                _ => hoped[size] = weights.single[round],
            }
            let points = f32::from(rules.group_bonus[size - 1]);
            bonus[size] = if size >= smallest { points } else { 0.0 };
            later_bonus[size] = (best_later - bonus[size]).max(0.0);
            best_later = best_later.max(bonus[size]) * weights.bonus[round];
        }
        GroupWorth { sure, hoped, bonus, later_bonus, growth: weights.growth[round], open: weights.open, smallest }
    }

    /// The worth of a group of `size` hexagons whose values add up to `sum`, with `open` free places beside it.
    #[inline(always)]
    fn of(&self, size: usize, sum: f32, open: u32) -> f32 {
        let open = open.min(3);
        let growth = if size >= self.smallest && size < PATTERNS { self.growth * open as f32 } else { 0.0 };
        let hope = self.hoped[size] * sum + self.later_bonus[size];
        self.sure[size] * sum + self.bonus[size] + growth + self.open[open as usize] * hope
    }
}

/// The groups of one line (a color or a pattern) beside a place, which a new hexagon of the line would join.
#[derive(Clone, Copy, Default)]
struct Join {
    /// The crossing lines that occur in the groups.
    crossing: u8,
    /// The number of hexagons; above [`PATTERNS`] if the groups cannot be joined, as a crossing line occurs twice.
    size: u8,
    /// The sum of values.
    sum: u8,
    /// Free places beside the groups.
    open: u8,
    /// What the groups are worth apart.
    worth: f32,
}

/// The number of lines: colors, then patterns.
const LINES: usize = COLORS + PATTERNS;
/// A size that no group can have.
const TOO_LARGE: u8 = 64;

/// What a garden gains by hexagons of some kinds on each of its places.
pub(super) struct Ground<'a> {
    garden: &'a Garden,
    worth: GroupWorth,
    /// For each line the places of the garden beside its groups.
    touch: [u64; LINES],
    joins: [[Join; PLACES]; LINES],
    /// What a hexagon of each kind brings in the round scorings to come.
    wheel: [f32; KINDS],
    /// What any hexagon on a place gains by its position.
    position: [f32; PLACES],
    /// Places that hold no hexagon, nor a pavilion, nor the fountain: those of free areas included.
    open: u64,
    mismatch: f32,
    contact: f32,
}

/// The best place for a hexagon and what it gains there.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub place: Place,
    pub gain: f32,
}

impl<'a> Ground<'a> {
    /// Prepares to rate hexagons of the kinds in `kinds` (bit `k` for kind number `k`).
    pub fn new(
        garden: &'a Garden,
        rules: &QueensGardenRules,
        weights: &QueensGardenWeights,
        round: usize,
        kinds: u64,
    ) -> Self {
        let mut ground = Ground {
            garden,
            worth: GroupWorth::new(rules, weights, round),
            touch: [0; LINES],
            joins: [[Join::default(); PLACES]; LINES],
            wheel: [0.0; KINDS],
            position: [0.0; PLACES],
            open: garden.free() | garden.expansion_ground(),
            mismatch: weights.mismatch,
            contact: weights.contact,
        };
        ground.rate_wheel(rules, weights, round, kinds);
        ground.rate_positions(rules, weights, round);
        ground.find_groups(kinds);
        ground
    }

    fn rate_wheel(&mut self, rules: &QueensGardenRules, weights: &QueensGardenWeights, round: usize, kinds: u64) {
        let (mut colors, mut patterns) = ([0.0; COLORS], [0.0; PATTERNS]);
        for (later, wheel) in rules.wheel[round..].iter().enumerate() {
            let factor = if later == 0 { weights.wheel } else { weights.later_wheel };
            colors.iter_mut().zip(wheel.colors).for_each(|(sum, points)| *sum += factor * f32::from(points));
            patterns.iter_mut().zip(wheel.patterns).for_each(|(sum, points)| *sum += factor * f32::from(points));
        }
        for index in bits(kinds) {
            self.wheel[index] = colors[index / PATTERNS] + patterns[index % PATTERNS];
        }
    }

    /// Rates the progress in surrounding the garden's elements.
    fn rate_positions(&mut self, rules: &QueensGardenRules, weights: &QueensGardenWeights, round: usize) {
        let filled = self.garden.filled();
        let joker = weights.joker[round];
        let mut add = |around: u64, jokers: u8| {
            let full = (around & filled).count_ones();
            // One hexagon more: (m + 1)² − m² of 36 parts, and all that is left for the last one.
            let share = match full {
                5 => 1.0 - weights.element * 25.0 / 36.0,
                _ => weights.element * (2 * full + 1) as f32 / 36.0,
            };
            let gain = share * joker * f32::from(jokers);
            bits(around & self.open).for_each(|place| self.position[place] += gain);
        };
        add(ring(0), rules.joker_awards.fountain);
        for (around, ornament) in AROUND_GAP.into_iter().zip(rules.ornaments) {
            match ornament {
                Ornament::Statue => add(around, rules.joker_awards.statue),
                Ornament::Bench => add(around, rules.joker_awards.bench),
                Ornament::None => {}
            }
        }
        for area in 1..AREAS {
            if self.garden.area(area) != Area::FaceDown {
                add(ring(area), rules.joker_awards.pavilion);
            }
        }
    }

    /// Notes for each line of these kinds which groups a hexagon on a place beside them would join.
    fn find_groups(&mut self, kinds: u64) {
        let garden = self.garden;
        let patterns: [u64; PATTERNS] = std::array::from_fn(|i| garden.places_of_pattern(Pattern::ALL[i]));
        let colors: [u64; COLORS] = std::array::from_fn(|i| garden.places_of_color(Color::ALL[i]));
        for color in 0..COLORS {
            if kinds >> (PATTERNS * color) & 0b11_1111 != 0 {
                self.find_groups_of(color, colors[color], |group| {
                    let (mut crossing, mut sum) = (0, 0);
                    for (pattern, &places) in patterns.iter().enumerate() {
                        if group & places != 0 {
                            crossing |= 1 << pattern;
                            sum += pattern as u8 + 1;
                        }
                    }
                    (crossing, sum)
                });
            }
        }
        for pattern in 0..PATTERNS {
            if kinds & 0x4104_1041 << pattern != 0 {
                self.find_groups_of(COLORS + pattern, patterns[pattern], |group| {
                    let crossing =
                        (0..COLORS).fold(0, |all, color| all | u8::from(group & colors[color] != 0) << color);
                    (crossing, crossing.count_ones() as u8 * (pattern as u8 + 1))
                });
            }
        }
    }

    /// Does so for one line with these members; `content` gives a group's crossing lines and its sum of values.
    #[inline(always)]
    fn find_groups_of(&mut self, line: usize, members: u64, content: impl Fn(u64) -> (u8, u8)) {
        let mut rest = members;
        while rest != 0 {
            let group = flood(rest & rest.wrapping_neg(), members);
            rest &= !group;
            let beside = bits(group).fold(0, |all, place| all | Place::from_index(place).neighbors()) & self.open;
            let (crossing, sum) = content(group);
            let (size, open) = (group.count_ones() as u8, beside.count_ones());
            let worth = self.worth.of((size as usize).min(PATTERNS), sum.into(), open);
            for place in bits(beside) {
                let join = &mut self.joins[line][place];
                let size = if join.crossing & crossing == 0 { size } else { TOO_LARGE };
                join.size = join.size.saturating_add(size);
                join.crossing |= crossing;
                join.sum += sum;
                join.open += open as u8;
                join.worth += worth;
            }
            self.touch[line] |= beside;
        }
    }

    /// What the groups of a line gain by a hexagon on a place; `None` if the rules forbid it.
    #[inline(always)]
    fn join_gain(&self, line: usize, crossing: usize, value: f32, place: usize, around: u32) -> Option<f32> {
        if self.touch[line] >> place & 1 == 0 {
            return Some(self.worth.of(1, value, around));
        }
        let join = &self.joins[line][place];
        if join.crossing >> crossing & 1 != 0 || join.size as usize >= PATTERNS {
            return None;
        }
        let open = (u32::from(join.open) + around).saturating_sub(1);
        Some(self.worth.of(join.size as usize + 1, f32::from(join.sum) + value, open) - join.worth)
    }

    /// What the garden gains by a hexagon on a place beside a match; `None` if the rules forbid it.
    #[inline(always)]
    fn gain_beside(&self, kind: Kind, place: usize) -> Option<f32> {
        let (color, pattern) = (kind.index() / PATTERNS, kind.index() % PATTERNS);
        let beside = Place::from_index(place).neighbors();
        let around = (beside & self.open).count_ones();
        let value = (pattern + 1) as f32;
        let along_color = self.join_gain(color, pattern, value, place, around)?;
        let along_pattern = self.join_gain(COLORS + pattern, color, value, place, around)?;
        let matching = self.garden.places_of_color(Color::ALL[color])
            | self.garden.places_of_pattern(Pattern::ALL[pattern]);
        let filled = self.garden.filled() & beside;
        let mismatches = (filled & !matching).count_ones() as f32;
        let contacts = filled.count_ones() as f32;
        let fit = self.contact * contacts - self.mismatch * mismatches;
        Some(along_color + along_pattern + self.wheel[kind.index()] + self.position[place] + fit)
    }

    /// What the garden gains by a hexagon on a place apart from all others.
    #[inline(always)]
    fn gain_apart(&self, kind: Kind, place: usize) -> f32 {
        let around = (Place::from_index(place).neighbors() & self.open).count_ones();
        2.0 * self.worth.of(1, f32::from(kind.value()), around) + self.wheel[kind.index()] + self.position[place]
    }

    /// What the garden gains by a hexagon of a kind on a place where the rules allow it.
    pub fn gain(&self, kind: Kind, place: Place) -> f32 {
        if self.garden.near() & place.mask() == 0 {
            self.gain_apart(kind, place.index())
        } else {
            self.gain_beside(kind, place.index()).unwrap_or(f32::NEG_INFINITY)
        }
    }

    /// The place of `among` apart from all hexagons that gains most for any kind.
    pub fn best_apart(&self, among: u64) -> Option<Place> {
        let kind = Kind::from_index(2);
        let mut best: Option<(f32, usize)> = None;
        for place in bits(among & !self.garden.near()) {
            let gain = self.gain_apart(kind, place);
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, place));
            }
        }
        best.map(|(_, place)| Place::from_index(place))
    }

    /// The best place of `among` for a kind; `apart` is what [`Ground::best_apart`] says of these places.
    #[inline]
    pub fn best_place(&self, kind: Kind, among: u64, apart: Option<Place>) -> Option<Spot> {
        let mut best = apart.map(|place| Spot { place, gain: self.gain_apart(kind, place.index()) });
        let beside = self.touch[kind.index() / PATTERNS] | self.touch[COLORS + kind.index() % PATTERNS];
        for place in bits(beside & among) {
            if let Some(gain) = self.gain_beside(kind, place)
                && best.is_none_or(|best| gain > best.gain)
            {
                best = Some(Spot { place: Place::from_index(place), gain });
            }
        }
        best
    }
}

/// What so many free places more, or fewer, change in a garden that has `free` of them.
pub(super) fn room_gain(weights: &QueensGardenWeights, round: usize, free: u32, change: f32) -> f32 {
    let lack = |places: f32| (weights.places[round] - places).max(0.0).powi(2);
    let free = free as f32;
    weights.cramped * (lack(free) - lack(free + change))
}

/// The points that a pavilion brings in the round scorings to come.
pub(super) fn pavilion_points(rules: &QueensGardenRules, round: usize) -> f32 {
    f32::from(rules.pavilion_points) * (ROUNDS - round) as f32
}

/// The positions of the set bits, lowest first.
#[inline]
pub(super) fn bits(mask: u64) -> impl Iterator<Item = usize> + Clone {
    let mut rest = mask;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let position = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            position
        })
    })
}
