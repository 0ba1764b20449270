//! The JSON state of Summer Pavilion.

use std::array;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::consistency;
use super::{
    Board, BoardSide, CENTER_STAR, COLORS, Color, LETTERS, Phase, STAR_LETTERS, STAR_SLOTS, STARS, Slot,
    SummerPavilion, SummerPavilionRules, TILES_PER_COLOR,
};
use crate::consistency::{check_most, check_range, ensure};
use crate::error::StateError;
use crate::game::Game;
use crate::json::{self, Letters, Spaces, as_text};
use crate::tiles::Tiles;

/// Far more points than a board can give, and far fewer than the score's type can hold.
const MAX_SCORE: i16 = 1000;

/// What a state's JSON object holds after its header.
#[derive(Serialize, Deserialize)]
struct TableJson {
    wild: Color,
    owed: u8,
    factories: Vec<Letters<Color>>,
    center: Letters<Color>,
    token: Value,
    next: Value,
    supply: Letters<Color>,
    bag: [u8; COLORS],
    depot: [u8; COLORS],
    boards: Vec<BoardJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object")]
struct BoardJson {
    score: i16,
    hand: Letters<Color>,
    kept: Letters<Color>,
    passed: bool,
    stars: StarsJson,
}

/// Each star's slots 1 to 6.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE", expecting = "an object")]
struct StarsJson {
    o: Star,
    r: Star,
    b: Star,
    y: Star,
    g: Star,
    p: Star,
    c: Star,
}

type Star = Spaces<Color, STAR_SLOTS>;

as_text!(Color, format_args!("one of {LETTERS}"), |text| {
    Color::ALL.into_iter().find(|color| color.to_string() == text)
});

impl Serialize for SummerPavilion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [center, factories @ ..] = &self.sources;
        let table = TableJson {
            wild: self.wild,
            owed: self.owed,
            factories: factories[..self.factories()].iter().copied().map(Letters::from).collect(),
            center: Letters::from(*center),
            token: json::of_holder(self.token),
            next: json::of_seat(self.next),
            supply: self.supply.into(),
            bag: self.bag().counts(),
            depot: self.depot().counts(),
            boards: self.boards.as_slice().iter().map(BoardJson::of).collect(),
        };
        json::write(self, self.phase, self.start, table, serializer)
    }
}

impl BoardJson {
    fn of(board: &Board) -> Self {
        let slot = |star, position| board.color_at(Slot::new(star, position));
        let stars: [Star; STARS] = array::from_fn(|star| Spaces(array::from_fn(|i| slot(star, i))));
        let [o, r, b, y, g, p, c] = stars;
        BoardJson {
            score: board.score,
            hand: board.hand.into(),
            kept: board.kept.into(),
            passed: board.passed,
            stars: StarsJson { o, r, b, y, g, p, c },
        }
    }
}

/// Reads and checks a state.
pub(super) fn read(rules: &'static SummerPavilionRules, state: &Value) -> Result<SummerPavilion, StateError> {
    let (header, table) = json::read::<SummerPavilion, Phase, TableJson>(rules, rules.rounds, state)?;
    let mut game = SummerPavilion::start(rules, header.players);
    (game.phase, game.round, game.start) = (header.phase, header.round, header.start()?);
    game.wild = rules.wild(game.round);
    ensure! {
        "wild": table.wild == game.wild
            => "found '{}', expected '{}', the wild color of this round", table.wild, game.wild;
    }
    game.owed = table.owed;
    game.token = header.holder("token", &table.token)?;
    game.next = if table.next.is_null() { None } else { Some(header.seat("next", &table.next)?) };
    game.to_move = header.to_move(game.turn())?;
    (game.sources, game.holders) = json::sources(table.center, &table.factories, game.factories())?;
    check_most("supply", table.supply.tiles, rules.supply)?;
    game.supply = table.supply.tiles;
    game.stock.bag = json::counts("bag", &table.bag, TILES_PER_COLOR, Tiles::from_counts)?;
    game.stock.lid = json::counts("depot", &table.depot, TILES_PER_COLOR, Tiles::from_counts)?;
    json::boards(&mut game.boards, &table.boards, |key, board| read_board(rules, key, board))?;
    consistency::check(&game)?;
    Ok(game)
}

fn read_board(rules: &SummerPavilionRules, key: &str, read: &BoardJson) -> Result<Board, StateError> {
    let (mut board, stars) = (Board::new(rules.side, read.score), &read.stars);
    let given = rules.handicap.into_iter().max().unwrap_or_default();
    // By default 5 points at the start are among those that the bound leaves room for.
    let start = (rules.starting_score - SummerPavilionRules::default().starting_score).max(0);
    check_range(&format!("{key}.score"), read.score, 0..=MAX_SCORE + start + given)?;
    check_most(&format!("{key}.kept"), read.kept.tiles, rules.keep_limit)?;
    (board.passed, board.hand, board.kept) = (read.passed, read.hand.tiles, read.kept.tiles);
    let stars = [stars.o, stars.r, stars.b, stars.y, stars.g, stars.p, stars.c];
    for (star, slots) in stars.into_iter().enumerate() {
        let letter = &STAR_LETTERS[star..=star];
        read_star(rules, &format!("{key}.stars.{letter}"), slots, star, &mut board)?;
    }
    Ok(board)
}

/// Fills a star as its text says, if its tiles can lie there together.
fn read_star(
    rules: &SummerPavilionRules,
    key: &str,
    slots: Star,
    star: usize,
    board: &mut Board,
) -> Result<(), StateError> {
    let expected = match rules.side {
        BoardSide::Colored if star != CENTER_STAR => "the star's own color",
        BoardSide::Colored => "six different colors",
        BoardSide::Gray => "one color, or all different ones",
    };
    for (position, color) in slots.0.into_iter().enumerate().filter_map(|(i, color)| Some((i, color?))) {
        // The order of placing does not matter: whatever the first two tiles decide, all pairs agree in.
        ensure! {
            "{key}": board.accepted(star) >> color.index() & 1 == 1
                => "found '{slots}', expected {expected}";
        }
        board.fill(rules.side, Slot::new(star, position), color);
    }
    Ok(())
}
