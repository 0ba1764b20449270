//! What counts of a seat for the points that it will end with.

use azulejo::queens_garden::{
    AREAS, AROUND_GAP, Area, Board, Garden, KINDS, Kind, KindSet, Ornament, PATTERNS, Phase, QueensGarden,
    QueensGardenRules, ROUNDS, Slot, ring,
};
use azulejo::{Game, Seat};
use serde::{Deserialize, Serialize};

use super::ground::{Ground, Group, pavilion_points};
use super::plan::{Gains, Plan};
use super::stage::{STAGES, Stage};
use super::weights::QueensGardenWeights;

/// Declares the features, each with its default weights and with what a network sees as one step of it.
macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $weights:expr, in steps of $step:literal;)*) => {
        /// Weights of the value of a state of Queen's Garden: the points that one unit of each feature
        /// promises.
        ///
        /// Lists are for the starts of rounds 1 to 4 and for the end; between them the share of the round's
        /// items that are gone from the display and the stack interpolates. What is sure is not weighted: the
        /// points so far, those of the garden's groups, and what its hexagons and pavilions bring in this
        /// round's and later scorings.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct QueensGardenValueWeights {
            $($(#[$doc])* pub $name: [f32; STAGES],)*
        }

        impl Default for QueensGardenValueWeights {
            fn default() -> Self {
                QueensGardenValueWeights { $($name: $weights,)* }
            }
        }

        /// The features of a seat; [`QueensGardenValueWeights`] says what they are.
        #[derive(Clone, Copy, Debug, Default)]
        pub(super) struct Features {
            $($name: f32,)*
        }

        /// The names of what networks see of a seat, with the size of a step: its points so far, what it is
        /// sure of, and the features.
        pub(super) const SEAT_INSIGHTS: &[&str] =
            &["score / 7", "sure / 17", $(concat!(stringify!($name), " / ", $step)),*];

        impl Features {
            /// The features of one and the other, where at most one of them has each.
            pub(super) fn and(&self, other: &Features) -> Features {
                Features { $($name: self.$name + other.$name,)* }
            }

            /// All of them, each in its steps.
            pub(super) fn in_steps(&self) -> impl Iterator<Item = f32> {
                [$(self.$name / $step),*].into_iter()
            }

            /// What they promise at the start of a round, from 0, or at the end, in points.
            #[inline]
            pub(super) fn worth(&self, weights: &QueensGardenValueWeights, stage: usize) -> f32 {
                0.0 $(+ self.$name * weights.$name[stage])*
            }
        }
    };
}

features! {
    /// Values in groups that lack two hexagons or more to score, by the open places beside them.
    single = [-0.29, 0.20, 0.29, 0.01, -0.08], in steps of 3.0;
    /// Values of groups that lack one hexagon, with it, by the open places beside them.
    couple = [0.14, 0.36, 0.55, 0.34, 0.11], in steps of 6.0;
    /// The value of the next hexagon of each group that scores, by the open places beside it.
    growth = [-1.72, -0.46, 0.21, 0.13, 0.05], in steps of 2.5;
    /// The bonus that a group gets by one hexagon more, half of that by two, a quarter of that by three.
    bonus = [4.79, 0.42, -0.27, -0.11, -0.04], in steps of 3.5;
    /// What the garden gains by each kind in the storage that can be paid, on its best place.
    ready = [0.17, 0.16, 0.17, 0.15, 0.04], in steps of 9.0;
    /// The same for kinds that cannot be paid yet.
    short = [-0.10, 0.14, 0.07, 0.13, 0.03], in steps of 9.0;
    /// What the garden gains by all that the storage can place and pay together.
    plan = [0.29, 0.02, -0.03, 0.17, 0.52], in steps of 4.5;
    /// The values of what such a plan leaves in the storage.
    left = [0.27, -0.34, -0.24, -0.07, -0.31], in steps of 5.0;
    /// The values of all tiles and expansions in the storage.
    value = [-1.00, -0.97, -0.83, -0.78, -0.83], in steps of 6.0;
    /// Kinds in the storage beside no other kind of their color or pattern.
    lone = [2.95, 4.73, 3.41, 2.77, 2.05], in steps of 0.5;
    /// Kinds in the storage that are not alone.
    matched = [3.71, 4.83, 4.06, 2.98, 2.89], in steps of 1.5;
    /// Further tiles of the same kind.
    duplicate = [4.74, 4.61, 4.60, 3.55, 3.13], in steps of 0.5;
    /// Expansions in the storage.
    expansion = [-0.57, -1.54, -1.25, -0.75, -1.44], in steps of 0.5;
    /// Those of them that can be paid and laid now.
    layable = [3.80, 2.85, 1.00, 0.66, 0.69], in steps of 0.5;
    /// Jokers in the storage.
    joker = [3.92, 1.49, 0.87, 1.45, 0.88], in steps of 0.5;
    /// Free places in the garden, up to 12.
    room = [-0.17, 0.31, 0.28, 0.18, -0.06], in steps of 1.5;
    /// Areas without an expansion.
    area = [1.36, 2.05, 1.32, 0.73, 0.42], in steps of 1.0;
    /// Pavilions.
    pavilion = [3.19, 2.23, 0.33, -0.25, -0.36], in steps of 1.0;
    /// Jokers for elements that are not surrounded yet, by the hexagons around them.
    element = [2.42, 1.42, 1.56, 1.57, 0.60], in steps of 1.5;
    /// Having the first player marker.
    marker = [-7.92, -1.73, 3.88, 3.82, 2.08], in steps of 0.5;
    /// Being to move, or after the chance node.
    mover = [0.93, -0.21, 1.32, 1.24, 1.06], in steps of 0.5;
    /// Being to move after the stack's top has been filled.
    deal = [2.37, 1.44, 1.11, 0.84, 0.67], in steps of 0.5;
    /// The most kinds of one color or pattern on the display, for the seat to move.
    offer = [0.82, -0.13, -0.70, 0.02, -0.87], in steps of 0.5;
    /// A seat's part of the round's items that are left, divided among those who have not passed.
    waiting = [2.76, 2.17, 2.03, 2.07, 3.03], in steps of 2.0;
}

/// By the number of open places, at most 3: the share of a group's hopes that counts.
const OPEN: [f32; 4] = [0.0, 0.5, 0.8, 1.0];

/// By the number of hexagons around an element: the share of its jokers that counts.
const SURROUNDED: [f32; 7] = [0.0, 0.1, 0.1, 0.3, 0.6, 1.0, 0.0];

/// More free places than this are of no use.
const ROOM: u32 = 12;

/// The sum of a color's six values.
const COLOR_SUM: f32 = 21.0;

/// What a placement gains beside sure points, so that the best place is found: weights for [`Ground`].
pub(super) fn prospects() -> QueensGardenWeights {
    QueensGardenWeights {
        single: [0.2, 0.2, 0.15, 0.05, 0.0],
        couple: [0.5, 0.5, 0.5, 0.2, 0.0],
        bonus: [0.2, 0.2, 0.2, 0.1, 0.0],
        growth: [0.8, 0.8, 0.8, 0.3, 0.0],
        open: OPEN,
        wheel: 1.0,
        later_wheel: 1.0,
        element: 0.6,
        joker: [2.0, 2.0, 2.0, 1.5, 1.0],
        contact: 0.0,
        ..QueensGardenWeights::default()
    }
}

impl Features {
    /// Those of a board in a round, from 0, and the points that the board is sure of.
    pub(super) fn of_board(
        rules: &QueensGardenRules,
        prospects: &QueensGardenWeights,
        board: &Board,
        round: usize,
    ) -> (f32, Self) {
        let garden = board.garden();
        let mut ground = Ground::unexplored(garden);
        let among = garden.free() | garden.expansion_ground();
        ground.explore(rules, prospects, Stage::middle(round), KindSet::ALL.mask(), among);
        let [colors, patterns] = ground.groups();
        let groups = colors.iter().chain(patterns).map(|group| group_points(rules, group));
        let wheel: i16 = rules.wheel[round..].iter().map(|wheel| garden.round_points(wheel, rules)).sum();
        let sure = f32::from(board.score() + wheel + groups.sum::<i16>());
        let mut features = Features::default();
        features.add_groups(rules, [colors, patterns]);
        features.add_storage(rules, board, round, &ground);
        features.add_garden(rules, garden);
        (sure, features)
    }

    fn add_groups(&mut self, rules: &QueensGardenRules, [colors, patterns]: [&[Group]; 2]) {
        for group in colors {
            let missing = PATTERNS as f32 - f32::from(group.size);
            self.add_group(rules, group, (COLOR_SUM - f32::from(group.sum)) / missing);
        }
        for group in patterns {
            self.add_group(rules, group, f32::from(group.sum) / f32::from(group.size));
        }
    }

    /// `next` is the mean value of what can join the group.
    fn add_group(&mut self, rules: &QueensGardenRules, group: &Group, next: f32) {
        let (size, sum, open) = (group.size as usize, f32::from(group.sum), OPEN[group.open.min(3) as usize]);
        if size >= PATTERNS || open == 0.0 {
            return;
        }
        match usize::from(rules.smallest_group).saturating_sub(size) {
            0 => self.growth += open * next,
            1 => self.couple += open * (sum + next),
            _ => self.single += open * sum,
        }
        let now = bonus(rules, size);
        let mut share = 1.0;
        for larger in size + 1..=PATTERNS {
            self.bonus += share * f32::from((bonus(rules, larger) - now).max(0));
            share *= 0.5;
        }
    }

    fn add_storage(&mut self, rules: &QueensGardenRules, board: &Board, round: usize, ground: &Ground<'_>) {
        let (tiles, expansions, jokers) = (board.tiles(), board.expansions(), board.jokers());
        let mut gains = Gains { tiles: [f32::NEG_INFINITY; KINDS], expansions: [f32::NEG_INFINITY; KINDS] };
        let (free, areas) = (board.garden().free(), board.garden().expansion_ground());
        let apart = ground.places_apart(free);
        for kind in tiles.kinds().iter() {
            gains.tiles[kind.index()] = ground.best_gain(kind, free, &apart);
        }
        if !expansions.is_empty() {
            let (apart, points) = (ground.places_apart(areas), pavilion_points(rules, round));
            for kind in expansions.iter() {
                gains.expansions[kind.index()] = ground.best_gain(kind, areas, &apart) + points;
            }
        }
        let kinds = tiles.kinds() | expansions;
        let (colors, patterns) = (kinds.by_color(), kinds.by_pattern());
        let line = |kind: Kind| colors.get(kind.color().index()).max(patterns.get(kind.pattern().index()));
        let tile_gains = tiles.kinds().iter().map(|kind| (kind, gains.tiles[kind.index()]));
        let expansion_gains = expansions.iter().map(|kind| (kind, gains.expansions[kind.index()]));
        for (kind, gain) in tile_gains.chain(expansion_gains.clone()) {
            *if line(kind) > 1 { &mut self.matched } else { &mut self.lone } += 1.0;
            let payable = kind.value() <= line(kind) + jokers;
            *if payable { &mut self.ready } else { &mut self.short } += gain.max(0.0);
        }
        let layable = |&(kind, gain): &(Kind, f32)| gain.is_finite() && kind.value() <= line(kind) + jokers;
        self.layable = expansion_gains.filter(layable).count() as f32;
        let values = tiles.iter().chain(expansions.iter()).map(|kind| u32::from(kind.value()));
        self.value = values.sum::<u32>() as f32;
        let plan = Plan::new(board, &gains);
        (self.plan, self.left) = (plan.gain, plan.left);
        self.duplicate = f32::from(tiles.total() - tiles.kinds().len());
        self.expansion = f32::from(expansions.len());
        self.joker = f32::from(jokers);
    }

    fn add_garden(&mut self, rules: &QueensGardenRules, garden: &Garden) {
        self.room = garden.free().count_ones().min(ROOM) as f32;
        self.area = garden.free_areas().count_ones() as f32;
        self.pavilion = garden.pavilions() as f32;
        let (filled, awards) = (garden.filled(), &rules.joker_awards);
        let promise =
            |around: u64, jokers: u8| SURROUNDED[(around & filled).count_ones() as usize] * f32::from(jokers);
        self.element = promise(ring(0), awards.fountain);
        for (around, ornament) in AROUND_GAP.into_iter().zip(rules.ornaments) {
            self.element += match ornament {
                Ornament::Statue => promise(around, awards.statue),
                Ornament::Bench => promise(around, awards.bench),
                Ornament::None => 0.0,
            };
        }
        for area in 1..AREAS {
            if matches!(garden.area(area), Area::FaceUp { .. }) {
                self.element += promise(ring(area), awards.pavilion);
            }
        }
    }

    /// Those of a seat's chances at the table, which change from turn to turn.
    pub(super) fn of_turn(state: &QueensGarden, seat: Seat, items: u32) -> Self {
        let mut features = Features::default();
        if state.marker() == Some(seat) && (state.round() as usize) < ROUNDS {
            features.marker = 1.0;
        }
        if state.board(seat).passed() {
            return features;
        }
        let waiting = state.boards().iter().filter(|(_, board)| !board.passed()).count();
        features.waiting = items as f32 / waiting as f32;
        if state.to_move() == seat {
            features.mover = 1.0;
            features.deal = f32::from(u8::from(state.phase() == Phase::Deal));
            let slots = state.slots().iter();
            let shown = slots.fold(KindSet::EMPTY, |shown, slot: &Slot| shown | slot.shown());
            let (colors, patterns) = (shown.by_color(), shown.by_pattern());
            let lines = (0..PATTERNS).map(|line| colors.get(line).max(patterns.get(line)));
            features.offer = f32::from(lines.max().unwrap_or(0));
        }
        features
    }
}

/// The points of a group at the end.
fn group_points(rules: &QueensGardenRules, group: &Group) -> i16 {
    let points = i16::from(group.sum) + bonus(rules, group.size.into());
    if group.size >= rules.smallest_group { points } else { 0 }
}

/// The bonus of a group of a size, 1 to 6.
fn bonus(rules: &QueensGardenRules, size: usize) -> i16 {
    if size >= rules.smallest_group.into() { rules.group_bonus[size.min(PATTERNS) - 1] } else { 0 }
}
