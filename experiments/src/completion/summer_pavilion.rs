//! A table of Summer Pavilion.

use azulejo::summer_pavilion::{Color, FACTORY_TILES, SummerPavilion, SummerPavilionRules, TILES_PER_COLOR};

use super::{CompletedTable, Stock, Table, letters, round};

impl CompletedTable for SummerPavilion {
    const PHASE: Option<&'static str> = Some("acquire");

    fn fill_in(rules: &SummerPavilionRules, table: &mut Table, is_given: &dyn Fn(&str) -> bool) {
        if !is_given("wild") {
            let wild = rules.wild(u8::try_from(round(table)).unwrap_or(u8::MAX));
            table.insert("wild".to_owned(), wild.to_string().into());
        }
        let seen = letters(
            table,
            &["factories", "center", "supply", "boards"],
            Color::ALL.into_iter().map(Color::letter),
        );
        let factories = table["factories"].as_array().map_or(0, Vec::len) as u32;
        let deals = round(table) - u32::from(table["phase"] == "deal");
        // The supply is filled first; how often again nobody knows.
        let supply = u32::from(rules.supply);
        let drawn = std::iter::once(supply).chain((0..deals).map(|_| factories * FACTORY_TILES as u32));
        let stock = Stock { bag: "bag", used: "depot", each: TILES_PER_COLOR.into() };
        stock.fill_in(table, is_given, &seen, drawn);
    }
}
