//! What a variant with changed rules is called by: its change.

use azulejo::{Changes, excerpt};
use serde_json::Value;

/// A variant's spec without its changed rules, and these in short: `azul` and `column_bonus=10`.
pub(crate) fn split_change(game: &str) -> (&str, Option<String>) {
    let Some((variant, rules)) = game.split_once("rules=") else { return (game, None) };
    let variant = variant.trim_end_matches([':', ',']);
    let change = match serde_json::from_str::<Changes>(rules) {
        Ok(changes) => excerpt(&assignments("", &changes).join(", ")),
        // Former runs name a file.
        Err(_) => "changed".to_owned(),
    };
    (variant, Some(change))
}

/// `key=value` for each changed number, those of tables with the table's key before a point.
fn assignments(table: &str, changes: &Changes) -> Vec<String> {
    let assignment = |(key, value): (&String, &Value)| match value {
        Value::Object(inner) => assignments(&format!("{table}{key}."), inner),
        value => vec![format!("{table}{key}={value}")],
    };
    changes.iter().flat_map(assignment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_variant_is_called_by_its_change() {
        let change = |game| split_change(game).1.unwrap();
        assert_eq!(split_change("azul:gray"), ("azul:gray", None));
        assert_eq!(
            split_change(r#"azul:rules={"column_bonus":10}"#),
            ("azul", Some("column_bonus=10".to_owned()))
        );
        let garden = r#"queens-garden:variant,rules={"expansion_price":4,"joker_awards":{"bench":4}}"#;
        assert_eq!(split_change(garden).0, "queens-garden:variant");
        assert_eq!(change(garden), "expansion_price=4, joker_awards.bench=4");
        assert_eq!(change("azul:rules=mine.toml"), "changed");
        assert!(
            change(r#"azul:rules={"floor":[-1,-1,-1,-1,-1,-1,-1],"column_bonus":10,"row_bonus":9}"#)
                .ends_with('…')
        );
    }
}
