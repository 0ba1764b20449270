//! The numbers of Azul that a critic looks at.

use azulejo::azul::{Azul, COLORS, Color, Line, Wall, WallSide};
use azulejo::{Game, Seat};

use crate::heuristic::Insights;

/// Their names. Tiles are told one by one: what wall and lines are worth together is left to the network.
pub(super) const INSIGHTS: Insights = Insights {
    table: &[
        "gray",
        "a row of 1",
        "a row of 2",
        "a row of 3",
        "a row of 4",
        "bag B / 4",
        "bag Y / 4",
        "bag R / 4",
        "bag K / 4",
        "bag W / 4",
    ],
    #[rustfmt::skip]
    seat: &[
        "score / 8", "floor", "marker",
        "wall 11", "wall 12", "wall 13", "wall 14", "wall 15",
        "wall 21", "wall 22", "wall 23", "wall 24", "wall 25",
        "wall 31", "wall 32", "wall 33", "wall 34", "wall 35",
        "wall 41", "wall 42", "wall 43", "wall 44", "wall 45",
        "wall 51", "wall 52", "wall 53", "wall 54", "wall 55",
        "gray 1B", "gray 1Y", "gray 1R", "gray 1K", "gray 1W",
        "gray 2B", "gray 2Y", "gray 2R", "gray 2K", "gray 2W",
        "gray 3B", "gray 3Y", "gray 3R", "gray 3K", "gray 3W",
        "gray 4B", "gray 4Y", "gray 4R", "gray 4K", "gray 4W",
        "gray 5B", "gray 5Y", "gray 5R", "gray 5K", "gray 5W",
        "line 1B", "line 1Y", "line 1R", "line 1K", "line 1W",
        "line 2B", "line 2Y", "line 2R", "line 2K", "line 2W",
        "line 3B", "line 3Y", "line 3R", "line 3K", "line 3W",
        "line 4B", "line 4Y", "line 4R", "line 4K", "line 4W",
        "line 5B", "line 5Y", "line 5R", "line 5K", "line 5W",
    ],
};

/// A number for what is so or not.
fn told(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

/// Appends the numbers of the table.
pub(super) fn table(state: &Azul, numbers: &mut Vec<f32>) {
    let fullest = |wall: &Wall| (0..COLORS).map(|row| wall.row(row).count_ones()).max().unwrap_or(0);
    let fullest = state.boards().iter().map(|(_, board)| fullest(board.wall())).max().unwrap_or(0);
    numbers.push(2.0 * told(state.rules().wall == WallSide::Gray));
    numbers.extend((1..COLORS as u32).map(|tiles| 2.0 * told(fullest >= tiles)));
    numbers.extend(Color::ALL.map(|color| f32::from(state.bag().count(color.index())) / 4.0));
}

/// Appends a seat's numbers. The colors of the wall are told on its gray side only: on the other one places say them.
pub(super) fn seat(state: &Azul, seat: Seat, numbers: &mut Vec<f32>) {
    let board = state.board(seat);
    let (wall, gray) = (board.wall(), state.rules().wall == WallSide::Gray);
    numbers.extend([
        f32::from(board.score()) / 8.0,
        board.floor().len() as f32,
        told(state.marker() == Some(seat)),
    ]);
    let filled = wall.filled();
    numbers.extend((0..COLORS * COLORS).map(|space| told(filled >> space & 1 != 0)));
    let with_color = Color::ALL.map(|color| if gray { wall.rows_with(color) } else { 0 });
    let colors = |row: usize| with_color.into_iter().map(move |rows| told(rows >> row & 1 != 0));
    numbers.extend((0..COLORS).flat_map(colors));
    let line = |line: &Line| {
        let Line { color: own, count } = *line;
        Color::ALL.map(|color| if color == own { f32::from(count) } else { 0.0 })
    };
    numbers.extend(board.lines().iter().flat_map(line));
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use azulejo::testing::for_each_variant;
    use azulejo::{Generator, PerPlayer, Turn};

    use super::*;
    use crate::heuristic::StateValue;

    /// What a value and its corrections are worked out from.
    fn seen(state: &Azul) -> Vec<f32> {
        let judge = Azul::judge(state.rules(), state.players(), &Default::default());
        let mut numbers = Vec::new();
        state.table_insights(&mut numbers);
        let shares =
            PerPlayer::from_fn(state.players(), |seat| state.seat_insights(&judge, seat, &mut numbers));
        assert_eq!(shares, state.shares(&judge), "{state}");
        numbers.extend(state.values(&judge, &shares).iter().map(|(_, value)| *value as f32));
        numbers
    }

    /// Ways of playing rounds on at random often lead to one state: with the same key the same is seen.
    #[test]
    fn states_with_one_key_are_seen_alike() {
        let (mut known, mut again): (HashMap<u64, Vec<f32>>, usize) = (HashMap::new(), 0);
        for_each_variant::<Azul>(|rules, players| {
            let (mut state, mut rng, mut legal) = (Azul::new(rules, players), Generator::new(6), Vec::new());
            while state.turn() != Turn::Over {
                for _ in 0..4 {
                    let mut other = state;
                    for _ in 0..4 {
                        if matches!(other.turn(), Turn::Player(_)) {
                            other.play_random(&mut rng, &mut legal);
                        }
                    }
                    if other.turn() != Turn::Over {
                        let found = seen(&other);
                        match known.get(&other.value_key().unwrap()) {
                            Some(before) => again += usize::from(*before == found),
                            None => _ = known.insert(other.value_key().unwrap(), found.clone()),
                        }
                        assert_eq!(known[&other.value_key().unwrap()], found, "{other}");
                    }
                }
                state.play_random(&mut rng, &mut legal);
            }
        });
        assert!(again > 100, "{again} states came twice, {} in all", known.len());
    }

    /// In random games every number has a name, and those of a board say what lies on it.
    #[test]
    fn numbers_say_what_lies_on_the_boards() {
        let place = |name: &str| INSIGHTS.seat.iter().position(|other| *other == name).unwrap();
        for_each_variant::<Azul>(|rules, players| {
            let (mut state, mut rng, mut legal) = (Azul::new(rules, players), Generator::new(5), Vec::new());
            while state.turn() != Turn::Over {
                let mut numbers = Vec::new();
                table(&state, &mut numbers);
                assert_eq!(numbers.len(), INSIGHTS.table.len());
                for (at, board) in state.boards().iter() {
                    numbers.clear();
                    seat(&state, at, &mut numbers);
                    assert_eq!(numbers.len(), INSIGHTS.seat.len());
                    assert_eq!(numbers[place("score / 8")] * 8.0, f32::from(board.score()));
                    for (row, line) in board.lines().iter().enumerate() {
                        for color in Color::ALL {
                            let number =
                                |what: &str| numbers[place(&format!("{what} {}{}", row + 1, color.letter()))];
                            let held = if line.color == color { line.count } else { 0 };
                            assert_eq!(number("line"), f32::from(held));
                            let on_wall = rules.wall == WallSide::Gray && board.wall().row_has(row, color);
                            assert_eq!(number("gray"), told(on_wall));
                        }
                        for column in 0..COLORS {
                            let number = numbers[place(&format!("wall {}{}", row + 1, column + 1))];
                            assert_eq!(number, told(board.wall().color_at(row, column).is_some()));
                        }
                    }
                }
                state.play_random(&mut rng, &mut legal);
            }
        });
    }
}
