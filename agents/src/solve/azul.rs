//! The last round of Azul.
//!
//! What is still open in it is which lines are completed. A line counts only if it is complete, so that a seat can end
//! with what its complete lines and some of the others are worth, and the floor line only gets longer. All states of a
//! round have the same walls and points before the wall-tiling, so that lines, floor lines, sources and marker tell them
//! apart.

use azulejo::azul::{Azul, AzulRules, Board, CENTER, COLORS, Color, FLOOR_SPACES, Phase, Wall, WallSide};
use azulejo::bits::positions;
use azulejo::tiles::Tiles;
use azulejo::{Game, PerPlayer, Seat, Turn};

use super::budget::{Budget, Halt};
use super::endgame::Endgame;
use super::solo::WordMap;
use super::worth::{Worth, WorthRange};

/// What a row can come to, as bits: one of the colors completes its line, or it stays as it is.
type RowChoice = u8;

/// The line stays incomplete.
const NONE: RowChoice = 1 << COLORS;

/// What the rows of a seat can come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Prospect {
    rows: [RowChoice; COLORS],
    /// The most lines that the seat can still complete.
    turns: u8,
    /// The spaces of the floor line that are taken in the end.
    floor: u8,
    /// Whether the seat has the marker in the end.
    marker: bool,
}

/// The best end of a seat: its points, then its complete rows, by which ties are broken.
type SeatEnd = (i16, i16);

/// What is known of a position in its last round.
pub struct AzulOutlook {
    rules: &'static AzulRules,
    /// By seat, before the wall-tiling.
    walls: PerPlayer<Wall>,
    points: PerPlayer<i16>,
    best: [WordMap<u64, SeatEnd>; 2],
}

/// More points than a seat gains in a round.
const BEYOND: i16 = 8000;

/// More ways than this to tile a wall are not tried for a bound.
const MOST_WAYS: u64 = 20_000;

impl Endgame for Azul {
    type Image = [u64; 2];
    type Outlook = AzulOutlook;

    fn outlook(&self) -> AzulOutlook {
        AzulOutlook {
            rules: self.rules(),
            walls: self.boards().map(|board| *board.wall()),
            points: self.scores(),
            best: [WordMap::default(), WordMap::default()],
        }
    }

    fn is_chance_free(&self, _outlook: &mut AzulOutlook, _budget: &mut Budget<'_>) -> Result<bool, Halt> {
        let left = tiles_left(self);
        let ends = |seat| (0..COLORS).any(|row| will_be_complete(self, seat, row, left));
        Ok(self.round() >= self.rules().last_round.into() || Seat::all(self.players()).any(ends))
    }

    fn image(&self, _outlook: &mut AzulOutlook, _budget: &mut Budget<'_>) -> Result<Option<[u64; 2]>, Halt> {
        if self.phase() != Phase::Draft {
            return Ok(None);
        }
        let left = tiles_left(self);
        let mut lines = self.marker().map_or(2, |seat| seat.index() as u64) << 1;
        lines |= seat_to_move(self).index() as u64;
        let mut table = 0;
        for (_, board) in self.boards().iter() {
            lines = (0..COLORS).fold(lines, |lines, row| lines << 5 | line_image(board, row, left));
            table = table << 3 | board.floor().len() as u64;
        }
        let center = self.source(CENTER);
        table = (0..COLORS).fold(table, |table, color| table << 5 | u64::from(center.count(color)));
        // A factory is full as it was, or empty.
        let factories = (1..=self.factories()).map(|factory| u64::from(!self.source(factory).is_empty()));
        Ok(Some([lines, factories.fold(table, |table, full| table << 1 | full)]))
    }

    fn range(&self, outlook: &mut AzulOutlook, budget: &mut Budget<'_>) -> Result<WorthRange, Halt> {
        if self.phase() == Phase::Tile {
            return Ok(outlook.tiled(self));
        }
        let left = tiles_left(self);
        let takes = (0..=self.factories()).map(|source| self.source(source).iter().count()).sum::<usize>();
        let mut ends = [(0, 0); 2];
        for (end, seat) in ends.iter_mut().zip(Seat::all(2)) {
            let turns = if seat == seat_to_move(self) { takes.div_ceil(2) } else { takes / 2 };
            let least = outlook.at_least(self, seat, left);
            let most = outlook.at_most(self, seat, left, turns);
            *end = (outlook.best(seat, least, budget)?, outlook.best(seat, most, budget)?);
        }
        let [(least, most), (other_least, other_most)] = ends;
        Ok(WorthRange::of_leads(least - other_most, most - other_least))
    }
}

fn seat_to_move(state: &Azul) -> Seat {
    match state.turn() {
        Turn::Player(seat) => seat,
        _ => Seat::new(0),
    }
}

/// The tiles that are still to be taken.
fn tiles_left(state: &Azul) -> Tiles {
    (0..=state.factories()).map(|source| state.source(source)).sum()
}

/// Whether a row of a seat will be complete after this round, whatever is played: only its last space is free, its line is
/// complete, and nothing can come into that space's column before it that keeps its color out.
fn will_be_complete(state: &Azul, seat: Seat, row: usize, left: Tiles) -> bool {
    let board = state.board(seat);
    let (wall, line) = (board.wall(), board.lines()[row]);
    let free = !wall.row(row) & 0b11111;
    if free == 0 {
        return true;
    }
    if free & (free - 1) != 0 || usize::from(line.count) != row + 1 {
        return false;
    }
    state.rules().wall == WallSide::Colored
        || wall.open_columns(row, line.color) == free
            && (0..row).all(|above| {
                let color = row_choice(state, seat, above, left) >> line.color.index() & 1 == 1;
                !color || wall.open_columns(above, line.color) & free == 0
            })
}

/// What a row can come to with the tiles that are left.
fn row_choice(state: &Azul, seat: Seat, row: usize, left: Tiles) -> RowChoice {
    let board = state.board(seat);
    let line = board.lines()[row];
    let lacking = row as u8 + 1 - line.count;
    if lacking == 0 {
        return 1 << line.color.index();
    }
    let fits = |color: Color| board.open_lines(color) >> (row + 1) & 1 == 1;
    let colors = Color::ALL.into_iter().filter(|&color| fits(color) && left.count(color.index()) >= lacking);
    colors.fold(NONE, |choice, color| choice | 1 << color.index())
}

/// A line in five bits. Lines that no tile can come into any more are all the same unless they are complete: nothing comes of
/// them.
fn line_image(board: &Board, row: usize, left: Tiles) -> u64 {
    const EMPTY: u64 = 30;
    const CLOSED: u64 = 31;
    let line = board.lines()[row];
    let complete = usize::from(line.count) == row + 1;
    let takes = |color: Color| left.count(color.index()) > 0 && board.open_lines(color) >> (row + 1) & 1 == 1;
    match line.count {
        _ if !complete && !Color::ALL.into_iter().any(takes) => CLOSED,
        0 => EMPTY,
        count => line.color.index() as u64 * 6 + u64::from(count),
    }
}

impl AzulOutlook {
    /// What a seat can make sure of: it completes no more lines, and all tiles that are left fall on its floor.
    fn at_least(&self, state: &Azul, seat: Seat, left: Tiles) -> Prospect {
        let full = |row| match row_choice(state, seat, row, left) {
            choice if choice & NONE == 0 => choice,
            _ => NONE,
        };
        let marker = state.marker().is_none_or(|holder| holder == seat);
        let unlaid = if state.marker().is_none() { self.rules.marker_spaces } else { 0 };
        let floor = state.board(seat).floor().len() as u8 + left.total() + unlaid;
        let rows = std::array::from_fn(full);
        Prospect { rows, turns: 0, floor: floor.min(FLOOR_SPACES as u8), marker }
    }

    /// More than which a seat cannot reach: nothing more falls on its floor.
    fn at_most(&self, state: &Azul, seat: Seat, left: Tiles, turns: usize) -> Prospect {
        let rows = std::array::from_fn(|row| row_choice(state, seat, row, left));
        let incomplete = rows.iter().filter(|choice| *choice & NONE != 0).count();
        let (turns, floor) = (turns.min(incomplete) as u8, state.board(seat).floor().len() as u8);
        Prospect { rows, turns, floor, marker: state.marker() == Some(seat) }
    }

    /// The most points of a seat with this prospect.
    fn best(&mut self, seat: Seat, prospect: Prospect, budget: &mut Budget<'_>) -> Result<i16, Halt> {
        let key = prospect.rows.iter().fold(0, |key, &row| key << 6 | u64::from(row));
        let key = key << 7
            | u64::from(prospect.turns) << 4
            | u64::from(prospect.floor) << 1
            | u64::from(prospect.marker);
        if let Some(end) = self.best[seat.index()].get(&key) {
            return Ok(end.0);
        }
        let end = match ways(self.rules.wall, &prospect.rows) {
            ways if ways > MOST_WAYS => (self.points[seat] + BEYOND, 0),
            _ => self.tiling(seat).best(0, self.walls[seat], prospect, 0),
        };
        budget.keep(&mut self.best[seat.index()], key, end)?;
        Ok(end.0)
    }

    fn tiling(&self, seat: Seat) -> Tiling {
        Tiling { rules: self.rules, points: self.points[seat] }
    }

    /// The worth while walls are tiled: nobody stands in another's way any more.
    fn tiled(&self, state: &Azul) -> WorthRange {
        let ends = [0, 1].map(Seat::new).map(|seat| {
            let board = state.board(seat);
            let rows = std::array::from_fn(|row| match board.lines()[row] {
                line if usize::from(line.count) == row + 1 => 1 << line.color.index(),
                _ => NONE,
            });
            let marker = state.marker() == Some(seat);
            let prospect = Prospect { rows, turns: 0, floor: board.floor().len() as u8, marker };
            Tiling { rules: self.rules, points: board.score() }.best(0, *board.wall(), prospect, 0)
        });
        let lead = ends[0].0 - ends[1].0;
        WorthRange::only(Worth::new(lead, ends[0].1.cmp(&ends[1].1)))
    }
}

/// An upper bound of the ways in which rows can be tiled.
fn ways(wall: WallSide, rows: &[RowChoice; COLORS]) -> u64 {
    let columns = if wall == WallSide::Gray { COLORS as u64 } else { 1 };
    let ways = |row: &RowChoice| u64::from((row & !NONE).count_ones()) * columns + u64::from(row & NONE != 0);
    rows.iter().map(ways).product()
}

/// The wall-tiling of a seat that began with these points.
struct Tiling {
    rules: &'static AzulRules,
    points: i16,
}

impl Tiling {
    /// The best end if the rows from `row` on are still to be tiled, on this wall, with `gained` points for those above.
    fn best(&self, row: usize, wall: Wall, prospect: Prospect, gained: i16) -> SeatEnd {
        if row == COLORS {
            return self.end(wall, prospect, gained);
        }
        let (choice, mut best) = (prospect.rows[row], (i16::MIN, 0));
        if choice & NONE != 0 {
            best = self.best(row + 1, wall, prospect, gained);
        }
        let is_new = choice & NONE != 0;
        if is_new && prospect.turns == 0 {
            return best;
        }
        let prospect = Prospect { turns: prospect.turns - u8::from(is_new), ..prospect };
        for color in positions(u64::from(choice & !NONE)) {
            let color = Color::ALL[color];
            let columns = match self.rules.wall {
                WallSide::Colored => 1 << Wall::printed_column(row, color),
                WallSide::Gray => wall.open_columns(row, color),
            };
            if columns == 0 {
                // The line falls on the floor.
                let floor = (prospect.floor + row as u8 + 1).min(FLOOR_SPACES as u8);
                best = best.max(self.best(row + 1, wall, Prospect { floor, ..prospect }, gained));
            }
            for column in positions(columns.into()) {
                let mut tiled = wall;
                tiled.place(row, column, color);
                let points = gained + wall.placement_points(row, column);
                best = best.max(self.best(row + 1, tiled, prospect, points));
            }
        }
        best
    }

    /// The end of a seat whose wall is tiled.
    fn end(&self, wall: Wall, prospect: Prospect, gained: i16) -> SeatEnd {
        let rules = self.rules;
        let marker = if prospect.marker { rules.marker_points } else { 0 };
        let lost = rules.floor[..prospect.floor.into()].iter().sum::<i16>() + marker;
        let bonus = wall.complete_rows() * rules.row_bonus
            + wall.complete_columns() * rules.column_bonus
            + wall.complete_colors() * rules.color_bonus;
        ((self.points + gained + lost).max(0) + bonus, wall.complete_rows())
    }
}
