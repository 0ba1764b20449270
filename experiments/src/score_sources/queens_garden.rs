//! Queen's Garden: the rounds' scoring, the groups, jokers, and what was paid or lost.

use azulejo::queens_garden::{Action, Board, Phase, QueensGarden};
use azulejo::{Game, Move, Seat, Turn};

use super::{ScoreBreakdown, ScoreSources, deducted};

const START: usize = 0;
const WHEEL: usize = 1;
const PAVILIONS: usize = 2;
const COLOR_GROUPS: usize = 3;
const PATTERN_GROUPS: usize = 4;
const JOKERS: usize = 5;
const EXPANSIONS: usize = 6;
const FIRST_PASS: usize = 7;
const DISCARDS: usize = 8;
const STORAGE: usize = 9;

impl ScoreSources for QueensGarden {
    const SOURCES: &'static [&'static str] = &[
        "start",
        "round wheel",
        "pavilions",
        "color groups",
        "pattern groups",
        "jokers",
        "bought expansions",
        "passing first",
        "discarded items",
        "left in storage",
    ];

    fn attribute_start(start: &Self, breakdown: &mut ScoreBreakdown) {
        start.boards().iter().for_each(|(seat, board)| breakdown.add(seat, START, board.score()));
    }

    fn attribute(before: &Self, played: &Move<Self>, after: &Self, breakdown: &mut ScoreBreakdown) {
        let (Turn::Player(mover), Move::Action(action)) = (before.turn(), played) else { return };
        let (rules, was) = (after.rules(), before.board(mover));
        let (source, points) = match *action {
            Action::Buy(_) => (EXPANSIONS, -rules.expansion_price),
            Action::Pass if before.marker().is_none() => (FIRST_PASS, -rules.first_pass_penalty),
            Action::Drop(kind) | Action::DropExpansion(kind) => (DISCARDS, -i16::from(kind.value())),
            _ => (START, 0),
        };
        let lost = deducted(was.score(), points, rules.score_floor);
        breakdown.add(mover, source, lost);
        let over = after.phase() == Phase::Over;
        if !over && after.round() == before.round() {
            return;
        }
        let wheel = &rules.wheel[before.round() as usize - 1];
        for seat in Seat::all(after.players()) {
            let board = after.board(seat);
            let pavilions = board.garden().pavilions() as i16 * rules.pavilion_points;
            let round = board.garden().round_points(wheel, rules);
            breakdown.add(seat, WHEEL, round - pavilions);
            breakdown.add(seat, PAVILIONS, pavilions);
            if over {
                let score = before.board(seat).score() + if seat == mover { lost } else { 0 };
                attribute_end(seat, board, score + round, after, breakdown);
            }
        }
    }
}

/// Attributes the final scoring of a seat that had `score` points after the last round's.
fn attribute_end(
    seat: Seat,
    board: &Board,
    score: i16,
    after: &QueensGarden,
    breakdown: &mut ScoreBreakdown,
) {
    let (rules, garden) = (after.rules(), board.garden());
    let jokers = i16::from(board.jokers()) * rules.joker_points;
    let left = board.tiles().iter().chain(board.expansions().iter());
    let left: i16 = left.map(|kind| i16::from(kind.value())).sum();
    breakdown.add(seat, JOKERS, jokers);
    breakdown.add(seat, STORAGE, deducted(score + jokers, -left, rules.score_floor));
    breakdown.add(seat, COLOR_GROUPS, garden.color_group_points(rules));
    breakdown.add(seat, PATTERN_GROUPS, garden.pattern_group_points(rules));
}
