//! What counts of a seat for the points that it will end with.

use azulejo::queens_garden::{
    AREAS, AROUND_GAP, Area, Board, Garden, KINDS, KindSet, Ornament, PATTERNS, Phase, QueensGarden,
    QueensGardenRules, ROUNDS, Slot, ring,
};
use azulejo::{Game, Seat};
use serde::{Deserialize, Serialize};

use super::ground::{Ground, Group, pavilion_points};
use super::plan::{Gains, Plan};
use super::stage::{STAGES, Stage};
use super::weights::QueensGardenWeights;

/// Declares the features, each with its default weights.
macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $weights:expr;)*) => {
        /// Weights of the value of a state of Queen's Garden: the points that one unit of each feature promises.
        ///
        /// Lists are for the starts of rounds 1 to 4 and for the end; between them the share of the round's items that
        /// are gone from the display and the stack interpolates. What is sure is not weighted: the points so far, those
        /// of the garden's groups, and what its hexagons and pavilions bring in this round's and later scorings.
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

        impl Features {
            /// What they promise at the start of a round, from 0, or at the end, in points.
            #[inline]
            pub fn worth(&self, weights: &QueensGardenValueWeights, stage: usize) -> f32 {
                0.0 $(+ self.$name * weights.$name[stage])*
            }
            pub fn list(&self) -> Vec<f32> { vec![$(self.$name,)*] }
        }
    };
}

features! {
    /// Values in groups that lack two hexagons or more to score, by the open places beside them.
    single = [-0.47, 0.17, 0.26, -0.20, -0.20];
    /// Values of groups that lack one hexagon, with it, by the open places beside them.
    couple = [-0.67, 0.43, 0.54, 0.24, 0.04];
    /// The value of the next hexagon of each group that scores, by the open places beside it.
    growth = [-3.44, -0.23, 0.25, 0.14, 0.00];
    /// The bonus that a group gets by one hexagon more, half of that by two, a quarter of that by three.
    bonus = [1.91, 0.51, 0.32, -0.08, 0.01];
    /// What the garden gains by each kind in the storage that can be paid, on its best place.
    ready = [0.02, 0.09, 0.11, 0.12, 0.07];
    /// The same for kinds that cannot be paid yet.
    short = [-0.10, 0.08, 0.03, 0.10, -0.03];
    /// What the garden gains by all that the storage can place and pay together.
    plan = [0.20, 0.20, 0.11, 0.16, 0.34];
    /// The values of what such a plan leaves in the storage.
    left = [0.08, -0.06, -0.05, -0.12, -0.23];
    /// The values of all tiles and expansions in the storage.
    value = [-0.94, -0.84, -0.77, -0.88, -0.72];
    /// Kinds in the storage beside no other kind of their color or pattern.
    lone = [4.09, 3.50, 4.14, 3.51, 2.62];
    /// Kinds in the storage that are not alone.
    matched = [5.00, 3.84, 4.49, 4.13, 3.58];
    /// Further tiles of the same kind.
    duplicate = [4.39, 4.01, 3.89, 3.72, 3.08];
    /// Expansions in the storage.
    expansion = [2.57, 0.05, -0.88, -2.09, -2.81];
    /// Jokers in the storage.
    joker = [4.04, 1.80, 1.87, 1.85, 2.31];
    /// Free places in the garden, up to 12.
    room = [-0.29, 0.23, 0.02, 0.00, 0.32];
    /// Areas without an expansion.
    area = [0.52, 1.81, 0.07, 1.51, 1.61];
    /// Pavilions.
    pavilion = [-0.55, 2.06, -0.45, 0.50, -0.10];
    /// Jokers for elements that are not surrounded yet, by the hexagons around them.
    element = [0.12, 0.62, 1.85, 2.09, 0.99];
    /// Having the first player marker.
    marker = [19.72, 9.76, 13.29, 3.06, 2.77];
    /// Being to move, or after the chance node.
    mover = [3.73, -0.93, 2.98, -1.16, -1.25];
    /// Being to move after the stack's top has been filled.
    deal = [0.87, 2.47, 1.13, 4.40, 1.83];
    /// The most kinds of one color or pattern on the display, for the seat to move.
    offer = [-0.20, -0.20, -0.62, 0.51, 0.70];
    /// A seat's part of the round's items that are left, divided among those who have not passed.
    waiting = [2.09, 2.47, 2.62, 2.01, 2.73];
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
    pub fn of_board(
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
        let items = tiles.kinds().iter().map(|kind| (kind, gains.tiles[kind.index()]));
        for (kind, gain) in items.chain(expansions.iter().map(|kind| (kind, gains.expansions[kind.index()]))) {
            let line = colors.get(kind.color().index()).max(patterns.get(kind.pattern().index()));
            *if line > 1 { &mut self.matched } else { &mut self.lone } += 1.0;
            *if kind.value() <= line + jokers { &mut self.ready } else { &mut self.short } += gain.max(0.0);
        }
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
        let promise = |around: u64, jokers: u8| {
            SURROUNDED[(around & filled).count_ones() as usize] * f32::from(jokers)
        };
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
    pub fn of_turn(state: &QueensGarden, seat: Seat, items: u32) -> Self {
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
