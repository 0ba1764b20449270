//! Queen's Garden as plainly as it can be written: hexes in a map, everything else in lists, no cleverness.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::testing;

type Hex = (i32, i32);
/// Color by its number, and value: (0, 1) is the yellow tree.
type Item = (usize, usize);
/// The tokens of an acquisition, and what it takes from which slot.
type Acquisition = (Vec<String>, Vec<(usize, Item)>);

const LETTERS: [char; 6] = ['Y', 'B', 'L', 'G', 'P', 'V'];
const DIRECTIONS: [Hex; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
const STATUES: [Hex; 3] = [(2, -1), (-1, 2), (-1, -1)];
const BENCHES: [Hex; 3] = [(1, 1), (-2, 1), (1, -2)];

fn name((color, value): Item) -> String {
    format!("{}{value}", LETTERS[color])
}

fn item(text: &str) -> Item {
    let mut letters = text.chars();
    let letter = letters.next().unwrap();
    let color = LETTERS.iter().position(|&other| other == letter).unwrap();
    (color, letters.as_str().parse().unwrap())
}

fn all_items() -> Vec<Item> {
    (0..6).flat_map(|color| (1..=6).map(move |value| (color, value))).collect()
}

fn names(items: &[Item]) -> Vec<String> {
    let mut sorted = items.to_vec();
    sorted.sort();
    sorted.into_iter().map(name).collect()
}

fn remove(list: &mut Vec<Item>, what: Item) {
    let index = list.iter().position(|&other| other == what).unwrap();
    list.remove(index);
}

fn around((q, r): Hex) -> Vec<Hex> {
    DIRECTIONS.iter().map(|(dq, dr)| (q + dq, r + dr)).collect()
}

fn hex(area: usize, place: usize) -> Hex {
    let center = if area == 0 { (0, 0) } else { (3 * DIRECTIONS[area - 1].0, 3 * DIRECTIONS[area - 1].1) };
    if place == 0 { center } else { around(center)[place - 1] }
}

#[derive(Clone, PartialEq)]
enum Laid {
    Down,
    Up(Item, usize),
}

#[derive(Clone)]
struct Slot {
    tiles: Vec<Item>,
    face: Option<Item>,
}

#[derive(Clone)]
struct Board {
    score: i32,
    passed: bool,
    jokers: usize,
    tiles: Vec<Item>,
    expansions: Vec<Item>,
    areas: BTreeMap<usize, Laid>,
    hexagons: BTreeMap<Hex, Item>,
}

pub struct QueensGardenTwin {
    spec: String,
    round: usize,
    phase: &'static str,
    start: usize,
    to_move: usize,
    marker: Option<usize>,
    pending: Vec<String>,
    unseen: Vec<Item>,
    display: Vec<Slot>,
    stack: usize,
    supply: usize,
    bag: Vec<Item>,
    tower: Vec<Item>,
    boards: Vec<Board>,
}

impl Board {
    /// Every place where a hexagon can lie, with its name.
    fn places(&self) -> Vec<(String, Hex)> {
        let mut places = Vec::new();
        for area in 0..7 {
            for place in 0..7 {
                let exists = match self.areas.get(&area) {
                    Some(Laid::Down) => true,
                    Some(Laid::Up(..)) => place > 0,
                    None => area == 0 && place > 0,
                };
                if exists {
                    places.push((format!("{area}{place}"), hex(area, place)));
                }
            }
        }
        places
    }

    fn allows(&self, at: Hex, new: Item) -> bool {
        let adjacent: Vec<Item> =
            around(at).iter().filter_map(|near| self.hexagons.get(near)).copied().collect();
        if !adjacent.is_empty() && !adjacent.iter().any(|other| other.0 == new.0 || other.1 == new.1) {
            return false;
        }
        let mut garden = self.hexagons.clone();
        garden.insert(at, new);
        let by_color = group(&garden, at, |other| other.0 == new.0);
        let by_pattern = group(&garden, at, |other| other.1 == new.1);
        all_different(&by_color) && all_different(&by_pattern)
    }

    fn tile_places(&self, tile: Item) -> Vec<String> {
        let free = self.places().into_iter().filter(|(_, at)| !self.hexagons.contains_key(at));
        free.filter(|(_, at)| self.allows(*at, tile)).map(|(place, _)| place).collect()
    }

    fn expansion_places(&self, expansion: Item) -> Vec<String> {
        let mut places = Vec::new();
        for area in (1..=6).filter(|area| !self.areas.contains_key(area)) {
            for rotation in 1..=6 {
                if self.allows(hex(area, rotation), expansion) {
                    places.push(format!("{area}{rotation}"));
                }
            }
        }
        places
    }

    /// Every complete payment for placing this, as tokens.
    fn payments(&self, placed: Item) -> Vec<Vec<String>> {
        let mut means: Vec<(Item, bool)> = Vec::new();
        means.extend(self.tiles.iter().map(|&tile| (tile, false)));
        means.extend(self.expansions.iter().map(|&expansion| (expansion, true)));
        means.sort();
        means.dedup();
        let mut found = Vec::new();
        self.pay_on(placed, &means, &mut vec![placed], &mut Vec::new(), &mut found);
        found
    }

    fn pay_on(
        &self,
        placed: Item,
        means: &[(Item, bool)],
        paid: &mut Vec<Item>,
        tokens: &mut Vec<String>,
        found: &mut Vec<Vec<String>>,
    ) {
        let same_color = paid.iter().all(|other| other.0 == placed.0);
        let same_pattern = paid.iter().all(|other| other.1 == placed.1);
        if !all_different(paid) || !(same_color || same_pattern) {
            return;
        }
        let owed = placed.1 - paid.len();
        if owed == 0 {
            found.push(tokens.clone());
            return;
        }
        if self.jokers >= owed {
            tokens.push("joker".to_owned());
            found.push(tokens.clone());
            tokens.pop();
        }
        for (i, &(means_item, is_expansion)) in means.iter().enumerate() {
            if paid.len() > 1 && *paid.last().unwrap() >= means_item {
                continue;
            }
            paid.push(means_item);
            tokens.push(format!("{}:{}", if is_expansion { "payx" } else { "pay" }, name(means_item)));
            self.pay_on(placed, &means[i + 1..], paid, tokens, found);
            tokens.pop();
            paid.pop();
        }
    }

    fn surrounded(&self, element: Hex) -> bool {
        around(element).iter().all(|near| self.hexagons.contains_key(near))
    }

    /// What surrounding all that is surrounded now has paid.
    fn worth_of_surrounded(&self) -> usize {
        let mut jokers = 0;
        if self.surrounded((0, 0)) {
            jokers += 1;
        }
        jokers += 2 * STATUES.iter().chain(&BENCHES).filter(|&&element| self.surrounded(element)).count();
        for (&area, laid) in &self.areas {
            if matches!(laid, Laid::Up(..)) && self.surrounded(hex(area, 0)) {
                jokers += 3;
            }
        }
        jokers
    }

    fn lose(&mut self, points: usize) {
        self.score = (self.score - points as i32).max(0);
    }

    fn count(&self, matches: impl Fn(Item) -> bool) -> i32 {
        self.hexagons.values().filter(|&&hexagon| matches(hexagon)).count() as i32
    }

    fn group_points(&self, variant: bool) -> i32 {
        let mut points = 0;
        for by_color in [true, false] {
            let mut done: Vec<Hex> = Vec::new();
            for (&at, &hexagon) in &self.hexagons {
                if done.contains(&at) {
                    continue;
                }
                let same = |other: Item| if by_color { other.0 == hexagon.0 } else { other.1 == hexagon.1 };
                let mut places = Vec::new();
                flood(&self.hexagons, at, &same, &mut places);
                if places.len() >= 3 {
                    points += places.iter().map(|place| self.hexagons[place].1 as i32).sum::<i32>();
                }
                if places.len() == 6 {
                    points += 6;
                }
                if places.len() == 5 && variant {
                    points += 3;
                }
                done.extend(places);
            }
        }
        points
    }
}

fn flood(garden: &BTreeMap<Hex, Item>, at: Hex, same: &dyn Fn(Item) -> bool, found: &mut Vec<Hex>) {
    if found.contains(&at) || !garden.get(&at).is_some_and(|&hexagon| same(hexagon)) {
        return;
    }
    found.push(at);
    for near in around(at) {
        flood(garden, near, same, found);
    }
}

fn group(garden: &BTreeMap<Hex, Item>, at: Hex, same: impl Fn(Item) -> bool) -> Vec<Item> {
    let mut places = Vec::new();
    flood(garden, at, &same, &mut places);
    places.iter().map(|place| garden[place]).collect()
}

fn all_different(items: &[Item]) -> bool {
    items.iter().enumerate().all(|(i, item)| !items[..i].contains(item))
}

impl QueensGardenTwin {
    fn variant(&self) -> bool {
        self.spec.ends_with(":variant")
    }

    fn stack_size(&self) -> usize {
        [5, 7, 8][self.boards.len() - 2]
    }

    fn board(&mut self) -> &mut Board {
        &mut self.boards[self.to_move]
    }

    fn bare(&self) -> Option<usize> {
        self.display.iter().position(|slot| slot.tiles.is_empty() && slot.face.is_none())
    }

    /// Every way to acquire a selection that fits the storage: the tokens and what comes from which slot.
    fn acquisitions(&self, selection: char) -> Vec<Acquisition> {
        let board = &self.boards[self.to_move];
        let mut ways = vec![(vec![format!("acq:{selection}")], Vec::new())];
        let mut shown = false;
        for wanted in all_items() {
            if !name(wanted).contains(selection) {
                continue;
            }
            let slots: Vec<usize> = (0..self.display.len())
                .filter(|&i| self.display[i].tiles.contains(&wanted) || self.display[i].face == Some(wanted))
                .collect();
            if slots.is_empty() {
                continue;
            }
            shown = true;
            let mut longer = Vec::new();
            for (tokens, taken) in ways {
                for &slot in &slots {
                    let (mut tokens, mut taken) = (tokens.clone(), taken.clone());
                    if slots.len() > 1 {
                        tokens.push(format!("take:{}", slot + 1));
                    }
                    taken.push((slot, wanted));
                    longer.push((tokens, taken));
                }
            }
            ways = longer;
        }
        if !shown {
            return Vec::new();
        }
        ways.retain(|(_, taken)| {
            let expansions = taken.iter().filter(|(slot, _)| self.display[*slot].face.is_some()).count();
            let tiles = taken.len() - expansions;
            board.tiles.len() + board.jokers + tiles <= 12 && board.expansions.len() + expansions <= 2
        });
        ways
    }

    /// The tokens that can follow the pending ones: those of all complete acquisitions and payments that
    /// begin so.
    fn next_tokens(&self) -> Vec<String> {
        let board = &self.boards[self.to_move];
        let depth = self.pending.len();
        let mut tokens: Vec<String> = match self.pending.first().map(String::as_str) {
            None => self.first_tokens(),
            Some("pass") => {
                let last = self.pending.last().unwrap();
                let mut tokens = vec!["done".to_owned()];
                let rank = |token: &str| {
                    let (word, kind) = token.split_once(':').unwrap();
                    (item(kind), word == "dropx")
                };
                for &tile in &board.tiles {
                    tokens.push(format!("drop:{}", name(tile)));
                }
                for &expansion in &board.expansions {
                    tokens.push(format!("dropx:{}", name(expansion)));
                }
                tokens.retain(|token| last == "pass" || token == "done" || rank(token) >= rank(last));
                tokens
            }
            Some(first) if first.starts_with("acq:") => {
                let ways = self.acquisitions(first.chars().last().unwrap());
                let going_on = ways.into_iter().filter(|(tokens, _)| tokens.starts_with(&self.pending));
                going_on.filter_map(|(tokens, _)| tokens.get(depth).cloned()).collect()
            }
            Some(first) => {
                let (word, kind) = first.split_once(':').unwrap();
                if depth == 1 {
                    let places = match word {
                        "tile" => board.tile_places(item(kind)),
                        _ => board.expansion_places(item(kind)),
                    };
                    places.iter().map(|place| format!("at:{place}")).collect()
                } else {
                    let payments = board.payments(item(kind)).into_iter();
                    let going_on = payments.filter(|tokens| tokens.starts_with(&self.pending[2..]));
                    going_on.filter_map(|tokens| tokens.get(depth - 2).cloned()).collect()
                }
            }
        };
        tokens.sort();
        tokens.dedup();
        tokens
    }

    fn first_tokens(&self) -> Vec<String> {
        let board = &self.boards[self.to_move];
        let mut tokens = vec!["pass".to_owned()];
        for selection in LETTERS.into_iter().chain('1'..='6') {
            if !self.acquisitions(selection).is_empty() {
                tokens.push(format!("acq:{selection}"));
            }
        }
        for &tile in &board.tiles {
            if !board.tile_places(tile).is_empty() && !board.payments(tile).is_empty() {
                tokens.push(format!("tile:{}", name(tile)));
            }
        }
        for &expansion in &board.expansions {
            if !board.expansion_places(expansion).is_empty() && !board.payments(expansion).is_empty() {
                tokens.push(format!("exp:{}", name(expansion)));
            }
        }
        if board.score >= 6 && self.supply > 0 {
            for area in (1..=6).filter(|area| !board.areas.contains_key(area)) {
                tokens.push(format!("buy:{area}"));
            }
        }
        tokens
    }

    fn step(&mut self, token: &str) {
        self.pending.push(token.to_owned());
        let (word, argument) = token.split_once(':').unwrap_or((token, ""));
        match word {
            "buy" => {
                self.supply -= 1;
                let area = argument.parse().unwrap();
                self.board().lose(6);
                self.board().areas.insert(area, Laid::Down);
                self.end_turn();
            }
            "pass" => {
                self.phase = "discard";
                self.board().passed = true;
                if self.marker.is_none() {
                    self.marker = Some(self.to_move);
                    self.board().lose(1);
                }
            }
            "drop" => {
                let tile = item(argument);
                remove(&mut self.board().tiles, tile);
                self.board().lose(tile.1);
                self.tower.push(tile);
            }
            "dropx" => {
                let expansion = item(argument);
                remove(&mut self.board().expansions, expansion);
                self.board().lose(expansion.1);
                self.supply += 1;
            }
            "done" => self.end_turn(),
            "acq" | "take" => {
                self.phase = "take";
                let selection = self.pending[0].chars().last().unwrap();
                let ways = self.acquisitions(selection);
                if let Some((_, taken)) = ways.into_iter().find(|(tokens, _)| *tokens == self.pending) {
                    self.acquire(taken);
                }
            }
            "tile" | "exp" => self.phase = "place",
            _ => {
                self.phase = "pay";
                let placed = item(self.pending[0].split_once(':').unwrap().1);
                let payments = self.board().payments(placed);
                if payments.iter().any(|tokens| *tokens == self.pending[2..]) {
                    self.place(placed);
                }
            }
        }
    }

    fn acquire(&mut self, taken: Vec<(usize, Item)>) {
        let top = if self.stack > 0 { Some(self.display.len() - 1) } else { None };
        let mut gone = Vec::new();
        let mut from_top = false;
        for (slot, what) in taken {
            if self.display[slot].face.is_some() {
                self.board().expansions.push(what);
                gone.push(slot);
            } else {
                remove(&mut self.display[slot].tiles, what);
                self.board().tiles.push(what);
                from_top |= Some(slot) == top;
            }
        }
        let old = std::mem::take(&mut self.display);
        self.display =
            old.into_iter().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, slot)| slot).collect();
        self.end_turn();
        if from_top {
            self.stack -= 1;
            if self.stack > 0 {
                self.display.push(Slot { tiles: Vec::new(), face: None });
                self.phase = "deal";
                return;
            }
        }
        if self.bare().is_some() {
            self.phase = "reveal";
        }
    }

    fn place(&mut self, placed: Item) {
        let pending = self.pending.clone();
        let is_tile = pending[0].starts_with("tile");
        let digits: Vec<usize> =
            pending[1].chars().filter_map(|digit| digit.to_digit(10)).map(|digit| digit as usize).collect();
        let (area, place) = (digits[0], digits[1]);
        let mut owed = placed.1;
        let before = self.board().worth_of_surrounded();
        if is_tile {
            remove(&mut self.board().tiles, placed);
        } else {
            remove(&mut self.board().expansions, placed);
        }
        owed -= 1;
        for token in &pending[2..] {
            match token.split_once(':') {
                Some(("pay", kind)) => {
                    remove(&mut self.board().tiles, item(kind));
                    self.tower.push(item(kind));
                    owed -= 1;
                }
                Some((_, kind)) => {
                    remove(&mut self.board().expansions, item(kind));
                    self.supply += 1;
                    owed -= 1;
                }
                None => {
                    self.board().jokers -= owed;
                    owed = 0;
                }
            }
        }
        assert_eq!(owed, 0);
        if !is_tile {
            self.board().areas.insert(area, Laid::Up(placed, place));
        }
        let board = self.board();
        board.hexagons.insert(hex(area, place), placed);
        for _ in before..board.worth_of_surrounded() {
            if board.jokers + board.tiles.len() < 12 {
                board.jokers += 1;
            }
        }
        self.end_turn();
    }

    fn end_turn(&mut self) {
        self.pending.clear();
        let players = self.boards.len();
        for step in 1..=players {
            let seat = (self.to_move + step) % players;
            if !self.boards[seat].passed {
                self.to_move = seat;
                self.phase = "turn";
                return;
            }
        }
        self.end_round();
    }

    fn end_round(&mut self) {
        let (round, variant) = (self.round, self.variant());
        for board in &mut self.boards {
            let color = |board: &Board, letter| board.count(|hexagon| LETTERS[hexagon.0] == letter);
            let pattern = |board: &Board, value: usize, standard: i32| {
                board.count(|hexagon| hexagon.1 == value) * if variant { value as i32 } else { standard }
            };
            board.score += match round {
                1 => color(board, 'G') + color(board, 'B') + pattern(board, 1, 1),
                2 => color(board, 'V') + pattern(board, 2, 1) + pattern(board, 3, 2),
                3 => color(board, 'Y') + color(board, 'P') + pattern(board, 4, 2),
                _ => color(board, 'L') + pattern(board, 5, 3) + pattern(board, 6, 3),
            };
            board.score += board.areas.values().filter(|laid| matches!(laid, Laid::Up(..))).count() as i32;
        }
        if round == 4 {
            for board in &mut self.boards {
                board.score += board.jokers as i32;
                for left in board.tiles.clone().into_iter().chain(board.expansions.clone()) {
                    board.lose(left.1);
                }
                board.score += board.group_points(variant);
            }
            self.phase = "over";
            return;
        }
        if self.stack > 0 {
            self.supply += self.stack - 1;
        }
        for slot in std::mem::take(&mut self.display) {
            self.tower.extend(slot.tiles);
            self.supply += 1;
        }
        self.round += 1;
        self.start = self.marker.take().unwrap();
        self.to_move = self.start;
        self.boards.iter_mut().for_each(|board| board.passed = false);
        self.stack = self.stack_size();
        self.display.push(Slot { tiles: Vec::new(), face: None });
        self.phase = "deal";
    }

    fn fill(&mut self, tiles: &str) {
        if self.bag.len() < 4 {
            let tower = std::mem::take(&mut self.tower);
            self.bag.extend(tower);
        }
        if tiles == "-" {
            for _ in 1..self.stack {
                self.display.push(Slot { tiles: Vec::new(), face: None });
            }
            self.stack = 0;
            return;
        }
        for tile in tiles.split(',').map(item) {
            remove(&mut self.bag, tile);
            self.display.last_mut().unwrap().tiles.push(tile);
        }
    }

    fn board_json(board: &Board) -> Value {
        let areas: Vec<Value> = (1..=6)
            .map(|area| match board.areas.get(&area) {
                None => Value::Null,
                Some(Laid::Down) => json!("down"),
                Some(Laid::Up(kind, rotation)) => json!({"kind": name(*kind), "rotation": rotation}),
            })
            .collect();
        let hexagons: BTreeMap<String, String> = board
            .places()
            .into_iter()
            .filter_map(|(place, at)| board.hexagons.get(&at).map(|&hexagon| (place, name(hexagon))))
            .collect();
        assert_eq!(hexagons.len(), board.hexagons.len());
        json!({
            "score": board.score,
            "passed": board.passed,
            "jokers": board.jokers,
            "tiles": names(&board.tiles),
            "expansions": names(&board.expansions),
            "areas": areas,
            "hexagons": hexagons,
        })
    }
}

impl testing::Twin for QueensGardenTwin {
    fn new(spec: &str, players: usize) -> Self {
        let board = Board {
            score: 15,
            passed: false,
            jokers: 3,
            tiles: Vec::new(),
            expansions: Vec::new(),
            areas: BTreeMap::new(),
            hexagons: BTreeMap::new(),
        };
        QueensGardenTwin {
            spec: spec.to_owned(),
            round: 1,
            phase: "deal",
            start: 0,
            to_move: 0,
            marker: None,
            pending: Vec::new(),
            unseen: all_items(),
            display: vec![Slot { tiles: Vec::new(), face: None }],
            stack: [5, 7, 8][players - 2],
            supply: [16, 8, 4][players - 2],
            bag: all_items().into_iter().flat_map(|kind| [kind; 3]).collect(),
            tower: Vec::new(),
            boards: vec![board; players],
        }
    }

    fn legal(&self) -> Vec<String> {
        if matches!(self.phase, "deal" | "reveal" | "over") { Vec::new() } else { self.next_tokens() }
    }

    fn play(&mut self, token: &str) {
        match self.phase {
            "deal" => self.fill(token.strip_prefix('F').unwrap()),
            "reveal" => {
                let (slot, kind) = token.strip_prefix('R').unwrap().split_once(':').unwrap();
                assert_eq!(self.bare().unwrap() + 1, slot.parse::<usize>().unwrap());
                remove(&mut self.unseen, item(kind));
                self.display[slot.parse::<usize>().unwrap() - 1].face = Some(item(kind));
            }
            _ => {
                self.step(token);
                while !self.pending.is_empty() {
                    let next = self.next_tokens();
                    if next.len() != 1 {
                        break;
                    }
                    self.step(&next[0]);
                }
                return;
            }
        }
        self.phase = if self.bare().is_some() { "reveal" } else { "turn" };
    }

    fn json(&self) -> Value {
        let count = |tiles: &[Item]| -> Vec<usize> {
            all_items().iter().map(|kind| tiles.iter().filter(|tile| *tile == kind).count()).collect()
        };
        let slot = |slot: &Slot| json!({"tiles": names(&slot.tiles), "kind": slot.face.map(name)});
        let chance = matches!(self.phase, "deal" | "reveal");
        json!({
            "game": self.spec,
            "players": self.boards.len(),
            "round": self.round,
            "phase": self.phase,
            "turn": match self.phase {
                "deal" | "reveal" => json!("chance"),
                "over" => json!("over"),
                _ => json!(self.to_move),
            },
            "start": self.start,
            "next": if chance { json!(self.to_move) } else { Value::Null },
            "pending": self.pending,
            "unseen": names(&self.unseen),
            "display": self.display.iter().map(slot).collect::<Vec<Value>>(),
            "stack": self.stack,
            "supply": self.supply,
            "bag": count(&self.bag),
            "tower": count(&self.tower),
            "marker": self.marker.map_or(json!("center"), |seat| json!(seat)),
            "boards": self.boards.iter().map(QueensGardenTwin::board_json).collect::<Vec<Value>>(),
        })
    }

    fn wins(&self) -> Vec<f64> {
        let best = self.boards.iter().map(|board| board.score).max().unwrap();
        let winners = self.boards.iter().filter(|board| board.score == best).count();
        self.boards.iter().map(|board| if board.score == best { 1.0 / winners as f64 } else { 0.0 }).collect()
    }
}
