//! Where hexagons can lie in a garden, and what the garden gains by each.

use azulejo::bits::positions;
use azulejo::queens_garden::{
    AREAS, AROUND_GAP, Area, COLORS, Color, Garden, Kind, KindSet, Ornament, PATTERNS, PLACES, Pattern,
    Place, QueensGardenRules, ROUNDS, ring,
};

use super::joker_worth;
use super::stage::Stage;
use super::weights::QueensGardenWeights;

/// What groups of each size are worth in one round, with the hope of growing.
#[derive(Default)]
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
    /// By value and open places: the worth of a group of one.
    alone: [[f32; MANY as usize + 1]; PATTERNS + 1],
}

impl GroupWorth {
    #[inline(always)]
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
        let mut alone = [[0.0; MANY as usize + 1]; PATTERNS + 1];
        for (value, alone) in (1..).map(|value: u8| f32::from(value)).zip(&mut alone[1..]) {
            let (base, hope) = (sure[1] * value + bonus[1], hoped[1] * value + later_bonus[1]);
            *alone = std::array::from_fn(|open| base + growth[1] * open as f32 + weights.open[open] * hope);
        }
        GroupWorth { sure, hoped, bonus, later_bonus, growth, open: weights.open, alone }
    }

    /// The worth of a group of `size` hexagons whose values add up to `sum`, with `open` free places beside
    /// it.
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
pub(super) struct Group {
    /// The open places beside it.
    beside: u64,
    /// The crossing lines that occur in it.
    crossing: u8,
    /// The number of hexagons.
    pub size: u8,
    /// The sum of values.
    pub sum: u8,
    /// The number of open places beside it, at most [`MANY`].
    pub open: u8,
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
    /// Factors on the worth of groups of one color and of one pattern.
    lines: [f32; 2],
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
    /// The number of open places around each place, at most [`MANY`]: its low and its high bits.
    around: [u64; 2],
    /// The same number by place, for places beside hexagons.
    open_beside: [u8; PLACES],
    /// The places around elements whose surrounding has begun.
    begun: u64,
}

impl<'a> Ground<'a> {
    /// A ground of which nothing is known yet: [`Ground::explore`] fills in the rest, in place.
    #[inline(always)]
    pub(super) fn unexplored(garden: &'a Garden) -> Self {
        Ground {
            garden,
            worth: GroupWorth::default(),
            lines: [1.0; 2],
            touch: [0; LINES],
            groups: [Group::default(); 2 * PLACES],
            ends: [(0, 0); LINES],
            len: 0,
            wheel: [0.0; LINES],
            position: [0.0; PLACES],
            open: garden.free() | garden.expansion_ground(),
            around: [0; 2],
            open_beside: [0; PLACES],
            begun: 0,
        }
    }

    /// Prepares to rate hexagons of the kinds in `kinds` (bit `k` for kind number `k`) on the places `among`.
    pub(super) fn explore(
        &mut self,
        rules: &QueensGardenRules,
        weights: &QueensGardenWeights,
        stage: Stage,
        kinds: u64,
        among: u64,
    ) {
        self.worth = GroupWorth::new(rules, weights, stage);
        self.lines = [weights.color_groups, weights.pattern_groups];
        self.rate_wheel(rules, weights, stage);
        self.rate_positions(rules, weights, stage, among);
        self.find_groups(kinds);
    }

    /// The groups of colors and those of patterns that were looked at.
    pub(super) fn groups(&self) -> [&[Group]; 2] {
        let colors = self.ends[..COLORS].iter().map(|(_, end)| *end as usize).max().unwrap_or(0);
        let (colors, patterns) = self.groups[..self.len as usize].split_at(colors);
        [colors, patterns]
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
        let joker = joker_worth(rules, weights, stage);
        let mut add = |around: &Around, jokers: u8| {
            let full = (around.mask & filled).count_ones();
            if full == 0 || around.mask & among == 0 {
                // Not begun: too little to tell places apart. Or none is left.
                return;
            }
            // One hexagon more: (m + 1)² − m² of 36 parts, and all that is left for the last one.
            let share = match full {
                5 => 1.0 - weights.element * 25.0 / 36.0,
                _ => weights.element * (2 * full + 1) as f32 / 36.0,
            };
            let gain = share * joker * f32::from(jokers);
            self.begun |= around.mask;
            around.places.iter().for_each(|&place| self.position[place as usize] += gain);
        };
        add(&Around::CENTERS[0], rules.joker_awards.fountain);
        for (around, ornament) in Around::GAPS.iter().zip(rules.ornaments) {
            match ornament {
                Ornament::Statue => add(around, rules.joker_awards.statue),
                Ornament::Bench => add(around, rules.joker_awards.bench),
                Ornament::None => {}
            }
        }
        for area in 1..AREAS {
            if self.garden.area(area) != Area::FaceDown {
                add(&Around::CENTERS[area], rules.joker_awards.pavilion);
            }
        }
        let contacts = BitCounter::of_neighbors(filled);
        let land = RINGS.and_neighbors_of((self.open | filled) & CENTERS);
        self.around = land.minus(contacts).at_most_three();
        let [low, high] = self.around;
        for place in positions(self.garden.near() & among) {
            self.position[place] += weights.contact * f32::from(contacts.at(place));
            self.open_beside[place] = (low >> place & 1 | (high >> place & 1) << 1) as u8;
        }
    }

    /// Finds the groups of each line of these kinds.
    fn find_groups(&mut self, kinds: u64) {
        let garden = self.garden;
        let patterns: [u64; PATTERNS] = std::array::from_fn(|i| garden.places_of_pattern(Pattern::ALL[i]));
        let colors: [u64; COLORS] = std::array::from_fn(|i| garden.places_of_color(Color::ALL[i]));
        let (color_of, pattern_of) = (BitCounter::of_lines(&colors), BitCounter::of_lines(&patterns));
        for (color, &members) in colors.iter().enumerate() {
            if members != 0 && kinds >> (PATTERNS * color) & 0b11_1111 != 0 {
                self.find_groups_of(color, members, |place| {
                    let pattern = pattern_of.at(place);
                    (1 << pattern, pattern + 1)
                });
            }
        }
        for (pattern, &members) in patterns.iter().enumerate() {
            if members != 0 && kinds & KindSet::of_pattern(Pattern::ALL[pattern]).mask() != 0 {
                self.find_groups_of(COLORS + pattern, members, |place| {
                    (1 << color_of.at(place), pattern as u8 + 1)
                });
            }
        }
    }

    /// Finds those of one line with these members; `content` returns a place's crossing line, as a bit, and
    /// value.
    #[inline(always)]
    fn find_groups_of(&mut self, line: usize, members: u64, content: impl Fn(usize) -> (u8, u8)) {
        self.ends[line].0 = self.len;
        let mut rest = members;
        while rest != 0 {
            let (mut edge, mut around) = (rest & rest.wrapping_neg(), 0);
            let (mut crossing, mut size, mut sum) = (0, 0, 0);
            while edge != 0 {
                let place = edge.trailing_zeros() as usize;
                rest &= !edge;
                around |= Place::from_index(place).neighbors();
                edge = (edge & (edge - 1)) | around & rest;
                let (line, value) = content(place);
                crossing |= line;
                size += 1;
                sum += value;
            }
            let beside = around & self.open;
            let open = up_to_many(beside);
            let worth = self.worth.of((size as usize).min(PATTERNS), sum.into(), open);
            self.groups[self.len as usize] = Group { beside, crossing, size, sum, open, worth };
            self.len += 1;
            self.touch[line] |= beside;
        }
        self.ends[line].1 = self.len;
    }

    /// What the groups of a line gain by a hexagon on a place; −∞ if the rules forbid it.
    #[inline(always)]
    fn join_gain(&self, line: usize, crossing: usize, value: u8, place: usize, around: u8) -> f32 {
        if self.touch[line] >> place & 1 == 0 {
            return self.worth.alone[value as usize][around as usize];
        }
        let (start, end) = self.ends[line];
        let (mut seen, mut size, mut sum, mut open, mut worth) = (1 << crossing, 1, value, around, 0.0);
        for group in &self.groups[start as usize..end as usize] {
            if group.beside >> place & 1 != 0 {
                if group.crossing & seen != 0 {
                    return f32::NEG_INFINITY;
                }
                seen |= group.crossing;
                size += group.size as usize;
                sum += group.sum;
                // The place itself is filled then.
                open += group.open - 1;
                worth += group.worth;
            }
        }
        self.worth.of(size.min(PATTERNS), f32::from(sum), open) - worth
    }

    /// What the garden gains by a hexagon on a place beside a match; −∞ if the rules forbid it.
    #[inline(always)]
    fn gain_beside(&self, kind: Kind, place: usize) -> f32 {
        let (color, pattern) = (kind.index() / PATTERNS, kind.index() % PATTERNS);
        let (around, value) = (self.open_beside[place], pattern as u8 + 1);
        let along_color = self.join_gain(color, pattern, value, place, around);
        let along_pattern = self.join_gain(COLORS + pattern, color, value, place, around);
        let [colors, patterns] = self.lines;
        colors * along_color + patterns * along_pattern + self.wheel_gain(kind) + self.position[place]
    }

    #[inline(always)]
    pub(super) fn wheel_gain(&self, kind: Kind) -> f32 {
        self.wheel[kind.index() / PATTERNS] + self.wheel[COLORS + kind.index() % PATTERNS]
    }

    /// What the garden gains by a hexagon on a place apart from all others.
    #[inline(always)]
    fn gain_apart(&self, kind: Kind, around: usize, position: f32) -> f32 {
        let [colors, patterns] = self.lines;
        (colors + patterns) * self.worth.alone[kind.value() as usize][around]
            + self.wheel_gain(kind)
            + position
    }

    /// What the garden gains by a hexagon of a kind on a place where the rules allow it.
    pub(super) fn gain(&self, kind: Kind, place: Place) -> f32 {
        if self.garden.near() & place.mask() == 0 {
            let [low, high] = self.around.map(|bits| (bits >> place.index() & 1) as usize);
            self.gain_apart(kind, low | high << 1, self.position[place.index()])
        } else {
            self.gain_beside(kind, place.index())
        }
    }

    /// The best positions among places of `among` apart from all hexagons, by the number of open places
    /// around; −∞ where there is no such place.
    pub(super) fn places_apart(&self, among: u64) -> [f32; MANY as usize + 1] {
        let [low, high] = self.around;
        let apart = among & !self.garden.near();
        let by_around = [!low & !high, low & !high, !low & high, low & high];
        by_around.map(|class| self.best_position(apart & class))
    }

    #[inline(always)]
    fn best_position(&self, places: u64) -> f32 {
        // Away from elements in work all positions are equal: 0.
        let mut best = if places & !self.begun == 0 { f32::NEG_INFINITY } else { 0.0 };
        for place in positions(places & self.begun) {
            if self.position[place] > best {
                best = self.position[place];
            }
        }
        best
    }

    /// What a hexagon of a kind gains on the best place of `among`, −∞ if there is none; `apart` is what
    /// [`Ground::places_apart`] says of these places.
    #[inline]
    pub(super) fn best_gain(&self, kind: Kind, among: u64, apart: &[f32; MANY as usize + 1]) -> f32 {
        let mut best = f32::NEG_INFINITY;
        for (around, &position) in apart.iter().enumerate() {
            let gain = self.gain_apart(kind, around, position);
            best = if gain > best { gain } else { best };
        }
        let beside = self.touch[kind.index() / PATTERNS] | self.touch[COLORS + kind.index() % PATTERNS];
        for place in positions(beside & among) {
            let gain = self.gain_beside(kind, place);
            best = if gain > best { gain } else { best };
        }
        best
    }
}

/// The six places around an element.
struct Around {
    mask: u64,
    places: [u8; 6],
}

impl Around {
    /// Around the center of each area.
    const CENTERS: [Around; AREAS] = {
        let mut all = [const { Around::of(0) }; AREAS];
        let mut area = 0;
        while area < AREAS {
            all[area] = Around::of(ring(area));
            area += 1;
        }
        all
    };
    /// Around each gap.
    const GAPS: [Around; AROUND_GAP.len()] = {
        let mut all = [const { Around::of(0) }; AROUND_GAP.len()];
        let mut gap = 0;
        while gap < AROUND_GAP.len() {
            all[gap] = Around::of(AROUND_GAP[gap]);
            gap += 1;
        }
        all
    };

    const fn of(mask: u64) -> Self {
        let (mut places, mut len, mut rest) = ([0; 6], 0, mask);
        while rest != 0 {
            places[len] = rest.trailing_zeros() as u8;
            len += 1;
            rest &= rest - 1;
        }
        Around { mask, places }
    }
}

/// The places of all rings.
const ALL_RINGS: u64 = {
    let (mut rings, mut area) = (0, 0);
    while area < AREAS {
        rings |= ring(area);
        area += 1;
    }
    rings
};

/// The centers of all areas.
const CENTERS: u64 = !ALL_RINGS & ((1 << PLACES) - 1);

/// How many places of rings are adjacent to each place.
const RINGS: BitCounter = BitCounter::of_neighbors(ALL_RINGS);

/// A number from 0 to 7 for each place, as the sets of places whose number has each bit.
#[derive(Clone, Copy)]
struct BitCounter([u64; 3]);

impl BitCounter {
    /// How many of some places are adjacent to each place.
    #[inline]
    const fn of_neighbors(places: u64) -> Self {
        BitCounter([0; 3]).and_neighbors_of(places)
    }

    /// These numbers and for each place how many of some further places are adjacent to it; none is above 7.
    #[inline]
    const fn and_neighbors_of(self, places: u64) -> Self {
        let BitCounter([mut ones, mut twos, mut fours]) = self;
        let mut rest = places;
        while rest != 0 {
            let carry = Place::from_index(rest.trailing_zeros() as usize).neighbors();
            let second = ones & carry;
            fours ^= twos & second;
            twos ^= second;
            ones ^= carry;
            rest &= rest - 1;
        }
        BitCounter([ones, twos, fours])
    }

    /// The differences; none is below 0.
    #[inline]
    fn minus(self, other: BitCounter) -> Self {
        let (BitCounter([a0, a1, a2]), BitCounter([b0, b1, b2])) = (self, other);
        let borrow = !a0 & b0;
        let carried = !a1 & (b1 | borrow) | b1 & borrow;
        BitCounter([a0 ^ b0, a1 ^ b1 ^ borrow, a2 ^ b2 ^ carried])
    }

    /// The number of the line to which each place belongs: of six, from 0.
    #[inline]
    fn of_lines(lines: &[u64; 6]) -> Self {
        let [_, b, c, d, e, f] = lines;
        BitCounter([b | d | f, c | d, e | f])
    }

    /// The number of a place.
    #[inline(always)]
    fn at(self, place: usize) -> u8 {
        let [ones, twos, fours] = self.0;
        (ones >> place & 1 | (twos >> place & 1) << 1 | (fours >> place & 1) << 2) as u8
    }

    /// The low and the high bits of the numbers, those above 3 taken as 3.
    #[inline]
    fn at_most_three(self) -> [u64; 2] {
        let [ones, twos, fours] = self.0;
        [ones | fours, twos | fours]
    }
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
