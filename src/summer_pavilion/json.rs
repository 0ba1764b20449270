//! The JSON state of Summer Pavilion.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::{
    Board, BoardSide, CENTER, CENTER_STAR, COLORS, Color, FACTORY_TILES, LETTERS, Phase, SOURCES,
    STAR_LETTERS, STAR_SLOTS, Slot, SummerPavilion, SummerPavilionRules, TILES_PER_COLOR,
};
use crate::changes::Changes;
use crate::error::{StateError, excerpt};
use crate::game::{Game, Turn};
use crate::json::{self, ensure};
use crate::player::Seat;
use crate::spec::variant_of;
use crate::tiles::Tiles;

/// Far more points than a board can give, and far fewer than the score's type can hold.
const MAX_SCORE: i16 = 1000;

#[derive(Serialize)]
struct StateOut {
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Changes>,
    players: usize,
    round: u32,
    phase: &'static str,
    #[serde(serialize_with = "json::write_turn")]
    turn: Turn,
    start: Seat,
    wild: char,
    owed: u8,
    factories: Vec<String>,
    center: String,
    #[serde(serialize_with = "json::write_holder")]
    token: Option<Seat>,
    next: Option<Seat>,
    supply: String,
    bag: [u8; COLORS],
    depot: [u8; COLORS],
    boards: Vec<BoardOut>,
}

#[derive(Serialize)]
struct BoardOut {
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

const PHASES: [(Phase, &str); 7] = [
    (Phase::Deal, "deal"),
    (Phase::Supply, "supply"),
    (Phase::Acquire, "acquire"),
    (Phase::Place, "place"),
    (Phase::Bonus, "bonus"),
    (Phase::Keep, "keep"),
    (Phase::Over, "over"),
];

impl Serialize for SummerPavilion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let letters = |source: usize| self.sources[source].letters(LETTERS).to_string();
        let phase = PHASES.iter().find(|(phase, _)| *phase == self.phase).map_or("", |(_, name)| name);
        StateOut {
            game: variant_of::<SummerPavilion>(self.rules),
            rules: json::changes(self.rules),
            players: self.players(),
            round: self.round(),
            phase,
            turn: self.turn(),
            start: self.start,
            wild: self.wild.letter(),
            owed: self.owed,
            factories: (1..=self.factories()).map(letters).collect(),
            center: letters(CENTER),
            token: self.token,
            next: self.next,
            supply: self.supply.letters(LETTERS).to_string(),
            bag: self.bag.counts(),
            depot: self.depot.counts(),
            boards: self.boards.as_slice().iter().map(BoardOut::of).collect(),
        }
        .serialize(serializer)
    }
}

impl BoardOut {
    fn of(board: &Board) -> Self {
        let letter = |slot| board.color_at(slot).map_or('.', Color::letter);
        let star = |star| (0..STAR_SLOTS).map(|position| letter(Slot::new(star, position))).collect();
        BoardOut {
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

#[derive(Deserialize)]
struct StateIn {
    players: usize,
    round: u8,
    phase: String,
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
    boards: Vec<BoardIn>,
}

#[derive(Deserialize)]
struct BoardIn {
    score: i16,
    hand: String,
    kept: String,
    passed: bool,
    stars: Stars,
}

/// Reads and checks a state.
pub(super) fn read(rules: &'static SummerPavilionRules, state: &Value) -> Result<SummerPavilion, StateError> {
    let read: StateIn = json::read(state)?;
    let players = read.players;
    json::check_header::<SummerPavilion>(rules, state, players)?;
    let mut game = SummerPavilion::start(rules, players);
    read_course(&mut game, &read)?;
    read_table(&mut game, &read)?;
    json::check_len("boards", read.boards.len(), players)?;
    for (seat, board) in Seat::all(players).zip(&read.boards) {
        game.boards[seat] = read_board(rules, &format!("boards[{seat}]"), board)?;
    }
    check_tiles(&game)?;
    check_sources(&game)?;
    check_supply(&game)?;
    check_seats(&game)?;
    check_turn(&game)?;
    Ok(game)
}

/// Where the game stands: round, phase, whose turn it is.
fn read_course(game: &mut SummerPavilion, read: &StateIn) -> Result<(), StateError> {
    let players = read.players;
    let phase = PHASES.iter().find(|(_, name)| *name == read.phase);
    game.phase = phase.map(|(phase, _)| *phase).ok_or_else(|| {
        let known = PHASES.map(|(_, name)| name).join(", ");
        StateError::new("phase", format!("found '{}', expected one of {known}", excerpt(&read.phase)))
    })?;
    let rounds = game.rules.rounds;
    ensure((1..=rounds).contains(&read.round), "round", || {
        format!("found {}, expected 1 to {rounds}", read.round)
    })?;
    game.round = read.round;
    game.wild = game.rules.wild(read.round);
    ensure(read.wild == game.wild.letter().to_string(), "wild", || {
        format!("found '{}', expected '{}', the wild color of this round", excerpt(&read.wild), game.wild)
    })?;
    game.start = json::seat("start", &read.start, players)?;
    game.token = json::holder("token", &read.token, players)?;
    game.next = if read.next.is_null() { None } else { Some(json::seat("next", &read.next, players)?) };
    game.owed = read.owed;
    let turn = json::turn(&read.turn, players)?;
    game.to_move = if let Turn::Player(seat) = turn { seat } else { game.start };
    ensure(turn == game.turn(), "turn", || {
        format!("found {}, which does not go with phase '{}'", read.turn, read.phase)
    })
}

/// The tiles in the middle of the table and those out of play.
fn read_table(game: &mut SummerPavilion, read: &StateIn) -> Result<(), StateError> {
    json::check_len("factories", read.factories.len(), game.factories())?;
    game.sources = read_sources(read)?;
    for (source, &tiles) in game.sources.iter().enumerate() {
        game.holders.set(source, tiles);
    }
    game.supply = json::tiles(|| "supply".to_owned(), &read.supply, LETTERS)?;
    at_most("supply", game.supply, game.rules.supply)?;
    game.bag = read_counts("bag", read.bag)?;
    game.depot = read_counts("depot", read.depot)?;
    Ok(())
}

fn at_most(key: &str, tiles: Tiles, limit: u8) -> Result<(), StateError> {
    ensure(tiles.total() <= limit, key, || format!("found {} tiles, expected at most {limit}", tiles.total()))
}

fn read_counts(key: &str, counts: [u8; COLORS]) -> Result<Tiles, StateError> {
    for (color, &count) in counts.iter().enumerate() {
        ensure(count <= TILES_PER_COLOR, &format!("{key}[{color}]"), || {
            format!("found {count} tiles of one color, expected at most {TILES_PER_COLOR}")
        })?;
    }
    Ok(Tiles::from_counts(&counts))
}

fn read_sources(read: &StateIn) -> Result<[Tiles; SOURCES], StateError> {
    let mut sources = [Tiles::EMPTY; SOURCES];
    sources[CENTER] = json::tiles(|| "center".to_owned(), &read.center, LETTERS)?;
    for (i, text) in read.factories.iter().enumerate() {
        let key = format!("factories[{i}]");
        sources[i + 1] = json::tiles(|| key.clone(), text, LETTERS)?;
        at_most(&key, sources[i + 1], FACTORY_TILES)?;
    }
    Ok(sources)
}

fn read_board(rules: &SummerPavilionRules, key: &str, read: &BoardIn) -> Result<Board, StateError> {
    let mut board = Board::new(rules);
    ensure((0..=MAX_SCORE).contains(&read.score), &format!("{key}.score"), || {
        format!("found {}, expected 0 to {MAX_SCORE}", read.score)
    })?;
    board.score = read.score;
    board.passed = read.passed;
    board.hand = json::tiles(|| format!("{key}.hand"), &read.hand, LETTERS)?;
    let kept = format!("{key}.kept");
    board.kept = json::tiles(|| kept.clone(), &read.kept, LETTERS)?;
    at_most(&kept, board.kept, rules.keep_limit)?;
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

/// All 22 tiles of each color are there.
fn check_tiles(game: &SummerPavilion) -> Result<(), StateError> {
    // Summed as wide numbers: a faulty state may hold more tiles than a multiset can count.
    let boards = game.boards.as_slice();
    let parts = game.sources.iter().copied().chain([game.supply, game.bag, game.depot]);
    let parts = parts.chain(boards.iter().flat_map(|board| [board.hand, board.kept]));
    let mut counts = [0u32; COLORS];
    for part in parts {
        part.iter().for_each(|(color, count)| counts[color] += u32::from(count));
    }
    for color in Color::ALL {
        let placed: u32 = boards.iter().map(|board| board.slots_of(color).count_ones()).sum();
        let found = counts[color.index()] + placed;
        ensure(found == u32::from(TILES_PER_COLOR), "state", || {
            format!("found {found} tiles of color {color} in all, expected {TILES_PER_COLOR}")
        })?;
    }
    Ok(())
}

/// Tiles lie in factories and center exactly while they are being taken, and the token only moves then.
fn check_sources(game: &SummerPavilion) -> Result<(), StateError> {
    let offered = !game.holders.is_empty();
    ensure(offered == (game.phase == Phase::Acquire), "phase", || {
        let word = if offered { "tiles lie" } else { "no tile lies" };
        format!("{word} in factories and center, which does not go with this phase")
    })?;
    ensure(game.token.is_none() || game.phase != Phase::Deal, "token", || {
        "expected \"center\" in phase deal".to_owned()
    })
}

/// What is drawn, and what is taken from the supply, goes with the phase.
fn check_supply(game: &SummerPavilion) -> Result<(), StateError> {
    let drawable = !(game.bag.is_empty() && game.depot.is_empty());
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
            at_most(&key("hand"), board.hand, game.rules.keep_limit)?;
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
            let untouched = game.bag == all && game.boards.as_slice().iter().all(|board| !board.passed);
            let setup = game.round == 1 && game.token.is_none() && untouched;
            ensure(all_passed || setup, "next", || {
                "found null, expected a seat: not all have passed, nor is this the start".to_owned()
            })
        }
    }
}
