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

#[test]
fn the_even_handicap_lies_between_two_values_that_were_played() {
    let (_guard, out) = place();
    let study = |more: &[&str]| {
        let own = ["balance", "--quiet", "--game", "azul", "--seed", "5", "--even", "--games", "300"];
        succeed(&[&own[..], &["--agent", "greedy", "--count-anew", "--out", text(&out)], more].concat());
        summary(&out)
    };
    let found = study(&["--threads", "1"]);
    let even = &found["even"][0];
    let between: Vec<i64> =
        even["between"].as_array().unwrap().iter().map(|it| it.as_i64().unwrap()).collect();
    assert_eq!(between[1], between[0] + 1, "{even}");
    let handicap = ["low", "mean", "high"].map(|key| even["handicap"][key].as_f64().unwrap());
    assert!(handicap.is_sorted() && handicap[0] < handicap[2], "{handicap:?}");
    assert!((between[0] as f64..=between[1] as f64).contains(&handicap[1]), "{even}");
    // Each value is a run of its own, of a variant with that handicap and on deals of its own.
    for row in even["rows"].as_array().unwrap() {
        let points = row["handicap"].as_i64().unwrap();
        let run = summary(&out.join(format!("azul-2/greedy/handicap-{points}")));
        assert_eq!(run["seats"][0]["win_share"], row["win_share"]["mean"]);
        let game = run["game"].as_str().unwrap();
        let expected = if points > 0 { format!("[0,{points},0,0]") } else { format!("[{},0,0,0]", -points) };
        assert!(points == 0 && game == "azul" || game.contains(&expected), "{game}: {points}");
        let seed = if points < 0 { 5 - 2 * points - 1 } else { 5 + 2 * points };
        assert_eq!(run["seed"].as_i64(), Some(seed));
    }
    assert_eq!(study(&["--resume", "--threads", "3"]), found, "what was played is not played again");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("points for seat 1 make the seats even") && page.contains("<polygon"));
}

#[test]
fn an_even_handicap_is_sought_for_two_players_and_agents_that_see_it() {
    let refused = |more: &[&str], status: i32| {
        let (_guard, out) = place();
        let own = ["balance", "--game", "azul", "--even", "--games", "2", "--out", text(&out)];
        fail(&[&own[..], more].concat(), status)
    };
    assert!(refused(&["--players", "2,3"], 1).contains("--even: found 3 players, expected 2"));
    assert!(refused(&["--agent", "greedy"], 1).contains("no agent of this study sees handicap"));
}

#[test]
fn a_search_bent_to_each_goal_meets_the_others_and_how_they_play_is_told() {
    let (_guard, out) = place();
    let strategies =
        ["--strategies-of", "mcts:sims=4,goal_weight=40", "--agent", "random", "--agent", "greedy"];
    succeed(&[&STUDY[..], &strategies, &["--games", "15", "--out", text(&out)]].concat());
    let found = summary(&out);
    let agents: Vec<&str> =
        found["strategies"].as_array().unwrap().iter().map(|it| it["agent"].as_str().unwrap()).collect();
    assert_eq!((agents.len(), agents[0]), (6, "mcts:sims=4,goal_weight=40"));
    assert!(agents[1..].contains(&"mcts:sims=4,goal=columns,goal_weight=40"), "{agents:?}");
    let play = found["play"].as_array().unwrap();
    let told: Vec<(&str, bool)> =
        play.iter().map(|it| (it["agent"].as_str().unwrap(), it["among_strategies"] == true)).collect();
    assert_eq!((told[0], told[1], told.len()), (("random", false), ("greedy", false), 8));
    let habit = |agent: usize, name: &str| {
        let habits = play[agent]["habits"].as_array().unwrap();
        habits.iter().find(|it| it["name"] == name).unwrap()["mean"].as_f64().unwrap()
    };
    assert!(habit(0, "tiles on the floor") > habit(1, "tiles on the floor"), "random against greedy");
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("What tells greedy from random most: "), "{report}");
    assert!(report.contains("| azul 2 | columns |") && report.contains("bent to a goal"), "{report}");
    assert!(found["command"].as_str().unwrap().contains("--strategies-of mcts:sims=4,goal_weight=40"));
}

#[test]
fn strategies_are_those_of_a_search_that_takes_goals() {
    for agent in ["greedy", "mcts:goal=rows", "minimax"] {
        let (_guard, out) = place();
        let own = ["--games", "2", "--strategies-of", agent, "--out", text(&out)];
        let refused = fail(&[&STUDY[..], &own].concat(), 1);
        assert!(
            refused.contains(&format!("--strategies-of: found '{agent}', expected mcts or neural")),
            "{refused}"
        );
    }
}

#[test]
fn several_studies_become_one_page() {
    let (_guard, out) = place();
    let study = |name: &str, more: &[&str]| {
        let own = ["--games", "10", "--no-strategies", "--out"];
        succeed(&[&STUDY[..], more, &own, &[text(&out.join(name))]].concat());
    };
    study("agents", &["--agent", "random", "--agent", "greedy"]);
    study("sweep", &["--agent", "greedy", "--sweep", "column_bonus=0,20"]);
    let (page, studies) = (out.join("family"), ["agents", "sweep"].map(|name| out.join(name)));
    let report = ["report", "--family", text(&page), text(&studies[0]), text(&studies[1])];
    let said = succeed(&report);
    assert!(said.ends_with("family.html\n"), "{said}");
    assert!(fail(&report, 1).contains("family.md: the file exists"));
    succeed(&[&report[..], &["--force"]].concat());
    let markdown = fs::read_to_string(out.join("family.md")).unwrap();
    assert!(markdown.starts_with("# The balance of the family\n\nazul: Who goes first wins "), "{markdown}");
    for heading in [
        "Is it good to go first?",
        "Does the figure stand still",
        "How close are games?",
        "by column\\_bonus",
    ] {
        assert!(markdown.contains(&heading.replace('\\', "")), "{heading}");
    }
    assert!(markdown.contains("--sweep column_bonus=0,20 --out"), "{markdown}");
    assert!(
        markdown.contains(&format!("`azulejo {}`", report.join(" "))),
        "it tells how it is written: {markdown}"
    );
    let html = fs::read_to_string(out.join("family.html")).unwrap();
    assert!(html.contains("<polygon") && !html.contains("http"), "charts, and no network");
    assert!(!out.join("agents/family.md").exists());
}
