//! Options of the game spec and the rules file.

use crate::game::Rules;
use crate::queens_garden::{Ornament, QueensGardenRules, Side};

fn rules(text: &str) -> Result<QueensGardenRules, String> {
    QueensGardenRules::new(Side::Standard).with_toml(text)
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
    assert!(
        error(&["rules=no-such-file.toml"])
            .starts_with("option 'rules=no-such-file.toml' of queens-garden: ")
    );
    assert!(error(&["rules=a.toml", "rules=b.toml"]).contains("exclude each other"));
}

#[test]
fn a_file_replaces_what_it_names_and_prints_back_as_read() {
    let path = std::env::temp_dir().join(format!("azulejo-rules-{}.toml", std::process::id()));
    std::fs::write(&path, "expansion_price = 4\n[joker_awards]\npavilion = 2\n").unwrap();
    let option = format!("rules={}", path.display());
    let rules = QueensGardenRules::from_options(&["variant", &option]);
    std::fs::remove_file(&path).unwrap();
    let rules = rules.unwrap();
    assert_eq!((rules.expansion_price, rules.joker_awards.pavilion, rules.joker_awards.fountain), (4, 2, 1));
    // What the file leaves out is as on the chosen side.
    assert_eq!(rules.group_bonus, [0, 0, 0, 0, 3, 6]);
    assert_eq!(rules.options(), format!("variant,{option}"));
}

#[test]
fn lists_are_replaced_as_a_whole() {
    let changed = rules("ornaments = ['none', 'none', 'none', 'bench', 'bench', 'bench']").unwrap();
    assert_eq!(changed.ornaments[2..4], [Ornament::None, Ornament::Bench]);
    let wheel = "colors = [1, 1, 1, 1, 1, 1]\npatterns = [0, 0, 0, 0, 0, 0]\n";
    let changed = rules(&format!("[[wheel]]\n{wheel}").repeat(4)).unwrap();
    assert!(changed.wheel.iter().all(|round| round.colors == [1; 6] && round.patterns == [0; 6]));
}

#[test]
fn a_wrong_file_is_refused_with_the_key() {
    let cases = [
        ("expansion_prize = 4", "expansion_prize"),
        ("expansion_price = 'six'", "expansion_price"),
        ("expansion_price = 101", "expansion_price"),
        ("expansion_price = 70000", "expansion_price"),
        ("score_floor = 16", "score_floor"),
        ("joker_awards = 3", "joker_awards"),
        ("joker_awards.lake = 3", "joker_awards"),
        ("joker_awards.statue = -1", "joker_awards.statue"),
        ("joker_awards.statue = 13", "joker_awards.statue"),
        ("ornaments = ['statue']", "ornaments"),
        ("ornaments = ['lake', 'none', 'none', 'none', 'none', 'none']", "ornaments[0]"),
        ("group_bonus = [0, 0, 0, 0, 0, 101]", "group_bonus[5]"),
        ("[[wheel]]\ncolors = [1]", "wheel[0].colors"),
        ("smallest_group = 0", "smallest_group"),
        ("file = 'x'", "file"),
        ("side = 'variant'", "side"),
    ];
    for (text, key) in cases {
        let error = rules(text).unwrap_err();
        assert!(error.starts_with(key), "{text}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    assert!(rules("start_score = ").is_err());
}

#[test]
fn printed_rules_read_back() {
    for rules in QueensGardenRules::variants() {
        let text = toml::to_string(&rules).unwrap();
        assert_eq!(rules.with_toml(&text), Ok(rules.clone()));
    }
}

#[test]
fn the_example_file_holds_the_standard_rules_and_all_keys() {
    let text = include_str!("../../../docs/queens-garden-rules.toml");
    assert_eq!(rules(text), Ok(QueensGardenRules::default()));
    let given: toml::Table = text.parse().unwrap();
    let all = toml::Table::try_from(QueensGardenRules::default()).unwrap();
    assert!(given.keys().eq(all.keys()));
    // The standard file on the variant side gives the standard points.
    let variant = QueensGardenRules::new(Side::Variant).with_toml(text).unwrap();
    assert_eq!(variant.wheel, QueensGardenRules::default().wheel);
}
