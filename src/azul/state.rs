//! The state of a game of Azul.

use serde::{Deserialize, Serialize};

use super::{AzulRules, COLORS, Color, FLOOR_SPACES, LETTERS, SOURCES, TILES_PER_COLOR, Wall};
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
    /// Players take tiles.
    Draft,
    /// Players choose columns for complete lines (gray wall only).
    Tile,
    /// The game has ended; scores are final.
    Over,
}

/// One game of Azul.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Azul {
    pub(super) rules: &'static AzulRules,
    pub(super) phase: Phase,
    /// From 1.
    pub(super) round: u8,
    /// The seat that started this round.
    pub(super) start: Seat,
    /// The seat to move in phases draft and tile.
    pub(super) to_move: Seat,
    /// Who took the starting player marker; `None` while it lies in the center.
    pub(super) marker: Option<Seat>,
    /// The tiles of the center (0) and of the factories (1…).
    pub(super) sources: [Tiles; SOURCES],
    pub(super) holders: Holders,
    pub(super) stock: Supply,
    pub(super) boards: PerPlayer<Board>,
}

impl Azul {
    pub(super) fn start(rules: &'static AzulRules, players: usize) -> Self {
        Azul {
            rules,
            phase: Phase::Deal,
            round: 1,
            start: Seat::new(0),
            to_move: Seat::new(0),
            marker: None,
            sources: [Tiles::EMPTY; SOURCES],
            holders: Holders::default(),
            stock: Supply::new(Tiles::each(COLORS, TILES_PER_COLOR)),
            boards: PerPlayer::from_fn(players, |seat| Board {
                score: rules.handicap[seat.index()],
                ..Board::default()
            }),
        }
    }

    /// What the game waits for.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The number of factories.
    #[inline]
    pub fn factories(&self) -> usize {
        self.rules.factories[self.boards.players() - 2] as usize
    }

    /// The tiles of a source: 0 is the center, 1 to [`factories`](Azul::factories) a factory.
    #[inline]
    pub fn source(&self, source: usize) -> Tiles {
        self.sources[source]
    }

    /// The sources that hold a color: bit 0 is the center, bit `f` factory `f`.
    #[inline]
    pub fn sources_of(&self, color: Color) -> u16 {
        self.holders.of(color.index())
    }

    /// The seat that holds the starting player marker; `None` while it lies in the center.
    #[inline]
    pub fn marker(&self) -> Option<Seat> {
        self.marker
    }

    /// The points that a seat's floor line and the marker, if the seat holds it, cost at the end of this round
    /// as things lie (not positive).
    #[inline]
    pub fn floor_points(&self, seat: Seat) -> i16 {
        let marker = if self.marker == Some(seat) { self.rules.marker_points } else { 0 };
        self.boards[seat].floor.points(self.rules) + marker
    }

    /// The seat that started this round (at a deal: the seat that will start it).
    pub fn starting_seat(&self) -> Seat {
        self.start
    }

    /// The tiles in the bag.
    pub fn bag(&self) -> Tiles {
        self.stock.bag
    }

    /// The tiles in the lid: out of play until the bag is empty.
    pub fn lid(&self) -> Tiles {
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

/// A pattern line: tiles of one color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// The color of the tiles; blue, without meaning, if there are none.
    pub color: Color,
    /// The number of tiles.
    pub count: u8,
}

/// A player's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) score: i16,
    pub(super) lines: [Line; COLORS],
    pub(super) wall: Wall,
    pub(super) floor: Floor,
    pub(super) open: OpenLines,
}

impl Default for Board {
    fn default() -> Self {
        Board {
            score: 0,
            lines: [Line::default(); COLORS],
            wall: Wall::default(),
            floor: Floor::default(),
            open: OpenLines::ALL,
        }
    }
}

impl Board {
    /// The points so far.
    #[inline]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// The pattern lines, shortest first: line `i` (from 0) holds up to `i + 1` tiles.
    #[inline]
    pub fn lines(&self) -> &[Line; COLORS] {
        &self.lines
    }

    /// The wall.
    #[inline]
    pub fn wall(&self) -> &Wall {
        &self.wall
    }

    /// The floor line.
    #[inline]
    pub fn floor(&self) -> Floor {
        self.floor
    }

    /// Where tiles of a color may go, as 6 bits: bit 0 the floor (always set), bits 1 to 5 the lines.
    #[inline]
    pub fn open_lines(&self, color: Color) -> u8 {
        self.open.of(color)
    }

    /// The complete lines, bit `i` for line `i` (from 0).
    #[inline]
    pub(crate) fn complete_lines(&self) -> u8 {
        (0..COLORS).fold(0, |bits, row| bits | u8::from(self.lines[row].count as usize == row + 1) << row)
    }

    /// The points that the final scoring adds: rows, columns and colors.
    pub fn bonus(&self, rules: &AzulRules) -> i16 {
        self.wall.complete_rows() * rules.row_bonus
            + self.wall.complete_columns() * rules.column_bonus
            + self.wall.complete_colors() * rules.color_bonus
    }

    /// All tiles on the board.
    pub(super) fn tiles(&self) -> Tiles {
        let lines: Tiles = self.lines.iter().map(|line| Tiles::of(line.color.index(), line.count)).sum();
        let wall: Tiles = Color::ALL
            .iter()
            .map(|&color| Tiles::of(color.index(), self.wall.spaces_of(color).count_ones() as u8))
            .sum();
        lines + wall + self.floor.tiles()
    }

    /// The open lines worked out from lines and wall.
    pub(super) fn open_from_scratch(&self) -> OpenLines {
        let mut open = OpenLines::ALL;
        for (row, line) in self.lines.iter().enumerate() {
            open.reopen(row, &self.wall);
            if line.count > 0 {
                open.commit(row, line.color, line.count as usize == row + 1);
            }
        }
        open
    }
}

/// For each color the lines that may take it: a byte per color, bit 0 the floor, bits 1 to 5 the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct OpenLines(u64);

impl OpenLines {
    const COLORS: u64 = 0x01_0101_0101;

    /// All lines take all colors.
    pub(crate) const ALL: OpenLines = OpenLines(Self::COLORS * 0b11_1111);

    #[inline]
    pub(crate) fn of(self, color: Color) -> u8 {
        (self.0 >> (8 * color.index())) as u8
    }

    /// Row `row`'s line now holds `color`: it takes no other color, and not that one either if it is full.
    #[inline]
    pub(crate) fn commit(&mut self, row: usize, color: Color, full: bool) {
        let others = self.0 & !(Self::COLORS << (row + 1));
        self.0 = others | u64::from(!full) << (8 * color.index() + row + 1);
    }

    /// Row `row`'s line is empty: it takes every color that the wall's row lacks.
    #[inline]
    pub(crate) fn reopen(&mut self, row: usize, wall: &Wall) {
        self.0 &= !(Self::COLORS << (row + 1));
        for color in Color::ALL {
            self.0 |= u64::from(!wall.row_has(row, color)) << (8 * color.index() + row + 1);
        }
    }

    /// The number of open lines, the floor included, of each color: one byte per color.
    #[inline]
    pub(crate) fn sizes(self) -> u64 {
        let pairs = (self.0 & (Self::COLORS * 0x15)) + (self.0 >> 1 & (Self::COLORS * 0x15));
        let nibbles = (pairs & (Self::COLORS * 0x33)) + (pairs >> 2 & (Self::COLORS * 0x33));
        (nibbles & (Self::COLORS * 0x0F)) + (nibbles >> 4 & (Self::COLORS * 0x0F))
    }
}

/// A floor line: what lies on its 7 spaces, from the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Floor {
    /// Four bits a space: 0 empty, 1 to 5 a color, 6 the marker.
    spaces: u32,
    len: u8,
}

impl Floor {
    const MARKER: u32 = 6;

    /// How many spaces are occupied.
    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether nothing lies on the floor.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The points lost for what lies here (not positive).
    #[inline]
    pub fn points(self, rules: &AzulRules) -> i16 {
        rules.floor[..self.len()].iter().sum()
    }

    /// Whether the marker lies here.
    pub fn has_marker(self) -> bool {
        self.contents().any(|tile| tile.is_none())
    }

    /// What lies on the spaces from the left; `None` is the marker.
    pub fn contents(self) -> impl Iterator<Item = Option<Color>> {
        (0..self.len()).map(move |space| {
            let content = self.spaces >> (4 * space) & 0xF;
            (content != Self::MARKER).then(|| Color::ALL[content as usize - 1])
        })
    }

    /// The tiles lying here, without the marker.
    #[inline]
    pub fn tiles(self) -> Tiles {
        self.contents().flatten().map(|color| Tiles::of(color.index(), 1)).sum()
    }

    /// Lays tiles of a color on the free spaces from the left; returns how many found none.
    #[inline]
    pub(super) fn drop_tiles(&mut self, color: Color, count: u8) -> u8 {
        let laid = count.min(FLOOR_SPACES as u8 - self.len);
        let pattern = ((color.index() as u32 + 1) * 0x111_1111) & ((1 << (4 * laid)) - 1);
        self.spaces |= pattern << (4 * self.len);
        self.len += laid;
        count - laid
    }

    /// Lays the marker on the leftmost free space, if there is one.
    #[inline]
    pub(super) fn drop_marker(&mut self) {
        if self.len() < FLOOR_SPACES {
            self.spaces |= Self::MARKER << (4 * self.len);
            self.len += 1;
        }
    }

    /// The floor that a text such as `*RR` shows, from the left; `None` if it shows none.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let mut floor = Floor::default();
        for letter in text.chars() {
            match letter {
                _ if floor.len() == FLOOR_SPACES => return None,
                '*' if floor.has_marker() => return None,
                '*' => floor.drop_marker(),
                _ => _ = floor.drop_tiles(Color::from_letter(letter)?, 1),
            }
        }
        Some(floor)
    }
}

impl std::fmt::Display for Floor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.contents().try_for_each(|tile| match tile {
            Some(color) => f.write_str(&LETTERS[color.index()..=color.index()]),
            None => f.write_str("*"),
        })
    }
}
