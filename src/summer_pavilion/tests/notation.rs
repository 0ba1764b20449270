//! Specs and tokens: one spelling each, and refusals that name what was wrong.

use super::*;
use crate::{GameSpec, Indexed};

fn spec(text: &str) -> String {
    text.parse::<GameSpec>().map_or_else(|error| error.to_string(), |spec| spec.to_string())
}

#[test]
fn specs_print_their_options_in_canonical_order_and_without_defaults() {
    for (read, printed) in [
        ("summer-pavilion", "summer-pavilion"),
        ("summer-pavilion:colored", "summer-pavilion"),
        ("summer-pavilion:standard,colored", "summer-pavilion"),
        ("summer-pavilion:gray,gray", "summer-pavilion:gray"),
        ("summer-pavilion:alternate,gray", "summer-pavilion:gray,alternate"),
        ("summer-pavilion:colored,alternate", "summer-pavilion:alternate"),
        ("summer-pavilion:wilds=RPGOYB,gray", "summer-pavilion:gray,wilds=RPGOYB"),
        ("summer-pavilion:wilds=PGOYBR", "summer-pavilion:wilds=PGOYBR"),
    ] {
        assert_eq!(spec(read), printed);
        assert_eq!(spec(printed), printed);
    }
}

#[test]
fn wrong_options_are_named() {
    let known = "known options: colored, gray, standard, alternate, wilds=<six letters>, rules=FILE";
    for (text, error) in [
        ("summer-pavilion:", format!("unknown option '' of summer-pavilion; {known}")),
        (
            "summer-pavilion:grey",
            format!("unknown option 'grey' of summer-pavilion; {known}; did you mean 'gray'?"),
        ),
        (
            "summer-pavilion:wilds",
            format!(
                "unknown option 'wilds' of summer-pavilion; {known}; did you mean 'wilds=<six letters>'?"
            ),
        ),
        (
            "summer-pavilion:gray,colored",
            "options 'gray' and 'colored' of summer-pavilion exclude each other".to_owned(),
        ),
        (
            "summer-pavilion:alternate,wilds=ORBYGP",
            "options 'alternate' and 'wilds=ORBYGP' of summer-pavilion exclude each other".to_owned(),
        ),
    ] {
        assert_eq!(spec(text), error);
    }
    for letters in ["", "ORBYG", "ORBYGG", "ORBYGPP", "orbygp", "ORBYGX", "ÖRBYGP", "ORBYGPX"] {
        let error = format!(
            "option 'wilds={letters}' of summer-pavilion: '{letters}' is not each of the letters ORBYGP once, \
             such as RPGOYB"
        );
        assert_eq!(spec(&format!("summer-pavilion:wilds={letters}")), error);
    }
}

#[test]
fn actions_have_one_spelling() {
    for token in [
        "", "O", "3", "3r", "3RR", "03R", "10R", "3C", "-3R", "B6B", "B6B6", "B0B0", "B7B0", "B6C0", "X6B0",
        "b6B0", "B6B03", "B06B3", "+", "+C", "+OO", "Pass", "pass ", " pass", "keep", "keep:", "keep:OO",
        "keep:o", "Done", "é6B0", "SO", "B６B3", "3\u{0}",
    ] {
        assert!(token.parse::<Action>().is_err(), "{token}");
    }
    let error = "x".repeat(100).parse::<Action>().unwrap_err().to_string();
    assert!(error.len() < 150, "{error}");
}

#[test]
fn outcomes_have_one_spelling() {
    for token in [
        "",
        "S",
        "D",
        "SRO",
        "SX",
        "Sö",
        "so",
        "S-",
        "DRO/-",
        "DOOOOO",
        "DO/",
        "D/O",
        "DO//O",
        "DO/--",
        "DO-",
        "pass",
        "DO/O/O/O/O/O/O/O/O/O",
    ] {
        assert!(token.parse::<Outcome>().is_err(), "{token}");
    }
    for length in [300, 100_000] {
        assert!(format!("S{}", "O".repeat(length)).parse::<Outcome>().is_err());
        assert!(format!("D{}", "O/".repeat(length)).parse::<Outcome>().is_err());
    }
    for token in ["SO", "SORBYGP", "DOORG/BBYP/RRRR/OBGP/YYGG", "D-/-/-/-/-", "DOOOO/-/-/-/-/-/-/-/-"] {
        assert_eq!(token.parse::<Outcome>().unwrap().to_string(), token);
    }
}

#[test]
fn the_action_index_is_stable() {
    for (token, index) in [
        ("0O", 0),
        ("9P", 59),
        ("O1O0", 60),
        ("B6B3", 60 + (17 * 6 + 2) * 6 + 3),
        ("C6P5", 1571),
        ("+O", 1572),
        ("pass", 1578),
        ("keep:O", 1579),
        ("done", 1585),
    ] {
        assert_eq!(token.parse::<Action>().unwrap().index(), index, "{token}");
    }
    assert_eq!(Action::COUNT, 1586);
}
