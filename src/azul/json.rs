//! The JSON state of Azul.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::state::{Floor, Line};
use super::{
    Azul, AzulRules, Board, CENTER, COLORS, Color, FACTORY_TILES, LETTERS, MAX_FACTORIES, Phase, SOURCES,
    TILES_PER_COLOR, Wall, WallSide,
};
use crate::changes::Changes;
use crate::error::{StateError, excerpt};
use crate::game::{Game, Turn};
use crate::json::{self, ensure};
use crate::player::Seat;
use crate::spec::variant_of;
use crate::tiles::Tiles;

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
    factories: Vec<String>,
    center: String,
    #[serde(serialize_with = "json::write_holder")]
    marker: Option<Seat>,
    bag: [u8; COLORS],
    lid: [u8; COLORS],
    boards: Vec<BoardOut>,
}

#[derive(Serialize)]
struct BoardOut {
    score: i16,
    lines: Vec<String>,
    wall: Vec<String>,
    floor: String,
}

/// No game comes near this score; it keeps all arithmetic far from its limits.
const MAX_SCORE: i16 = 999;

const PHASES: [(Phase, &str); 4] =
    [(Phase::Deal, "deal"), (Phase::Draft, "draft"), (Phase::Tile, "tile"), (Phase::Over, "over")];

impl Serialize for Azul {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let letters = |source: usize| self.sources[source].letters(LETTERS).to_string();
        let phase = PHASES.iter().find(|(phase, _)| *phase == self.phase).map_or("", |(_, name)| name);
        StateOut {
            game: variant_of::<Azul>(self.rules),
            rules: json::changes(self.rules),
            players: self.players(),
            round: self.round(),
            phase,
            turn: self.turn(),
            start: self.start,
            factories: (1..=self.factories()).map(letters).collect(),
            center: letters(CENTER),
            marker: self.marker,
            bag: self.bag.counts(),
            lid: self.lid.counts(),
            boards: self.boards.as_slice().iter().map(BoardOut::of).collect(),
        }
        .serialize(serializer)
    }
}

impl BoardOut {
    fn of(board: &Board) -> Self {
        let cell = |row, column| board.wall.color_at(row, column).map_or('.', Color::letter);
        BoardOut {
            score: board.score,
            lines: board
                .lines
                .iter()
                .map(|line| line.color.letter().to_string().repeat(line.count.into()))
                .collect(),
            wall: (0..COLORS).map(|row| (0..COLORS).map(|column| cell(row, column)).collect()).collect(),
            floor: board.floor.to_string(),
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
    factories: Vec<String>,
    center: String,
    marker: Value,
    bag: [u8; COLORS],
    lid: [u8; COLORS],
    boards: Vec<BoardIn>,
}

#[derive(Deserialize)]
struct BoardIn {
    score: i16,
    lines: [String; COLORS],
    wall: [String; COLORS],
    floor: String,
}

/// Reads and checks a state.
pub(super) fn read(rules: &'static AzulRules, state: &Value) -> Result<Azul, StateError> {
    let read: StateIn = json::read(state)?;
    let players = read.players;
    json::check_header::<Azul>(rules, state, players)?;
    let mut azul = Azul::start(rules, players);
    azul.phase =
        PHASES.iter().find(|(_, name)| *name == read.phase).map(|(phase, _)| *phase).ok_or_else(|| {
            phase_error(&format!("'{}'", excerpt(&read.phase)), "deal, draft, tile or over")
        })?;
    ensure((1..=rules.last_round).contains(&read.round), "round", || {
        format!("found {}, expected 1 to {}", read.round, rules.last_round)
    })?;
    azul.round = read.round;
    azul.start = json::seat("start", &read.start, players)?;
    azul.marker = json::holder("marker", &read.marker, players)?;
    json::check_len("factories", read.factories.len(), azul.factories())?;
    azul.sources = read_sources(&read)?;
    for (source, &tiles) in azul.sources.iter().enumerate() {
        azul.holders.add(source, tiles);
    }
    azul.bag = read_counts("bag", read.bag)?;
    azul.lid = read_counts("lid", read.lid)?;
    json::check_len("boards", read.boards.len(), players)?;
    for (seat, board) in Seat::all(players).zip(&read.boards) {
        azul.boards[seat] = read_board(rules, &format!("boards[{seat}]"), board)?;
    }
    let turn = json::turn(&read.turn, players)?;
    if let Turn::Player(seat) = turn {
        azul.to_move = seat;
    } else {
        azul.to_move = azul.start;
    }
    ensure(turn == azul.turn(), "turn", || {
        format!("found {}, which does not go with phase '{}'", read.turn, read.phase)
    })?;
    check_tiles(&azul)?;
    check_phase(&azul)?;
    Ok(azul)
}

fn phase_error(found: &str, expected: &str) -> StateError {
    StateError::new("phase", format!("found {found}, expected {expected}"))
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
        let key = || format!("factories[{i}]");
        sources[i + 1] = json::tiles(key, text, LETTERS)?;
        ensure(sources[i + 1].total() <= FACTORY_TILES, &key(), || {
            format!("found {} tiles, expected at most {FACTORY_TILES}", sources[i + 1].total())
        })?;
    }
    Ok(sources)
}

fn read_board(rules: &AzulRules, key: &str, read: &BoardIn) -> Result<Board, StateError> {
    let mut board = Board { score: read.score, ..Board::default() };
    ensure((0..=MAX_SCORE).contains(&read.score), &format!("{key}.score"), || {
        format!("found {}, expected 0 to {MAX_SCORE}", read.score)
    })?;
    board.wall = read_wall(rules, &format!("{key}.wall"), &read.wall)?;
    for (row, text) in read.lines.iter().enumerate() {
        board.lines[row] = read_line(&format!("{key}.lines[{row}]"), text, row, &board.wall)?;
    }
    board.floor = Floor::from_text(&read.floor).ok_or_else(|| {
        let problem = format!("found '{}', expected at most 7 of {LETTERS} and one *", excerpt(&read.floor));
        StateError::new(format!("{key}.floor"), problem)
    })?;
    board.open = board.open_from_scratch();
    Ok(board)
}

fn read_line(key: &str, text: &str, row: usize, wall: &Wall) -> Result<Line, StateError> {
    let Some(first) = text.chars().next() else {
        return Ok(Line::default());
    };
    let color = Color::from_letter(first).filter(|_| text.chars().all(|letter| letter == first));
    let color = color.filter(|_| text.len() <= row + 1).ok_or_else(|| {
        let problem = format!(
            "found '{}', expected at most {} tiles of one color of {LETTERS}",
            excerpt(text),
            row + 1
        );
        StateError::new(key, problem)
    })?;
    ensure(!wall.row_has(row, color), key, || format!("holds {color}, which the wall row beside it has"))?;
    Ok(Line { color, count: text.len() as u8 })
}

fn read_wall(rules: &AzulRules, key: &str, rows: &[String; COLORS]) -> Result<Wall, StateError> {
    let mut wall = Wall::default();
    for (row, text) in rows.iter().enumerate() {
        let key = format!("{key}[{row}]");
        ensure(text.chars().count() == COLORS, &key, || {
            format!("found '{}', expected 5 spaces", excerpt(text))
        })?;
        for (column, letter) in text.chars().enumerate().filter(|(_, letter)| *letter != '.') {
            let color = Color::from_letter(letter).ok_or_else(|| {
                let letter = excerpt(&letter.to_string());
                StateError::new(&key, format!("found {letter:?}, expected one of {LETTERS} or ."))
            })?;
            let fits = match rules.wall {
                WallSide::Colored => column == Wall::printed_column(row, color),
                WallSide::Gray => wall.open_columns(row, color) >> column & 1 == 1,
            };
            ensure(fits, &key, || format!("{color} cannot lie in column {} of this row", column + 1))?;
            wall.place(row, column, color);
        }
    }
    Ok(wall)
}

/// All 20 tiles of each color are there.
fn check_tiles(azul: &Azul) -> Result<(), StateError> {
    // Summed as wide numbers: a faulty state may hold more tiles than a multiset can count.
    let parts = azul.sources.iter().copied().chain([azul.bag, azul.lid]);
    let parts = parts.chain(azul.boards.as_slice().iter().map(Board::tiles));
    let mut counts = [0u32; COLORS];
    for part in parts {
        part.iter().for_each(|(color, count)| counts[color] += u32::from(count));
    }
    for color in Color::ALL {
        let found = counts[color.index()];
        ensure(found == u32::from(TILES_PER_COLOR), "state", || {
            format!("found {found} tiles of color {color} in all, expected {TILES_PER_COLOR}")
        })?;
    }
    Ok(())
}

/// The phase goes with what lies on the table.
fn check_phase(azul: &Azul) -> Result<(), StateError> {
    let boards = &azul.boards;
    let offered = !azul.holders.is_empty();
    let floors_empty = boards.as_slice().iter().all(|board| board.floor.is_empty());
    let any_complete_row = boards.as_slice().iter().any(|board| board.wall.complete_rows() > 0);
    ensure(offered == (azul.phase == Phase::Draft), "phase", || {
        let word = if offered { "tiles lie" } else { "no tile lies" };
        format!("{word} in factories and center, which does not go with this phase")
    })?;
    ensure(!any_complete_row || matches!(azul.phase, Phase::Tile | Phase::Over), "phase", || {
        "a wall row is complete: expected the game to be over".to_owned()
    })?;
    check_offer(azul)?;
    check_marker(azul)?;
    if matches!(azul.phase, Phase::Deal | Phase::Over) {
        ensure(floors_empty, "boards", || "expected empty floor lines in this phase".to_owned())?;
        let complete = boards.as_slice().iter().any(|board| board.complete_lines() != 0);
        ensure(!complete, "boards", || "a complete line must have been tiled in this phase".to_owned())?;
    }
    let none_left = azul.bag.is_empty() && azul.lid.is_empty();
    match azul.phase {
        Phase::Deal => ensure(!none_left, "phase", || "no tile is left to deal: expected over".to_owned()),
        Phase::Over => {
            ensure(any_complete_row || none_left || azul.round >= azul.rules.last_round, "phase", || {
                "over, but no wall row is complete and there are tiles left to deal".to_owned()
            })
        }
        Phase::Tile => check_tiling(azul),
        Phase::Draft => Ok(()),
    }
}

/// The center fills only from emptied factories, so that no more can be on offer than 9 factories of 4 colors.
fn check_offer(azul: &Azul) -> Result<(), StateError> {
    const MOST: u32 = MAX_FACTORIES as u32 * FACTORY_TILES as u32;
    let groups: u32 = Color::ALL.iter().map(|&color| azul.holders.of(color).count_ones()).sum();
    ensure(groups <= MOST, "center", || {
        format!("found {groups} groups of a color in factories and center, expected at most {MOST}")
    })
}

/// The marker lies at one place only: in the center, or on its holder's floor unless that was full.
fn check_marker(azul: &Azul) -> Result<(), StateError> {
    for (seat, board) in azul.boards.iter() {
        let key = format!("boards[{seat}].floor");
        if azul.marker != Some(seat) {
            ensure(!board.floor.has_marker(), &key, || "the marker is elsewhere".to_owned())?;
        } else if matches!(azul.phase, Phase::Draft | Phase::Tile) {
            let full = board.floor.len() == super::FLOOR_SPACES;
            ensure(board.floor.has_marker() || full, &key, || {
                "expected the marker *, which this seat holds".to_owned()
            })?;
        }
    }
    let in_center = azul.marker.is_none();
    ensure(in_center || azul.phase != Phase::Deal, "marker", || {
        "expected \"center\" in phase deal".to_owned()
    })
}

/// Gray wall: it is the turn of the first seat that has a complete line, and that line has an open column.
fn check_tiling(azul: &Azul) -> Result<(), StateError> {
    ensure(azul.rules.wall == WallSide::Gray, "phase", || {
        "found tile, which only the gray wall has".to_owned()
    })?;
    let first = azul
        .start
        .around(azul.players())
        .find(|&seat| azul.boards[seat].complete_lines() != 0)
        .ok_or_else(|| phase_error("tile", "another one: no line is complete"))?;
    ensure(first == azul.to_move, "turn", || {
        format!("found {}, expected {first}, the first seat with a complete line", azul.to_move)
    })?;
    let mut legal = Vec::new();
    azul.legal_actions(&mut legal);
    ensure(!legal.is_empty(), &format!("boards[{first}].lines"), || {
        "the first complete line has no open column: it should lie on the floor".to_owned()
    })
}
