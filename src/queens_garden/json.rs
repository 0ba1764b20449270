//! The JSON state of Queen's Garden.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::actions::Action;
use super::consistency::{self, face_up};
use super::counts::{TILES_PER_KIND, TileCounts};
use super::garden::{Area, Garden};
use super::kind::{KINDS, Kind, KindSet};
use super::place::{AREAS, PLACES, Place};
use super::state::{Board, Display, Pending, Phase, QueensGarden, Slot};
use super::variant::QueensGardenRules;
use super::{MAX_SLOTS, ROUNDS, STORAGE_EXPANSIONS, STORAGE_TILES, TOP_TILES};
use crate::consistency::{check_len, check_range, ensure};
use crate::error::{StateError, excerpt};
use crate::game::{Game, Turn};
use crate::json::{self, as_text};
use crate::player::Seat;

/// What a state's JSON object holds after its header.
#[derive(Serialize, Deserialize)]
struct TableJson {
    next: Value,
    pending: Vec<String>,
    unseen: KindSet,
    display: Vec<Slot>,
    stack: u8,
    supply: u8,
    bag: Vec<u8>,
    tower: Vec<u8>,
    marker: Value,
    boards: Vec<BoardJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object")]
struct BoardJson {
    score: i16,
    passed: bool,
    jokers: u8,
    tiles: TileCounts,
    expansions: KindSet,
    areas: Vec<Value>,
    hexagons: BTreeMap<String, Kind>,
}

const FACE_DOWN: &str = "down";

as_text!(Kind, "a color and a value such as B4", Kind::from_text);

impl Serialize for QueensGarden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = TableJson {
            next: json::of_seat((self.turn() == Turn::Chance).then_some(self.to_move)),
            pending: self.pending.actions().iter().map(Action::to_string).collect(),
            unseen: self.unseen,
            display: self.slots().to_vec(),
            stack: self.stack,
            supply: self.supply,
            bag: self.bag().counts().to_vec(),
            tower: self.tower().counts().to_vec(),
            marker: json::of_holder(self.marker),
            boards: self.boards.as_slice().iter().map(BoardJson::of).collect(),
        };
        json::write(self, self.phase, self.start, table, serializer)
    }
}

impl BoardJson {
    fn of(board: &Board) -> Self {
        let hexagons = board.garden.hexagons();
        BoardJson {
            score: board.score,
            passed: board.passed,
            jokers: board.jokers,
            tiles: board.tiles,
            expansions: board.expansions,
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
    let (header, table) = json::read::<QueensGarden, Phase, TableJson>(rules, ROUNDS as u8, state)?;
    let mut game = QueensGarden::start(rules, header.players);
    (game.phase, game.round, game.start) = (header.phase, header.round, header.start()?);
    game.marker = header.holder("marker", &table.marker)?;
    game.to_move = header.to_move(game.turn())?;
    let chance = game.turn() == Turn::Chance;
    ensure! {
        "start": game.round > 1 || game.start == Seat::new(0)
            => "found {}, expected 0, which starts round 1", game.start;
        "next": chance || table.next.is_null()
            => "found {}, expected null outside of chance phases", excerpt(&table.next.to_string());
    }
    if chance {
        game.to_move = header.seat("next", &table.next)?;
    }
    (game.unseen, game.stack, game.supply) = (table.unseen, table.stack, table.supply);
    game.display = read_display(&table.display)?;
    game.stock.bag = read_counts("bag", &table.bag)?;
    game.stock.lid = read_counts("tower", &table.tower)?;
    let course = game;
    json::boards(&mut game.boards, &table.boards, |key, board| read_board(&course, key, board))?;
    consistency::check(&game)?;
    read_pending(game, &table.pending)
}

fn read_counts(key: &str, counts: &[u8]) -> Result<TileCounts, StateError> {
    check_len(key, counts.len(), KINDS)?;
    json::counts(key, counts, TILES_PER_KIND, |counts| {
        let times = |(kind, &count): (Kind, &u8)| std::iter::repeat_n(kind, count.into());
        TileCounts::from_kinds(Kind::all().zip(counts).flat_map(times)).expect("counts are at most 3")
    })
}

fn read_display(slots: &[Slot]) -> Result<Display, StateError> {
    let (mut display, found) = (Display::default(), slots.len());
    ensure! { "display": found <= MAX_SLOTS => "found {found} entries, expected at most {MAX_SLOTS}"; }
    for (i, &slot) in slots.iter().enumerate() {
        let tiles = slot.tiles.total();
        ensure! {
            "display[{i}].tiles": tiles <= TOP_TILES => "found {tiles} tiles, expected at most {TOP_TILES}";
            "display[{i}]": slot.kind.is_none() || tiles == 0 => "found tiles on a face-up expansion";
        }
        display.push(slot);
    }
    Ok(display)
}

fn read_board(game: &QueensGarden, key: &str, read: &BoardJson) -> Result<Board, StateError> {
    let (tiles, jokers, expansions) = (read.tiles.total(), read.jokers, read.expansions.len());
    check_range(&format!("{key}.score"), read.score, game.rules.score_floor..=most_points(game))?;
    ensure! {
        "{key}.tiles": tiles <= STORAGE_TILES => "found {tiles} tiles, expected at most {STORAGE_TILES}";
        "{key}.jokers": jokers <= STORAGE_TILES - tiles
            => "found {jokers} jokers beside {tiles} tiles, expected at most {STORAGE_TILES} together";
        "{key}.expansions": expansions <= STORAGE_EXPANSIONS
            => "found {expansions} expansions, expected at most {STORAGE_EXPANSIONS}";
    }
    Ok(Board {
        score: read.score,
        passed: read.passed,
        jokers,
        tiles: read.tiles,
        expansions: read.expansions,
        garden: read_garden(key, read)?,
    })
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
    let start = rules.start_score + rules.handicap.into_iter().max().unwrap_or_default();
    start + gained.sum::<i16>()
}

fn read_garden(key: &str, read: &BoardJson) -> Result<Garden, StateError> {
    check_len(&format!("{key}.areas"), read.areas.len(), AREAS - 1)?;
    let mut garden = Garden::default();
    for (i, area) in read.areas.iter().enumerate() {
        match read_area(&format!("{key}.areas[{i}]"), area)? {
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
        let is_printed = printed & place.mask() != 0;
        ensure! {
            "{key}": !is_printed || garden.hexagon(place) == Some(kind)
                => "found {kind}, but another hexagon is printed there";
            "{key}": is_printed || garden.free() & place.mask() != 0
                => "found {kind} where no hexagon can lie";
        }
        if !is_printed {
            garden.lay_hexagon(kind, place);
        }
    }
    // Everything listed lies somewhere else than everything else listed, so a printed one is missing exactly
    // if the numbers differ.
    ensure! {
        "{key}.hexagons": garden.filled().count_ones() as usize == read.hexagons.len()
            => "a printed hexagon is missing";
        "{key}.hexagons": !garden.repeats_in_group()
            => "a group of one color or pattern holds the same hexagon twice";
        "{key}.hexagons": garden.can_have_grown()
            => "adjacent hexagons do not match in a way that no order of placing them allows";
    }
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

/// Carries out the unfinished turn's actions so far.
fn read_pending(game: QueensGarden, tokens: &[String]) -> Result<QueensGarden, StateError> {
    let read = |(i, token): (usize, &String)| {
        token.parse().map_err(|error| StateError::new(format!("pending[{i}]"), format!("{error}")))
    };
    let actions: Vec<Action> = tokens.iter().enumerate().map(read).collect::<Result<_, StateError>>()?;
    match game.phase {
        Phase::Take | Phase::Place | Phase::Pay => replay_pending(game, &actions),
        Phase::Discard => restore_discards(game, &actions),
        _ => {
            ensure! { "pending": actions.is_empty() => "expected an empty list in this phase"; }
            Ok(game)
        }
    }
}

/// Phases take, place and pay: nothing has moved yet, so the actions can be carried out again.
fn replay_pending(mut game: QueensGarden, actions: &[Action]) -> Result<QueensGarden, StateError> {
    let expected = game.phase;
    game.phase = Phase::Turn;
    for (i, &action) in actions.iter().enumerate() {
        if let Some(&forced) = game.pending.actions().get(i) {
            ensure! { "pending[{i}]": action == forced => "found {action}, but only {forced} is possible"; }
            continue;
        }
        let legal = game.try_apply(action);
        legal.map_err(|why| StateError::new(format!("pending[{i}]"), format!("{action}: {why}")))?;
        ensure! {
            "pending[{i}]": !game.pending.actions().is_empty() => "{action} leads to the end of the turn";
        }
    }
    let found = game.pending.actions();
    ensure! {
        "pending": found.len() == actions.len()
            => "{} must follow, the only possibility", found[actions.len()];
        "pending": game.phase == expected
            => "leads to phase {}, found phase {}", json::word(game.phase), json::word(expected);
    }
    Ok(game)
}

/// Phase discard: passing and the discards so far have been carried out.
fn restore_discards(mut game: QueensGarden, actions: &[Action]) -> Result<QueensGarden, StateError> {
    ensure! {
        "pending": actions.first() == Some(&Action::Pass)
            => "expected pass as the first action in phase discard";
    }
    let (mut tiles, mut expansions, mut last) = (Vec::new(), KindSet::EMPTY, None);
    for (i, &action) in actions.iter().enumerate().skip(1) {
        // A tile before an expansion of the same kind.
        let order = match action {
            Action::Drop(kind) => (kind, 0),
            Action::DropExpansion(kind) => (kind, 1),
            _ => {
                let problem = format!("found {action}, expected drop or dropx");
                return Err(StateError::new(format!("pending[{i}]"), problem));
            }
        };
        let sorted = last.is_none_or(|last| last <= order && (order.1 == 0 || last < order));
        ensure! { "pending[{i}]": sorted => "found {action}, which comes after a later kind"; }
        last = Some(order);
        match action {
            Action::DropExpansion(kind) => expansions |= KindSet::of(kind),
            _ => tiles.push(order.0),
        }
    }
    let dropped = TileCounts::from_kinds(tiles.iter().copied());
    let visible: KindSet = face_up(&game).into_iter().map(|(_, kind)| kind).collect();
    let board = &game.boards[game.to_move];
    let fits = tiles.len() <= board.tile_room().into() && expansions.len() <= board.expansion_room();
    ensure! {
        "pending": dropped.is_some_and(|dropped| game.tower().contains(dropped))
            => "the tower does not hold the discarded tiles";
        "pending": (expansions & (visible | game.unseen)).is_empty()
            => "a discarded expansion is in unseen or lies face up";
        "supply": expansions.len() <= game.supply => "the discarded expansions are missing";
        "pending": fits => "the discarded items did not fit into the storage";
    }
    game.pending = Pending::default();
    actions.iter().for_each(|&action| game.pending.push(action));
    ensure! { "phase": game.choices().len() > 1 => "found discard, but nothing is left to discard"; }
    Ok(game)
}
