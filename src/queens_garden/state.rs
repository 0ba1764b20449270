//! The state of a game of Queen's Garden.

use serde::{Deserialize, Serialize};

use super::actions::Action;
use super::counts::TileCounts;
use super::garden::Garden;
use super::kind::{KINDS, Kind, KindSet};
use super::variant::QueensGardenRules;
use super::{MAX_SLOTS, ROUNDS, STORAGE_EXPANSIONS, STORAGE_TILES};
use crate::player::{PerPlayer, Seat};
use crate::supply::Supply;

/// What the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The stack's top is to be filled with tiles (chance).
    Deal,
    /// An empty expansion is to be turned up (chance).
    Reveal,
    /// A player begins a turn.
    Turn,
    /// A player chooses among several slots for a kind to acquire.
    Take,
    /// A player chooses where to place a tile or an expansion.
    Place,
    /// A player chooses what to pay with.
    Pay,
    /// A player who has passed may discard from the storage.
    Discard,
    /// The game has ended; scores are final.
    Over,
}

/// One game of Queen's Garden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueensGarden {
    pub(super) rules: &'static QueensGardenRules,
    pub(super) phase: Phase,
    /// From 1.
    pub(super) round: u8,
    /// The seat that started this round.
    pub(super) start: Seat,
    /// The seat to move; in chance phases the seat that moves afterwards; the starting seat when the game is
    /// over.
    pub(super) to_move: Seat,
    /// Who took the first player marker; `None` while it lies in the center.
    pub(super) marker: Option<Seat>,
    /// Expansions left in the round's stack, the top included.
    pub(super) stack: u8,
    pub(super) supply: u8,
    /// The kinds of expansions never revealed so far.
    pub(super) unseen: KindSet,
    pub(super) display: Display,
    /// Bag and tower.
    pub(super) stock: Supply<TileCounts>,
    pub(super) pending: Pending,
    pub(super) boards: PerPlayer<Board>,
}

impl QueensGarden {
    pub(super) fn start(rules: &'static QueensGardenRules, players: usize) -> Self {
        let mut display = Display::default();
        display.push(Slot::default());
        QueensGarden {
            rules,
            phase: Phase::Deal,
            round: 1,
            start: Seat::new(0),
            to_move: Seat::new(0),
            marker: None,
            stack: rules.stack_of(players),
            supply: initial_supply(rules, players),
            unseen: KindSet::ALL,
            display,
            stock: Supply::new(TileCounts::ALL),
            pending: Pending::default(),
            boards: PerPlayer::from_fn(players, |seat| Board::new(rules, seat)),
        }
    }

    /// What the game waits for.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The display's slots in order, the first one having number 1; the last one is the stack's top if
    /// [`stack`](QueensGarden::stack) is not 0.
    #[inline]
    pub fn slots(&self) -> &[Slot] {
        self.display.slots()
    }

    /// How many expansions are left in the round's stack, the top included.
    #[inline]
    pub fn stack(&self) -> u8 {
        self.stack
    }

    /// How many expansions lie in the supply, those of later rounds' stacks not counted.
    #[inline]
    pub fn supply(&self) -> u8 {
        self.supply
    }

    /// The kinds of expansions that have never been revealed so far.
    #[inline]
    pub fn unseen(&self) -> KindSet {
        self.unseen
    }

    /// The tiles in the bag.
    pub fn bag(&self) -> TileCounts {
        self.stock.bag
    }

    /// The tiles in the tower: out of play until the bag runs short.
    pub fn tower(&self) -> TileCounts {
        self.stock.lid
    }

    /// The seat that holds the first player marker; `None` while it lies in the center.
    #[inline]
    pub fn marker(&self) -> Option<Seat> {
        self.marker
    }

    /// The seat that started this round (before its first turn: the seat that will start it).
    pub fn starting_seat(&self) -> Seat {
        self.start
    }

    /// The seat to move; at chance the one that moves afterwards; the starting seat when the game is over.
    #[inline]
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// The unfinished turn's actions so far.
    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// A player's board.
    #[inline]
    pub fn board(&self, seat: Seat) -> &Board {
        &self.boards[seat]
    }

    /// The boards of all players.
    pub fn boards(&self) -> &PerPlayer<Board> {
        &self.boards
    }
}

/// The expansions that are in no round's stack at the start.
pub(super) fn initial_supply(rules: &QueensGardenRules, players: usize) -> u8 {
    KINDS as u8 - ROUNDS as u8 * rules.stack_of(players)
}

/// An expansion in the display, or the stack's top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct Slot {
    pub(super) tiles: TileCounts,
    // Without this it could be left out.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) kind: Option<Kind>,
}

impl Slot {
    /// The tiles lying on the expansion.
    #[inline]
    pub fn tiles(&self) -> TileCounts {
        self.tiles
    }

    /// What the expansion shows; `None` while it lies face down.
    #[inline]
    pub fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// The kinds that can be acquired here: those of the tiles, or what the expansion shows.
    #[inline]
    pub fn shown(&self) -> KindSet {
        self.tiles.kinds() | self.face()
    }

    /// What the expansion shows, as a set.
    #[inline]
    pub(super) fn face(&self) -> KindSet {
        self.kind.map_or(KindSet::EMPTY, KindSet::of)
    }

    /// Whether the expansion lies face down without tiles: it is the next to be filled or to be turned up.
    #[inline]
    pub(super) fn is_bare(&self) -> bool {
        self.kind.is_none() && self.tiles.is_empty()
    }
}

/// The expansions in the display in the order in which they joined it, then the stack's top.
///
/// Slots beyond the last one are bare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Display {
    slots: [Slot; MAX_SLOTS],
    len: u8,
}

impl Display {
    #[inline]
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots[..self.len as usize]
    }

    #[inline]
    pub(crate) fn slots_mut(&mut self) -> &mut [Slot] {
        &mut self.slots[..self.len as usize]
    }

    #[inline]
    pub(crate) fn push(&mut self, slot: Slot) {
        self.slots[self.len as usize] = slot;
        self.len += 1;
    }

    /// Takes away the slots of `taken` (bit 0 for the first slot); the others close up.
    #[inline]
    pub(crate) fn remove(&mut self, taken: u8) {
        let mut kept = 0;
        for from in 0..self.len as usize {
            if taken >> from & 1 == 0 {
                self.slots[kept] = self.slots[from];
                kept += 1;
            }
        }
        self.slots[kept..].fill(Slot::default());
        self.len = kept as u8;
    }

    /// The first slot, from 0, that lies bare.
    #[inline]
    pub(crate) fn first_bare(&self) -> Option<usize> {
        self.slots().iter().position(Slot::is_bare)
    }
}

/// The actions of an unfinished turn so far, those that were carried out unasked included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pending {
    /// Entries from `len` on are the default action.
    actions: [Action; Pending::MOST],
    len: u8,
}

impl Pending {
    /// The most actions before a turn's last one: pass, then everything that the storage holds.
    const MOST: usize = 1 + STORAGE_TILES as usize + STORAGE_EXPANSIONS as usize;

    /// The actions so far; none between turns.
    #[inline]
    pub fn actions(&self) -> &[Action] {
        &self.actions[..self.len as usize]
    }

    #[inline]
    pub(super) fn push(&mut self, action: Action) {
        self.actions[self.len as usize] = action;
        self.len += 1;
    }
}

/// A player's board: points, storage and garden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) score: i16,
    pub(super) passed: bool,
    pub(super) jokers: u8,
    pub(super) tiles: TileCounts,
    pub(super) expansions: KindSet,
    pub(super) garden: Garden,
}

impl Board {
    fn new(rules: &QueensGardenRules, seat: Seat) -> Self {
        let score = rules.start_score + rules.handicap[seat.index()];
        Board { score, jokers: rules.start_jokers, ..Board::default() }
    }

    /// The points so far.
    #[inline]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// Whether the player has passed in this round.
    #[inline]
    pub fn passed(&self) -> bool {
        self.passed
    }

    /// The jokers in the storage.
    #[inline]
    pub fn jokers(&self) -> u8 {
        self.jokers
    }

    /// The tiles in the storage.
    #[inline]
    pub fn tiles(&self) -> TileCounts {
        self.tiles
    }

    /// The expansions in the storage.
    #[inline]
    pub fn expansions(&self) -> KindSet {
        self.expansions
    }

    /// The garden.
    #[inline]
    pub fn garden(&self) -> &Garden {
        &self.garden
    }

    /// Free spaces of the storage for tiles and jokers.
    #[inline]
    pub fn tile_room(&self) -> u8 {
        STORAGE_TILES - self.tiles.total() - self.jokers
    }

    /// Free spaces of the storage for expansions.
    #[inline]
    pub fn expansion_room(&self) -> u8 {
        STORAGE_EXPANSIONS - self.expansions.len()
    }

    /// Takes points away, not below the rules' floor.
    #[inline]
    pub(super) fn deduct(&mut self, points: i16, rules: &QueensGardenRules) {
        // A score that stands below the floor already cannot occur, so this never adds points.
        self.score = (self.score - points).max(rules.score_floor);
    }
}
