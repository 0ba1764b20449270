//! Options of the game spec and changed rules.

use serde_json::{Value, json};

use crate::game::Rules;
use crate::queens_garden::{Ornament, QueensGardenRules, Side};

fn changed(side: Side, changes: Value) -> Result<QueensGardenRules, String> {
    QueensGardenRules::new(side).with_changes(changes.as_object().unwrap())
}

fn rules(changes: Value) -> Result<QueensGardenRules, String> {
    changed(Side::Standard, changes)
}

#[test]
fn sides_are_named_and_exclude_each_other() {
    let read = |options: &[&str]| QueensGardenRules::from_options(options);
    assert_eq!(read(&[]).unwrap(), QueensGardenRules::default());
    assert_eq!(read(&["standard"]).unwrap().options(), "");
    assert_eq!(read(&["variant"]).unwrap().options(), "variant");
    let error = |options: &[&str]| read(options).unwrap_err().to_string();
    assert_eq!(
        error(&["standard", "variant"]),
        "options 'standard' and 'variant' of queens-garden exclude each other"
    );
    assert_eq!(
        error(&["gray"]),
        "unknown option 'gray' of queens-garden; known options: standard, variant, rules=FILE"
    );
}

#[test]
fn numbers_are_replaced_and_told_again() {
    let changes = json!({"expansion_price": 4, "joker_awards": {"pavilion": 2}});
    let rules = changed(Side::Variant, changes.clone()).unwrap();
    assert_eq!((rules.expansion_price, rules.joker_awards.pavilion, rules.joker_awards.fountain), (4, 2, 1));
    // What is left out is as on the chosen side.
    assert_eq!(rules.group_bonus, [0, 0, 0, 0, 3, 6]);
    assert_eq!((rules.options().as_str(), Value::Object(rules.changes())), ("variant", changes));
}

#[test]
fn lists_are_replaced_as_a_whole() {
    let changed = rules(json!({"ornaments": ["none", "none", "none", "bench", "bench", "bench"]})).unwrap();
    assert_eq!(changed.ornaments[2..4], [Ornament::None, Ornament::Bench]);
    let wheel = json!({"colors": [1, 1, 1, 1, 1, 1], "patterns": [0, 0, 0, 0, 0, 0]});
    let changed = rules(json!({"wheel": [wheel, wheel, wheel, wheel]})).unwrap();
    assert!(changed.wheel.iter().all(|round| round.colors == [1; 6] && round.patterns == [0; 6]));
}

#[test]
fn wrong_numbers_are_refused_with_the_key() {
    let cases = [
        (json!({"expansion_prize": 4}), "expansion_prize"),
        (json!({"expansion_price": "six"}), "expansion_price"),
        (json!({"expansion_price": 101}), "expansion_price"),
        (json!({"expansion_price": 70000}), "expansion_price"),
        (json!({"expansion_price": null}), "expansion_price"),
        (json!({"score_floor": 16}), "score_floor"),
        (json!({"joker_awards": 3}), "joker_awards"),
        (json!({"joker_awards": {"lake": 3}}), "joker_awards"),
        (json!({"joker_awards": {"statue": -1}}), "joker_awards.statue"),
        (json!({"joker_awards": {"statue": 13}}), "joker_awards.statue"),
        (json!({"ornaments": ["statue"]}), "ornaments"),
        (json!({"ornaments": ["lake", "none", "none", "none", "none", "none"]}), "ornaments[0]"),
        (json!({"group_bonus": [0, 0, 0, 0, 0, 101]}), "group_bonus[5]"),
        (json!({"wheel": [{"colors": [1]}]}), "wheel[0].colors"),
        (json!({"smallest_group": 0}), "smallest_group"),
        (json!({"file": "x"}), "file"),
        (json!({"side": "variant"}), "side"),
    ];
    for (changes, key) in cases {
        let error = rules(changes.clone()).unwrap_err();
        assert!(error.starts_with(key), "{changes}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn all_numbers_can_be_written_and_read_back() {
    for rules in QueensGardenRules::variants() {
        let all = serde_json::to_value(&rules).unwrap();
        assert_eq!(changed(rules.side, all), Ok(rules.clone()));
        assert!(rules.changes().is_empty());
    }
}

#[test]
fn standard_numbers_on_the_variant_side_are_changes() {
    let standard = serde_json::to_value(QueensGardenRules::default()).unwrap();
    let rules = changed(Side::Variant, standard).unwrap();
    assert_eq!(rules.wheel, QueensGardenRules::default().wheel);
    assert!(rules.changes().keys().eq(["group_bonus", "wheel"]), "{:?}", rules.changes());
}
