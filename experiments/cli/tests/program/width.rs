//! What commands print keeps to 80 columns, and `--wide` does not.

use tempfile::tempdir;

use crate::{succeed, text};

/// Agents whose specs need more room than there is.
const LONG: [&str; 4] = [
    "mcts:sims=2,rollout=greedy,c=1.25,margin=0.25",
    "mcts:sims=3,rollout=none",
    "greedy",
    "random:name=By-chance",
];

/// Asserts that what was printed has no line of more than 80 columns but for names of files.
fn assert_narrow(command: &[&str], printed: &str) {
    assert!(printed.lines().count() > 1, "{command:?} prints tables: {printed}");
    for line in printed.lines().filter(|line| !line.contains("/run")) {
        assert!(line.chars().count() <= 80, "{command:?}: {line}\n{printed}");
    }
}

#[test]
fn every_table_fits_80_columns() {
    let place = tempdir().unwrap();
    let mut number = 0;
    let mut check = |command: &[&str]| {
        number += 1;
        let out = place.path().join(format!("run{number}"));
        let written = ["--out", text(&out)];
        let writes = ["selfplay", "tournament", "balance", "tune", "train"].contains(&command[0]);
        let command = if writes { [command, &written].concat() } else { command.to_vec() };
        let printed = succeed(&command);
        assert_narrow(&command, &printed);
        printed
    };
    check(&["games"]);
    check(&["agents"]);
    for players in ["2", "3", "4"] {
        let printed = check(&[&["tournament", "--games", "12", "--players", players][..], &LONG].concat());
        let even = ["50.0 %", "33.3 %", "25.0 %"][players.parse::<usize>().unwrap() - 2];
        assert!(printed.contains(&format!("an even share of the win: {even}")), "{printed}");
        assert!(printed.contains("By-chance") && printed.contains("--wide shows everything"), "{printed}");
        assert!(!printed.contains("random"), "{printed}");
    }
    check(&["selfplay", "--games", "6", "--players", "3", "--rotate", LONG[0], LONG[1], LONG[2]]);
    let changed = ["balance", "--game", "azul", "--players", "2", "--games", "4", "--set", "column_bonus=10"];
    let printed = check(&[&changed[..], &["--agent", "greedy", "--agent", LONG[1]]].concat());
    assert!(printed.contains("column_bonus=10") && !printed.contains("azul changed"), "{printed}");
    check(&["bench", "--game", "summer-pavilion:gray,alternate", "--filter", "mcts-random", "--slice", "1"]);
    check(&["tune", "--steps", "1", "--games", "2", "--check-games", "4", "greedy"]);
    let tiny = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/train-azul-tiny.toml");
    check(&["train", "--generations", "0", "--config", tiny]);
}

#[test]
fn wide_tables_have_whole_names_and_all_columns() {
    let place = tempdir().unwrap();
    let out = place.path().join("run");
    let printed =
        succeed(&[&["tournament", "--games", "2", "--wide", "--out", text(&out)][..], &LONG].concat());
    assert!(printed.contains(LONG[0]) && printed.contains("score of b"), "{printed}");
    assert!(!printed.contains("no room for"), "{printed}");
}
