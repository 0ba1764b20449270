//! The hand-made evaluation of Queen's Garden.

mod ground;
mod hand;
mod stage;
#[cfg(test)]
mod tests;
mod value;
mod weights;

use azulejo::queens_garden::{
    Action, Board, KINDS, Kind, KindSet, Phase, QueensGarden, ROUNDS, TileCounts, ring,
};
use azulejo::{Game, Seat, Turn};

use self::ground::{Ground, bits, pavilion_points, room_gain};
use self::hand::{Hand, Purse, Worths};
use self::stage::Stage;
pub use self::weights::QueensGardenWeights;
use super::Heuristic;

impl Heuristic for QueensGarden {
    type Weights = QueensGardenWeights;

    const TEMPERATURE: f32 = 2.0;

    fn rate_actions(&self, weights: &QueensGardenWeights, actions: &[Action], ratings: &mut Vec<f32>) {
        ratings.clear();
        let Turn::Player(seat) = self.turn() else { return };
        if self.phase() == Phase::Place {
            return rate_places(self, seat, weights, actions, ratings);
        }
        let rater = TurnRater::new(self, seat, weights);
        let phase = self.phase();
        ratings.extend(actions.iter().map(|&action| match phase {
            Phase::Turn => rater.rate(action),
            Phase::Take => rater.rate_take(action),
            Phase::Pay => rater.rate_payment(action),
            _ => rater.rate_discard(action),
        }));
    }
}

/// The kinds whose places have to be known to rate what the state asks for.
fn kinds_of_interest(state: &QueensGarden, hand: &Hand, offer: &Offer) -> KindSet {
    match (state.phase(), state.pending().actions()) {
        (Phase::Turn, _) => hand.kinds() | offer.tiles | offer.faces,
        (Phase::Take, [Action::Acquire(selection), ..]) => offer.repeated & selection.kinds(),
        (_, [Action::Tile(placed) | Action::Expansion(placed), ..]) => {
            hand.kinds() & (KindSet::of_color(placed.color()) | KindSet::of_pattern(placed.pattern()))
        }
        _ => hand.kinds(),
    }
}

/// Rates the places of the tile or expansion that the turn is about. The payment does not depend on the place.
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
    let ground = Ground::new(garden, state.rules(), weights, stage, kinds, among);
    ratings.extend(actions.iter().map(|action| match *action {
        Action::At(place) => ground.gain(kind, place),
        _ => 0.0,
    }));
}

/// What a display shows.
#[derive(Default)]
struct Offer {
    /// Kinds of which there is a tile.
    tiles: KindSet,
    /// Kinds of which there is a face-up expansion.
    faces: KindSet,
    /// Kinds shown at more than one slot.
    repeated: KindSet,
    /// Kinds on the stack's top.
    top: KindSet,
}

impl Offer {
    fn of(state: &QueensGarden) -> Self {
        let mut offer = Offer::default();
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
        offer
    }
}

/// Rates all that the player to move can begin or continue.
struct TurnRater<'a> {
    state: &'a QueensGarden,
    weights: &'a QueensGardenWeights,
    board: &'a Board,
    stage: Stage,
    offer: Offer,
    hand: Hand,
    purse: Purse,
    worths: Worths,
    /// The kinds in the storage whose items gain nothing by longer lines.
    content: u64,
    /// By kind, what the garden gains by it at its best place; where there is none, it is −∞.
    tile_gain: [f32; KINDS],
    expansion_gain: [f32; KINDS],
    /// What placing and buying cost in time.
    tempo: f32,
}

impl<'a> TurnRater<'a> {
    fn new(state: &'a QueensGarden, seat: Seat, weights: &'a QueensGardenWeights) -> Self {
        let rater = TurnRater::unrated(state, seat, weights);
        let kinds = kinds_of_interest(state, &rater.hand, &rater.offer);
        rater.rated(kinds)
    }

    /// A rater for any seat, whoever is to move, that knows the places of what is in the storage.
    fn storage(state: &'a QueensGarden, seat: Seat, weights: &'a QueensGardenWeights) -> Self {
        let rater = TurnRater::unrated(state, seat, weights);
        let kinds = rater.hand.kinds();
        rater.rated(kinds)
    }

    fn unrated(state: &'a QueensGarden, seat: Seat, weights: &'a QueensGardenWeights) -> Self {
        let (board, stage) = (state.board(seat), Stage::of(state));
        let (offer, hand) = (Offer::of(state), Hand::of(board));
        let tempo = if (offer.tiles | offer.faces).is_empty() { 0.0 } else { weights.tempo };
        let purse = Purse::new(weights, stage);
        let worths = purse.worths(&Hand { tiles: TileCounts::EMPTY, expansions: KindSet::EMPTY, jokers: 0 });
        let gain = [f32::NEG_INFINITY; KINDS];
        TurnRater {
            state,
            weights,
            board,
            stage,
            offer,
            hand,
            purse,
            worths,
            content: 0,
            tile_gain: gain,
            expansion_gain: gain,
            tempo,
        }
    }

    /// The rater with the places of these kinds worked out.
    fn rated(mut self, kinds: KindSet) -> Self {
        self.rate_placements(kinds);
        self.worths = self.purse.worths(&self.hand);
        self.content = self.purse.content(&self.hand);
        self
    }

    /// Finds the best place of what is in the storage or can be acquired, as far as its kind is of interest.
    fn rate_placements(&mut self, of_interest: KindSet) {
        let (state, weights, stage) = (self.state, self.weights, self.stage);
        let garden = self.board.garden();
        let tiles = (of_interest & (self.hand.tiles.kinds() | self.offer.tiles)).mask();
        let expansions = (of_interest & (self.hand.expansions | self.offer.faces)).mask();
        let (free, areas) = (garden.free(), garden.expansion_ground());
        let among = if expansions == 0 { free } else { free | areas };
        let ground = Ground::new(garden, state.rules(), weights, stage, tiles | expansions, among);
        let room = room_gain(weights, stage, free.count_ones(), -1.0);
        let apart = ground.places_apart(free);
        for index in bits(tiles) {
            let kind = Kind::from_index(index);
            let gain = ground.best_gain(kind, free, apart) + room;
            self.tile_gain[index] = gain;
            self.purse.surplus.tiles[index] = self.purse.beyond_cost(gain, kind.value());
        }
        if expansions == 0 {
            return;
        }
        let ahead = pavilion_points(state.rules(), stage.round) + stage.pick(&weights.pavilion);
        let room = room_gain(weights, stage, free.count_ones(), 5.0) + ahead;
        let apart = ground.places_apart(areas);
        for index in bits(expansions) {
            let kind = Kind::from_index(index);
            let gain = ground.best_gain(kind, areas, apart) + room;
            self.expansion_gain[index] = gain;
            self.purse.surplus.expansions[index] = self.purse.beyond_cost(gain, kind.value());
        }
    }

    /// The rating of what begins a turn.
    fn rate(&self, action: Action) -> f32 {
        match action {
            Action::Acquire(selection) => self.acquisition(selection.kinds()),
            Action::Tile(kind) => {
                let worth = self.worths.tile(&self.hand, kind.index());
                self.placement(kind, self.tile_gain[kind.index()], worth)
            }
            Action::Expansion(kind) => {
                let worth = self.worths.expansions[kind.index()];
                self.placement(kind, self.expansion_gain[kind.index()], worth)
            }
            Action::Buy(area) => self.purchase(area.into()),
            _ => self.pass(),
        }
    }

    fn placement(&self, kind: Kind, gain: f32, worth: f32) -> f32 {
        let cost = self.worths.payment(&self.hand, kind, self.purse.joker);
        gain - worth - cost.unwrap_or(f32::INFINITY) - self.tempo
    }

    fn purchase(&self, area: usize) -> f32 {
        let garden = self.board.garden();
        let room = room_gain(self.weights, self.stage, garden.free().count_ones(), 7.0);
        // Beside hexagons, the new places are of more use.
        let beside = (garden.near() & ring(area)).count_ones() as f32;
        room + 0.01 * beside - f32::from(self.state.rules().expansion_price) - self.tempo
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
            && self.purse.surplus.expansions[index] >= self.purse.surplus.tiles[index]
    }

    /// The gain of acquiring all of these kinds that are shown, each from the better slot.
    fn acquisition(&self, kinds: KindSet) -> f32 {
        let offer = &self.offer;
        let shown = kinds & (offer.tiles | offer.faces);
        let mut expansions = shown & (offer.faces - offer.tiles);
        let both = shown & offer.faces & offer.tiles;
        for index in bits(both.mask()) {
            if self.prefers_expansion(index) {
                expansions |= KindSet::of(Kind::from_index(index));
            }
        }
        let tiles = shown - expansions;
        let gain = self.purse.gain(&self.hand, &self.worths, self.content, tiles, expansions);
        let top = if (shown & (offer.top - offer.repeated)).is_empty() { 0.0 } else { self.weights.top };
        gain + self.weights.deny * f32::from(shown.len()) - top
    }

    /// The rating of a slot for a kind shown at several.
    fn rate_take(&self, action: Action) -> f32 {
        let Action::Take(slot) = action else { return 0.0 };
        let slots = self.state.slots();
        let slot = slot as usize - 1;
        let [Action::Acquire(selection), takes @ ..] = self.state.pending().actions() else { return 0.0 };
        let Some(kind) = (self.offer.repeated & selection.kinds()).iter().nth(takes.len()) else {
            return 0.0;
        };
        if slots[slot].kind().is_some() {
            return self.purse.surplus.expansions[kind.index()] + 0.01;
        }
        let top = self.state.stack() > 0 && slot + 1 == slots.len();
        // A tile that leaves its expansion empty brings a new one into the next player's reach.
        let last = slots[slot].tiles().total() == 1;
        self.purse.surplus.tiles[kind.index()]
            - if top { self.weights.top } else { 0.0 }
            - if last { 0.005 } else { 0.0 }
    }

    /// The rating of the next thing paid: the cheapest payment that continues with it.
    fn rate_payment(&self, action: Action) -> f32 {
        let [Action::Tile(placed) | Action::Expansion(placed), _, paid @ ..] = self.state.pending().actions()
        else {
            return 0.0;
        };
        let owed = placed.value() - 1 - paid.len() as u8;
        let joker = self.purse.joker;
        let (kind, cost) = match action {
            Action::Pay(kind) => (kind, self.worths.tile(&self.hand, kind.index())),
            Action::PayExpansion(kind) => (kind, self.worths.expansions[kind.index()]),
            _ => return -joker * f32::from(owed),
        };
        let line = if kind.color() == placed.color() {
            KindSet::of_color(placed.color())
        } else {
            KindSet::of_pattern(placed.pattern())
        };
        let rest = self.hand.kinds() & line & (KindSet::after(kind) - KindSet::of(*placed));
        let rest = self.worths.cheapest(&self.hand, rest.mask(), owed - 1, joker);
        -(cost + rest.unwrap_or(f32::INFINITY))
    }

    /// The rating of a discard after passing: it costs its value now and spares what the item would do in storage.
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
        self.purse.loss(&self.hand, &self.worths, kind, as_tile) - f32::from(loss)
    }
}
