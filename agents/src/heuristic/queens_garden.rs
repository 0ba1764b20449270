//! The hand-made evaluation of Queen's Garden.

mod features;
mod goals;
mod ground;
mod keys;
mod plan;
mod playout;
mod stage;
mod storage;
#[cfg(test)]
mod tests;
mod value;
mod weights;

use azulejo::bits::positions;
use azulejo::queens_garden::{
    Action, Board, Kind, KindSet, PerLine, Phase, QueensGarden, QueensGardenRules, ROUNDS, Selection, ring,
};
use azulejo::{Game, Generator, Seat, Turn};

pub use self::features::QueensGardenValueWeights;
use self::ground::{Ground, pavilion_points, room_gain};
use self::playout::KnownGains;
pub use self::playout::QueensGardenPlayout;
use self::stage::Stage;
use self::storage::{StageWorth, StoredItems, Worths};
pub use self::value::{QueensGardenJudge, QueensGardenShare};
pub use self::weights::QueensGardenWeights;
use super::{Goal, Heuristic, Strategy};

/// All numbers of the rules that count. Points so far matter where a deduction cannot bring them lower.
const KNOWN_RULES: &[&str] = &[
    "start_score",
    "handicap",
    "score_floor",
    "expansion_price",
    "first_pass_penalty",
    "joker_awards.fountain",
    "joker_awards.statue",
    "joker_awards.bench",
    "joker_awards.pavilion",
    "ornaments",
    "wheel.colors",
    "wheel.patterns",
    "pavilion_points",
    "joker_points",
    "smallest_group",
    "group_bonus",
];

/// Points at the end for a joker under the standard rules, for which weights are tuned.
const STANDARD_JOKER: i16 = 1;

/// How much more a joker is worth at the end than under the standard rules.
#[inline]
fn joker_surplus(rules: &QueensGardenRules) -> f32 {
    f32::from(rules.joker_points - STANDARD_JOKER)
}

/// The worth of a joker at a stage of the game.
#[inline]
fn joker_worth(rules: &QueensGardenRules, weights: &QueensGardenWeights, stage: Stage) -> f32 {
    stage.pick(&weights.joker) + joker_surplus(rules)
}

impl Heuristic for QueensGarden {
    type Weights = QueensGardenWeights;
    type Playout = QueensGardenPlayout;

    const TEMPERATURE: f32 = 2.0;

    const KNOWN_RULES: &'static [&'static str] = KNOWN_RULES;

    const GOALS: &'static [Goal<Self>] = goals::GOALS;

    const STRATEGIES: &'static [Strategy] = &[
        Strategy {
            name: "colors",
            about: "groups of one color",
            weights: "color_groups = 1.6\npattern_groups = 0.4",
        },
        Strategy {
            name: "patterns",
            about: "groups of one pattern",
            weights: "color_groups = 0.4\npattern_groups = 1.6",
        },
        Strategy {
            name: "elements",
            about: "surrounded elements and their jokers",
            weights: "element = 3\ncontact = 0.8",
        },
        Strategy {
            name: "wheel",
            about: "hexagons that the rounds' scorings pay",
            weights: "wheel = 1.5\nlater_wheel = 2.5",
        },
        Strategy {
            name: "pavilions",
            about: "many face-up expansions",
            weights: "pavilion = [4, 4, 4, 3, 2]",
        },
        Strategy {
            name: "hoarders",
            about: "a full storage, passing late",
            weights: "leaving = 12\ncrowded = 0\ntempo = 2",
        },
    ];

    fn rate_actions(&self, weights: &QueensGardenWeights, actions: &[Action], ratings: &mut Vec<f32>) {
        rate(self, weights, actions, ratings, &mut KnownGains::default());
    }

    fn play_best(
        &mut self,
        weights: &QueensGardenWeights,
        playout: &mut QueensGardenPlayout,
        rng: &mut Generator,
        actions: &mut Vec<Action>,
        ratings: &mut Vec<f32>,
    ) {
        assert!(matches!(self.turn(), Turn::Player(_)), "no player is to move");
        loop {
            let action = playout.choose(self, weights, rng, actions, ratings);
            self.apply(action);
            if !matches!(self.phase(), Phase::Take | Phase::Place | Phase::Pay | Phase::Discard) {
                return;
            }
        }
    }
}

/// As [`Heuristic::rate_actions`]. `gains` are those known of the mover's garden at this stage; those that are
/// found are added.
fn rate(
    state: &QueensGarden,
    weights: &QueensGardenWeights,
    actions: &[Action],
    ratings: &mut Vec<f32>,
    gains: &mut KnownGains,
) {
    ratings.clear();
    let Turn::Player(seat) = state.turn() else { return };
    if state.phase() == Phase::Place {
        return rate_places(state, seat, weights, actions, ratings);
    }
    let mut rater = TurnRater::new(state, seat, weights, gains);
    rater.survey();
    rater.rate_all(actions, ratings);
}

/// The kinds whose places have to be known to rate what the state asks for.
fn kinds_of_interest(state: &QueensGarden, stored: &StoredItems, offer: &DisplayCounts) -> KindSet {
    match (state.phase(), state.pending().actions()) {
        (Phase::Turn, _) => stored.kinds() | offer.tiles | offer.faces,
        (Phase::Take, [Action::Acquire(selection), ..]) => offer.repeated & selection.kinds(),
        (_, [Action::Tile(placed) | Action::Expansion(placed), ..]) => {
            stored.kinds() & (KindSet::of_color(placed.color()) | KindSet::of_pattern(placed.pattern()))
        }
        _ => stored.kinds(),
    }
}

/// Rates the places of the tile or expansion that the turn is about. The payment does not depend on the
/// place.
fn rate_places(
    state: &QueensGarden,
    seat: Seat,
    weights: &QueensGardenWeights,
    actions: &[Action],
    ratings: &mut Vec<f32>,
) {
    let garden = state.board(seat).garden();
    let (kind, among) = match *state.pending().actions() {
        [Action::Tile(kind), ..] => (kind, garden.free()),
        [Action::Expansion(kind), ..] => (kind, garden.expansion_ground()),
        _ => return,
    };
    let (stage, kinds) = (Stage::of(state), KindSet::of(kind).mask());
    let mut ground = Ground::unexplored(garden);
    ground.explore(state.rules(), weights, stage, kinds, among);
    ratings.extend(actions.iter().map(|action| match *action {
        Action::At(place) => ground.gain(kind, place),
        _ => 0.0,
    }));
}

/// What a display shows.
struct DisplayCounts {
    /// Kinds of which there is a tile.
    tiles: KindSet,
    /// Kinds of which there is a face-up expansion.
    faces: KindSet,
    /// Kinds shown at more than one slot.
    repeated: KindSet,
    /// Kinds on the stack's top.
    top: KindSet,
    /// How many kinds are shown of each color and of each pattern.
    count: [PerLine; 2],
}

impl DisplayCounts {
    fn of(state: &QueensGarden) -> Self {
        let (empty, none) = (KindSet::EMPTY, KindSet::EMPTY.by_color());
        let mut offer =
            DisplayCounts { tiles: empty, faces: empty, repeated: empty, top: empty, count: [none; 2] };
        for slot in state.slots() {
            let shown = slot.shown();
            offer.repeated |= (offer.tiles | offer.faces) & shown;
            match slot.kind() {
                Some(_) => offer.faces |= shown,
                None => offer.tiles |= shown,
            }
        }
        if state.stack() > 0
            && let Some(top) = state.slots().last()
        {
            offer.top = top.shown();
        }
        let shown = offer.tiles | offer.faces;
        offer.count = [shown.by_color(), shown.by_pattern()];
        offer
    }

    /// How many kinds of a selection are shown.
    #[inline]
    fn count(&self, selection: Selection) -> u8 {
        match selection {
            Selection::Color(color) => self.count[0].get(color.index()),
            Selection::Pattern(pattern) => self.count[1].get(pattern.index()),
        }
    }
}

/// Rates all that the player to move can begin or continue, but for places.
struct TurnRater<'a> {
    state: &'a QueensGarden,
    weights: &'a QueensGardenWeights,
    board: &'a Board,
    stage: Stage,
    offer: DisplayCounts,
    stored: StoredItems,
    stage_worth: StageWorth,
    worths: Worths,
    /// What is known of the garden; [`TurnRater::survey`] adds what is of interest.
    gains: &'a mut KnownGains,
    /// What placing and buying cost in time.
    tempo: f32,
    /// What a face-down expansion gains, wherever it is laid.
    purchase: f32,
}

impl<'a> TurnRater<'a> {
    /// A rater that knows nothing of the storage yet: [`TurnRater::survey`] fills it in, in place.
    #[inline(always)]
    fn new(
        state: &'a QueensGarden,
        seat: Seat,
        weights: &'a QueensGardenWeights,
        gains: &'a mut KnownGains,
    ) -> Self {
        let (board, stage, offer) = (state.board(seat), Stage::of(state), DisplayCounts::of(state));
        let tempo = if (offer.tiles | offer.faces).is_empty() { 0.0 } else { weights.tempo };
        TurnRater {
            state,
            weights,
            board,
            stage,
            offer,
            stored: StoredItems::of(board),
            stage_worth: StageWorth::new(state.rules(), weights, stage),
            worths: Worths::none(),
            gains,
            tempo,
            purchase: 0.0,
        }
    }

    /// Finds what the garden gains by all that is of interest, and what the storage is worth.
    fn survey(&mut self) {
        let (offer, stored) = (&self.offer, &self.stored);
        let of_interest = kinds_of_interest(self.state, stored, offer);
        let tiles = (of_interest & (stored.tiles.kinds() | offer.tiles)).mask();
        let expansions = (of_interest & (stored.expansions | offer.faces)).mask();
        self.find_gains(tiles & !self.gains.known_tiles, expansions & !self.gains.known_expansions);
        for index in positions(tiles) {
            let (gain, value) = (self.gains.tiles[index], Kind::from_index(index).value());
            self.stage_worth.surplus.tiles[index] = self.stage_worth.beyond_cost(gain, value);
        }
        for index in positions(expansions) {
            let (gain, value) = (self.gains.expansions[index], Kind::from_index(index).value());
            self.stage_worth.surplus.expansions[index] = self.stage_worth.beyond_cost(gain, value);
        }
        self.purchase = self.room_gain(7.0);
        self.worths.update(&self.stage_worth, &self.stored);
    }

    /// What so many places more, or fewer, gain.
    fn room_gain(&self, change: f32) -> f32 {
        let free = self.board.garden().free().count_ones();
        room_gain(self.weights, self.stage, free, change)
    }

    /// Finds what tiles and expansions of these kinds gain on their best places.
    fn find_gains(&mut self, tiles: u64, expansions: u64) {
        if tiles | expansions == 0 {
            return;
        }
        let (rules, garden) = (self.state.rules(), self.board.garden());
        let (free, areas) = (garden.free(), if expansions == 0 { 0 } else { garden.expansion_ground() });
        let mut ground = Ground::unexplored(garden);
        ground.explore(rules, self.weights, self.stage, tiles | expansions, free | areas);
        let (apart, room) = (ground.places_apart(free), self.room_gain(-1.0));
        for index in positions(tiles) {
            self.gains.tiles[index] = ground.best_gain(Kind::from_index(index), free, &apart) + room;
        }
        self.gains.known_tiles |= tiles;
        if expansions == 0 {
            return;
        }
        let pavilion = pavilion_points(rules, self.stage.round) + self.stage.pick(&self.weights.pavilion);
        let (apart, room) = (ground.places_apart(areas), self.room_gain(5.0) + pavilion);
        for index in positions(expansions) {
            self.gains.expansions[index] = ground.best_gain(Kind::from_index(index), areas, &apart) + room;
        }
        self.gains.known_expansions |= expansions;
    }

    /// Appends the ratings of actions that begin or continue the turn.
    fn rate_all(&self, actions: &[Action], ratings: &mut Vec<f32>) {
        let actions = actions.iter();
        let pending = self.state.pending().actions();
        match self.state.phase() {
            Phase::Turn => ratings.extend(actions.map(|&action| self.rate_beginning(action))),
            Phase::Take => ratings.extend(actions.map(|&action| self.rate_take(pending, action))),
            Phase::Pay => ratings.extend(actions.map(|&action| self.rate_payment(pending, action))),
            _ => ratings.extend(actions.map(|&action| self.rate_discard(action))),
        }
    }

    /// The rating of what begins a turn.
    fn rate_beginning(&self, action: Action) -> f32 {
        match action {
            Action::Acquire(selection) => self.acquisition(selection),
            Action::Tile(kind) => {
                let worth = self.worths.tile(&self.stored, kind.index());
                self.placement(kind, self.gains.tiles[kind.index()], worth)
            }
            Action::Expansion(kind) => {
                let worth = self.worths.expansions[kind.index()];
                self.placement(kind, self.gains.expansions[kind.index()], worth)
            }
            Action::Buy(area) => self.purchase(area.into()),
            _ => self.pass(),
        }
    }

    fn placement(&self, kind: Kind, gain: f32, worth: f32) -> f32 {
        let cost = self.worths.payment(&self.stored, kind, self.stage_worth.joker);
        gain - worth - cost.unwrap_or(f32::INFINITY) - self.tempo
    }

    fn purchase(&self, area: usize) -> f32 {
        // Beside hexagons, the new places are of more use.
        let beside = (self.board.garden().near() & ring(area)).count_ones() as f32;
        self.purchase + 0.01 * beside - f32::from(self.state.rules().expansion_price) - self.tempo
    }

    fn pass(&self) -> f32 {
        let left = self.weights.leaving * self.stage.left();
        if self.state.marker().is_some() {
            return -left;
        }
        let marker = if self.stage.round + 1 < ROUNDS { self.weights.marker } else { 0.0 };
        marker - f32::from(self.state.rules().first_pass_penalty) - left
    }

    /// Whether a kind that can be had as a tile or as an expansion is better taken as an expansion.
    fn prefers_expansion(&self, index: usize) -> bool {
        self.board.expansion_room() > 0
            && self.stage_worth.surplus.expansions[index] >= self.stage_worth.surplus.tiles[index]
    }

    /// The gain of acquiring all of these kinds that are shown, each from the better slot.
    fn acquisition(&self, selection: Selection) -> f32 {
        let offer = &self.offer;
        let shown = selection.kinds() & (offer.tiles | offer.faces);
        let mut expansions = shown & (offer.faces - offer.tiles);
        let both = shown & offer.faces & offer.tiles;
        for index in positions(both.mask()) {
            if self.prefers_expansion(index) {
                expansions |= KindSet::of(Kind::from_index(index));
            }
        }
        let tiles = shown - expansions;
        let count = offer.count(selection);
        let number = if expansions.is_empty() { count } else { tiles.len() };
        let gain = self.stage_worth.gain(&self.stored, &self.worths, (tiles, number), expansions);
        let top = if (shown & (offer.top - offer.repeated)).is_empty() { 0.0 } else { self.weights.top };
        gain + self.weights.deny * f32::from(count) - top
    }

    /// The rating of a slot for a kind shown at several.
    fn rate_take(&self, pending: &[Action], action: Action) -> f32 {
        let Action::Take(slot) = action else { return 0.0 };
        let slots = self.state.slots();
        let slot = slot as usize - 1;
        let [Action::Acquire(selection), takes @ ..] = pending else { return 0.0 };
        let Some(kind) = (self.offer.repeated & selection.kinds()).iter().nth(takes.len()) else {
            return 0.0;
        };
        if slots[slot].kind().is_some() {
            return self.stage_worth.surplus.expansions[kind.index()] + 0.01;
        }
        let top = self.state.stack() > 0 && slot + 1 == slots.len();
        // A tile that leaves its expansion empty brings a new one into the next player's reach.
        let last = slots[slot].tiles().total() == 1;
        self.stage_worth.surplus.tiles[kind.index()]
            - if top { self.weights.top } else { 0.0 }
            - if last { 0.005 } else { 0.0 }
    }

    /// The rating of the next thing paid: the cheapest payment that continues with it.
    fn rate_payment(&self, pending: &[Action], action: Action) -> f32 {
        let [Action::Tile(placed) | Action::Expansion(placed), _, paid @ ..] = pending else {
            return 0.0;
        };
        let owed = placed.value() - 1 - paid.len() as u8;
        let joker = self.stage_worth.joker;
        let (kind, cost) = match action {
            Action::Pay(kind) => (kind, self.worths.tile(&self.stored, kind.index())),
            Action::PayExpansion(kind) => (kind, self.worths.expansions[kind.index()]),
            _ => return -joker * f32::from(owed),
        };
        let line = if kind.color() == placed.color() {
            KindSet::of_color(placed.color())
        } else {
            KindSet::of_pattern(placed.pattern())
        };
        let rest = self.stored.kinds() & line & (KindSet::after(kind) - KindSet::of(*placed));
        let rest = self.worths.cheapest(&self.stored, rest.mask(), owed - 1, joker);
        -(cost + rest.unwrap_or(f32::INFINITY))
    }

    /// The rating of a discard after passing: it costs its value now and spares what the item would do in
    /// storage.
    fn rate_discard(&self, action: Action) -> f32 {
        let (kind, as_tile) = match action {
            Action::Drop(kind) => (kind, true),
            Action::DropExpansion(kind) => (kind, false),
            _ => return 0.0,
        };
        let loss = i16::from(kind.value()).min(self.board.score() - self.state.rules().score_floor);
        if self.stage.round + 1 == ROUNDS {
            // It would cost the same at the end.
            return -1.0;
        }
        self.stage_worth.loss(&self.stored, &self.worths, kind, as_tile) - f32::from(loss)
    }
}
