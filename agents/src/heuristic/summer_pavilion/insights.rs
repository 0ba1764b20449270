//! The numbers of Summer Pavilion that a critic looks at, at a deal.
//!
//! Colors of tiles are told by how soon they will be wild: 0 in the round that is dealt, 1 in the one after it, and so on
//! round the order. Stars keep their places.

use azulejo::summer_pavilion::{
    Board, BoardSide, CENTER_STAR, COLORS, Color, Feature, SLOTS, STARS, SummerPavilion, SummerPavilionRules,
    WildOrder,
};
use azulejo::tiles::Tiles;
use azulejo::{Game, Seat};

use super::geometry::{FULL, MISSING, layout_of};
use super::judge::{ROUNDS, SummerPavilionJudge};
use super::kind::{StarKind, kind_of};
use crate::heuristic::{Insights, Millipoints, POINT};

/// Their names. What depends on several slots at once is told beside the slots.
pub(super) const INSIGHTS: Insights = Insights {
    #[rustfmt::skip]
    table: &[
        "gray", "other order of wilds",
        "1 round to come", "2 rounds to come", "3 rounds to come", "4 rounds to come", "5 rounds to come",
        "bag, wild 0 / 3", "bag, wild 1 / 3", "bag, wild 2 / 3", "bag, wild 3 / 3", "bag, wild 4 / 3", "bag, wild 5 / 3",
        "supply, wild 0", "supply, wild 1", "supply, wild 2", "supply, wild 3", "supply, wild 4", "supply, wild 5",
    ],
    #[rustfmt::skip]
    seat: &[
        "score / 8", "start",
        "hand, wild 0", "hand, wild 1", "hand, wild 2", "hand, wild 3", "hand, wild 4", "hand, wild 5",
        "cost of star of wild 0 / 3", "cost of star of wild 1 / 3", "cost of star of wild 2 / 3",
        "cost of star of wild 3 / 3", "cost of star of wild 4 / 3", "cost of star of wild 5 / 3",
        "slot O1", "slot O2", "slot O3", "slot O4", "slot O5", "slot O6",
        "slot R1", "slot R2", "slot R3", "slot R4", "slot R5", "slot R6",
        "slot B1", "slot B2", "slot B3", "slot B4", "slot B5", "slot B6",
        "slot Y1", "slot Y2", "slot Y3", "slot Y4", "slot Y5", "slot Y6",
        "slot G1", "slot G2", "slot G3", "slot G4", "slot G5", "slot G6",
        "slot P1", "slot P2", "slot P3", "slot P4", "slot P5", "slot P6",
        "slot C1", "slot C2", "slot C3", "slot C4", "slot C5", "slot C6",
        "O on O", "R on O", "B on O", "Y on O", "G on O", "P on O",
        "O on R", "R on R", "B on R", "Y on R", "G on R", "P on R",
        "O on B", "R on B", "B on B", "Y on B", "G on B", "P on B",
        "O on Y", "R on Y", "B on Y", "Y on Y", "G on Y", "P on Y",
        "O on G", "R on G", "B on G", "Y on G", "G on G", "P on G",
        "O on P", "R on P", "B on P", "Y on P", "G on P", "P on P",
        "O on C", "R on C", "B on C", "Y on C", "G on C", "P on C",
        "star O / 2", "star R / 2", "star B / 2", "star Y / 2", "star G / 2", "star P / 2", "star C / 2",
        "number 1 / 2", "number 2 / 2", "number 3 / 2", "number 4 / 2", "number 5 / 2", "number 6 / 2",
        "pillar O lacks 1", "statue O lacks 1", "window O lacks 1",
        "pillar R lacks 1", "statue R lacks 1", "window R lacks 1",
        "pillar B lacks 1", "statue B lacks 1", "window B lacks 1",
        "pillar Y lacks 1", "statue Y lacks 1", "window Y lacks 1",
        "pillar G lacks 1", "statue G lacks 1", "window G lacks 1",
        "pillar P lacks 1", "statue P lacks 1", "window P lacks 1",
        "features",
    ],
};

/// A number for what is so or not.
fn told(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

/// The colors from the one that is wild in a round on, in the order in which they will be.
fn by_wild(rules: &SummerPavilionRules, round: u32) -> [Color; COLORS] {
    std::array::from_fn(|after| rules.wild((round as usize + after) as u8))
}

/// Appends the numbers of the table.
pub(super) fn table(state: &SummerPavilion, numbers: &mut Vec<f32>) {
    let (rules, round) = (state.rules(), state.round());
    numbers.push(2.0 * told(rules.side == BoardSide::Gray));
    numbers.push(2.0 * told(rules.wilds != WildOrder::Standard));
    let to_come = usize::from(rules.rounds) + 1 - round as usize;
    numbers.extend((1..=ROUNDS).map(|rounds| 2.0 * told(rounds == to_come.clamp(1, ROUNDS))));
    let colors = by_wild(rules, round);
    let of = |tiles: Tiles, step: f32| colors.map(|color| f32::from(tiles.count(color.index())) / step);
    numbers.extend(of(state.bag(), 3.0));
    numbers.extend(of(state.supply(), 1.0));
}

/// Appends a seat's numbers.
pub(super) fn seat(state: &SummerPavilion, judge: &SummerPavilionJudge, seat: Seat, numbers: &mut Vec<f32>) {
    let (rules, round, board) = (state.rules(), state.round(), state.board(seat));
    let points = |value: Millipoints, step: i32| value as f32 / (step * POINT) as f32;
    numbers.extend([f32::from(board.score()) / 8.0, told(state.starting_seat() == seat)]);
    let colors = by_wild(rules, round);
    numbers.extend(colors.map(|color| f32::from(board.hand().count(color.index()))));
    numbers.extend(colors.map(|color| f32::from(cost_of_star(rules.side, board, color.index())) / 3.0));
    numbers.extend((0..SLOTS).map(|slot| told(board.filled() >> slot & 1 != 0)));
    for star in 0..STARS {
        let bound = rules.side == BoardSide::Colored && star != CENTER_STAR;
        let colors = if bound { 0 } else { board.colors_on(star) };
        numbers.extend((0..COLORS).map(|color| told(colors >> color & 1 != 0)));
    }
    numbers.extend(judge.stars(round, board).map(|promise| points(promise, 2)));
    numbers.extend(judge.numbers(round, board).map(|promise| points(promise, 2)));
    let lacking = |feature: &Feature| (feature.slots & !board.filled()).count_ones();
    numbers.extend(Feature::ALL.iter().map(|feature| told(lacking(feature) == 1)));
    numbers.push(points(judge.features(round, board), 1));
}

/// The tiles that the free slots of the fullest star of a color cost; 0 if it has none that is not full.
fn cost_of_star(side: BoardSide, board: &Board, color: usize) -> u8 {
    let stars = (0..CENTER_STAR).filter(|&star| kind_of(side, board, star) == StarKind::Plain(color));
    let costs = stars.map(|star| MISSING[layout_of(side, star)][usize::from(board.free(star)) ^ FULL]);
    costs.filter(|&cost| cost > 0).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use azulejo::summer_pavilion::{LETTERS, Phase, STAR_LETTERS, Slot};
    use azulejo::testing::for_each_variant;
    use azulejo::{Generator, Turn};

    use super::*;
    use crate::heuristic::StateValue;

    /// Calls `check` with the deals after the first one of random games of all variants and numbers of players.
    fn for_deals(mut check: impl FnMut(&SummerPavilion, &SummerPavilionJudge)) {
        for_each_variant::<SummerPavilion>(|rules, players| {
            let judge = SummerPavilion::judge(rules, players, &Default::default());
            let (mut state, mut rng, mut legal) =
                (SummerPavilion::new(rules, players), Generator::new(5), Vec::new());
            while state.turn() != Turn::Over {
                state.play_random(&mut rng, &mut legal);
                if state.phase() == Phase::Deal && state.round() > 1 {
                    check(&state, &judge);
                }
            }
        });
    }

    fn told_by(names: &[&str], numbers: &[f32], name: &str) -> f32 {
        numbers[names.iter().position(|other| *other == name).expect(name)]
    }

    #[test]
    fn numbers_say_what_lies_on_the_boards_and_in_hands() {
        for_deals(|state, judge| {
            let rules = state.rules();
            for (at, board) in state.boards().iter() {
                let mut numbers = Vec::new();
                state.seat_insights(judge, at, &mut numbers);
                assert_eq!(numbers.len(), INSIGHTS.seat.len());
                let number = |name: &str| told_by(INSIGHTS.seat, &numbers, name);
                assert_eq!(number("score / 8") * 8.0, f32::from(board.score()));
                for slot in Slot::all() {
                    let star = STAR_LETTERS.as_bytes()[slot.star()] as char;
                    let name = format!("slot {star}{}", slot.position() + 1);
                    assert_eq!(number(&name), told(board.color_at(slot).is_some()), "{name}\n{state}");
                }
                for (star, letter) in STAR_LETTERS.chars().enumerate() {
                    for color in Color::ALL {
                        let tells = rules.side == BoardSide::Gray || star == CENTER_STAR;
                        let lies = Slot::all()
                            .any(|slot| slot.star() == star && board.color_at(slot) == Some(color));
                        let name = format!("{} on {letter}", color.letter());
                        assert_eq!(number(&name), told(tells && lies), "{name}\n{state}");
                    }
                }
                for (star, letter) in LETTERS.chars().enumerate() {
                    for (feature, kind) in
                        Feature::of_star(Color::ALL[star]).iter().zip(["pillar", "statue", "window"])
                    {
                        let lacks = Slot::all().filter(|slot| {
                            feature.slots & slot.bit() != 0 && board.color_at(*slot).is_none()
                        });
                        let lacks_one = lacks.count() == 1;
                        assert_eq!(number(&format!("{kind} {letter} lacks 1")), told(lacks_one), "{state}");
                    }
                }
                let hand: f32 = (0..COLORS).map(|wild| number(&format!("hand, wild {wild}"))).sum();
                assert_eq!(hand, f32::from(board.hand().total()));
            }
        });
    }

    #[test]
    fn colors_are_told_by_the_rounds_until_they_are_wild() {
        for_deals(|state, judge| {
            let (rules, round, seat) = (state.rules(), state.round(), state.starting_seat());
            let (mut table, mut own) = (Vec::new(), Vec::new());
            state.table_insights(&mut table);
            assert_eq!(table.len(), INSIGHTS.table.len());
            state.seat_insights(judge, seat, &mut own);
            assert_eq!(told_by(INSIGHTS.table, &table, "gray"), 2.0 * told(rules.side == BoardSide::Gray));
            for after in 0..=u32::from(rules.rounds) - round {
                let color = rules.wild((round + after) as u8);
                let count = |tiles: Tiles| f32::from(tiles.count(color.index()));
                let of_table = |name: &str| told_by(INSIGHTS.table, &table, &format!("{name}, wild {after}"));
                let bag = told_by(INSIGHTS.table, &table, &format!("bag, wild {after} / 3"));
                assert_eq!(bag, count(state.bag()) / 3.0);
                assert_eq!(of_table("supply"), count(state.supply()));
                let hand = told_by(INSIGHTS.seat, &own, &format!("hand, wild {after}"));
                assert_eq!(hand, count(state.board(seat).hand()));
                let cost = told_by(INSIGHTS.seat, &own, &format!("cost of star of wild {after} / 3"));
                if rules.side == BoardSide::Colored {
                    let free = state.board(seat).free(color.index());
                    let costs =
                        (0..6u8).filter(|position| free >> position & 1 == 1).map(|position| position + 1);
                    assert_eq!(cost * 3.0, f32::from(costs.sum::<u8>()));
                }
            }
            let to_come = u32::from(rules.rounds) + 1 - round;
            let name = format!("{to_come} round{} to come", if to_come == 1 { "" } else { "s" });
            assert_eq!(told_by(INSIGHTS.table, &table, &name), 2.0);
        });
    }

    /// In the middle of a round the state that is valued is the next deal, or the end of the game.
    #[test]
    fn a_round_is_played_on_before_it_is_valued() {
        let (mut deals, mut ends) = (0, 0);
        for_each_variant::<SummerPavilion>(|rules, players| {
            let judge = SummerPavilion::judge(rules, players, &Default::default());
            let (mut state, mut rng, mut legal) =
                (SummerPavilion::new(rules, players), Generator::new(6), Vec::new());
            // The first supply and the first deal.
            (0..2).for_each(|_| state.play_random(&mut rng, &mut legal));
            while state.turn() != Turn::Over {
                let horizon = state.horizon();
                assert_eq!(horizon.is_none(), state.phase() == Phase::Deal);
                if let Some(horizon) = horizon {
                    match horizon.turn() {
                        Turn::Over => ends += 1,
                        _ => deals += usize::from(horizon.phase() == Phase::Deal),
                    }
                    if horizon.turn() != Turn::Over {
                        assert_eq!(horizon.round(), state.round() + 1);
                        let shares = horizon.shares(&judge);
                        assert_eq!(horizon.values(&judge, &shares), state.values(&judge, &shares));
                    }
                }
                state.play_random(&mut rng, &mut legal);
            }
            assert_eq!(state.horizon(), None);
        });
        assert!(deals > 1000 && ends > 100, "{deals} deals, {ends} ends");
    }
}
