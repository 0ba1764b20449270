//! What networks see of Queen's Garden.
//!
//! The display's slots are a set, but for the stack's top: features and outputs number them in the order of
//! what lies there, the top last.

use std::sync::LazyLock;

use super::{
    AREAS, Action, Area, COLORS, Color, JokerAwards, KINDS, Kind, MAX_SLOTS, PATTERNS, PLACES, Pattern,
    Phase, Place, QueensGarden, QueensGardenRules, ROUNDS, STORAGE_TILES, Selection, Side, Slot,
    TILES_PER_KIND,
};
use crate::bits::positions;
use crate::encode::{
    Active, Block, Encode, Names, POINTS, Parts, changes, most_changes, places_after, seats_from,
};
use crate::index::Indexed;
use crate::player::{MAX_PLAYERS, Seat};

/// The number of selections to acquire.
const SELECTIONS: usize = COLORS + PATTERNS;
const TILES: usize = TILES_PER_KIND as usize;
const STORED: usize = STORAGE_TILES as usize;
/// The supply's expansions are counted in steps of this many.
const SUPPLY_STEP: usize = 4;
const SUPPLY_STEPS: usize = 8;
const STACK: usize = 8;

// The table.
const ROUND: Block = Block::first(ROUNDS);
const PLAYERS: Block = ROUND.then(MAX_PLAYERS - 1);
const VARIANT: Block = PLAYERS.then(1);
const PHASE: Block = VARIANT.then(7);
const START: Block = PHASE.then(MAX_PLAYERS);
const MARKER: Block = START.then(1);
const STACKED: Block = MARKER.then(STACK);
const SUPPLY: Block = STACKED.then(SUPPLY_STEPS);
const UNSEEN: Block = SUPPLY.then(KINDS);
const SHOWN_TILES: Block = UNSEEN.then(KINDS * TILES);
const SHOWN_FACES: Block = SHOWN_TILES.then(KINDS);
const SLOTS: Block = SHOWN_FACES.then(MAX_SLOTS);
const SLOT_TILES: Block = SLOTS.then(MAX_SLOTS * KINDS);
const SLOT_FACES: Block = SLOT_TILES.then(MAX_SLOTS * KINDS);
const ACQUIRING: Block = SLOT_FACES.then(SELECTIONS);
const TAKING: Block = ACQUIRING.then(KINDS);
const TAKEN: Block = TAKING.then(MAX_SLOTS);
const PLACING_TILE: Block = TAKEN.then(KINDS);
const PLACING_EXPANSION: Block = PLACING_TILE.then(KINDS);
const PLACING_AT: Block = PLACING_EXPANSION.then(PLACES);
const PAID: Block = PLACING_AT.then(KINDS);
const OWED: Block = PAID.then(PATTERNS);
const DROPPED: Block = OWED.then(KINDS);

// A seat.
const SCORE: Block = Block::first(POINTS);
const PASSED: Block = SCORE.then(1);
const HAS_MARKER: Block = PASSED.then(1);
const JOKERS: Block = HAS_MARKER.then(STORED);
const ROOM: Block = JOKERS.then(STORED);
const STORED_TILES: Block = ROOM.then(KINDS * TILES);
const STORED_EXPANSIONS: Block = STORED_TILES.then(KINDS);
const AREA_DOWN: Block = STORED_EXPANSIONS.then(AREAS);
const AREA_UP: Block = AREA_DOWN.then(AREAS);
const HEX_COLORS: Block = AREA_UP.then(PLACES * COLORS);
const HEX_PATTERNS: Block = HEX_COLORS.then(PLACES * PATTERNS);
const SEAT: usize = HEX_PATTERNS.end();

// The rules.
const RULES: Block = Block { first: DROPPED.end() + MAX_PLAYERS * SEAT, len: changes(NUMBERS_OF_RULES) };
const NUMBERS_OF_RULES: usize = ROUNDS * (COLORS + PATTERNS) + PATTERNS + OTHER_NUMBERS.len();
/// The numbers beside the wheel's and those of groups.
const OTHER_NUMBERS: [&str; 9] = [
    "pavilion_points",
    "joker_points",
    "smallest_group",
    "first_pass_penalty",
    "expansion_price",
    "joker_awards.fountain",
    "joker_awards.statue",
    "joker_awards.bench",
    "joker_awards.pavilion",
];

/// What counts for points, and what jokers are won with.
fn rule_numbers(rules: &QueensGardenRules) -> [i16; NUMBERS_OF_RULES] {
    let JokerAwards { fountain, statue, bench, pavilion } = rules.joker_awards;
    let [fountain, statue, bench, pavilion] = [fountain, statue, bench, pavilion].map(i16::from);
    let QueensGardenRules { pavilion_points, joker_points, first_pass_penalty, expansion_price, .. } = *rules;
    let smallest_group = rules.smallest_group.into();
    let others: [i16; OTHER_NUMBERS.len()] = [
        pavilion_points,
        joker_points,
        smallest_group,
        first_pass_penalty,
        expansion_price,
        fountain,
        statue,
        bench,
        pavilion,
    ];
    let mut numbers = [0; NUMBERS_OF_RULES];
    let wheel = rules.wheel.iter().flat_map(|round| round.colors.iter().chain(&round.patterns));
    let all = wheel.chain(&rules.group_bonus).chain(&others);
    numbers.iter_mut().zip(all).for_each(|(number, &found)| *number = found);
    numbers
}

/// Those of both sides of the scoring board.
static USUAL: LazyLock<[[i16; NUMBERS_OF_RULES]; 2]> =
    LazyLock::new(|| [Side::Standard, Side::Variant].map(|side| rule_numbers(&QueensGardenRules::new(side))));

/// A slot's place in the order of features and outputs, for each slot of the display.
type Order = [u8; MAX_SLOTS];

impl Encode for QueensGarden {
    const FEATURES: usize = RULES.end();
    const FORMER_FEATURES: &'static [usize] = &[RULES.first];
    const MAX_ACTIVE: usize = 8
        + 2
        + 36
        + 32
        + 32
        + 8
        + 1
        + 40
        + 1
        + 16
        + 4
        + 15
        + MAX_PLAYERS * (9 + 2 + 14 + 6 + 98)
        + most_changes(NUMBERS_OF_RULES);
    /// Those of the action index, slots renumbered.
    const OUTPUTS: usize = Action::COUNT;
    /// One for each output.
    const PARTS: usize = Action::COUNT;
    /// For each slot its place in the order of features and outputs.
    const PLACES: usize = MAX_SLOTS * MAX_SLOTS;

    fn feature_names() -> Vec<String> {
        let kind = |index: usize| Kind::from_index(index);
        let place = |index: usize| Place::from_index(index);
        let phases = ["deal", "reveal", "turn", "take", "place", "pay", "discard"];
        let selection = |index: usize| Action::Acquire(Selection::from_index(index));
        let mut names = Names::new();
        names.counts(ROUND, ROUNDS, |_| "round".to_owned());
        names.block(PLAYERS, |index| format!("players={}", index + 2));
        names.block(VARIANT, |_| "variant".to_owned());
        names.block(PHASE, |index| format!("phase={}", phases[index]));
        names.block(START, |index| format!("start=+{index}"));
        names.block(MARKER, |_| "marker-in-center".to_owned());
        names.counts(STACKED, STACK, |_| "stack".to_owned());
        names.counts(SUPPLY, SUPPLY_STEPS, |_| format!("supply/{SUPPLY_STEP}"));
        names.block(UNSEEN, |index| format!("unseen-{}", kind(index)));
        names.block(SHOWN_TILES, |index| format!("shown-{}>={}", kind(index / TILES), index % TILES + 1));
        names.block(SHOWN_FACES, |index| format!("shown-expansion-{}", kind(index)));
        names.block(SLOTS, |index| format!("slots={}", index + 1));
        let slot = |index: usize| {
            if index == MAX_SLOTS - 1 { "top".to_owned() } else { format!("slot{}", index + 1) }
        };
        names.block(SLOT_TILES, |index| format!("{}-{}", slot(index / KINDS), kind(index % KINDS)));
        names.block(SLOT_FACES, |index| format!("{}-expansion-{}", slot(index / KINDS), kind(index % KINDS)));
        names.block(ACQUIRING, |index| format!("pending-{}", selection(index)));
        names.block(TAKING, |index| format!("pending-next-{}", kind(index)));
        names.block(TAKEN, |index| format!("pending-from-{}", slot(index)));
        names.block(PLACING_TILE, |index| format!("pending-{}", Action::Tile(kind(index))));
        names.block(PLACING_EXPANSION, |index| format!("pending-{}", Action::Expansion(kind(index))));
        names.block(PLACING_AT, |index| format!("pending-{}", Action::At(place(index))));
        names.block(PAID, |index| format!("pending-{}", Action::Pay(kind(index))));
        names.counts(OWED, PATTERNS, |_| "owed".to_owned());
        names.block(DROPPED, |index| format!("pending-{}", Action::Drop(kind(index))));
        for seat in 0..MAX_PLAYERS {
            names.begin(&format!("seat+{seat}."));
            names.points(SCORE, "score");
            names.block(PASSED, |_| "passed".to_owned());
            names.block(HAS_MARKER, |_| "marker".to_owned());
            names.counts(JOKERS, STORED, |_| "jokers".to_owned());
            names.counts(ROOM, STORED, |_| "room".to_owned());
            names.block(STORED_TILES, |index| format!("tile-{}>={}", kind(index / TILES), index % TILES + 1));
            names.block(STORED_EXPANSIONS, |index| format!("expansion-{}", kind(index)));
            names.block(AREA_DOWN, |index| format!("area{index}-down"));
            names.block(AREA_UP, |index| format!("area{index}-up"));
            names.block(HEX_COLORS, |index| {
                format!("hex{}={}", place(index / COLORS), Color::ALL[index % COLORS])
            });
            names.block(HEX_PATTERNS, |index| {
                format!("hex{}={}", place(index / PATTERNS), Pattern::ALL[index % PATTERNS])
            });
        }
        names.begin_table();
        let wheel = (1..=ROUNDS).flat_map(|round| {
            let colors = Color::ALL.iter().map(move |color| format!("wheel{round}-{color}"));
            colors.chain(Pattern::ALL.iter().map(move |pattern| format!("wheel{round}-{pattern}")))
        });
        let groups = (1..=PATTERNS).map(|size| format!("group_bonus{size}"));
        let others = OTHER_NUMBERS.map(str::to_owned);
        names.changes(RULES, &wheel.chain(groups).chain(others).collect::<Vec<_>>());
        names.finish()
    }

    #[inline]
    fn viewpoint(&self) -> Seat {
        self.to_move
    }

    fn encode(&self, active: &mut Vec<u16>) {
        let (viewpoint, players) = (self.viewpoint(), self.boards.players());
        let mut active = Active::new(active);
        active.count(ROUND, 0, ROUNDS, self.round.into());
        active.set(PLAYERS, players - 2);
        active.set_if(self.rules.side == Side::Variant, VARIANT, 0);
        match self.phase {
            Phase::Deal => active.set(PHASE, 0),
            Phase::Reveal => active.set(PHASE, 1),
            Phase::Turn => active.set(PHASE, 2),
            Phase::Take => active.set(PHASE, 3),
            Phase::Place => active.set(PHASE, 4),
            Phase::Pay => active.set(PHASE, 5),
            Phase::Discard => active.set(PHASE, 6),
            Phase::Over => {}
        }
        active.set(START, places_after(viewpoint, self.start, players));
        active.set_if(self.marker.is_none(), MARKER, 0);
        active.count(STACKED, 0, STACK, self.stack.into());
        active.count(SUPPLY, 0, SUPPLY_STEPS, usize::from(self.supply).div_ceil(SUPPLY_STEP));
        active.bits(UNSEEN, self.unseen.mask());
        let order = self.order();
        self.encode_display(&order, &mut active);
        self.encode_pending(&order, &mut active);
        for (place, seat) in seats_from(self, viewpoint).enumerate() {
            active.base = DROPPED.end() + place * SEAT;
            self.encode_seat(seat, &mut active);
        }
        active.base = 0;
        let usual = USUAL[usize::from(self.rules.side == Side::Variant)];
        active.changes(RULES, rule_numbers(self.rules), usual);
    }

    /// The tokens of actions; slots in the order of features.
    fn part_names() -> Vec<String> {
        (0..Self::PARTS).map(|part| Action::from_index(part).to_string()).collect()
    }

    fn place_names() -> Vec<String> {
        let name = |index: usize| format!("slot{}-is-{}", index / MAX_SLOTS + 1, index % MAX_SLOTS + 1);
        (0..Self::PLACES).map(name).collect()
    }

    fn encode_places(&self, active: &mut Vec<u16>) {
        let order = self.order();
        let number = |slot: usize| Self::FEATURES + slot * MAX_SLOTS + usize::from(order[slot]);
        active.extend((0..self.slots().len()).map(|slot| number(slot) as u16));
    }

    fn output(&self, action: Action) -> usize {
        match action {
            Action::Take(slot) => Action::Take(self.order()[slot as usize - 1] + 1).index(),
            _ => action.index(),
        }
    }

    #[inline]
    fn parts(output: usize) -> Parts {
        Parts::one(output)
    }
}

impl QueensGarden {
    /// The order of the slots: by what lies there, and whether the turn takes from them; the stack's top has
    /// the last place.
    fn order(&self) -> Order {
        let (slots, taken) = (self.slots(), self.taken());
        let sorted = slots.len() - usize::from(self.stack > 0 && !slots.is_empty());
        let content = |at: usize| {
            let Slot { kind, tiles } = &slots[at];
            (kind.map_or(KINDS, Kind::index), tiles.word(), taken >> at & 1, at)
        };
        let mut order = [MAX_SLOTS as u8 - 1; MAX_SLOTS];
        for (at, place) in order.iter_mut().enumerate().take(sorted) {
            *place = (0..sorted).filter(|&other| content(other) < content(at)).count() as u8;
        }
        order
    }

    /// The slots from which the unfinished turn takes: bit 0 for the first slot.
    fn taken(&self) -> u8 {
        self.pending.actions().iter().fold(0, |all, action| match action {
            Action::Take(slot) => all | 1 << (slot - 1),
            _ => all,
        })
    }

    fn encode_display(&self, order: &Order, active: &mut Active<'_>) {
        let mut shown = [0u8; KINDS];
        for (slot, &place) in self.slots().iter().zip(order) {
            let first = place as usize * KINDS;
            for kind in slot.tiles.kinds().iter() {
                active.set(SLOT_TILES, first + kind.index());
                let count = slot.tiles.count(kind);
                for _ in 0..count {
                    active.set(SHOWN_TILES, kind.index() * TILES + shown[kind.index()] as usize);
                    shown[kind.index()] += 1;
                }
            }
            if let Some(kind) = slot.kind {
                active.set(SLOT_FACES, first + kind.index());
                active.set(SHOWN_FACES, kind.index());
            }
        }
        active.count(SLOTS, 0, MAX_SLOTS, self.slots().len());
    }

    fn encode_pending(&self, order: &Order, active: &mut Active<'_>) {
        for action in self.pending.actions() {
            match *action {
                Action::Acquire(selection) => active.set(ACQUIRING, selection.index()),
                Action::Tile(kind) => active.set(PLACING_TILE, kind.index()),
                Action::Expansion(kind) => active.set(PLACING_EXPANSION, kind.index()),
                Action::At(place) => active.set(PLACING_AT, place.index()),
                Action::Pay(kind) | Action::PayExpansion(kind) => active.set(PAID, kind.index()),
                _ => {}
            }
        }
        let taken = self.taken();
        for (slot, &place) in order.iter().enumerate() {
            active.set_if(taken >> slot & 1 == 1, TAKEN, place.into());
        }
        if let Some(Action::Drop(kind) | Action::DropExpansion(kind)) = self.pending.actions().last() {
            active.set(DROPPED, kind.index());
        }
        match self.phase {
            Phase::Take => {
                if let Some(kind) = self.taking().next {
                    active.set(TAKING, kind.index());
                }
            }
            Phase::Pay => active.count(OWED, 0, PATTERNS, self.payment().owed.into()),
            _ => {}
        }
    }

    fn encode_seat(&self, seat: Seat, active: &mut Active<'_>) {
        let board = &self.boards[seat];
        active.points(SCORE, board.score);
        active.set_if(board.passed, PASSED, 0);
        active.set_if(self.marker == Some(seat), HAS_MARKER, 0);
        active.count(JOKERS, 0, STORED, board.jokers.into());
        active.count(ROOM, 0, STORED, board.tile_room().into());
        for kind in board.tiles.kinds().iter() {
            for count in 0..board.tiles.count(kind) as usize {
                active.set(STORED_TILES, kind.index() * TILES + count);
            }
        }
        active.bits(STORED_EXPANSIONS, board.expansions.mask());
        for area in 1..AREAS {
            match board.garden.area(area) {
                Area::Free => {}
                Area::FaceDown => active.set(AREA_DOWN, area),
                Area::FaceUp { .. } => active.set(AREA_UP, area),
            }
        }
        for color in Color::ALL {
            let places = positions(board.garden.places_of_color(color));
            places.for_each(|place| active.set(HEX_COLORS, place * COLORS + color.index()));
        }
        for pattern in Pattern::ALL {
            let places = positions(board.garden.places_of_pattern(pattern));
            places.for_each(|place| active.set(HEX_PATTERNS, place * PATTERNS + pattern.index()));
        }
    }
}
