//! A table of Azul.

use azulejo::azul::{Azul, AzulRules, Color, FACTORY_TILES, TILES_PER_COLOR};
use serde_json::Value;

use super::{CompletedTable, Stock, Table, letters, round, texts};

impl CompletedTable for Azul {
    const PHASE: Option<&'static str> = Some("draft");

    fn fill_in(_: &AzulRules, table: &mut Table, is_given: &dyn Fn(&str) -> bool) {
        if !is_given("marker") {
            let boards = table["boards"].as_array();
            let floors = boards.into_iter().flatten().filter_map(|board| board.get("floor"));
            let holder = floors.map(texts).position(|floor| floor.concat().contains('*'));
            table.insert("marker".to_owned(), holder.map_or_else(|| "center".into(), Value::from));
        }
        let seen =
            letters(table, &["factories", "center", "boards"], Color::ALL.into_iter().map(Color::letter));
        let factories = table["factories"].as_array().map_or(0, Vec::len) as u32;
        let deals = round(table) - u32::from(table["phase"] == "deal");
        let drawn = (0..deals).map(|_| factories * FACTORY_TILES as u32);
        let stock = Stock { bag: "bag", used: "lid", each: TILES_PER_COLOR.into() };
        stock.fill_in(table, is_given, &seen, drawn);
    }
}
