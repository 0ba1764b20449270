//! The hand-made evaluation of Queen's Garden.

use azulejo::queens_garden::{
    Action, Area, Board, Garden, Kind, Place, QueensGarden, QueensGardenRules, Selection,
};
use azulejo::{Game, Seat, Turn};
use serde::{Deserialize, Serialize};

use super::Heuristic;

/// Weights of Queen's Garden's one-ply evaluation, in points unless another unit is named.
///
/// A hexagon in the garden is worth what the wheel gives for it in this and all later rounds, and `group` times its
/// value for each adjacent hexagon whose group it joins. Placing is rated by that less what is paid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueensGardenWeights {
    /// Worth of a tile or an expansion in the storage.
    pub item: f32,
    /// Worth of a joker.
    pub joker: f32,
    /// Worth lost for each storage space that an acquisition leaves free less than `spare_spaces`.
    pub crowding: f32,
    /// Free storage spaces that are as good as more of them.
    pub spare_spaces: f32,
    /// Worth of a storage space freed by discarding, for each that is free less than `spare_spaces`.
    pub room: f32,
    /// Factor on a hexagon's value for each group that it joins.
    pub group: f32,
    /// Factor on the jokers for surrounding an element; with *m* of its 6 places filled (*m* / 6)² of them count.
    pub surround: f32,
    /// Worth of an expansion laid in the garden, beside the points for its pavilion.
    pub expansion: f32,
    /// Worth of a further free place, as long as fewer than six are left.
    pub land: f32,
}

impl Default for QueensGardenWeights {
    fn default() -> Self {
        QueensGardenWeights {
            item: 1.0,
            joker: 1.5,
            crowding: 0.25,
            spare_spaces: 4.0,
            room: 2.0,
            group: 0.5,
            surround: 1.5,
            expansion: 2.0,
            land: 3.0,
        }
    }
}

impl Heuristic for QueensGarden {
    type Weights = QueensGardenWeights;

    fn rate_actions(&self, weights: &QueensGardenWeights, actions: &[Action], ratings: &mut Vec<f32>) {
        ratings.clear();
        let Turn::Player(seat) = self.turn() else { return };
        let rater = Rater::new(self, seat, weights);
        ratings.extend(actions.iter().map(|&action| rater.rate(action)));
    }
}

/// What the ratings of one decision share.
struct Rater<'a> {
    state: &'a QueensGarden,
    rules: &'a QueensGardenRules,
    board: &'a Board,
    garden: &'a Garden,
    weights: &'a QueensGardenWeights,
}

impl<'a> Rater<'a> {
    fn new(state: &'a QueensGarden, seat: Seat, weights: &'a QueensGardenWeights) -> Self {
        let board = state.board(seat);
        Rater { state, rules: state.rules(), board, garden: board.garden(), weights }
    }

    fn rate(&self, action: Action) -> f32 {
        match action {
            Action::Acquire(selection) => self.acquisition(selection),
            // An expansion is worth more than a tile of its kind.
            Action::Take(slot) => f32::from(u8::from(self.state.slots()[slot as usize - 1].kind().is_some())),
            Action::Tile(kind) => self.placement(kind, self.garden.tile_places(kind)),
            Action::Expansion(kind) => {
                self.pavilion() + self.placement(kind, self.garden.expansion_places(kind))
            }
            Action::At(place) => match self.state.pending().actions().first() {
                Some(&(Action::Tile(kind) | Action::Expansion(kind))) => self.at(kind, place),
                _ => 0.0,
            },
            Action::Pay(kind) | Action::PayExpansion(kind) => -self.wheel(kind),
            Action::Joker => -self.weights.joker,
            Action::Buy(_) => self.face_down() - f32::from(self.rules.expansion_price),
            Action::Pass | Action::Done => 0.0,
            Action::Drop(kind) | Action::DropExpansion(kind) => self.room() - f32::from(kind.value()),
        }
    }

    /// What the wheel gives for a hexagon in this and all later rounds.
    fn wheel(&self, kind: Kind) -> f32 {
        let rounds = self.rules.wheel[self.state.round() as usize - 1..].iter();
        let points =
            rounds.map(|wheel| wheel.colors[kind.color().index()] + wheel.patterns[kind.pattern().index()]);
        f32::from(points.sum::<i16>())
    }

    /// What a further free space of the storage is worth at the end of this round.
    fn room(&self) -> f32 {
        let lacking = self.weights.spare_spaces - f32::from(self.board.tile_room());
        if self.rounds_left() > 1.0 { self.weights.room * lacking.max(0.0) } else { 0.0 }
    }

    /// This round and those that follow.
    fn rounds_left(&self) -> f32 {
        (self.rules.wheel.len() as u32 + 1 - self.state.round()) as f32
    }

    fn acquisition(&self, selection: Selection) -> f32 {
        let slots = self.state.slots().iter();
        let shown = slots.fold(Default::default(), |all, slot| slot.shown() | all) & selection.kinds();
        let worth: f32 = shown.iter().map(|kind| self.weights.item + 0.25 * self.wheel(kind)).sum();
        let left = f32::from(self.board.tile_room()) - f32::from(shown.len());
        worth - self.weights.crowding * (self.weights.spare_spaces - left).max(0.0)
    }

    /// A hexagon of this kind at the best of these places, paid with average items.
    fn placement(&self, kind: Kind, places: u64) -> f32 {
        let places = (0..azulejo::queens_garden::PLACES).filter(|place| places >> place & 1 == 1);
        let rated = places.map(|place| self.at(kind, Place::from_index(place)));
        rated.fold(f32::NEG_INFINITY, f32::max) - self.weights.item * f32::from(kind.value())
    }

    /// A hexagon of this kind at this place.
    fn at(&self, kind: Kind, place: Place) -> f32 {
        let beside = |places: u64| f32::from(u8::from(places & place.neighbors() != 0));
        let joins = beside(self.garden.places_of_color(kind.color()))
            + beside(self.garden.places_of_pattern(kind.pattern()));
        let jokers: f32 = self
            .garden
            .elements_at(place, self.rules)
            .map(|(around, jokers)| {
                let filled = (around & (self.garden.filled() | place.mask())).count_ones() as f32 / 6.0;
                filled * filled * f32::from(jokers)
            })
            .sum();
        // Not in the storage at the end, where it would cost its value.
        let value = f32::from(kind.value());
        self.wheel(kind) + value * (1.0 + self.weights.group * joins) + self.weights.surround * jokers
    }

    fn pavilion(&self) -> f32 {
        self.weights.expansion + self.rounds_left() * f32::from(self.rules.pavilion_points)
    }

    fn face_down(&self) -> f32 {
        let free = self.garden.free().count_ones() as f32;
        let laid = (1..=6).filter(|&area| self.garden.area(area) != Area::Free).count() as f32;
        self.weights.land * (6.0 - free).max(0.0) - laid
    }
}
