//! The JSON state of Queen's Garden.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use super::actions::Action;
use super::counts::{TILES_PER_KIND, TileCounts};
use super::garden::{Area, Garden};
use super::kind::{KINDS, Kind, KindSet};
use super::place::{AREAS, PLACES, Place};
use super::state::{Board, Display, Pending, Phase, QueensGarden, Slot, initial_supply};
use super::variant::QueensGardenRules;
use super::{MAX_SLOTS, ROUNDS, STACK, STORAGE_EXPANSIONS, STORAGE_TILES, TOP_TILES};
use crate::changes::Changes;
use crate::error::{StateError, excerpt};
use crate::game::{Game, Turn};
use crate::json::{self, ensure};
use crate::player::Seat;
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
    next: Value,
    pending: Vec<String>,
    unseen: Vec<Kind>,
    display: Vec<SlotJson>,
    stack: u8,
    supply: u8,
    bag: Vec<u8>,
    tower: Vec<u8>,
    marker: Value,
    boards: Vec<BoardJson>,
}

#[derive(Serialize, Deserialize)]
struct SlotJson {
    tiles: Vec<Kind>,
    // Without this it could be left out.
    #[serde(deserialize_with = "Option::deserialize")]
    kind: Option<Kind>,
}

#[derive(Serialize, Deserialize)]
struct BoardJson {
    score: i16,
    passed: bool,
    jokers: u8,
    tiles: Vec<Kind>,
    expansions: Vec<Kind>,
    areas: Vec<Value>,
    hexagons: BTreeMap<String, Kind>,
}

const FACE_DOWN: &str = "down";

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Kind::from_text(&text).ok_or_else(|| {
            D::Error::custom(format!("found '{}', expected a color and a value such as B4", excerpt(&text)))
        })
    }
}

impl Serialize for QueensGarden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turn = self.turn();
        StateJson {
            game: variant_of::<QueensGarden>(self.rules),
            rules: json::changes(self.rules),
            players: self.players(),
            round: self.round,
            phase: self.phase,
            turn: json::of_turn(turn),
            start: json::of_seat(self.start),
            next: json::of_seat((turn == Turn::Chance).then_some(self.to_move)),
            pending: self.pending.actions().iter().map(Action::to_string).collect(),
            unseen: self.unseen.iter().collect(),
            display: self.slots().iter().map(SlotJson::of).collect(),
            stack: self.stack,
            supply: self.supply,
            bag: self.bag.counts().to_vec(),
            tower: self.tower.counts().to_vec(),
            marker: json::of_holder(self.marker),
            boards: self.boards.as_slice().iter().map(BoardJson::of).collect(),
        }
        .serialize(serializer)
    }
}

impl SlotJson {
    fn of(slot: &Slot) -> Self {
        SlotJson { tiles: slot.tiles.iter().collect(), kind: slot.kind }
    }
}

impl BoardJson {
    fn of(board: &Board) -> Self {
        let hexagons = board.garden.hexagons();
        BoardJson {
            score: board.score,
            passed: board.passed,
            jokers: board.jokers,
            tiles: board.tiles.iter().collect(),
            expansions: board.expansions.iter().collect(),
            areas: (1..AREAS).map(|area| area_json(board.garden.area(area))).collect(),
            hexagons: hexagons.map(|(place, kind)| (place.to_string(), kind)).collect(),
        }
    }
}

/// An area as `null`, `"down"` or its printed hexagon.
fn area_json(area: Area) -> Value {
    match area {
        Area::Free => Value::Null,
        Area::FaceDown => FACE_DOWN.into(),
        Area::FaceUp { kind, rotation } => json!({"kind": kind, "rotation": rotation}),
    }
}

/// Reads and checks a state.
pub(super) fn read(rules: &'static QueensGardenRules, state: &Value) -> Result<QueensGarden, StateError> {
    let read: StateJson = json::read(state)?;
    let players = read.players;
    json::check_header::<QueensGarden>(rules, state, players)?;
    let mut game = QueensGarden::start(rules, players);
    json::check_range("round", read.round, 1..=ROUNDS as u8)?;
    (game.phase, game.round) = (read.phase, read.round);
    game.start = json::seat("start", &read.start, players)?;
    ensure(game.round > 1 || game.start == Seat::new(0), "start", || {
        format!("found {}, expected 0, which starts round 1", game.start)
    })?;
    game.marker = json::holder("marker", &read.marker, players)?;
    game.to_move = read_to_move(&game, &read)?;
    game.unseen = read_set("unseen", &read.unseen)?;
    game.stack = read.stack;
    game.supply = read.supply;
    game.display = read_display(&read.display)?;
    game.bag = read_counts("bag", &read.bag)?;
    game.tower = read_counts("tower", &read.tower)?;
    let course = game;
    json::boards(&mut game.boards, &read.boards, |key, board| read_board(&course, key, board))?;
    check_tiles(&game)?;
    check_expansions(&game)?;
    check_display(&game)?;
    check_passed(&game)?;
    read_pending(game, &read.pending)
}

/// The seat to move, in chance phases the one that moves afterwards, from `turn` and `next`.
fn read_to_move(game: &QueensGarden, read: &StateJson) -> Result<Seat, StateError> {
    let to_move = json::to_move(&read.turn, game.start, game.turn(), game.players(), game.phase)?;
    if game.turn() == Turn::Chance {
        return json::seat("next", &read.next, game.players());
    }
    ensure(read.next.is_null(), "next", || {
        format!("found {}, expected null outside of chance phases", read.next)
    })?;
    Ok(to_move)
}

/// A set of kinds, listed without repetition.
fn read_set(key: &str, list: &[Kind]) -> Result<KindSet, StateError> {
    let mut set = KindSet::EMPTY;
    for &kind in list {
        ensure(!set.contains(kind), key, || format!("found {kind} twice; each expansion exists once"))?;
        set |= KindSet::of(kind);
    }
    Ok(set)
}

/// A multiset of at most `most` tiles.
fn read_tiles(key: &str, list: &[Kind], most: u8) -> Result<TileCounts, StateError> {
    ensure(list.len() <= most.into(), key, || {
        format!("found {} tiles, expected at most {most}", list.len())
    })?;
    TileCounts::from_kinds(list.iter().copied())
        .ok_or_else(|| StateError::new(key, format!("found more than {TILES_PER_KIND} tiles of one kind")))
}

fn read_counts(key: &str, counts: &[u8]) -> Result<TileCounts, StateError> {
    json::check_len(key, counts.len(), KINDS)?;
    let mut all = TileCounts::EMPTY;
    for (kind, &count) in Kind::all().zip(counts) {
        ensure(count <= TILES_PER_KIND, &format!("{key}[{}]", kind.index()), || {
            format!("found {count} tiles of one kind, expected at most {TILES_PER_KIND}")
        })?;
        (0..count).for_each(|_| all += TileCounts::of(kind));
    }
    Ok(all)
}

fn read_display(slots: &[SlotJson]) -> Result<Display, StateError> {
    ensure(slots.len() <= MAX_SLOTS, "display", || {
        format!("found {} entries, expected at most {MAX_SLOTS}", slots.len())
    })?;
    let mut display = Display::default();
    for (i, slot) in slots.iter().enumerate() {
        let key = format!("display[{i}]");
        let tiles = read_tiles(&format!("{key}.tiles"), &slot.tiles, TOP_TILES)?;
        let kind = slot.kind;
        ensure(kind.is_none() || tiles.is_empty(), &key, || "found tiles on a face-up expansion".to_owned())?;
        display.push(Slot { tiles, kind });
    }
    Ok(display)
}

fn read_board(game: &QueensGarden, key: &str, read: &BoardJson) -> Result<Board, StateError> {
    let rules = game.rules;
    let most = most_points(game);
    json::check_range(&format!("{key}.score"), read.score, rules.score_floor..=most)?;
    let tiles = read_tiles(&format!("{key}.tiles"), &read.tiles, STORAGE_TILES)?;
    ensure(read.jokers <= STORAGE_TILES - tiles.total(), &format!("{key}.jokers"), || {
        let found = read.jokers;
        format!("found {found} jokers beside {} tiles, expected at most 12 together", tiles.total())
    })?;
    let expansions = read_set(&format!("{key}.expansions"), &read.expansions)?;
    ensure(expansions.len() <= STORAGE_EXPANSIONS, &format!("{key}.expansions"), || {
        format!("found {} expansions, expected at most {STORAGE_EXPANSIONS}", expansions.len())
    })?;
    let garden = read_garden(key, read)?;
    Ok(Board { score: read.score, passed: read.passed, jokers: read.jokers, tiles, expansions, garden })
}

/// More points than a player can have before this round is scored: every place scored by its best color and
/// pattern in every round so far. No bound when the game is over, since nothing is added any more.
fn most_points(game: &QueensGarden) -> i16 {
    if game.phase == Phase::Over {
        return i16::MAX;
    }
    let rules = game.rules;
    let best = |points: &[i16]| points.iter().copied().max().unwrap_or_default();
    let rounds = rules.wheel[..game.round as usize - 1].iter();
    let gained = rounds.map(|wheel| {
        PLACES as i16 * (best(&wheel.colors) + best(&wheel.patterns))
            + (AREAS as i16 - 1) * rules.pavilion_points
    });
    rules.start_score + gained.sum::<i16>()
}

fn read_garden(key: &str, read: &BoardJson) -> Result<Garden, StateError> {
    let areas_key = format!("{key}.areas");
    json::check_len(&areas_key, read.areas.len(), AREAS - 1)?;
    let mut garden = Garden::default();
    for (i, area) in read.areas.iter().enumerate() {
        match read_area(&format!("{areas_key}[{i}]"), area)? {
            Area::Free => {}
            Area::FaceDown => garden.lay_face_down(i + 1),
            Area::FaceUp { kind, rotation } => garden.lay_face_up(kind, Place::new(i + 1, rotation.into())),
        }
    }
    let printed = garden.filled();
    for (name, &kind) in &read.hexagons {
        let key = format!("{key}.hexagons.{}", excerpt(name));
        let place = match *name.as_bytes() {
            [area, spot] => Place::from_bytes(area, spot),
            _ => None,
        };
        let place = place.ok_or_else(|| StateError::new(&key, "expected a place such as 23"))?;
        if printed & place.mask() != 0 {
            ensure(garden.hexagon(place) == Some(kind), &key, || {
                format!("found {kind}, but another hexagon is printed there")
            })?;
        } else {
            ensure(garden.free() & place.mask() != 0, &key, || {
                format!("found {kind} where no hexagon can lie")
            })?;
            garden.lay_hexagon(kind, place);
        }
    }
    let key = format!("{key}.hexagons");
    // Everything listed lies somewhere else than everything else listed, so a printed one is missing exactly
    // if the numbers differ.
    ensure(garden.filled().count_ones() as usize == read.hexagons.len(), &key, || {
        "a printed hexagon is missing".to_owned()
    })?;
    ensure(!garden.repeats_in_group(), &key, || {
        "a group of one color or pattern holds the same hexagon twice".to_owned()
    })?;
    ensure(garden.can_have_grown(), &key, || {
        "adjacent hexagons do not match in a way that no order of placing them allows".to_owned()
    })?;
    Ok(garden)
}

fn read_area(key: &str, area: &Value) -> Result<Area, StateError> {
    let face_up = || {
        let kind = area.get("kind")?.as_str().and_then(Kind::from_text)?;
        let rotation = area.get("rotation")?.as_u64().filter(|rotation| (1..=6).contains(rotation))?;
        Some(Area::FaceUp { kind, rotation: rotation as u8 })
    };
    match area {
        Value::Null => Ok(Area::Free),
        Value::String(word) if word == FACE_DOWN => Ok(Area::FaceDown),
        _ => face_up().ok_or_else(|| {
            let found = excerpt(&area.to_string());
            let expected = "expected null, \"down\" or an object such as {\"kind\": \"B4\", \"rotation\": 3}";
            StateError::new(key, format!("found {found}, {expected}"))
        }),
    }
}

/// All 3 tiles of each kind are there.
fn check_tiles(game: &QueensGarden) -> Result<(), StateError> {
    let mut counts = [0; KINDS];
    let mut add = |tiles: TileCounts| tiles.iter().for_each(|kind| counts[kind.index()] += 1);
    [game.bag, game.tower].into_iter().for_each(&mut add);
    game.slots().iter().map(Slot::tiles).for_each(&mut add);
    game.boards.as_slice().iter().map(Board::tiles).for_each(&mut add);
    for board in game.boards.as_slice() {
        let laid = board.garden.hexagons().filter(|(place, _)| !is_printed(&board.garden, *place));
        laid.for_each(|(_, kind)| counts[kind.index()] += 1);
    }
    for (kind, found) in Kind::all().zip(counts) {
        ensure(found == u32::from(TILES_PER_KIND), "state", || {
            format!("found {found} tiles {kind} in all, expected {TILES_PER_KIND}")
        })?;
    }
    Ok(())
}

fn is_printed(garden: &Garden, place: Place) -> bool {
    place.area() > 0
        && matches!(garden.area(place.area()), Area::FaceUp { rotation, .. } if rotation as usize == place.spot())
}

/// The expansions that lie face up, each with where.
fn face_up(game: &QueensGarden) -> Vec<(String, Kind)> {
    let mut all = Vec::new();
    for (i, slot) in game.slots().iter().enumerate() {
        all.extend(slot.kind.map(|kind| (format!("display[{i}].kind"), kind)));
    }
    for (seat, board) in game.boards.iter() {
        let stored = board.expansions.iter();
        all.extend(stored.map(|kind| (format!("boards[{seat}].expansions"), kind)));
        for area in 1..AREAS {
            if let Area::FaceUp { kind, .. } = board.garden.area(area) {
                all.push((format!("boards[{seat}].areas[{}].kind", area - 1), kind));
            }
        }
    }
    all
}

/// Each of the 36 expansions lies at one place, and no more have been revealed than came off the stacks.
fn check_expansions(game: &QueensGarden) -> Result<(), StateError> {
    let mut seen = KindSet::EMPTY;
    for (key, kind) in face_up(game) {
        ensure(!game.unseen.contains(kind), &key, || format!("{kind} is listed in unseen"))?;
        ensure(!seen.contains(kind), &key, || format!("found the expansion {kind} twice"))?;
        seen |= KindSet::of(kind);
    }
    let size = STACK[game.players() - 2];
    ensure(game.stack <= size, "stack", || format!("found {}, expected at most {size}", game.stack))?;
    let top = usize::from(game.stack > 0);
    ensure(game.slots().len() >= top, "display", || "expected the stack's top as the last entry".to_owned())?;
    let came_off = usize::from(size - game.stack);
    ensure(game.slots().len() - top <= came_off, "display", || {
        format!(
            "found {} expansions that came off a stack of {size}, of which {} are left",
            game.slots().len() - top,
            game.stack
        )
    })?;
    let later = (ROUNDS as u8 - game.round) * size;
    let boards = game.boards.as_slice().iter();
    let held: usize = boards.map(|board| usize::from(board.expansions.len()) + laid(&board.garden)).sum();
    let elsewhere = usize::from(later + game.stack) + game.slots().len() - top + held;
    ensure(usize::from(game.supply) + elsewhere == KINDS, "supply", || {
        format!("found {}, but {elsewhere} of the {KINDS} expansions are elsewhere", game.supply)
    })?;
    let face_down =
        game.slots()[..game.slots().len() - top].iter().filter(|slot| slot.kind.is_none()).count();
    let hidden = usize::from(initial_supply(game.players()) + later + game.stack) + face_down;
    ensure(usize::from(game.unseen.len()) >= hidden, "unseen", || {
        format!("found {} kinds, but {hidden} expansions have never been revealed", game.unseen.len())
    })
}

fn laid(garden: &Garden) -> usize {
    (1..AREAS).filter(|&area| garden.area(area) != Area::Free).count()
}

/// The display goes with the phase.
fn check_display(game: &QueensGarden) -> Result<(), StateError> {
    let (slots, size) = (game.slots(), STACK[game.players() - 2]);
    let top = (game.stack > 0).then(|| slots.len() - 1);
    let dealing = game.phase == Phase::Deal;
    ensure(!dealing || top.is_some(), "phase", || "found deal, but the stack is empty".to_owned())?;
    for (i, slot) in slots.iter().enumerate() {
        let key = format!("display[{i}]");
        if Some(i) == top {
            ensure(slot.kind.is_none(), &key, || "the stack's top lies face down".to_owned())?;
            ensure(slot.is_bare() == dealing, &key, || {
                "the stack's top lies empty in phase deal and only there".to_owned()
            })?;
            let short = slot.tiles.total() < TOP_TILES && !game.bag.is_empty();
            ensure(dealing || !short, &key, || {
                "the stack's top lacks tiles, but the bag has some".to_owned()
            })?;
        } else {
            ensure(slot.tiles.total() < TOP_TILES, &key, || {
                "found 4 tiles on an expansion that came off the stack".to_owned()
            })?;
            ensure(dealing || game.phase == Phase::Reveal || !slot.is_bare(), &key, || {
                "an empty expansion must be face up in this phase".to_owned()
            })?;
        }
    }
    ensure(game.phase != Phase::Reveal || game.display.first_bare().is_some(), "phase", || {
        "found reveal, but no empty expansion lies face down".to_owned()
    })?;
    if dealing && game.stack == size {
        let fresh = game.marker.is_none() && game.to_move == game.start;
        ensure(fresh, "phase", || {
            "at the first deal of a round the marker lies in the center and the starting seat is next"
                .to_owned()
        })?;
    } else if dealing {
        // The turn that led here took a tile from the former top, which then joined the display.
        let joined = slots.len().checked_sub(2).is_some_and(|i| slots[i].kind.is_none());
        ensure(joined, "display", || "expected the former top face down before the new one".to_owned())?;
    }
    Ok(())
}

/// Who has passed goes with marker, turn and phase.
fn check_passed(game: &QueensGarden) -> Result<(), StateError> {
    let passed = |seat: Seat| game.boards[seat].passed;
    let count = Seat::all(game.players()).filter(|&seat| passed(seat)).count();
    match game.marker {
        None => ensure(count == 0, "marker", || {
            "found \"center\", but the first to pass takes the marker".to_owned()
        })?,
        Some(seat) => {
            ensure(passed(seat), "marker", || format!("found {seat}, a seat that has not passed"))?;
        }
    }
    match game.phase {
        Phase::Over => {
            ensure(game.round as usize == ROUNDS, "round", || {
                format!("found {}, expected {ROUNDS} when the game is over", game.round)
            })?;
            ensure(count == game.players(), "boards", || {
                "all seats have passed when the game is over".to_owned()
            })
        }
        Phase::Deal | Phase::Reveal => ensure(!passed(game.to_move), "next", || {
            format!("found {}, a seat that has passed", game.to_move)
        }),
        phase => ensure(passed(game.to_move) == (phase == Phase::Discard), "turn", || {
            let verb = if phase == Phase::Discard { "has not passed" } else { "has passed" };
            format!("found {}, a seat that {verb}", game.to_move)
        }),
    }
}

/// Carries out the unfinished turn's actions so far.
fn read_pending(game: QueensGarden, tokens: &[String]) -> Result<QueensGarden, StateError> {
    let key = |i: usize| format!("pending[{i}]");
    let actions: Vec<Action> = tokens
        .iter()
        .enumerate()
        .map(|(i, token)| token.parse().map_err(|error| StateError::new(key(i), format!("{error}"))))
        .collect::<Result<_, StateError>>()?;
    match game.phase {
        Phase::Take | Phase::Place | Phase::Pay => replay_pending(game, &actions),
        Phase::Discard => restore_discards(game, &actions),
        _ => {
            ensure(actions.is_empty(), "pending", || "expected an empty list in this phase".to_owned())?;
            Ok(game)
        }
    }
}

/// Phases take, place and pay: nothing has moved yet, so the actions can be carried out again.
fn replay_pending(mut game: QueensGarden, actions: &[Action]) -> Result<QueensGarden, StateError> {
    let expected = game.phase;
    game.phase = Phase::Turn;
    for (i, &action) in actions.iter().enumerate() {
        let key = format!("pending[{i}]");
        if let Some(&forced) = game.pending.actions().get(i) {
            ensure(action == forced, &key, || format!("found {action}, but only {forced} is possible"))?;
            continue;
        }
        game.check_action(action).map_err(|why| StateError::new(&key, format!("{action}: {why}")))?;
        game.apply(action);
        ensure(!game.pending.actions().is_empty(), &key, || {
            format!("{action} leads to the end of the turn")
        })?;
    }
    ensure(game.pending.actions().len() == actions.len(), "pending", || {
        format!("{} must follow, the only possibility", game.pending.actions()[actions.len()])
    })?;
    ensure(game.phase == expected, "pending", || {
        format!("leads to phase {}, found phase {}", json::word(game.phase), json::word(expected))
    })?;
    Ok(game)
}

/// Phase discard: passing and the discards so far have been carried out.
fn restore_discards(mut game: QueensGarden, actions: &[Action]) -> Result<QueensGarden, StateError> {
    ensure(actions.first() == Some(&Action::Pass), "pending", || {
        "expected pass as the first action in phase discard".to_owned()
    })?;
    let board = game.boards[game.to_move];
    let (mut tiles, mut expansions, mut last) = (Vec::new(), KindSet::EMPTY, None);
    for (i, &action) in actions.iter().enumerate().skip(1) {
        let key = format!("pending[{i}]");
        // A tile before an expansion of the same kind.
        let order = match action {
            Action::Drop(kind) => (kind, 0),
            Action::DropExpansion(kind) => (kind, 1),
            _ => return Err(StateError::new(key, format!("found {action}, expected drop or dropx"))),
        };
        let sorted = last.is_none_or(|last| last <= order && (order.1 == 0 || last < order));
        ensure(sorted, &key, || format!("found {action}, which comes after a later kind"))?;
        last = Some(order);
        match action {
            Action::DropExpansion(kind) => expansions |= KindSet::of(kind),
            _ => tiles.push(order.0),
        }
    }
    let dropped = TileCounts::from_kinds(tiles.iter().copied());
    ensure(dropped.is_some_and(|dropped| game.tower.contains(dropped)), "pending", || {
        "the tower does not hold the discarded tiles".to_owned()
    })?;
    let visible: KindSet = face_up(&game).into_iter().map(|(_, kind)| kind).collect();
    ensure((expansions & (visible | game.unseen)).is_empty(), "pending", || {
        "a discarded expansion is in unseen or lies face up".to_owned()
    })?;
    ensure(expansions.len() <= game.supply, "supply", || "the discarded expansions are missing".to_owned())?;
    let fits = tiles.len() <= board.tile_room().into() && expansions.len() <= board.expansion_room();
    ensure(fits, "pending", || "the discarded items did not fit into the storage".to_owned())?;
    game.pending = Pending::default();
    actions.iter().for_each(|&action| game.pending.push(action));
    ensure(game.choices().len() > 1, "phase", || "found discard, but nothing is left to discard".to_owned())?;
    Ok(game)
}
