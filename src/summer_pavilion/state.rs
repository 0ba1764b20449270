//! The state of a game of Summer Pavilion.

use serde::{Deserialize, Serialize};

use super::{Board, COLORS, Color, SOURCES, SummerPavilionRules, TILES_PER_COLOR};
use crate::factories::Holders;
use crate::player::{PerPlayer, Seat};
use crate::supply::Supply;
use crate::tiles::Tiles;

/// What the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The factories of a new round are to be filled (chance).
    Deal,
    /// The supply is to be filled up (chance).
    Supply,
    /// Players take tiles from factories and center.
    Acquire,
    /// A player places a tile or passes.
    Place,
    /// A player takes bonus tiles from the supply.
    Bonus,
    /// A player who passed chooses tiles to keep.
    Keep,
    /// The game has ended; scores are final.
    Over,
}

/// One game of Summer Pavilion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SummerPavilion {
    pub(super) rules: &'static SummerPavilionRules,
    pub(super) phase: Phase,
    /// From 1.
    pub(super) round: u8,
    /// The wild color of this round.
    pub(super) wild: Color,
    /// The seat that started this round.
    pub(super) start: Seat,
    /// The seat to move; `start` at chance and over.
    pub(super) to_move: Seat,
    /// In phase supply the seat that moves afterwards, `None` if a deal follows; else `None`.
    pub(super) next: Option<Seat>,
    /// Who took the start player token; `None` while it lies in the center.
    pub(super) token: Option<Seat>,
    /// Bonus tiles that the player to move still takes: 0 outside phase bonus.
    pub(super) owed: u8,
    /// The tiles of the center (0) and of the factories (1…).
    pub(super) sources: [Tiles; SOURCES],
    pub(super) holders: Holders,
    pub(super) supply: Tiles,
    /// Bag and depot.
    pub(super) stock: Supply,
    pub(super) boards: PerPlayer<Board>,
}

impl SummerPavilion {
    pub(super) fn start(rules: &'static SummerPavilionRules, players: usize) -> Self {
        let mut boards = PerPlayer::splat(players, Board::new(rules.side, rules.starting_score));
        Seat::all(players).for_each(|seat| boards[seat].score += rules.handicap[seat.index()]);
        SummerPavilion {
            rules,
            phase: Phase::Supply,
            round: 1,
            wild: rules.wild(1),
            start: Seat::new(0),
            to_move: Seat::new(0),
            next: None,
            token: None,
            owed: 0,
            sources: [Tiles::EMPTY; SOURCES],
            holders: Holders::default(),
            supply: Tiles::EMPTY,
            stock: Supply::new(Tiles::each(COLORS, TILES_PER_COLOR)),
            boards,
        }
    }

    /// What the game waits for.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The wild color of this round.
    #[inline]
    pub fn wild(&self) -> Color {
        self.wild
    }

    /// The number of factories.
    #[inline]
    pub fn factories(&self) -> usize {
        self.rules.factories[self.boards.players() - 2] as usize
    }

    /// The tiles of a source: 0 is the center, 1 to [`factories`](SummerPavilion::factories) a factory.
    #[inline]
    pub fn source(&self, source: usize) -> Tiles {
        self.sources[source]
    }

    /// The sources from which a color may be taken: bit 0 is the center, bit `f` factory `f`.
    ///
    /// For the wild color these are the sources that hold nothing else.
    #[inline]
    pub fn sources_of(&self, color: Color) -> u16 {
        let holders = self.holders.of(color.index());
        if color == self.wild { holders & !self.holders.of_others(color.index()) } else { holders }
    }

    /// The seat that holds the start player token; `None` while it lies in the center.
    #[inline]
    pub fn token(&self) -> Option<Seat> {
        self.token
    }

    /// The seat that started this round (at a deal: the seat that will start it).
    pub fn starting_seat(&self) -> Seat {
        self.start
    }

    /// In phase supply the seat that moves afterwards; `None` if a deal follows, and in other phases.
    pub fn next_seat(&self) -> Option<Seat> {
        self.next
    }

    /// Bonus tiles that the player to move still takes; 0 outside phase bonus.
    #[inline]
    pub fn owed(&self) -> u8 {
        self.owed
    }

    /// The tiles in the supply, from which bonus tiles are taken.
    #[inline]
    pub fn supply(&self) -> Tiles {
        self.supply
    }

    /// The tiles in the bag.
    pub fn bag(&self) -> Tiles {
        self.stock.bag
    }

    /// The tiles in the depot: out of play until the bag is empty.
    pub fn depot(&self) -> Tiles {
        self.stock.lid
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
