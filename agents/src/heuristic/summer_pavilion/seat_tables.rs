//! What rating needs to know of a board: [`SeatTables`].

use azulejo::summer_pavilion::{Board, BoardSide, CENTER_STAR, COLORS, Color, Feature, STAR_SLOTS, STARS};

use super::SummerPavilionWeights;
use super::geometry::{FEATURE_STARS, NUMBERS, PRINTED, TOUCHING};
use super::kind::{HOMELESS, StarKind, homes, kind_of};
use super::stage::Stage;

/// All stars; the bit after theirs stands for [`HOMELESS`].
pub(super) const ALL_STARS: u8 = u8::MAX;

/// Tables are indexed in the innermost loops: by powers of two, so that a mask keeps an index inside.
const COST_PLACES: usize = (STAR_SLOTS + 1).next_power_of_two();
const FEATURE_PLACES: usize = (Feature::ALL.len() + 1).next_power_of_two();

/// What rating needs to know of a seat's board at a stage. It is renewed where the board has changed.
#[derive(Clone, Debug)]
pub(super) struct SeatTables {
    /// The round; 0 where nothing is known yet.
    round: u8,
    /// The set of filled slots, bit [`Slot::index`](azulejo::summer_pavilion::Slot::index); on the gray side that of each
    /// color instead.
    filled: u64,
    colors: [u64; COLORS],
    pub kinds: [StarKind; STARS],
    /// For each color the star in which its tiles are most at home.
    pub homes: [u8; COLORS],
    /// The colors without a home, bit [`Color::index`].
    pub homeless: u8,
    /// The worth of a tile of each color while it can be spent.
    pub prices: [f32; COLORS],
    /// The worth of a tile of each color that is kept.
    pub kept_worth: [f32; COLORS],
    /// What one more slot of each printed cost adds.
    number_step: [f32; COST_PLACES],
    /// What one more tile around each feature brings it nearer to its bonus tiles; 0 for no feature.
    feature_step: [f32; FEATURE_PLACES],
}

impl Default for SeatTables {
    fn default() -> Self {
        SeatTables {
            round: 0,
            filled: 0,
            colors: [0; COLORS],
            kinds: [StarKind::Mixed; STARS],
            homes: [HOMELESS; COLORS],
            homeless: 0,
            prices: [0.0; COLORS],
            kept_worth: [0.0; COLORS],
            number_step: [0.0; COST_PLACES],
            feature_step: [0.0; FEATURE_PLACES],
        }
    }
}

impl SeatTables {
    /// Brings the tables up to date with the stage and the board; rules and weights stay the same. Returns the stars
    /// whose slots may now gain something else.
    #[inline]
    pub(super) fn renew(&mut self, stage: &Stage, weights: &SummerPavilionWeights, board: &Board) -> u8 {
        let changed = match stage.rules.side {
            // The colors of the slots do not matter: an outer star has its own, the center all of them.
            BoardSide::Colored => std::mem::replace(&mut self.filled, board.filled()) ^ board.filled(),
            BoardSide::Gray => self.renew_colors(board),
        };
        if changed == 0 && self.round == stage.round {
            return 0;
        }
        if self.round == stage.round && changed & (changed - 1) == 0 {
            self.renew_slot(stage, weights, board, changed.trailing_zeros() as usize)
        } else {
            self.renew_all(stage, weights, board);
            ALL_STARS
        }
    }

    /// What one more slot of a printed cost adds.
    #[inline]
    pub(super) fn number_step(&self, cost: u8) -> f32 {
        self.number_step[usize::from(cost) % COST_PLACES]
    }

    /// What a tile brings one of the features nearer that touch its slot.
    #[inline]
    pub(super) fn feature_step(&self, feature: u8) -> f32 {
        self.feature_step[usize::from(feature) % FEATURE_PLACES]
    }

    /// The slots whose color has changed.
    fn renew_colors(&mut self, board: &Board) -> u64 {
        let slots = Color::ALL.map(|color| board.slots_of(color));
        let before = std::mem::replace(&mut self.colors, slots);
        (0..COLORS).fold(0, |all, color| all | slots[color] ^ before[color])
    }

    /// What one slot that has been filled or emptied makes different; returns the stars concerned.
    fn renew_slot(
        &mut self,
        stage: &Stage,
        weights: &SummerPavilionWeights,
        board: &Board,
        slot: usize,
    ) -> u8 {
        let star = slot / STAR_SLOTS;
        self.kinds[star] = kind_of(stage.rules.side, board, star);
        let cost = usize::from(PRINTED[usize::from(stage.rules.side == BoardSide::Gray)][slot]);
        let before = self.number_step[cost];
        self.renew_number(stage, weights, board, cost);
        let mut stars = if self.number_step[cost] == before { 1 << star } else { ALL_STARS };
        for feature in TOUCHING[star][slot % STAR_SLOTS].map(usize::from) {
            if feature < Feature::ALL.len() {
                self.renew_feature(stage, board, feature);
                stars |= FEATURE_STARS[feature];
            }
        }
        if self.homes_change(stage, board, star) {
            self.renew_homes(stage, board);
        }
        stars
    }

    fn renew_all(&mut self, stage: &Stage, weights: &SummerPavilionWeights, board: &Board) {
        self.round = stage.round;
        self.kinds = std::array::from_fn(|star| kind_of(stage.rules.side, board, star));
        (1..=STAR_SLOTS).for_each(|cost| self.renew_number(stage, weights, board, cost));
        (0..Feature::ALL.len()).for_each(|feature| self.renew_feature(stage, board, feature));
        self.renew_homes(stage, board);
    }

    #[inline]
    fn renew_number(&mut self, stage: &Stage, weights: &SummerPavilionWeights, board: &Board, cost: usize) {
        if stage.rules.number_points[cost - 1] != 0 {
            let side = usize::from(stage.rules.side == BoardSide::Gray);
            let missing = (NUMBERS[side][cost] & !board.filled()).count_ones();
            self.number_step[cost] = stage.number_step(weights, cost, missing);
        }
    }

    #[inline]
    fn renew_feature(&mut self, stage: &Stage, board: &Board, number: usize) {
        let feature = &Feature::ALL[number];
        let mut done = 0;
        // At most four: a loop is shorter than counting the bits of a word without an instruction for it.
        let mut rest = board.filled() & feature.slots;
        while rest != 0 {
            rest &= rest - 1;
            done += 1;
        }
        self.feature_step[number] = stage.feature_steps[feature.kind as usize][done];
    }

    /// Whether a change on a star may change the home of a color: on the colored side an outer star is one until it is full.
    #[inline]
    fn homes_change(&self, stage: &Stage, board: &Board, star: usize) -> bool {
        match stage.rules.side {
            BoardSide::Colored if star == CENTER_STAR => false,
            BoardSide::Colored => (self.homes[star] == HOMELESS) != (board.free(star) == 0),
            BoardSide::Gray => true,
        }
    }

    fn renew_homes(&mut self, stage: &Stage, board: &Board) {
        self.homes = homes(stage.rules.side, &self.kinds, board);
        self.homeless = 0;
        for (color, home) in self.homes.into_iter().enumerate() {
            let homeless = usize::from(home == HOMELESS);
            self.homeless |= (homeless as u8) << color;
            self.prices[color] = stage.prices[homeless][color];
            self.kept_worth[color] = stage.kept_worth[homeless][color];
        }
    }
}
