//! The JSON state of Summer Pavilion.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::{
    Board, BoardSide, CENTER, CENTER_STAR, COLORS, Color, LETTERS, Phase, STAR_LETTERS, STAR_SLOTS, Slot,
    SummerPavilion, SummerPavilionRules, TILES_PER_COLOR,
};
use crate::changes::Changes;
use crate::error::{StateError, excerpt};
use crate::game::Game;
use crate::json::{self, ensure};
use crate::spec::variant_of;
use crate::tiles::Tiles;

/// Far more points than a board can give, and far fewer than the score's type can hold.
const MAX_SCORE: i16 = 1000;

/// A state's JSON object.
#[derive(Serialize, Deserialize)]
struct StateJson {
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<Changes>,
    players: usize,
    round: u8,
    phase: Phase,
    turn: Value,
    start: Value,
    wild: String,
    owed: u8,
    factories: Vec<String>,
    center: String,
    token: Value,
    next: Value,
    supply: String,
    bag: [u8; COLORS],
    depot: [u8; COLORS],
    boards: Vec<BoardJson>,
}

#[derive(Serialize, Deserialize)]
struct BoardJson {
    score: i16,
    hand: String,
    kept: String,
    passed: bool,
    stars: Stars,
}

/// Each star's slots 1 to 6: a letter or `.`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct Stars {
    o: String,
    r: String,
    b: String,
    y: String,
    g: String,
    p: String,
    c: String,
}

impl Serialize for SummerPavilion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sources = json::letters::<Color>(&self.sources[..=self.factories()]);
        StateJson {
            game: variant_of::<SummerPavilion>(self.rules),
            rules: json::changes(self.rules),
            players: self.players(),
            round: self.round,
            phase: self.phase,
            turn: json::of_turn(self.turn()),
            start: json::of_seat(self.start),
            wild: self.wild.to_string(),
            owed: self.owed,
            center: sources.remove(CENTER),
            factories: sources,
            token: json::of_holder(self.token),
            next: json::of_seat(self.next),
            supply: self.supply.letters(LETTERS).to_string(),
            bag: self.bag().counts(),
            depot: self.depot().counts(),
            boards: self.boards.as_slice().iter().map(BoardJson::of).collect(),
        }
        .serialize(serializer)
    }
}

impl BoardJson {
    fn of(board: &Board) -> Self {
        let letter = |slot| board.color_at(slot).map_or('.', Color::letter);
        let star = |star| (0..STAR_SLOTS).map(|position| letter(Slot::new(star, position))).collect();
        BoardJson {
            score: board.score,
            hand: board.hand.letters(LETTERS).to_string(),
            kept: board.kept.letters(LETTERS).to_string(),
            passed: board.passed,
            stars: Stars {
                o: star(0),
                r: star(1),
                b: star(2),
                y: star(3),
                g: star(4),
                p: star(5),
                c: star(CENTER_STAR),
            },
        }
    }
}

/// Reads and checks a state.
pub(super) fn read(rules: &'static SummerPavilionRules, state: &Value) -> Result<SummerPavilion, StateError> {
    let read: StateJson = json::read(state)?;
    json::check_header::<SummerPavilion>(rules, state, read.players)?;
    let mut game = SummerPavilion::start(rules, read.players);
    read_course(&mut game, &read)?;
    (game.sources, game.holders) = json::sources::<Color>(&read.center, &read.factories, game.factories())?;
    game.supply = json::tiles::<Color>("supply", &read.supply, rules.supply)?;
    game.stock.bag = json::counts("bag", &read.bag, TILES_PER_COLOR)?;
    game.stock.lid = json::counts("depot", &read.depot, TILES_PER_COLOR)?;
    json::boards(&mut game.boards, &read.boards, |key, board| read_board(rules, key, board))?;
    let boards = game.boards.as_slice();
    let parts = game.sources.into_iter().chain([game.supply, game.bag(), game.depot()]);
    let parts = parts.chain(boards.iter().flat_map(|board| [board.hand, board.kept]));
    let placed =
        |color: usize| boards.iter().map(|board| board.slots_of(Color::ALL[color]).count_ones()).sum();
    json::check_all_there::<Color>(parts, placed, TILES_PER_COLOR)?;
    check_sources(&game)?;
    check_supply(&game)?;
    check_seats(&game)?;
    check_turn(&game)?;
    Ok(game)
}

/// Where the game stands: round, phase, whose turn it is.
fn read_course(game: &mut SummerPavilion, read: &StateJson) -> Result<(), StateError> {
    let players = read.players;
    json::check_range("round", read.round, 1..=game.rules.rounds)?;
    (game.phase, game.round, game.owed) = (read.phase, read.round, read.owed);
    game.wild = game.rules.wild(read.round);
    ensure(read.wild == game.wild.letter().to_string(), "wild", || {
        format!("found '{}', expected '{}', the wild color of this round", excerpt(&read.wild), game.wild)
    })?;
    game.start = json::seat("start", &read.start, players)?;
    game.token = json::holder("token", &read.token, players)?;
    game.next = if read.next.is_null() { None } else { Some(json::seat("next", &read.next, players)?) };
    game.to_move = json::to_move(&read.turn, game.start, game.turn(), players, game.phase)?;
    Ok(())
}

fn read_board(rules: &SummerPavilionRules, key: &str, read: &BoardJson) -> Result<Board, StateError> {
    let mut board = Board::new(rules);
    json::check_range(&format!("{key}.score"), read.score, 0..=MAX_SCORE)?;
    board.score = read.score;
    board.passed = read.passed;
    board.hand = json::tiles::<Color>(&format!("{key}.hand"), &read.hand, u8::MAX)?;
    board.kept = json::tiles::<Color>(&format!("{key}.kept"), &read.kept, rules.keep_limit)?;
    let stars = &read.stars;
    let stars = [&stars.o, &stars.r, &stars.b, &stars.y, &stars.g, &stars.p, &stars.c];
    for (star, text) in stars.into_iter().enumerate() {
        let key = format!("{key}.stars.{}", &STAR_LETTERS[star..=star]);
        read_star(rules, &key, text, star, &mut board)?;
    }
    Ok(board)
}

/// Fills a star as its text says, if its tiles can lie there together.
fn read_star(
    rules: &SummerPavilionRules,
    key: &str,
    text: &str,
    star: usize,
    board: &mut Board,
) -> Result<(), StateError> {
    ensure(text.chars().count() == STAR_SLOTS, key, || {
        format!("found '{}', expected {STAR_SLOTS} slots", excerpt(text))
    })?;
    for (position, letter) in text.chars().enumerate().filter(|(_, letter)| *letter != '.') {
        let color = Color::from_letter(letter).ok_or_else(|| {
            StateError::new(key, format!("found {letter:?}, expected one of {LETTERS} or ."))
        })?;
        // The order of placing does not matter: whatever the first two tiles decide, all pairs agree in.
        ensure(board.accepted(star) >> color.index() & 1 == 1, key, || {
            let colors = match rules.side {
                BoardSide::Colored if star != CENTER_STAR => "the star's own color",
                BoardSide::Colored => "six different colors",
                BoardSide::Gray => "one color, or all different ones",
            };
            format!("found '{text}', expected {colors}")
        })?;
        board.fill(rules.side, Slot::new(star, position), color);
    }
    Ok(())
}

/// Tiles lie in factories and center exactly while they are being taken, and the token only moves then.
fn check_sources(game: &SummerPavilion) -> Result<(), StateError> {
    json::check_offered(&game.holders, game.phase == Phase::Acquire)?;
    ensure(game.token.is_none() || game.phase != Phase::Deal, "token", || {
        "expected \"center\" in phase deal".to_owned()
    })
}

/// What is drawn, and what is taken from the supply, goes with the phase.
fn check_supply(game: &SummerPavilion) -> Result<(), StateError> {
    let drawable = !game.stock.is_empty();
    ensure(drawable || !matches!(game.phase, Phase::Deal | Phase::Supply), "phase", || {
        "bag and depot are empty: nothing can be drawn".to_owned()
    })?;
    ensure(game.phase != Phase::Supply || game.supply.total() < game.rules.supply, "supply", || {
        format!("found {} tiles: nothing is to be drawn in phase supply", game.supply.total())
    })?;
    if game.phase != Phase::Bonus {
        return ensure(game.owed == 0, "owed", || format!("found {}, expected 0 in this phase", game.owed));
    }
    let most = game.rules.most_bonus_tiles().min(game.supply.total());
    ensure((1..=most).contains(&game.owed), "owed", || {
        format!("found {}, expected 1 to {most}, which the supply holds and a placement earns", game.owed)
    })
}

/// Who has passed, and what those hold, goes with the phase.
fn check_seats(game: &SummerPavilion) -> Result<(), StateError> {
    for (seat, board) in game.boards.iter() {
        let key = |name: &str| format!("boards[{seat}].{name}");
        let keeping = game.phase == Phase::Keep && seat == game.to_move;
        let unpassed = matches!(game.phase, Phase::Deal | Phase::Acquire);
        ensure(!(unpassed && board.passed), &key("passed"), || {
            "found true, expected false in this phase".to_owned()
        })?;
        ensure(board.passed || board.kept.is_empty(), &key("kept"), || {
            "found tiles, but the seat has not passed".to_owned()
        })?;
        ensure(!board.passed || keeping || board.hand.is_empty(), &key("hand"), || {
            "found tiles, but the seat has passed".to_owned()
        })?;
        if game.phase == Phase::Deal {
            json::check_most(&key("hand"), board.hand, game.rules.keep_limit)?;
        }
        if game.phase == Phase::Over {
            ensure(board.passed, &key("passed"), || "found false, expected true at over".to_owned())?;
            ensure(board.kept.is_empty(), &key("kept"), || {
                "found tiles, which lie in the depot at over".to_owned()
            })?;
        }
    }
    Ok(())
}

/// The seat to move can move, and what comes next can come next.
fn check_turn(game: &SummerPavilion) -> Result<(), StateError> {
    let last_round = game.round == game.rules.rounds;
    let all_passed = game.boards.as_slice().iter().all(|board| board.passed);
    let board = &game.boards[game.to_move];
    let seat = game.to_move;
    match game.phase {
        Phase::Place | Phase::Bonus => {
            ensure(!board.passed, "turn", || format!("found {seat}, but that seat has passed"))?;
        }
        Phase::Keep => {
            ensure(board.passed, "turn", || format!("found {seat}, but that seat has not passed"))?;
            let full = board.kept.total() >= game.rules.keep_limit;
            ensure(!full && !board.keepable().is_empty(), &format!("boards[{seat}].hand"), || {
                "nothing more can be kept: the turn has ended".to_owned()
            })?;
        }
        Phase::Supply => check_next(game, all_passed)?,
        Phase::Over => ensure(last_round, "phase", || {
            format!("found over in round {}, expected it in round {}", game.round, game.rules.rounds)
        })?,
        Phase::Deal | Phase::Acquire => {}
    }
    ensure(game.phase == Phase::Supply || game.next.is_none(), "next", || {
        "found a seat, expected null in this phase".to_owned()
    })?;
    ensure(!(all_passed && last_round && game.phase == Phase::Supply), "phase", || {
        "all have passed in the last round: expected over".to_owned()
    })
}

/// Phase supply: afterwards comes a seat that has not passed; the next round, if all have; or the first deal.
fn check_next(game: &SummerPavilion, all_passed: bool) -> Result<(), StateError> {
    match game.next {
        Some(seat) => {
            ensure(!game.boards[seat].passed, "next", || format!("found {seat}, but that seat has passed"))
        }
        None => {
            let all = Tiles::each(COLORS, TILES_PER_COLOR);
            let untouched = game.bag() == all && game.boards.as_slice().iter().all(|board| !board.passed);
            let setup = game.round == 1 && game.token.is_none() && untouched;
            ensure(all_passed || setup, "next", || {
                "found null, expected a seat: not all have passed, nor is this the start".to_owned()
            })
        }
    }
}
