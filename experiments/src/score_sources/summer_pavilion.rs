//! Summer Pavilion: placements, complete stars and numbers, and the three penalties.

use azulejo::summer_pavilion::{
    Action, Board, CENTER, COLORS, Color, Phase, STARS, SummerPavilion, SummerPavilionRules,
};
use azulejo::{Game, Move, Seat, Turn};

use super::{ScoreBreakdown, ScoreSources, deducted};

const START: usize = 0;
const PLACEMENTS: usize = 1;
/// The stars of one color, in the order of colors, then those of six.
const STAR: usize = 2;
const MIXED_STARS: usize = STAR + COLORS;
/// The printed numbers from 1 up to the highest that can pay.
const NUMBERS: usize = MIXED_STARS + 1;
const CENTER_PENALTY: usize = NUMBERS + 6;
const DISCARDS: usize = CENTER_PENALTY + 1;
const KEPT: usize = DISCARDS + 1;

impl ScoreSources for SummerPavilion {
    const SOURCES: &'static [&'static str] = &[
        "start",
        "placements",
        "orange stars",
        "red stars",
        "blue stars",
        "yellow stars",
        "green stars",
        "purple stars",
        "mixed stars",
        "all ones",
        "all twos",
        "all threes",
        "all fours",
        "all fives",
        "all sixes",
        "first from the center",
        "discarded tiles",
        "kept tiles",
    ];

    fn attribute_start(start: &Self, breakdown: &mut ScoreBreakdown) {
        start.boards().iter().for_each(|(seat, board)| breakdown.add(seat, START, board.score()));
    }

    fn attribute(before: &Self, played: &Move<Self>, after: &Self, breakdown: &mut ScoreBreakdown) {
        let (Turn::Player(mover), Move::Action(action)) = (before.turn(), played) else { return };
        let rules = after.rules();
        let (was, is) = (before.board(mover), after.board(mover));
        let mut discards = 0;
        match *action {
            Action::Place { .. } => breakdown.add(mover, PLACEMENTS, is.score() - was.score()),
            Action::Acquire { source, .. } if usize::from(source) == CENTER && before.token().is_none() => {
                let taken = i16::from(tiles_of(is)) - i16::from(tiles_of(was));
                breakdown.add(mover, CENTER_PENALTY, deducted(was.score(), rules.center_penalty * taken, 0));
            }
            Action::Done => discards = was.hand().total(),
            // The last tile that may be kept: the turn ends and the rest of the hand goes.
            Action::Keep(_) if ends_turn(after, mover) => discards = was.hand().total() - 1,
            _ => {}
        }
        let lost = deducted(was.score(), rules.discard_penalty * i16::from(discards), 0);
        breakdown.add(mover, DISCARDS, lost);
        if after.phase() == Phase::Over {
            for seat in Seat::all(after.players()) {
                let kept = before.board(seat).kept().total()
                    + u8::from(seat == mover && matches!(action, Action::Keep(_)));
                let score = before.board(seat).score() + if seat == mover { lost } else { 0 };
                attribute_end(seat, after.board(seat), (score, kept), rules, breakdown);
            }
        }
    }
}

fn tiles_of(board: &Board) -> u8 {
    board.hand().total()
}

/// Whether the player is no longer asked which tiles to keep.
fn ends_turn(after: &SummerPavilion, mover: Seat) -> bool {
    after.phase() != Phase::Keep || after.turn() != Turn::Player(mover)
}

/// Attributes the final scoring of a seat that had `score` points and `kept` tiles before it.
fn attribute_end(
    seat: Seat,
    board: &Board,
    (score, kept): (i16, u8),
    rules: &SummerPavilionRules,
    breakdown: &mut ScoreBreakdown,
) {
    let mut total = score;
    let mut add = |source, points| {
        breakdown.add(seat, source, points);
        total += points;
    };
    for star in (0..STARS).filter(|&star| board.free(star) == 0) {
        let colors = board.colors_on(star);
        match Color::ALL.into_iter().find(|color| colors == 1 << color.index()) {
            Some(color) => add(STAR + color.index(), rules.star_points[color.index()]),
            None => add(MIXED_STARS, rules.mixed_star_points),
        }
    }
    for (place, &points) in rules.number_points.iter().enumerate() {
        let slots = rules.side.slots_of_cost(place as u8 + 1);
        if slots != 0 && board.filled() & slots == slots {
            add(NUMBERS + place, points);
        }
    }
    breakdown.add(seat, KEPT, deducted(total, rules.kept_penalty * i16::from(kept), 0));
}
