use azulejo::{GameSpec, Generator, Turn, with_game};

use super::{GameWords, Topic};

/// Calls a check with every state of a random game of a variant and each number of players.
fn check_states<G: GameWords>(rules: &'static G::Rules) {
    for players in G::PLAYERS {
        let (mut state, mut rng, mut buffer) =
            (G::new(rules, players), Generator::new(players as u64), vec![]);
        speaks(&state);
        while state.turn() != Turn::Over {
            state.play_random(&mut rng, &mut buffer);
            speaks(&state);
        }
    }
}

/// Every action has words of its own, and every outcome has some.
fn speaks<G: GameWords>(state: &G) {
    let mut legal = Vec::new();
    state.legal_actions(&mut legal);
    let mut words: Vec<String> = legal.iter().map(|action| state.action_in_words(*action)).collect();
    assert!(words.iter().all(|words| !words.is_empty() && words.len() <= 60), "{words:?}");
    let count = words.len();
    words.sort();
    words.dedup();
    assert_eq!(words.len(), count, "two actions have the same words in\n{state}");
    if state.turn() == Turn::Chance {
        let outcome = state.sample_chance(&mut Generator::new(1));
        assert!(!state.outcome_in_words(&outcome).is_empty());
    }
}

#[test]
fn different_actions_have_different_words() {
    for game in GameSpec::all() {
        with_game!(game, |rules: &'static G::Rules| check_states::<G>(rules));
    }
}

/// Everything that is told of a game fits into a window of 24 lines with a frame, and names the numbers in play.
fn guides<G: GameWords>(rules: &'static G::Rules) -> String {
    let state = G::new(rules, 2);
    let of = |topic| {
        let lines = state.guide(topic);
        assert!((4..=20).contains(&lines.len()), "{topic}: {} lines", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= 78), "{topic}: {lines:#?}");
        lines.join("\n")
    };
    Topic::ALL.map(of).join("\n\n")
}

#[test]
fn every_game_explains_itself_by_the_rules_in_play() {
    let told = |game: &str| {
        let game: GameSpec = game.parse().unwrap();
        with_game!(game, |rules: &'static G::Rules| guides::<G>(rules))
    };
    for game in GameSpec::all() {
        told(&game.to_string());
    }
    assert!(told("azul").contains("7 for each complete column"));
    assert!(told(r#"azul:rules={"column_bonus":10}"#).contains("10 for each complete column"));
    assert!(told("azul:gray").contains("you choose the column") && !told("azul").contains("you choose"));
    assert!(told("summer-pavilion:wilds=RPGOYB").contains("R, P, G, O, Y, B"));
    assert!(told("queens-garden:variant").contains("of 5 3 more, of 6 6 more"));
    assert!(told(r#"queens-garden:rules={"expansion_price":4}"#).contains("expansion for 4 points"));
}
