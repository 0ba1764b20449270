//! The end of the last round of Queen's Garden.
//!
//! Once all expansions of the display lie face up and the stack is used up, nothing is drawn any more. Then the players stand
//! in each other's way only by what they acquire, and by who passes first, which costs a little: each can make sure of
//! what it reaches alone without acquiring anything, less that cost, and reach no more than alone with all of the display.

use std::cmp::Ordering;

use azulejo::queens_garden::{
    AREAS, Action, Area, Color, KINDS, Kind, KindSet, Pattern, Phase, QueensGarden, ROUNDS,
};
use azulejo::{Game, Seat, Turn};

use super::budget::{Budget, Halt};
use super::endgame::Endgame;
use super::solo::{Apart, Solo, WordMap};
use super::worth::{Worth, WorthRange};

/// All that counts of a seat's board for the rest of the last round, packed: a word for each bit of the colors and the patterns
/// of all places, then what lies in the storage. Which hexagon of a face-up expansion was printed on it does not count.
type BoardImage = [u64; 9];

/// More expansions than two seats can buy.
const AMPLE: u8 = 12;

/// What is known of a position after the last draw.
pub struct GardenOutlook {
    /// With what can be acquired, and without.
    free: Solo<QueensGarden>,
    sure: Solo<QueensGarden>,
    /// Boards by number.
    boards: WordMap<BoardImage, u32>,
}

impl Apart for QueensGarden {
    /// The board, with the points only where they are few, and then what the seat finds: the display, the expansions that it
    /// could buy, and whether who passes first still has to pay for it.
    type Holding = (BoardImage, u64);

    fn holding(&self, seat: Seat) -> Option<(BoardImage, u64)> {
        if self.phase() != Phase::Turn {
            return None;
        }
        let points = if is_rich(self, seat) { i16::MAX } else { self.board(seat).score() };
        let found = shown(self).mask() << 8 | u64::from(self.supply().min(AMPLE / 2)) << 1;
        Some((board_image(self, seat, points), found | u64::from(self.marker().is_none())))
    }

    fn leave(&self) -> Option<Action> {
        match self.phase() {
            Phase::Turn => Some(Action::Pass),
            Phase::Discard => Some(Action::Done),
            _ => None,
        }
    }

    fn is_drawing(&self) -> bool {
        false
    }

    fn skip_chance(&mut self) -> bool {
        false
    }

    fn is_contested(action: Action) -> bool {
        matches!(action, Action::Acquire(_))
    }

    fn choices(&self, actions: &mut Vec<Action>) {
        self.legal_actions(actions);
        // In the last round it comes to the same what is discarded at once and what is left at the end.
        if let (Phase::Discard, Turn::Player(seat)) = (self.phase(), self.turn())
            && is_rich(self, seat)
        {
            actions.retain(|action| *action == Action::Done);
        }
    }
}

/// Whether a seat has so many points that no loss to come brings it to the lowest score, nor below the price of an expansion.
fn is_rich(state: &QueensGarden, seat: Seat) -> bool {
    let (board, rules) = (state.board(seat), state.rules());
    let value = |kind: Kind| i16::from(kind.value());
    let left = board.tiles().iter().chain(board.expansions().iter()).chain(shown(state).iter()).map(value);
    let areas = board.garden().free_areas().count_ones() as i16;
    let loss = left.sum::<i16>() + areas * rules.expansion_price + rules.first_pass_penalty;
    board.score() - loss >= rules.score_floor.max(rules.expansion_price)
}

/// A seat's board with these points.
fn board_image(state: &QueensGarden, seat: Seat, points: i16) -> BoardImage {
    let (board, garden) = (state.board(seat), state.board(seat).garden());
    let mut image = [0; 9];
    for (plane, bit) in image[..3].iter_mut().zip(0..) {
        let places = |color: &Color| garden.places_of_color(*color);
        let colors = Color::ALL.iter().filter(|color| (color.index() + 1) >> bit & 1 == 1);
        *plane = colors.map(places).fold(0, std::ops::BitOr::bitor);
    }
    for (plane, bit) in image[3..6].iter_mut().zip(0..) {
        let places = |pattern: &Pattern| garden.places_of_pattern(*pattern);
        let patterns = Pattern::ALL.iter().filter(|pattern| (pattern.index() + 1) >> bit & 1 == 1);
        *plane = patterns.map(places).fold(0, std::ops::BitOr::bitor);
    }
    let tiles = board.tiles().word();
    let areas = (1..AREAS).fold(0, |areas, area| {
        areas << 2
            | match garden.area(area) {
                Area::Free => 0,
                Area::FaceDown => 1,
                Area::FaceUp { .. } => 2,
            }
    });
    image[6] = tiles as u64 | areas << KINDS;
    image[7] = (tiles >> 64) as u64 | u64::from(points as u16) << KINDS;
    image[8] =
        board.expansions().mask() | (u64::from(board.jokers()) << 1 | u64::from(board.passed())) << KINDS;
    image
}

/// The kinds of all that can be acquired.
fn shown(state: &QueensGarden) -> KindSet {
    state.slots().iter().fold(KindSet::EMPTY, |all, slot| all | slot.shown())
}

/// Whether all expansions lie face up, so that no tile can be acquired.
fn is_face_up(state: &QueensGarden) -> bool {
    state.slots().iter().all(|slot| slot.kind().is_some())
}

/// Whether each of what can be acquired is acquired by itself.
fn is_single_items(state: &QueensGarden) -> bool {
    let shown = shown(state);
    let alike = |kind: Kind| KindSet::of_color(kind.color()) | KindSet::of_pattern(kind.pattern());
    is_face_up(state) && shown.iter().all(|kind| (shown & alike(kind)).len() == 1)
}

impl Endgame for QueensGarden {
    type Image = [u64; 2];
    type Outlook = GardenOutlook;

    fn outlook(&self) -> GardenOutlook {
        let players = self.players();
        GardenOutlook {
            free: Solo::new(players, true),
            sure: Solo::new(players, false),
            boards: WordMap::default(),
        }
    }

    fn is_chance_free(&self, _outlook: &mut GardenOutlook, _budget: &mut Budget<'_>) -> Result<bool, Halt> {
        Ok(self.round() as usize == ROUNDS && self.stack() == 0 && is_face_up(self))
    }

    fn image(&self, outlook: &mut GardenOutlook, budget: &mut Budget<'_>) -> Result<Option<[u64; 2]>, Halt> {
        if self.phase() != Phase::Turn || !is_face_up(self) {
            return Ok(None);
        }
        let first = outlook.number(self, Seat::new(0), budget)?;
        let second = outlook.number(self, Seat::new(1), budget)?;
        let marker = self.marker().map_or(2, |seat| seat.index() as u64);
        let common = (u64::from(self.supply()) << 2 | marker) << 2 | self.to_move().index() as u64;
        Ok(Some([u64::from(first) << 32 | u64::from(second), shown(self).mask() << 16 | common]))
    }

    fn range(&self, outlook: &mut GardenOutlook, budget: &mut Budget<'_>) -> Result<WorthRange, Halt> {
        if !matches!(self.phase(), Phase::Turn | Phase::Discard) || !is_face_up(self) {
            return Ok(WorthRange::ALL);
        }
        let mut ranges = [(0, 0); 2];
        for (range, seat) in ranges.iter_mut().zip(Seat::all(2)) {
            match outlook.points(self, seat, budget)? {
                Some(points) => *range = points,
                None => return Ok(WorthRange::ALL),
            }
        }
        let [(least, most), (other_least, other_most)] = ranges;
        if least == most && other_least == other_most {
            return Ok(WorthRange::only(Worth::new(least - other_least, Ordering::Equal)));
        }
        Ok(WorthRange::of_leads(least - other_most, most - other_least))
    }
}

impl GardenOutlook {
    /// The least points that a seat can make sure of and the most that it can reach; `None` if they cannot be told.
    fn points(
        &mut self,
        state: &QueensGarden,
        seat: Seat,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(i16, i16)>, Halt> {
        let is_alone = Seat::all(2).all(|other| other == seat || state.board(other).passed());
        if is_alone || state.board(seat).passed() {
            let points = self.free.most_points(state, seat, budget)?;
            return Ok(Some((points, points)));
        }
        if state.supply() < AMPLE || !is_single_items(state) {
            return Ok(None);
        }
        let most = self.free.most_points(state, seat, budget)?;
        let sure =
            if state.slots().is_empty() { most } else { self.sure.most_points(state, seat, budget)? };
        let first = if state.marker().is_none() { state.rules().first_pass_penalty } else { 0 };
        Ok(Some((sure - first, most)))
    }

    /// The number of a seat's board, a new one if it has none.
    fn number(&mut self, state: &QueensGarden, seat: Seat, budget: &mut Budget<'_>) -> Result<u32, Halt> {
        let board = board_image(state, seat, state.board(seat).score());
        let next = self.boards.len() as u32;
        if let Some(number) = self.boards.get(&board) {
            return Ok(*number);
        }
        budget.keep(&mut self.boards, board, next)?;
        Ok(next)
    }
}
