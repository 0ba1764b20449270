//! The JSON state of Azul.

use std::array;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::consistency;
use super::state::{Floor, Line};
use super::{
    Azul, AzulRules, Board, COLORS, Color, FLOOR_SPACES, LETTERS, Phase, TILES_PER_COLOR, Wall, WallSide,
};
use crate::consistency::{check_range, ensure};
use crate::error::{StateError, excerpt};
use crate::game::Game;
use crate::json::{self, Letters, Spaces, as_text};
use crate::tiles::Tiles;

/// What a state's JSON object holds after its header.
#[derive(Serialize, Deserialize)]
struct TableJson {
    factories: Vec<Letters<Color>>,
    center: Letters<Color>,
    marker: Value,
    bag: [u8; COLORS],
    lid: [u8; COLORS],
    boards: Vec<BoardJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object")]
struct BoardJson {
    score: i16,
    lines: [Letters<Color>; COLORS],
    wall: [Spaces<Color, COLORS>; COLORS],
    floor: Floor,
}

as_text!(Floor, format_args!("at most {FLOOR_SPACES} of {LETTERS} and one *"), Floor::from_text);

/// No game comes near this score beside the points given at the start; it keeps all arithmetic far from its
/// limits.
const MAX_SCORE: i16 = 999;

impl Serialize for Azul {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [center, factories @ ..] = &self.sources;
        let table = TableJson {
            factories: factories[..self.factories()].iter().copied().map(Letters::from).collect(),
            center: Letters::from(*center),
            marker: json::of_holder(self.marker),
            bag: self.bag().counts(),
            lid: self.lid().counts(),
            boards: self.boards.as_slice().iter().map(BoardJson::of).collect(),
        };
        json::write(self, self.phase, self.start, table, serializer)
    }
}

impl BoardJson {
    fn of(board: &Board) -> Self {
        BoardJson {
            score: board.score,
            lines: board.lines.map(|line| Tiles::of(line.color.index(), line.count).into()),
            wall: array::from_fn(|row| Spaces(array::from_fn(|column| board.wall.color_at(row, column)))),
            floor: board.floor,
        }
    }
}

/// Reads and checks a state.
pub(super) fn read(rules: &'static AzulRules, state: &Value) -> Result<Azul, StateError> {
    let (header, table) = json::read::<Azul, Phase, TableJson>(rules, rules.last_round, state)?;
    let mut azul = Azul::start(rules, header.players);
    (azul.phase, azul.round, azul.start) = (header.phase, header.round, header.start()?);
    azul.marker = header.holder("marker", &table.marker)?;
    azul.to_move = header.to_move(azul.turn())?;
    (azul.sources, azul.holders) = json::sources(table.center, &table.factories, azul.factories())?;
    azul.stock.bag = json::counts("bag", &table.bag, TILES_PER_COLOR, Tiles::from_counts)?;
    azul.stock.lid = json::counts("lid", &table.lid, TILES_PER_COLOR, Tiles::from_counts)?;
    json::boards(&mut azul.boards, &table.boards, |key, board| read_board(rules, key, board))?;
    consistency::check(&azul)?;
    Ok(azul)
}

fn read_board(rules: &AzulRules, key: &str, read: &BoardJson) -> Result<Board, StateError> {
    let given = rules.handicap.into_iter().max().unwrap_or_default();
    check_range(&format!("{key}.score"), read.score, 0..=MAX_SCORE + given)?;
    let wall = read_wall(rules, key, &read.wall)?;
    let mut board = Board { score: read.score, wall, floor: read.floor, ..Board::default() };
    for (row, &Letters { tiles, .. }) in read.lines.iter().enumerate() {
        let Some((color, count)) = tiles.iter().next() else { continue };
        let (color, spaces) = (Color::ALL[color], row as u8 + 1);
        ensure! {
            "{key}.lines[{row}]": tiles.total() == count && count <= spaces
                => "found '{}', expected at most {spaces} tiles of one color of {LETTERS}", text(tiles);
            "{key}.lines[{row}]": !wall.row_has(row, color) => "holds {color}, which the wall row beside it has";
        }
        board.lines[row] = Line { color, count };
    }
    board.open = board.open_from_scratch();
    Ok(board)
}

/// The letters of tiles, as many as a message can hold.
fn text(tiles: Tiles) -> String {
    excerpt(&tiles.letters(LETTERS).to_string())
}

fn read_wall(
    rules: &AzulRules,
    key: &str,
    rows: &[Spaces<Color, COLORS>; COLORS],
) -> Result<Wall, StateError> {
    let mut wall = Wall::default();
    for (row, spaces) in rows.iter().enumerate() {
        for (column, color) in spaces.0.into_iter().enumerate().filter_map(|(i, color)| Some((i, color?))) {
            let fits = match rules.wall {
                WallSide::Colored => column == Wall::printed_column(row, color),
                WallSide::Gray => wall.open_columns(row, color) >> column & 1 == 1,
            };
            ensure! {
                "{key}.wall[{row}]": fits => "{color} cannot lie in column {} of this row", column + 1;
            }
            wall.place(row, column, color);
        }
    }
    Ok(wall)
}
