//! Where hexagons can lie in a garden, and what the garden gains by each.

use azulejo::queens_garden::{
    AREAS, AROUND_GAP, Area, COLORS, Color, Garden, Kind, KindSet, Ornament, PATTERNS, PLACES, Pattern,
    Place, QueensGardenRules, ROUNDS, ring,
};

use super::stage::Stage;
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
    /// By size: the worth of each free place beside a group that scores.
    growth: [f32; PATTERNS + 1],
    /// By free places beside the group, at most 3: the share of hopes that counts.
    open: [f32; MANY as usize + 1],
}

impl GroupWorth {
    fn new(rules: &QueensGardenRules, weights: &QueensGardenWeights, stage: Stage) -> Self {
        let smallest = rules.smallest_group as usize;
        let (mut sure, mut hoped) = ([0.0; PATTERNS + 1], [0.0; PATTERNS + 1]);
        let (mut bonus, mut later_bonus) = ([0.0; PATTERNS + 1], [0.0; PATTERNS + 1]);
        let (mut growth, mut best_later) = ([0.0; PATTERNS + 1], 0.0_f32);
        growth[smallest..PATTERNS].fill(stage.pick(&weights.growth));
        for size in (1..=PATTERNS).rev() {
            match smallest.saturating_sub(size) {
                0 => sure[size] = 1.0,
                1 => hoped[size] = stage.pick(&weights.couple),
                _ => hoped[size] = stage.pick(&weights.single),
            }
            let points = f32::from(rules.group_bonus[size - 1]);
            bonus[size] = if size >= smallest { points } else { 0.0 };
            later_bonus[size] = (best_later - bonus[size]).max(0.0);
            best_later = best_later.max(bonus[size]) * stage.pick(&weights.bonus);
        }
        GroupWorth { sure, hoped, bonus, later_bonus, growth, open: weights.open }
    }

    /// The worth of a group of `size` hexagons whose values add up to `sum`, with `open` free places beside it.
    #[inline(always)]
    fn of(&self, size: usize, sum: f32, open: u8) -> f32 {
        let open = open.min(MANY);
        let hope = self.hoped[size] * sum + self.later_bonus[size];
        let growth = self.growth[size] * f32::from(open);
        self.sure[size] * sum + self.bonus[size] + growth + self.open[open as usize] * hope
    }
}

/// A group of one line (a color or a pattern).
#[derive(Clone, Copy, Default)]
struct Group {
    /// The open places beside it.
    beside: u64,
    /// The crossing lines that occur in it.
    crossing: u8,
    /// The number of hexagons.
    size: u8,
    /// The sum of values.
    sum: u8,
    /// The number of open places beside it, at most [`MANY`].
    open: u8,
    worth: f32,
}

/// More open places than this count as this many.
const MANY: u8 = 3;

/// The number of places of a set, at most [`MANY`]: cheaper than counting them all.
#[inline(always)]
fn up_to_many(places: u64) -> u8 {
    let but_one = places & places.wrapping_sub(1);
    let but_two = but_one & but_one.wrapping_sub(1);
    u8::from(places != 0) + u8::from(but_one != 0) + u8::from(but_two != 0)
}

/// The number of lines: colors, then patterns.
const LINES: usize = COLORS + PATTERNS;

/// What a garden gains by hexagons of some kinds on each of its places.
pub(super) struct Ground<'a> {
    garden: &'a Garden,
    worth: GroupWorth,
    /// For each line the open places beside its groups.
    touch: [u64; LINES],
    /// The groups, line by line.
    groups: [Group; 2 * PLACES],
    /// For each line its first group, and the end of the last one.
    ends: [(u8, u8); LINES],
    len: u8,
    /// What a hexagon of each color and of each pattern brings in the round scorings to come.
    wheel: [f32; LINES],
    /// What any hexagon on a place gains by its position.
    position: [f32; PLACES],
    /// Places that hold no hexagon, nor a pavilion, nor the fountain: those of free areas included.
    open: u64,
    /// The number of open places around each place, at most [`MANY`].
    around: [u8; PLACES],
}

impl<'a> Ground<'a> {
    /// Prepares to rate hexagons of the kinds in `kinds` (bit `k` for kind number `k`) on the places `among`.
    pub fn new(
        garden: &'a Garden,
        rules: &QueensGardenRules,
        weights: &QueensGardenWeights,
        stage: Stage,
        kinds: u64,
        among: u64,
    ) -> Self {
        let mut ground = Ground {
            garden,
            worth: GroupWorth::new(rules, weights, stage),
            touch: [0; LINES],
            groups: [Group::default(); 2 * PLACES],
            ends: [(0, 0); LINES],
            len: 0,
            wheel: [0.0; LINES],
            position: [0.0; PLACES],
            open: garden.free() | garden.expansion_ground(),
            around: [0; PLACES],
        };
        ground.rate_wheel(rules, weights, stage);
        ground.rate_positions(rules, weights, stage, among);
        ground.find_groups(kinds);
        ground
    }

    fn rate_wheel(&mut self, rules: &QueensGardenRules, weights: &QueensGardenWeights, stage: Stage) {
        let (colors, patterns) = self.wheel.split_at_mut(COLORS);
        for (later, wheel) in rules.wheel[stage.round..].iter().enumerate() {
            let factor = if later == 0 { weights.wheel } else { weights.later_wheel };
            colors.iter_mut().zip(wheel.colors).for_each(|(sum, points)| *sum += factor * f32::from(points));
            patterns
                .iter_mut()
                .zip(wheel.patterns)
                .for_each(|(sum, points)| *sum += factor * f32::from(points));
        }
    }

    /// Rates the progress in surrounding the garden's elements.
    fn rate_positions(
        &mut self,
        rules: &QueensGardenRules,
        weights: &QueensGardenWeights,
        stage: Stage,
        among: u64,
    ) {
        let filled = self.garden.filled();
        let joker = stage.pick(&weights.joker);
        let mut add = |around: u64, jokers: u8| {
            if around & filled == 0 {
                // Not begun: too little to tell places apart.
                return;
            }
            let full = (around & filled).count_ones();
            // One hexagon more: (m + 1)² − m² of 36 parts, and all that is left for the last one.
            let share = match full {
                5 => 1.0 - weights.element * 25.0 / 36.0,
                _ => weights.element * (2 * full + 1) as f32 / 36.0,
            };
            let gain = share * joker * f32::from(jokers);
            bits(around & among).for_each(|place| self.position[place] += gain);
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
        for place in bits(among) {
            let beside = Place::from_index(place).neighbors();
            self.around[place] = up_to_many(beside & self.open);
        }
        for place in bits(among & self.garden.near()) {
            let beside = Place::from_index(place).neighbors();
            self.position[place] += weights.contact * (beside & filled).count_ones() as f32;
        }
    }

    /// What all groups of the lines that were looked at are worth.
    pub fn worth_of_groups(&self) -> f32 {
        self.groups[..self.len as usize].iter().map(|group| group.worth).sum()
    }

    /// Finds the groups of each line of these kinds.
    fn find_groups(&mut self, kinds: u64) {
        let garden = self.garden;
        let patterns: [u64; PATTERNS] = std::array::from_fn(|i| garden.places_of_pattern(Pattern::ALL[i]));
        let colors: [u64; COLORS] = std::array::from_fn(|i| garden.places_of_color(Color::ALL[i]));
        for (color, &members) in colors.iter().enumerate() {
            if members != 0 && kinds >> (PATTERNS * color) & 0b11_1111 != 0 {
                self.find_groups_of(color, members, |group| {
                    let (mut crossing, mut sum) = (0, 0);
                    for (pattern, &places) in patterns.iter().enumerate() {
                        let present = u8::from(group & places != 0);
                        crossing |= present << pattern;
                        sum += present * (pattern as u8 + 1);
                    }
                    (crossing, sum)
                });
            }
        }
        for (pattern, &members) in patterns.iter().enumerate() {
            if members != 0 && kinds & KindSet::of_pattern(Pattern::ALL[pattern]).mask() != 0 {
                self.find_groups_of(COLORS + pattern, members, |group| {
                    let crossing =
                        (0..COLORS).fold(0, |all, color| all | u8::from(group & colors[color] != 0) << color);
                    (crossing, crossing.count_ones() as u8 * (pattern as u8 + 1))
                });
            }
        }
    }

    /// Finds those of one line with these members; `content` gives a group's crossing lines and its sum of values.
    #[inline(always)]
    fn find_groups_of(&mut self, line: usize, members: u64, content: impl Fn(u64) -> (u8, u8)) {
        self.ends[line].0 = self.len;
        let mut rest = members;
        while rest != 0 {
            let (group, around) = group_of(rest & rest.wrapping_neg(), members);
            rest &= !group;
            let beside = around & self.open;
            let (crossing, sum) = content(group);
            let (size, open) = (group.count_ones() as u8, up_to_many(beside));
            let worth = self.worth.of((size as usize).min(PATTERNS), sum.into(), open);
            self.groups[self.len as usize] = Group { beside, crossing, size, sum, open, worth };
            self.len += 1;
            self.touch[line] |= beside;
        }
        self.ends[line].1 = self.len;
    }

    /// What the groups of a line gain by a hexagon on a place; `None` if the rules forbid it.
    #[inline(always)]
    fn join_gain(&self, line: usize, crossing: usize, value: f32, place: usize, around: u8) -> Option<f32> {
        if self.touch[line] >> place & 1 == 0 {
            return Some(self.worth.of(1, value, around));
        }
        let (start, end) = self.ends[line];
        let (mut seen, mut size, mut sum, mut open, mut worth) = (1 << crossing, 1, 0, around, 0.0);
        for group in &self.groups[start as usize..end as usize] {
            if group.beside >> place & 1 != 0 {
                if group.crossing & seen != 0 {
                    return None;
                }
                seen |= group.crossing;
                size += group.size as usize;
                sum += group.sum;
                // The place itself is filled then.
                open += group.open - 1;
                worth += group.worth;
            }
        }
        Some(self.worth.of(size.min(PATTERNS), f32::from(sum) + value, open) - worth)
    }

    /// What the garden gains by a hexagon on a place beside a match; `None` if the rules forbid it.
    #[inline(always)]
    fn gain_beside(&self, kind: Kind, place: usize) -> Option<f32> {
        let (color, pattern) = (kind.index() / PATTERNS, kind.index() % PATTERNS);
        let (around, value) = (self.around[place], (pattern + 1) as f32);
        let along_color = self.join_gain(color, pattern, value, place, around)?;
        let along_pattern = self.join_gain(COLORS + pattern, color, value, place, around)?;
        Some(along_color + along_pattern + self.wheel_gain(kind) + self.position[place])
    }

    #[inline(always)]
    pub fn wheel_gain(&self, kind: Kind) -> f32 {
        self.wheel[kind.index() / PATTERNS] + self.wheel[COLORS + kind.index() % PATTERNS]
    }

    /// What the garden gains by a hexagon on a place apart from all others.
    #[inline(always)]
    fn gain_apart(&self, kind: Kind, place: usize) -> f32 {
        2.0 * self.worth.of(1, f32::from(kind.value()), self.around[place])
            + self.wheel_gain(kind)
            + self.position[place]
    }

    /// What the garden gains by a hexagon of a kind on a place where the rules allow it.
    pub fn gain(&self, kind: Kind, place: Place) -> f32 {
        if self.garden.near() & place.mask() == 0 {
            self.gain_apart(kind, place.index())
        } else {
            self.gain_beside(kind, place.index()).unwrap_or(f32::NEG_INFINITY)
        }
    }

    /// The places of `among` apart from all hexagons, of places that are equal for every kind only one.
    pub fn places_apart(&self, among: u64) -> u64 {
        // By the number of open places around: the best position.
        let mut best: [(f32, u64); MANY as usize + 1] = [(f32::NEG_INFINITY, 0); MANY as usize + 1];
        for place in bits(among & !self.garden.near()) {
            let around = self.around[place] as usize;
            if self.position[place] > best[around].0 {
                best[around] = (self.position[place], 1 << place);
            }
        }
        best.iter().fold(0, |all, (_, place)| all | place)
    }

    /// What a hexagon of a kind gains on the best place of `among`, −∞ if there is none; `apart` is what
    /// [`Ground::places_apart`] says of these places.
    #[inline]
    pub fn best_gain(&self, kind: Kind, among: u64, apart: u64) -> f32 {
        let mut best = f32::NEG_INFINITY;
        for place in bits(apart) {
            best = best.max(self.gain_apart(kind, place));
        }
        let beside = self.touch[kind.index() / PATTERNS] | self.touch[COLORS + kind.index() % PATTERNS];
        for place in bits(beside & among) {
            if let Some(gain) = self.gain_beside(kind, place) {
                best = best.max(gain);
            }
        }
        best
    }
}

/// The members connected with `start` through members, and all places adjacent to them.
#[inline(always)]
fn group_of(start: u64, members: u64) -> (u64, u64) {
    let (mut group, mut around, mut edge) = (start, 0, start);
    while edge != 0 {
        around |= Place::from_index(edge.trailing_zeros() as usize).neighbors();
        edge = (edge & (edge - 1)) | around & members & !group;
        group |= edge;
    }
    (group, around)
}

/// What so many free places more, or fewer, change in a garden that has `free` of them.
pub(super) fn room_gain(weights: &QueensGardenWeights, stage: Stage, free: u32, change: f32) -> f32 {
    let lack = |places: f32| (stage.pick(&weights.places) - places).max(0.0).powi(2);
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
