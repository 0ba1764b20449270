//! The state of a game of Summer Pavilion.

use super::{Board, COLORS, Color, SOURCES, SummerPavilionRules, TILES_PER_COLOR};
use crate::player::{PerPlayer, Seat};
use crate::tiles::Tiles;

/// What the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    pub(super) bag: Tiles,
    pub(super) depot: Tiles,
    pub(super) boards: PerPlayer<Board>,
}

impl SummerPavilion {
    pub(super) fn start(rules: &'static SummerPavilionRules, players: usize) -> Self {
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
            bag: Tiles::each(COLORS, TILES_PER_COLOR),
            depot: Tiles::EMPTY,
            boards: PerPlayer::splat(players, Board::new(rules)),
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
        let holders = self.holders.of(color);
        if color == self.wild { holders & !self.holders.of_others(color) } else { holders }
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
        self.bag
    }

    /// The tiles in the depot: out of play until the bag is empty.
    pub fn depot(&self) -> Tiles {
        self.depot
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

/// For each color, which sources hold it: the index over the sources from which legal actions are counted.
///
/// Eight lanes rather than six let the compiler update all colors at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Holders([u16; 8]);

impl Holders {
    /// The sources that hold a color: bit 0 the center, bit `f` factory `f`.
    #[inline]
    pub fn of(&self, color: Color) -> u16 {
        self.0[color.index()]
    }

    /// The sources that hold any color but this one.
    #[inline]
    pub fn of_others(&self, color: Color) -> u16 {
        let mut others = self.0;
        others[color.index()] = 0;
        others.into_iter().fold(0, |all, holders| all | holders)
    }

    /// Notes the tiles now lying at a source.
    #[inline]
    pub fn set(&mut self, source: usize, tiles: Tiles) {
        for color in 0..COLORS {
            let holds = u16::from(tiles.count(color) != 0);
            self.0[color] = (self.0[color] & !(1 << source)) | holds << source;
        }
    }

    /// Whether no source holds any tile.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.into_iter().fold(0, |all, holders| all | holders) == 0
    }
}
