//! The decisions open to the player to move, as sets.

use super::actions::{Action, SELECTIONS, Selection};
use super::kind::{COLORS, KINDS, Kind, KindSet, PerLine};
use super::place::{PLACES, Place};
use super::state::{Board, Phase, QueensGarden, Slot};
use crate::bits;

/// The number of sets that together hold all decisions of a phase.
const SETS: usize = 7;
// The sets in the order of actions.
const ACQUIRE: usize = 0;
const SLOTS: usize = 1;
const TILES: usize = 2;
const EXPANSIONS: usize = 3;
const PLACES_SET: usize = 4;
const AREAS: usize = 5;
const CLOSING: usize = 6;

/// All decisions open in one phase: for each sort of action a set of bits.
///
/// Tiles and expansions are what the turn begins with, what is paid or what is discarded, depending on the
/// phase; the closing action is to pass, to pay with jokers or to stop discarding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choices {
    phase: Phase,
    sets: [u64; SETS],
}

impl Choices {
    fn none(phase: Phase) -> Self {
        Choices { phase, sets: [0; SETS] }
    }

    /// The number of decisions.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.sets.iter().map(|set| if *set == 0 { 0 } else { set.count_ones() }).sum()
    }

    /// The only decision, if there is exactly one.
    #[inline]
    pub(crate) fn sole(&self) -> Option<Action> {
        let several = |set: u64| set & set.wrapping_sub(1) != 0;
        let mut found = None;
        for (set, &bits) in self.sets.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            if several(bits) || found.is_some() {
                return None;
            }
            found = Some((set, bits.trailing_zeros() as usize));
        }
        found.map(|(set, bit)| self.action(set, bit))
    }

    /// Decision number `n`, counted from 0 in the order of actions; `n` is below [`Choices::len`].
    #[inline]
    pub(crate) fn nth(&self, n: u32) -> Action {
        let mut n = n;
        for (set, &bits) in self.sets.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            let count = bits.count_ones();
            if n < count {
                return self.action(set, bits::nth(bits, n));
            }
            n -= count;
        }
        panic!("a choice beyond the last one");
    }

    /// The decisions in the order of actions.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Action> + '_ {
        let bits = |(set, bits): (usize, &u64)| bits::positions(*bits).map(move |bit| (set, bit));
        self.sets.iter().enumerate().flat_map(bits).map(|(set, bit)| self.action(set, bit))
    }

    /// Whether the decision is open.
    pub(crate) fn contains(&self, action: Action) -> bool {
        let (set, bit, phases): (usize, usize, &[Phase]) = match action {
            Action::Acquire(selection) => (ACQUIRE, selection.index(), &[Phase::Turn]),
            Action::Take(slot) => (SLOTS, slot as usize - 1, &[Phase::Take]),
            Action::Tile(kind) => (TILES, kind.index(), &[Phase::Turn]),
            Action::Pay(kind) => (TILES, kind.index(), &[Phase::Pay]),
            Action::Drop(kind) => (TILES, kind.index(), &[Phase::Discard]),
            Action::Expansion(kind) => (EXPANSIONS, kind.index(), &[Phase::Turn]),
            Action::PayExpansion(kind) => (EXPANSIONS, kind.index(), &[Phase::Pay]),
            Action::DropExpansion(kind) => (EXPANSIONS, kind.index(), &[Phase::Discard]),
            Action::At(place) => (PLACES_SET, place.index(), &[Phase::Place]),
            Action::Buy(area) => (AREAS, area.into(), &[Phase::Turn]),
            Action::Pass => (CLOSING, 0, &[Phase::Turn]),
            Action::Joker => (CLOSING, 0, &[Phase::Pay]),
            Action::Done => (CLOSING, 0, &[Phase::Discard]),
        };
        phases.contains(&self.phase) && self.sets[set] >> bit & 1 == 1
    }

    /// The action that a bit of a set stands for in this phase.
    #[inline]
    fn action(&self, set: usize, bit: usize) -> Action {
        match (set, self.phase) {
            (ACQUIRE, _) => Action::Acquire(Selection::from_index(bit % SELECTIONS)),
            (SLOTS, _) => Action::Take(bit as u8 + 1),
            (TILES, Phase::Pay) => Action::Pay(Kind::from_index(bit % KINDS)),
            (TILES, Phase::Discard) => Action::Drop(Kind::from_index(bit % KINDS)),
            (TILES, _) => Action::Tile(Kind::from_index(bit % KINDS)),
            (EXPANSIONS, Phase::Pay) => Action::PayExpansion(Kind::from_index(bit % KINDS)),
            (EXPANSIONS, Phase::Discard) => Action::DropExpansion(Kind::from_index(bit % KINDS)),
            (EXPANSIONS, _) => Action::Expansion(Kind::from_index(bit % KINDS)),
            (PLACES_SET, _) => Action::At(Place::from_index(bit % PLACES)),
            (AREAS, _) => Action::Buy(bit as u8),
            (_, Phase::Pay) => Action::Joker,
            (_, Phase::Discard) => Action::Done,
            _ => Action::Pass,
        }
    }
}

impl QueensGarden {
    /// The decisions open to the player to move: none at chance and over.
    #[inline]
    pub(super) fn choices(&self) -> Choices {
        let mut choices = Choices::none(self.phase);
        match self.phase {
            Phase::Turn => self.turn_choices(&mut choices),
            Phase::Take => choices.sets[SLOTS] = self.slot_choices(),
            Phase::Place => choices.sets[PLACES_SET] = self.place_choices(),
            Phase::Pay => {
                let payment = self.payment();
                let board = &self.boards[self.to_move];
                let kinds = payment.next_kinds();
                choices.sets[TILES] = (kinds & board.tiles.kinds()).mask();
                choices.sets[EXPANSIONS] = (kinds & board.expansions).mask();
                choices.sets[CLOSING] = (payment.jokers >= payment.owed).into();
            }
            Phase::Discard => {
                let (tiles, expansions) = self.droppable();
                choices.sets[TILES] = tiles.mask();
                choices.sets[EXPANSIONS] = expansions.mask();
                choices.sets[CLOSING] = 1;
            }
            Phase::Deal | Phase::Reveal | Phase::Over => {}
        }
        choices
    }

    /// The only decision open to the player to move, if there is exactly one.
    #[inline]
    pub(super) fn forced(&self) -> Option<Action> {
        if self.phase == Phase::Place && self.has_places_apart() { None } else { self.choices().sole() }
    }

    /// Whether several places are open to the tile or expansion that the turn is about because they lie apart
    /// from all hexagons: in most gardens it is so, and no group has to be looked at to know it.
    fn has_places_apart(&self) -> bool {
        let garden = &self.boards[self.to_move].garden;
        let ground = match self.pending.actions().first() {
            Some(Action::Tile(_)) => garden.free(),
            Some(Action::Expansion(_)) => garden.expansion_ground(),
            _ => 0,
        };
        let apart = ground & !garden.near();
        apart & apart.wrapping_sub(1) != 0
    }

    fn turn_choices(&self, choices: &mut Choices) {
        let board = &self.boards[self.to_move];
        choices.sets[ACQUIRE] = DisplayOffer::of(self.slots()).selections(board);
        let payable = board.payable();
        let tiles = payable & board.tiles.kinds();
        let expansions = payable & board.expansions;
        let garden = &board.garden;
        choices.sets[TILES] = filter(tiles, |kind| garden.takes_tile(kind)).mask();
        choices.sets[EXPANSIONS] = filter(expansions, |kind| garden.takes_expansion(kind)).mask();
        if self.supply > 0 && board.score >= self.rules.expansion_price {
            choices.sets[AREAS] = garden.free_areas().into();
        }
        choices.sets[CLOSING] = 1;
    }

    /// The slots from which the next kind of several slots can be taken: bit 0 for the first slot.
    fn slot_choices(&self) -> u64 {
        let taking = self.taking();
        let Some(kind) = taking.next else {
            return 0;
        };
        let slots = self.slots().iter().enumerate();
        let fitting = slots.filter(|(_, slot)| {
            slot.tiles.count(kind) > 0 && taking.tile_fits || slot.kind == Some(kind) && taking.expansion_fits
        });
        fitting.fold(0, |all, (slot, _)| all | 1 << slot)
    }

    /// The places open to the tile or expansion that the turn is about.
    fn place_choices(&self) -> u64 {
        let garden = &self.boards[self.to_move].garden;
        match self.pending.actions().first() {
            Some(&Action::Tile(kind)) => garden.tile_places(kind),
            Some(&Action::Expansion(kind)) => garden.expansion_places(kind),
            _ => 0,
        }
    }

    /// The tiles and the expansions that may be discarded next.
    fn droppable(&self) -> (KindSet, KindSet) {
        let board = &self.boards[self.to_move];
        let (tiles, expansions) = match self.pending.actions().last() {
            Some(&Action::Drop(last)) => {
                (KindSet::of(last) | KindSet::after(last), KindSet::of(last) | KindSet::after(last))
            }
            Some(&Action::DropExpansion(last)) => (KindSet::after(last), KindSet::after(last)),
            _ => (KindSet::ALL, KindSet::ALL),
        };
        (tiles & board.tiles.kinds(), expansions & board.expansions)
    }

    /// Where the acquisition under way stands.
    pub(super) fn taking(&self) -> Taking {
        let [Action::Acquire(selection), takes @ ..] = self.pending.actions() else {
            return Taking::default();
        };
        let board = &self.boards[self.to_move];
        DisplayOffer::of(self.slots()).taking(selection.kinds(), takes, self.slots(), board)
    }

    /// What is still to be paid in the placement under way.
    pub(super) fn payment(&self) -> Payment {
        let board = &self.boards[self.to_move];
        let [Action::Tile(placed) | Action::Expansion(placed), _, paid @ ..] = self.pending.actions() else {
            return Payment::default();
        };
        let mut lines = [KindSet::of_color(placed.color()), KindSet::of_pattern(placed.pattern())];
        let (mut hand, mut owed) = (board.kinds() - KindSet::of(*placed), placed.value() - 1);
        for action in paid {
            if let &(Action::Pay(kind) | Action::PayExpansion(kind)) = action {
                // The first kind paid lies in one of the two lines and settles which one it is.
                lines = lines.map(|line| if line.contains(kind) { line } else { KindSet::EMPTY });
                hand = hand & KindSet::after(kind);
                owed -= 1;
            }
        }
        Payment { hands: lines.map(|line| line & hand), owed, jokers: board.jokers }
    }
}

#[inline]
fn filter(kinds: KindSet, keep: impl Fn(Kind) -> bool) -> KindSet {
    kinds.iter().filter(|&kind| keep(kind)).collect()
}

/// What is still to be paid, and what with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Payment {
    /// The kinds that can still pay, if the payment goes along the color and if it goes along the pattern.
    hands: [KindSet; 2],
    /// Hexagons still to pay.
    pub owed: u8,
    jokers: u8,
}

impl Payment {
    /// The kinds that may be paid next: after each of them enough higher kinds and jokers are left for the
    /// rest.
    #[inline]
    fn next_kinds(&self) -> KindSet {
        let [color, pattern] = self.hands.map(|hand| {
            let spare = (hand.len() + self.jokers + 1).saturating_sub(self.owed);
            if spare >= hand.len() { hand } else { hand.iter().take(spare.into()).collect() }
        });
        color | pattern
    }
}

impl Board {
    /// The kinds of all tiles and expansions in the storage.
    #[inline]
    fn kinds(&self) -> KindSet {
        self.tiles.kinds() | self.expansions
    }

    /// The kinds in the storage whose cost the rest of the storage can pay.
    #[inline]
    pub(super) fn payable(&self) -> KindSet {
        let kinds = self.kinds();
        let (colors, patterns) = (kinds.by_color(), kinds.by_pattern());
        filter(kinds, |kind| {
            let line = colors.get(kind.color().index()).max(patterns.get(kind.pattern().index()));
            line + self.jokers >= kind.value()
        })
    }
}

/// What a display shows.
#[derive(Clone, Copy, Debug, Default)]
struct DisplayOffer {
    /// Kinds of which there is a tile.
    tiles: KindSet,
    /// Kinds of which there is a face-up expansion.
    faces: KindSet,
    /// Kinds shown at more than one slot.
    repeated: KindSet,
}

impl DisplayOffer {
    #[inline]
    fn of(slots: &[Slot]) -> Self {
        let mut offer = DisplayOffer::default();
        for slot in slots {
            let tiles = slot.tiles.kinds();
            offer.repeated |= (offer.tiles | offer.faces) & (tiles | slot.face());
            offer.tiles |= tiles;
            offer.faces |= slot.face();
        }
        offer
    }

    /// The selections that show something and fit the storage, bit [`Selection::index`] for each.
    #[inline]
    fn selections(&self, board: &Board) -> u64 {
        let (tile_room, expansion_room) = (board.tile_room(), board.expansion_room());
        let only_tiles = self.tiles - self.faces;
        let only_faces = self.faces - self.tiles;
        let shown = self.tiles | self.faces;
        let fitting = |count: fn(KindSet) -> PerLine| {
            let shown = count(shown);
            shown.nonzero()
                & shown.at_most(tile_room + expansion_room)
                & count(only_tiles).at_most(tile_room)
                & count(only_faces).at_most(expansion_room)
        };
        u64::from(fitting(KindSet::by_color)) | u64::from(fitting(KindSet::by_pattern)) << COLORS
    }

    /// Where an acquisition of these kinds stands after the given choices of slots.
    fn taking(&self, kinds: KindSet, takes: &[Action], slots: &[Slot], board: &Board) -> Taking {
        let (tile_room, expansion_room) = (board.tile_room(), board.expansion_room());
        let either = kinds & self.tiles & self.faces;
        let mut needs = Needs {
            tiles: (kinds & (self.tiles - self.faces)).len(),
            expansions: (kinds & (self.faces - self.tiles)).len(),
            either: either.len(),
        };
        let mut repeated = (kinds & self.repeated).iter();
        for (take, kind) in takes.iter().zip(&mut repeated) {
            let Action::Take(slot) = take else { break };
            if either.contains(kind) {
                let face_up = slots[*slot as usize - 1].kind == Some(kind);
                needs = if face_up { needs.with_expansion() } else { needs.with_tile() };
            }
        }
        let next = repeated.next();
        let open = next.is_some_and(|kind| either.contains(kind));
        let fits = |then: fn(Needs) -> Needs| !open || then(needs).fit(tile_room, expansion_room);
        Taking { next, tile_fits: fits(Needs::with_tile), expansion_fits: fits(Needs::with_expansion) }
    }
}

/// Where an acquisition stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taking {
    /// The next kind that is shown at several slots; `None` when all is chosen.
    pub next: Option<Kind>,
    tile_fits: bool,
    expansion_fits: bool,
}

/// How many items of each sort an acquisition brings.
#[derive(Clone, Copy, Debug)]
struct Needs {
    tiles: u8,
    expansions: u8,
    /// Kinds of which either a tile or an expansion can be taken.
    either: u8,
}

impl Needs {
    #[inline]
    fn fit(self, tile_room: u8, expansion_room: u8) -> bool {
        self.tiles <= tile_room
            && self.expansions <= expansion_room
            && self.tiles + self.expansions + self.either <= tile_room + expansion_room
    }

    /// One of the open kinds is taken as a tile.
    fn with_tile(self) -> Self {
        Needs { tiles: self.tiles + 1, either: self.either - 1, ..self }
    }

    /// One of the open kinds is taken as an expansion.
    fn with_expansion(self) -> Self {
        Needs { expansions: self.expansions + 1, either: self.either - 1, ..self }
    }
}
