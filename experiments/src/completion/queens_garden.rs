//! A table of Queen's Garden.

use azulejo::queens_garden::{
    KINDS, Kind, QueensGarden, QueensGardenRules, ROUNDS, TILES_PER_KIND, TOP_TILES,
};
use serde_json::Value;

use super::{CompletedTable, Stock, Table, round, texts};

impl CompletedTable for QueensGarden {
    const PHASE: Option<&'static str> = Some("turn");

    fn fill_in(rules: &QueensGardenRules, table: &mut Table, is_given: &dyn Fn(&str) -> bool) {
        let players = table["boards"].as_array().map_or(0, Vec::len);
        let size = u32::from(rules.stack_of(players));
        let shown = table["display"].as_array().map_or(0, Vec::len) as u32;
        if !is_given("stack") {
            // What has left the stack lies in the display, as far as nobody has taken it.
            let left = size.saturating_sub(shown.saturating_sub(1));
            table.insert("stack".to_owned(), left.into());
        }
        let stack = table["stack"].as_u64().unwrap_or(0).min(u64::from(size)) as u32;
        print_hexagons(table);
        let expansions = Expansions::of(table);
        if !is_given("unseen") {
            let unseen = Kind::all().map(|kind| kind.to_string());
            let unseen: Vec<String> = unseen.filter(|kind| !expansions.face_up.contains(kind)).collect();
            table.insert("unseen".to_owned(), unseen.into());
        }
        let later = (ROUNDS as u32).saturating_sub(round(table)) * size;
        if !is_given("supply") {
            let elsewhere = later + stack + shown.saturating_sub(u32::from(stack > 0)) + expansions.held;
            table.insert("supply".to_owned(), (KINDS as u32).saturating_sub(elsewhere).into());
        }
        let dealing = u32::from(table["phase"] == "deal");
        let tops = round(table) * size - stack.min(size) + u32::from(stack > 0) - dealing;
        let stock = Stock { bag: "bag", used: "tower", each: TILES_PER_KIND.into() };
        stock.fill_in(table, is_given, &seen(table, &expansions), (0..tops).map(|_| u32::from(TOP_TILES)));
    }
}

/// Expansions of a table.
struct Expansions {
    /// The kinds that lie face up.
    face_up: Vec<String>,
    /// The kinds that are laid, each with a hexagon printed on it.
    laid: Vec<String>,
    /// How many players have, laid ones included.
    held: u32,
}

impl Expansions {
    fn of(table: &Table) -> Self {
        let mut all = Expansions { face_up: Vec::new(), laid: Vec::new(), held: 0 };
        for slot in table["display"].as_array().into_iter().flatten() {
            all.face_up.extend(listed(slot.get("kind")).into_iter().map(str::to_owned));
        }
        for board in table["boards"].as_array().into_iter().flatten() {
            let stored = listed(board.get("expansions"));
            all.held += stored.len() as u32;
            all.face_up.extend(stored.into_iter().map(str::to_owned));
            for area in board.get("areas").and_then(Value::as_array).into_iter().flatten() {
                all.held += u32::from(!area.is_null());
                let kind = area.get("kind").and_then(Value::as_str).map(str::to_owned);
                all.laid.extend(kind.clone());
                all.face_up.extend(kind);
            }
        }
        all
    }
}

/// The texts of a value that may be missing.
fn listed(value: Option<&Value>) -> Vec<&str> {
    value.map(texts).unwrap_or_default()
}

/// Names the hexagons that are printed on laid expansions.
fn print_hexagons(table: &mut Table) {
    let boards = table.get_mut("boards").and_then(Value::as_array_mut);
    for board in boards.into_iter().flatten().filter_map(Value::as_object_mut) {
        let areas = board.get("areas").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(hexagons) = board.get_mut("hexagons").and_then(Value::as_object_mut) else { continue };
        for (area, laid) in (1..).zip(&areas) {
            if let (Some(kind), Some(rotation)) = (laid.get("kind"), laid.get("rotation")) {
                hexagons.entry(format!("{area}{rotation}")).or_insert_with(|| kind.clone());
            }
        }
    }
}

/// How many tiles of each kind are seen; printed hexagons are none.
fn seen(table: &Table, expansions: &Expansions) -> Vec<u32> {
    let mut tiles: Vec<&str> = Vec::new();
    for slot in table["display"].as_array().into_iter().flatten() {
        tiles.extend(slot.get("tiles").map(texts).unwrap_or_default());
    }
    for board in table["boards"].as_array().into_iter().flatten() {
        tiles.extend(["tiles", "hexagons"].iter().filter_map(|key| board.get(*key)).flat_map(texts));
    }
    let count = |all: &mut dyn Iterator<Item = &str>, kind: &str| all.filter(|it| *it == kind).count() as u32;
    let kinds = Kind::all().map(|kind| kind.to_string());
    let seen = kinds.map(|kind| {
        let printed = count(&mut expansions.laid.iter().map(String::as_str), &kind);
        count(&mut tiles.iter().copied(), &kind).saturating_sub(printed)
    });
    seen.collect()
}
