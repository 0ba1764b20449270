//! Summer Pavilion once more, as plainly as the rules read: letters, lists and loops.

use serde_json::{Value, json};

use crate::testing::Twin;

const COLORS: &str = "ORBYGP";
const STARS: &str = "ORBYGPC";

/// Every pillar, statue and window: its bonus tiles, then its slots.
const FEATURES: [(usize, &str); 18] = [
    (1, "O2 O3 C6 C1"),
    (1, "R2 R3 C1 C2"),
    (1, "B2 B3 C2 C3"),
    (1, "Y2 Y3 C3 C4"),
    (1, "G2 G3 C4 C5"),
    (1, "P2 P3 C5 C6"),
    (2, "O1 O2 R3 R4"),
    (2, "R1 R2 B3 B4"),
    (2, "B1 B2 Y3 Y4"),
    (2, "Y1 Y2 G3 G4"),
    (2, "G1 G2 P3 P4"),
    (2, "P1 P2 O3 O4"),
    (3, "O5 O6"),
    (3, "R5 R6"),
    (3, "B5 B6"),
    (3, "Y5 Y6"),
    (3, "G5 G6"),
    (3, "P5 P6"),
];

#[derive(Clone)]
struct Player {
    score: i32,
    hand: Vec<char>,
    kept: Vec<char>,
    passed: bool,
    /// Seven stars of six slots, `.` for an empty one.
    stars: Vec<Vec<char>>,
}

impl Player {
    fn at(&self, slot: &str) -> char {
        let star = STARS.find(&slot[..1]).unwrap();
        self.stars[star][slot[1..].parse::<usize>().unwrap() - 1]
    }

    fn lose(&mut self, points: usize) {
        for _ in 0..points {
            if self.score > 0 {
                self.score -= 1;
            }
        }
    }
}

pub struct SummerPavilionTwin {
    spec: String,
    gray: bool,
    wilds: Vec<char>,
    round: usize,
    phase: &'static str,
    start: usize,
    to_move: usize,
    next: Option<usize>,
    token: Option<usize>,
    owed: usize,
    /// The center, then the factories.
    sources: Vec<Vec<char>>,
    supply: Vec<char>,
    bag: Vec<char>,
    depot: Vec<char>,
    players: Vec<Player>,
}

impl Twin for SummerPavilionTwin {
    fn new(spec: &str, players: usize) -> Self {
        let options: Vec<&str> = spec.split([':', ',']).skip(1).collect();
        let mut wilds = "PGOYBR";
        for option in &options {
            if *option == "alternate" {
                wilds = "ORBYGP";
            }
            wilds = option.strip_prefix("wilds=").unwrap_or(wilds);
        }
        let factories = [5, 7, 9][players - 2];
        let player = Player {
            score: 5,
            hand: Vec::new(),
            kept: Vec::new(),
            passed: false,
            stars: vec![vec!['.'; 6]; 7],
        };
        SummerPavilionTwin {
            spec: spec.to_owned(),
            gray: options.contains(&"gray"),
            wilds: wilds.chars().collect(),
            round: 1,
            phase: "supply",
            start: 0,
            to_move: 0,
            next: None,
            token: None,
            owed: 0,
            sources: vec![Vec::new(); factories + 1],
            supply: Vec::new(),
            bag: COLORS.chars().flat_map(|color| vec![color; 22]).collect(),
            depot: Vec::new(),
            players: vec![player; players],
        }
    }

    fn legal(&self) -> Vec<String> {
        let player = &self.players[self.to_move];
        match self.phase {
            "acquire" => self.acquisitions(),
            "place" => {
                let mut all = self.placements(player);
                all.push("pass".to_owned());
                all
            }
            "bonus" => distinct(&self.supply).iter().map(|color| format!("+{color}")).collect(),
            "keep" => {
                let mut all: Vec<String> =
                    keepable(player).iter().map(|color| format!("keep:{color}")).collect();
                all.push("done".to_owned());
                all
            }
            _ => Vec::new(),
        }
    }

    fn play(&mut self, token: &str) {
        let letters: Vec<char> = token.chars().collect();
        match self.phase {
            "supply" => {
                let drawn = self.draw(&letters[1..]);
                self.supply.extend(drawn);
                let at_setup = self.players.iter().all(|player| !player.passed) && self.next.is_none();
                if at_setup {
                    self.phase = "deal";
                } else {
                    self.after_refill(self.next);
                }
            }
            "deal" => {
                for (i, factory) in token[1..].split('/').enumerate() {
                    let wanted: Vec<char> = factory.chars().filter(|letter| *letter != '-').collect();
                    self.sources[i + 1] = self.draw(&wanted);
                }
                self.phase = "acquire";
                self.to_move = self.start;
            }
            "acquire" => self.acquire(letters[0] as usize - '0' as usize, letters[1]),
            "bonus" => {
                remove(&mut self.supply, letters[1]);
                self.players[self.to_move].hand.push(letters[1]);
                self.owed -= 1;
                if self.owed == 0 {
                    self.end_turn();
                }
            }
            "place" if token == "pass" => {
                self.players[self.to_move].passed = true;
                self.phase = "keep";
                self.stop_keeping_if_finished();
            }
            "place" => self.place(&token[..2], letters[2], letters[3] as usize - '0' as usize),
            "keep" if token == "done" => self.discard(),
            "keep" => {
                let player = &mut self.players[self.to_move];
                remove(&mut player.hand, letters[5]);
                player.kept.push(letters[5]);
                self.stop_keeping_if_finished();
            }
            phase => panic!("{token} in phase {phase}"),
        }
    }

    fn json(&self) -> Value {
        let turn = match self.phase {
            "deal" | "supply" => json!("chance"),
            "over" => json!("over"),
            _ => json!(self.to_move),
        };
        let boards: Vec<Value> = self.players.iter().map(board_json).collect();
        json!({
            "game": self.spec,
            "players": self.players.len(),
            "round": self.round,
            "phase": self.phase,
            "turn": turn,
            "start": self.start,
            "wild": self.wild(),
            "owed": self.owed,
            "factories": self.sources[1..].iter().map(|tiles| sorted(tiles)).collect::<Vec<_>>(),
            "center": sorted(&self.sources[0]),
            "token": self.token.map_or(json!("center"), |seat| json!(seat)),
            "next": if self.phase == "supply" { json!(self.next) } else { Value::Null },
            "supply": sorted(&self.supply),
            "bag": counts(&self.bag),
            "depot": counts(&self.depot),
            "boards": boards,
        })
    }

    fn wins(&self) -> Vec<f64> {
        let best = self.players.iter().map(|player| player.score).max().unwrap();
        let winners = self.players.iter().filter(|player| player.score == best).count();
        let share = |player: &Player| if player.score == best { 1.0 / winners as f64 } else { 0.0 };
        self.players.iter().map(share).collect()
    }
}

impl SummerPavilionTwin {
    fn wild(&self) -> char {
        self.wilds[self.round - 1]
    }

    fn cost(&self, star: usize, slot: usize) -> usize {
        match (self.gray, star) {
            (false, _) => slot,
            (true, 6) => 3,
            (true, _) => [3, 2, 1, 4, 5, 6][slot - 1],
        }
    }

    /// Takes tiles from the bag one by one; the depot is poured in when a tile is needed and the bag is
    /// empty.
    fn draw(&mut self, wanted: &[char]) -> Vec<char> {
        let mut left = wanted.to_vec();
        let from_bag = left.len().min(self.bag.len());
        if from_bag < left.len() {
            // The whole bag is drawn first.
            for tile in std::mem::take(&mut self.bag) {
                remove(&mut left, tile);
            }
            self.bag = std::mem::take(&mut self.depot);
        }
        for tile in left {
            remove(&mut self.bag, tile);
        }
        wanted.to_vec()
    }

    fn acquisitions(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (source, tiles) in self.sources.iter().enumerate() {
            let colors = distinct(tiles);
            if colors == [self.wild()] {
                all.push(format!("{source}{}", self.wild()));
            } else {
                let tame = colors.into_iter().filter(|color| *color != self.wild());
                all.extend(tame.map(|color| format!("{source}{color}")));
            }
        }
        all
    }

    fn acquire(&mut self, source: usize, color: char) {
        let wild = self.wild();
        let (mut taken, mut rest, mut wild_taken) = (Vec::new(), Vec::new(), false);
        for tile in std::mem::take(&mut self.sources[source]) {
            if tile == wild && !wild_taken {
                wild_taken = true;
                taken.push(tile);
            } else if tile == color && color != wild {
                taken.push(tile);
            } else {
                rest.push(tile);
            }
        }
        self.sources[0].extend(rest);
        let player = &mut self.players[self.to_move];
        if source == 0 && self.token.is_none() {
            self.token = Some(self.to_move);
            player.lose(taken.len());
        }
        player.hand.extend(taken);
        if self.sources.iter().all(|tiles| tiles.is_empty()) {
            self.begin_placing();
        } else {
            self.to_move = (self.to_move + 1) % self.players.len();
        }
    }

    fn begin_placing(&mut self) {
        self.phase = "place";
        self.to_move = self.token.unwrap_or(self.start);
    }

    fn takes(&self, player: &Player, star: usize, color: char) -> bool {
        let tiles: Vec<char> = player.stars[star].iter().copied().filter(|tile| *tile != '.').collect();
        if !self.gray && star < 6 {
            return STARS.chars().nth(star) == Some(color);
        }
        if !self.gray {
            return !tiles.contains(&color);
        }
        if tiles.len() < 2 {
            return true;
        }
        if tiles[0] == tiles[1] { tiles[0] == color } else { !tiles.contains(&color) }
    }

    fn placements(&self, player: &Player) -> Vec<String> {
        let held = |color: char| player.hand.iter().filter(|tile| **tile == color).count();
        let mut all = Vec::new();
        for star in 0..7 {
            for slot in (1..=6).filter(|slot| player.stars[star][slot - 1] == '.') {
                for color in COLORS.chars().filter(|color| self.takes(player, star, *color)) {
                    for wilds in 0..self.cost(star, slot) {
                        let own = self.cost(star, slot) - wilds;
                        let payable = if color == self.wild() {
                            wilds == 0 && held(color) >= own
                        } else {
                            held(color) >= own && held(self.wild()) >= wilds
                        };
                        if payable {
                            let star = STARS.chars().nth(star).unwrap();
                            all.push(format!("{star}{slot}{color}{wilds}"));
                        }
                    }
                }
            }
        }
        all
    }

    fn place(&mut self, name: &str, color: char, wilds: usize) {
        let star = STARS.find(&name[..1]).unwrap();
        let slot: usize = name[1..].parse().unwrap();
        let (cost, wild) = (self.cost(star, slot), self.wild());
        let player = &mut self.players[self.to_move];
        for paid in 0..cost {
            let tile = if paid < wilds { wild } else { color };
            remove(&mut player.hand, tile);
            // The last tile paid, which has the color itself, is the one that is placed.
            if paid + 1 < cost {
                self.depot.push(tile);
            }
        }
        player.stars[star][slot - 1] = color;
        player.score += run(&player.stars[star], slot - 1);
        let mut earned = 0;
        for (tiles, slots) in FEATURES {
            let complete = slots.split(' ').all(|other| player.at(other) != '.');
            if slots.split(' ').any(|other| other == name) && complete {
                earned += tiles;
            }
        }
        self.owed = earned.min(self.supply.len());
        if self.owed > 0 {
            self.phase = "bonus";
        } else {
            self.end_turn();
        }
    }

    fn stop_keeping_if_finished(&mut self) {
        let player = &self.players[self.to_move];
        if player.kept.len() == 4 || keepable(player).is_empty() {
            self.discard();
        }
    }

    fn discard(&mut self) {
        let player = &mut self.players[self.to_move];
        let rest = std::mem::take(&mut player.hand);
        player.lose(rest.len());
        self.depot.extend(rest);
        self.end_turn();
    }

    fn end_turn(&mut self) {
        let players = self.players.len();
        let mut next = None;
        for step in (1..=players).rev() {
            let seat = (self.to_move + step) % players;
            if !self.players[seat].passed {
                next = Some(seat);
            }
        }
        if next.is_none() && self.round == 6 {
            self.final_scoring();
        } else if self.supply.len() < 10 && self.bag.len() + self.depot.len() > 0 {
            self.phase = "supply";
            self.next = next;
        } else {
            self.after_refill(next);
        }
    }

    fn after_refill(&mut self, next: Option<usize>) {
        if let Some(seat) = next {
            self.phase = "place";
            self.to_move = seat;
            return;
        }
        self.round += 1;
        self.start = self.token.unwrap_or(self.start);
        self.token = None;
        for player in &mut self.players {
            player.passed = false;
            player.hand = std::mem::take(&mut player.kept);
        }
        if self.bag.len() + self.depot.len() > 0 {
            self.phase = "deal";
        } else {
            self.begin_placing();
        }
    }

    fn final_scoring(&mut self) {
        for seat in 0..self.players.len() {
            let mut points = 0;
            for star in &self.players[seat].stars {
                let colors = distinct(star);
                if star.contains(&'.') {
                    continue;
                }
                points += match colors[..] {
                    ['R'] => 14,
                    ['B'] => 15,
                    ['Y'] => 16,
                    ['O'] => 17,
                    ['G'] => 18,
                    ['P'] => 20,
                    _ => 12,
                };
            }
            for (number, worth) in [(1, 4), (2, 8), (3, 12), (4, 16)] {
                let missing = (0..7).any(|star| {
                    (1..=6).any(|slot| {
                        self.cost(star, slot) == number && self.players[seat].stars[star][slot - 1] == '.'
                    })
                });
                if !missing {
                    points += worth;
                }
            }
            let player = &mut self.players[seat];
            player.score += points;
            player.lose(player.kept.len());
            self.depot.append(&mut player.kept);
        }
        self.phase = "over";
    }
}

/// The number of filled slots reached from this one without a gap, around the ring.
fn run(star: &[char], slot: usize) -> i32 {
    let mut reached = vec![slot];
    for step in [1, 5] {
        let mut place = (slot + step) % 6;
        while star[place] != '.' && !reached.contains(&place) {
            reached.push(place);
            place = (place + step) % 6;
        }
    }
    reached.len() as i32
}

/// The colors of the tiles, each once, in color order.
fn distinct(tiles: &[char]) -> Vec<char> {
    COLORS.chars().filter(|color| tiles.contains(color)).collect()
}

/// The colors that may be kept next: in the hand, and not before a color that was kept already.
fn keepable(player: &Player) -> Vec<char> {
    let rank = |color: char| COLORS.find(color).unwrap();
    let colors = distinct(&player.hand).into_iter();
    colors.filter(|color| player.kept.iter().all(|kept| rank(*kept) <= rank(*color))).collect()
}

fn remove(tiles: &mut Vec<char>, tile: char) {
    let place =
        tiles.iter().position(|other| *other == tile).unwrap_or_else(|| panic!("no {tile} in {tiles:?}"));
    tiles.remove(place);
}

fn sorted(tiles: &[char]) -> String {
    let mut tiles = tiles.to_vec();
    tiles.sort_by_key(|tile| COLORS.find(*tile));
    tiles.into_iter().collect()
}

fn counts(tiles: &[char]) -> Vec<usize> {
    COLORS.chars().map(|color| tiles.iter().filter(|tile| **tile == color).count()).collect()
}

fn board_json(player: &Player) -> Value {
    let mut stars = serde_json::Map::new();
    for (name, star) in STARS.chars().zip(&player.stars) {
        stars.insert(name.to_string(), json!(star.iter().collect::<String>()));
    }
    json!({
        "score": player.score,
        "hand": sorted(&player.hand),
        "kept": sorted(&player.kept),
        "passed": player.passed,
        "stars": stars,
    })
}
