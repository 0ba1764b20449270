//! The JSON state of Azul.

use std::array;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::state::{Floor, Line};
use super::{
    Azul, AzulRules, Board, CENTER, COLORS, Color, FACTORY_TILES, LETTERS, MAX_FACTORIES, Phase,
    TILES_PER_COLOR, Wall, WallSide,
};
use crate::changes::Changes;
use crate::error::{StateError, excerpt};
use crate::game::Game;
use crate::json::{self, ensure};
use crate::spec::variant_of;

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
    factories: Vec<String>,
    center: String,
    marker: Value,
    bag: [u8; COLORS],
    lid: [u8; COLORS],
    boards: Vec<BoardJson>,
}

#[derive(Serialize, Deserialize)]
struct BoardJson {
    score: i16,
    lines: [String; COLORS],
    wall: [String; COLORS],
    floor: String,
}

/// No game comes near this score; it keeps all arithmetic far from its limits.
const MAX_SCORE: i16 = 999;

impl Serialize for Azul {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sources = json::letters::<Color>(&self.sources[..=self.factories()]);
        StateJson {
            game: variant_of::<Azul>(self.rules),
            rules: json::changes(self.rules),
            players: self.players(),
            round: self.round,
            phase: self.phase,
            turn: json::of_turn(self.turn()),
            start: json::of_seat(self.start),
            center: sources.remove(CENTER),
            factories: sources,
            marker: json::of_holder(self.marker),
            bag: self.bag().counts(),
            lid: self.lid().counts(),
            boards: self.boards.as_slice().iter().map(BoardJson::of).collect(),
        }
        .serialize(serializer)
    }
}

impl BoardJson {
    fn of(board: &Board) -> Self {
        let cell = |row, column| board.wall.color_at(row, column).map_or('.', Color::letter);
        BoardJson {
            score: board.score,
            lines: board.lines.map(|line| line.color.letter().to_string().repeat(line.count.into())),
            wall: array::from_fn(|row| (0..COLORS).map(|column| cell(row, column)).collect()),
            floor: board.floor.to_string(),
        }
    }
}

/// Reads and checks a state.
pub(super) fn read(rules: &'static AzulRules, state: &Value) -> Result<Azul, StateError> {
    let read: StateJson = json::read(state)?;
    let players = read.players;
    json::check_header::<Azul>(rules, state, players)?;
    let mut azul = Azul::start(rules, players);
    json::check_range("round", read.round, 1..=rules.last_round)?;
    (azul.phase, azul.round) = (read.phase, read.round);
    azul.start = json::seat("start", &read.start, players)?;
    azul.marker = json::holder("marker", &read.marker, players)?;
    azul.to_move = json::to_move(&read.turn, azul.start, azul.turn(), players, azul.phase)?;
    (azul.sources, azul.holders) = json::sources::<Color>(&read.center, &read.factories, azul.factories())?;
    azul.stock.bag = json::counts("bag", &read.bag, TILES_PER_COLOR)?;
    azul.stock.lid = json::counts("lid", &read.lid, TILES_PER_COLOR)?;
    json::boards(&mut azul.boards, &read.boards, |key, board| read_board(rules, key, board))?;
    let parts = azul.sources.into_iter().chain([azul.bag(), azul.lid()]);
    let parts = parts.chain(azul.boards.as_slice().iter().map(Board::tiles));
    json::check_all_there::<Color>(parts, |_| 0, TILES_PER_COLOR)?;
    check_phase(&azul)?;
    Ok(azul)
}

fn read_board(rules: &AzulRules, key: &str, read: &BoardJson) -> Result<Board, StateError> {
    let mut board = Board { score: read.score, ..Board::default() };
    json::check_range(&format!("{key}.score"), read.score, 0..=MAX_SCORE)?;
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

/// The phase goes with what lies on the table.
fn check_phase(azul: &Azul) -> Result<(), StateError> {
    let boards = &azul.boards;
    let floors_empty = boards.as_slice().iter().all(|board| board.floor.is_empty());
    let any_complete_row = boards.as_slice().iter().any(|board| board.wall.complete_rows() > 0);
    json::check_offered(&azul.holders, azul.phase == Phase::Draft)?;
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
    let none_left = azul.stock.is_empty();
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

/// The center fills only from emptied factories, so that no more can be on offer than 9 factories of 4
/// colors.
fn check_offer(azul: &Azul) -> Result<(), StateError> {
    const MOST: u32 = MAX_FACTORIES as u32 * FACTORY_TILES as u32;
    let groups: u32 = Color::ALL.iter().map(|&color| azul.holders.of(color.index()).count_ones()).sum();
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
    let first =
        azul.start.around(azul.players()).find(|&seat| azul.boards[seat].complete_lines() != 0).ok_or_else(
            || StateError::new("phase", "found tile, expected another one: no line is complete"),
        )?;
    ensure(first == azul.to_move, "turn", || {
        format!("found {}, expected {first}, the first seat with a complete line", azul.to_move)
    })?;
    let mut legal = Vec::new();
    azul.legal_actions(&mut legal);
    ensure(!legal.is_empty(), &format!("boards[{first}].lines"), || {
        "the first complete line has no open column: it should lie on the floor".to_owned()
    })
}
