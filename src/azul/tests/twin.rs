//! Azul as plainly as it can be written: vectors of letters, straight from the rules text.

use serde_json::{Value, json};

use crate::testing::Twin;

const COLORS: [char; 5] = ['B', 'Y', 'R', 'K', 'W'];
const PENALTIES: [i32; 7] = [-1, -1, -2, -2, -2, -3, -3];
const LAST_ROUND: u32 = 50;

/// One player's board: lines, wall and floor hold letters, `*` is the marker, `.` an empty wall space.
struct Board {
    score: i32,
    lines: Vec<Vec<char>>,
    wall: Vec<Vec<char>>,
    floor: Vec<char>,
}

/// A whole game as lists of tiles.
pub(super) struct AzulTwin {
    spec: String,
    gray: bool,
    players: usize,
    round: u32,
    phase: &'static str,
    start: usize,
    mover: usize,
    factories: Vec<Vec<char>>,
    center: Vec<char>,
    marker: Option<usize>,
    bag: Vec<char>,
    lid: Vec<char>,
    boards: Vec<Board>,
}

fn number(letter: char) -> usize {
    letter.to_digit(10).expect("a digit") as usize
}

fn sorted(tiles: &[char]) -> String {
    COLORS.iter().flat_map(|&color| tiles.iter().copied().filter(move |&tile| tile == color)).collect()
}

fn counts(tiles: &[char]) -> Vec<usize> {
    COLORS.iter().map(|&color| tiles.iter().filter(|&&tile| tile == color).count()).collect()
}

/// Takes one tile of a color out of a heap; false if there is none.
fn remove(heap: &mut Vec<char>, color: char) -> bool {
    let found = heap.iter().position(|&tile| tile == color);
    found.map(|at| heap.remove(at)).is_some()
}

impl Board {
    fn new() -> Self {
        let empty_row = vec!['.'; 5];
        Board { score: 0, lines: vec![Vec::new(); 5], wall: vec![empty_row; 5], floor: Vec::new() }
    }

    /// Whether a line (0..5) takes tiles of this color.
    fn line_takes(&self, line: usize, color: char) -> bool {
        let tiles = &self.lines[line];
        let suits = tiles.is_empty() || tiles[0] == color;
        suits && tiles.len() < line + 1 && !self.wall[line].contains(&color)
    }

    fn is_complete(&self, line: usize) -> bool {
        self.lines[line].len() == line + 1
    }

    /// The columns (0..5) of a row where this color may go.
    fn columns(&self, gray: bool, row: usize, color: char) -> Vec<usize> {
        let place = COLORS.iter().position(|&other| other == color).expect("a color");
        if !gray {
            return vec![(place + row) % 5];
        }
        let in_row = self.wall[row].contains(&color);
        let free = |column: usize| self.wall[row][column] == '.';
        let in_column = |column: usize| self.wall.iter().any(|cells| cells[column] == color);
        (0..5).filter(|&column| !in_row && free(column) && !in_column(column)).collect()
    }

    /// The number of tiles without a gap through a wall space in steps of this direction, both ways.
    fn run(&self, row: usize, column: usize, down: i32, right: i32) -> i32 {
        let mut length = 1;
        for sign in [1, -1] {
            let (mut r, mut c) = (row as i32 + sign * down, column as i32 + sign * right);
            while (0..5).contains(&r) && (0..5).contains(&c) && self.wall[r as usize][c as usize] != '.' {
                length += 1;
                r += sign * down;
                c += sign * right;
            }
        }
        length
    }

    /// Moves a complete line's tile to the wall and scores it; the other tiles go to the lid.
    fn tile(&mut self, line: usize, column: usize, lid: &mut Vec<char>) {
        let mut tiles = std::mem::take(&mut self.lines[line]);
        self.wall[line][column] = tiles.pop().expect("a complete line holds tiles");
        lid.extend(tiles);
        let (horizontal, vertical) = (self.run(line, column, 0, 1), self.run(line, column, 1, 0));
        self.score += match (horizontal, vertical) {
            (1, 1) => 1,
            (h, 1) => h,
            (1, v) => v,
            (h, v) => h + v,
        };
    }

    fn fall(&mut self, tiles: Vec<char>, lid: &mut Vec<char>) {
        for tile in tiles {
            if self.floor.len() < 7 { self.floor.push(tile) } else { lid.push(tile) }
        }
    }

    fn settle_floor(&mut self, lid: &mut Vec<char>) {
        let penalty: i32 = PENALTIES.iter().take(self.floor.len()).sum();
        self.score = (self.score + penalty).max(0);
        lid.extend(self.floor.drain(..).filter(|&tile| tile != '*'));
    }

    fn complete_rows(&self) -> usize {
        self.wall.iter().filter(|row| !row.contains(&'.')).count()
    }

    fn bonus(&self) -> i32 {
        let columns = (0..5).filter(|&column| self.wall.iter().all(|row| row[column] != '.')).count();
        let placed = |color: char| self.wall.iter().flatten().filter(|&&tile| tile == color).count();
        let colors = COLORS.iter().filter(|&&color| placed(color) == 5).count();
        (2 * self.complete_rows() + 7 * columns + 10 * colors) as i32
    }

    fn json(&self) -> Value {
        let text = |tiles: &Vec<char>| tiles.iter().collect::<String>();
        json!({
            "score": self.score,
            "lines": self.lines.iter().map(text).collect::<Vec<_>>(),
            "wall": self.wall.iter().map(text).collect::<Vec<_>>(),
            "floor": text(&self.floor),
        })
    }
}

impl AzulTwin {
    fn seats_from_start(&self) -> Vec<usize> {
        (0..self.players).map(|step| (self.start + step) % self.players).collect()
    }

    fn source(&mut self, source: usize) -> &mut Vec<char> {
        if source == 0 { &mut self.center } else { &mut self.factories[source - 1] }
    }

    /// Draws one tile as a deal's token says, after pouring the lid into an empty bag.
    fn draw(&mut self, color: char) {
        if self.bag.is_empty() {
            self.bag.append(&mut self.lid);
        }
        assert!(remove(&mut self.bag, color), "{color} is dealt but not in the bag");
    }

    fn deal(&mut self, token: &str) {
        for (factory, text) in token[1..].split('/').enumerate() {
            let mut wanted: Vec<char> = text.chars().filter(|&letter| letter != '-').collect();
            self.factories[factory] = wanted.clone();
            // Within a factory the order of drawing is unknown: what the bag can give comes from it first.
            while !wanted.is_empty() {
                let from_bag = wanted.iter().position(|tile| self.bag.contains(tile));
                assert!(
                    from_bag.is_some() || self.bag.is_empty(),
                    "tiles stay in the bag while {token} is dealt"
                );
                let color = wanted.remove(from_bag.unwrap_or(0));
                self.draw(color);
            }
            let short = self.factories[factory].len() < 4;
            assert!(!short || self.bag.len() + self.lid.len() == 0, "a factory of {token} is too small");
        }
        self.phase = "draft";
        self.mover = self.start;
    }

    fn draft(&mut self, source: usize, color: char, line: usize) {
        let seat = self.mover;
        let all = std::mem::take(self.source(source));
        let (taken, rest): (Vec<char>, Vec<char>) = all.into_iter().partition(|&tile| tile == color);
        self.center.extend(rest);
        let board = &mut self.boards[seat];
        if source == 0 && self.marker.is_none() {
            self.marker = Some(seat);
            if board.floor.len() < 7 {
                board.floor.push('*');
            }
        }
        let mut falling = Vec::new();
        for tile in taken {
            if line > 0 && board.lines[line - 1].len() < line {
                board.lines[line - 1].push(tile);
            } else {
                falling.push(tile);
            }
        }
        board.fall(falling, &mut self.lid);
        self.mover = (seat + 1) % self.players;
        if self.center.is_empty() && self.factories.iter().all(Vec::is_empty) {
            self.phase = "tile";
            self.tile_on();
        }
    }

    /// Tiles everything that needs no decision, up to the next decision or the end of the round.
    fn tile_on(&mut self) {
        for seat in self.seats_from_start() {
            for line in 0..5 {
                let board = &mut self.boards[seat];
                if !board.is_complete(line) {
                    continue;
                }
                let columns = board.columns(self.gray, line, board.lines[line][0]);
                if columns.is_empty() {
                    let dead = std::mem::take(&mut board.lines[line]);
                    board.fall(dead, &mut self.lid);
                } else if self.gray {
                    self.mover = seat;
                    return;
                } else {
                    board.tile(line, columns[0], &mut self.lid);
                }
            }
        }
        self.end_round();
    }

    fn end_round(&mut self) {
        for board in &mut self.boards {
            board.settle_floor(&mut self.lid);
        }
        let row_complete = self.boards.iter().any(|board| board.complete_rows() > 0);
        let nothing_to_deal = self.bag.is_empty() && self.lid.is_empty();
        if row_complete || nothing_to_deal || self.round == LAST_ROUND {
            self.phase = "over";
            for board in &mut self.boards {
                board.score += board.bonus();
            }
            return;
        }
        self.phase = "deal";
        self.round += 1;
        self.start = self.marker.unwrap_or(self.start);
        self.marker = None;
    }

    /// The line (0..5) and columns of the tiling decision that comes next.
    fn decision(&self) -> (usize, Vec<usize>) {
        let board = &self.boards[self.mover];
        let line = (0..5).find(|&line| board.is_complete(line)).expect("a complete line is left");
        (line, board.columns(true, line, board.lines[line][0]))
    }

    fn legal_drafts(&self) -> Vec<String> {
        let mut legal = Vec::new();
        for source in 0..=self.factories.len() {
            let tiles = if source == 0 { &self.center } else { &self.factories[source - 1] };
            for color in COLORS.into_iter().filter(|color| tiles.contains(color)) {
                legal.push(format!("{source}{color}0"));
                let lines = (0..5).filter(|&line| self.boards[self.mover].line_takes(line, color));
                legal.extend(lines.map(|line| format!("{source}{color}{}", line + 1)));
            }
        }
        legal
    }
}

impl Twin for AzulTwin {
    fn new(spec: &str, players: usize) -> Self {
        AzulTwin {
            spec: spec.to_owned(),
            gray: spec == "azul:gray",
            players,
            round: 1,
            phase: "deal",
            start: 0,
            mover: 0,
            factories: vec![Vec::new(); 2 * players + 1],
            center: Vec::new(),
            marker: None,
            bag: COLORS.iter().flat_map(|&color| [color; 20]).collect(),
            lid: Vec::new(),
            boards: (0..players).map(|_| Board::new()).collect(),
        }
    }

    fn legal(&self) -> Vec<String> {
        match self.phase {
            "draft" => self.legal_drafts(),
            "tile" => {
                let (line, columns) = self.decision();
                columns.iter().map(|column| format!("T{}{}", line + 1, column + 1)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn play(&mut self, token: &str) {
        let letters: Vec<char> = token.chars().collect();
        match self.phase {
            "deal" => self.deal(token),
            "draft" => self.draft(number(letters[0]), letters[1], number(letters[2])),
            "tile" => {
                let (line, column) = (number(letters[1]) - 1, number(letters[2]) - 1);
                self.boards[self.mover].tile(line, column, &mut self.lid);
                self.tile_on();
            }
            _ => panic!("{token} after the end"),
        }
    }

    fn json(&self) -> Value {
        let turn = match self.phase {
            "deal" => json!("chance"),
            "over" => json!("over"),
            _ => json!(self.mover),
        };
        json!({
            "game": self.spec,
            "players": self.players,
            "round": self.round,
            "phase": self.phase,
            "turn": turn,
            "start": self.start,
            "factories": self.factories.iter().map(|tiles| sorted(tiles)).collect::<Vec<_>>(),
            "center": sorted(&self.center),
            "marker": self.marker.map_or(json!("center"), |seat| json!(seat)),
            "bag": counts(&self.bag),
            "lid": counts(&self.lid),
            "boards": self.boards.iter().map(Board::json).collect::<Vec<_>>(),
        })
    }

    fn wins(&self) -> Vec<f64> {
        let rank = |board: &Board| (board.score, board.complete_rows());
        let best = self.boards.iter().map(rank).max().expect("there are players");
        let winners = self.boards.iter().filter(|board| rank(board) == best).count() as f64;
        self.boards.iter().map(|board| if rank(board) == best { 1.0 / winners } else { 0.0 }).collect()
    }
}
