//! `azulejo balance`: agents of several strengths, sweeps of a number.

use std::fs;

use serde_json::Value;

use crate::runs::{place, summary};
use crate::{fail, succeed, text};

/// The study's options, with a few games of quick agents.
const STUDY: [&str; 8] = ["balance", "--quiet", "--game", "azul", "--players", "2", "--seed", "5"];

fn is_number(value: &Value) -> bool {
    value.as_f64().is_some()
}

#[test]
fn agents_of_several_strengths_make_a_curve() {
    let (_guard, out) = place();
    let agents = ["--agent", "random", "--agent", "greedy", "--agent", "mcts:sims=4"];
    let own = ["--games", "20", "--no-strategies", "--out", text(&out)];
    succeed(&[&STUDY[..], &agents, &own].concat());
    let found = summary(&out);
    let steps = found["steps"].as_array().unwrap();
    let names: Vec<[&str; 2]> =
        steps.iter().map(|step| ["from", "to"].map(|key| step[key].as_str().unwrap())).collect();
    assert_eq!(names, [["random", "greedy"], ["greedy", "mcts:sims=4"]]);
    for (step, seats) in steps.iter().zip(found["seats"].as_array().unwrap().windows(2)) {
        let share = |seats: &Value| seats["win_shares"][0]["mean"].as_f64().unwrap();
        let difference = share(&seats[1]) - share(&seats[0]);
        assert!((step["win_share"]["mean"].as_f64().unwrap() - difference).abs() < 1e-9, "{step}");
        assert!(is_number(&step["win_share"]["low"]) && step["games"] == 20, "{step}");
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("azul 2: wins as agents grow stronger") && page.contains("<polygon"));
    assert!(
        page.contains("From greedy to mcts:sims=4 the first seat"),
        "it says whether the figure stands still"
    );
}

#[test]
fn a_sweep_has_a_row_for_each_value_and_goes_on_where_it_was_left() {
    let (_guard, out) = place();
    let of = |values: &str, more: &[&str]| {
        let sweep = format!("column_bonus={values}");
        let own = ["--agent", "greedy", "--games", "20", "--sweep", &sweep, "--out", text(&out)];
        succeed(&[&STUDY[..], &own, more].concat());
        summary(&out)
    };
    of("0..7:7", &[]);
    let found = of("0..21:7", &["--resume"]);
    assert_eq!(found["command"].as_str().unwrap().split(" --sweep ").last(), Some("column_bonus=0..21:7"));
    let rows = found["sweep"].as_array().unwrap();
    let values: Vec<(i64, bool)> =
        rows.iter().map(|row| (row["value"].as_i64().unwrap(), row["usual"] == true)).collect();
    assert_eq!(values, [(0, false), (7, true), (14, false), (21, false)]);
    let columns = |row: &Value| {
        let sources = row["sources"].as_array().unwrap();
        sources.iter().find(|it| it["name"] == "columns").unwrap()["mean"].as_f64().unwrap()
    };
    assert!(columns(&rows[0]).abs() < 1e-12 && columns(&rows[1]) < columns(&rows[3]), "{rows:?}");
    assert_eq!(rows[1]["differences"], serde_json::json!([]));
    assert!(rows[3]["differences"].as_array().unwrap().iter().any(|it| it["name"] == "first seat's lead"));
    assert_eq!(found["seats"].as_array().unwrap().len(), 1, "the rules as they are alone");
    let directories = ["azul-2", "azul-2-column-bonus-0", "azul-2-column-bonus-14", "azul-2-column-bonus-21"];
    assert!(directories.iter().all(|name| out.join(name).join("greedy/summary.json").exists()));
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    for about in ["wins of seat 0", "lead of seat 0", "rounds", "close ends"] {
        assert!(page.contains(&format!("azul 2, greedy: {about} by column_bonus")), "{about}");
    }
}

#[test]
fn a_sweep_plays_the_same_games_in_parts_and_with_any_number_of_threads() {
    let study = |out: &str, more: &[&str]| {
        let own =
            ["--agent", "greedy", "--games", "10", "--sweep", "handicap=[0,K,0,0] for K=1,3", "--count-anew"];
        succeed(&[&STUDY[..], &own, &["--out", out], more].concat());
    };
    let ((_one, whole), (_other, parts)) = (place(), place());
    study(text(&whole), &["--threads", "1"]);
    study(text(&parts), &["--shard", "2/2"]);
    study(text(&parts), &["--resume", "--threads", "3"]);
    assert_eq!(summary(&whole), summary(&parts));
    let rows = summary(&whole)["sweep"].clone();
    assert_eq!((&rows[0]["key"], &rows[1]["value"]), (&"handicap=[0,K,0,0]".into(), &3.into()));
    // Nothing else is given to seat 1 than the points.
    let lead = |row: &Value| row["lead"]["mean"].as_f64().unwrap();
    assert!((lead(&rows[0]) - lead(&rows[1]) - 2.0).abs() < 1e-9, "{rows}");
}

#[test]
fn what_is_no_sweep_is_refused_by_its_value() {
    let refused = |sweep: &str, status: i32| {
        let (_guard, out) = place();
        fail(&[&STUDY[..], &["--games", "2", "--sweep", sweep, "--out", text(&out)]].concat(), status)
    };
    assert!(refused("column_bonus=20..0", 2).contains("found 'column_bonus=20..0', expected KEY=VALUES"));
    assert!(refused("column_bonus=0..200:100", 1).contains("--sweep: column_bonus=200: "));
    assert!(refused("columns=1..2", 1).contains("columns"));
    assert!(refused("last_round=4..5", 1).contains("no agent of this study sees last_round"));
}
