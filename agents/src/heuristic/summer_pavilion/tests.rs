use azulejo::summer_pavilion::{Action, BoardSide, LETTERS, Phase, SummerPavilion, SummerPavilionRules};
use azulejo::testing::for_each_variant;
use azulejo::{Game, Generator, PerPlayer, Seat, Turn, intern};
use serde_json::{Value, json};

use super::geometry::NUMBERS;
use super::{SummerPavilionValueWeights, SummerPavilionWeights};
use crate::heuristic::{Heuristic, Millipoints, POINT, StateValue};

fn start() -> SummerPavilion {
    SummerPavilion::new(intern(SummerPavilionRules::default()), 2)
}

/// The position of an edited JSON state in which the tiles not named lie in the bag.
fn position(edit: impl FnOnce(&mut Value)) -> SummerPavilion {
    let mut state = serde_json::to_value(start()).unwrap();
    edit(&mut state);
    let named = [&state["factories"], &state["center"], &state["supply"], &state["boards"]];
    let mut text = String::new();
    for part in named {
        collect_text(part, &mut text);
    }
    let bag = LETTERS.chars().map(|letter| 22 - text.matches(letter).count());
    state["bag"] = bag.collect();
    SummerPavilion::from_json(start().rules(), &state).unwrap()
}

fn collect_text(value: &Value, text: &mut String) {
    match value {
        Value::String(letters) => text.push_str(letters),
        Value::Array(values) => values.iter().for_each(|value| collect_text(value, text)),
        Value::Object(values) => values.values().for_each(|value| collect_text(value, text)),
        _ => {}
    }
}

/// Seat 0 is about to place tiles.
fn placing(round: u32, hand: &str, stars: &[(&str, &str)]) -> SummerPavilion {
    position(|state| {
        let wild = &"PGOYBR"[round as usize - 1..][..1];
        for (key, value) in [("phase", json!("place")), ("round", json!(round)), ("turn", json!(0))] {
            state[key] = value;
        }
        (state["wild"], state["boards"][0]["hand"]) = (json!(wild), json!(hand));
        for (star, slots) in stars {
            state["boards"][0]["stars"][star] = json!(slots);
        }
    })
}

fn best(state: &SummerPavilion) -> String {
    let weights = SummerPavilionWeights::default();
    let mut rng = Generator::new(1);
    state.best_action(&weights, &mut rng, &mut Vec::new(), &mut Vec::new()).to_string()
}

#[test]
fn the_fast_choice_has_the_highest_rating() {
    let weights = SummerPavilionWeights::default();
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    for_each_variant::<SummerPavilion>(|rules, players| {
        for seed in 0..4 {
            let mut rng = Generator::new(seed);
            let mut state = SummerPavilion::new(rules, players);
            while state.turn() != Turn::Over {
                if state.turn() == Turn::Chance {
                    state.play_chance(&mut rng);
                    continue;
                }
                let fast = state.best_action(&weights, &mut rng, &mut actions, &mut ratings);
                state.legal_actions(&mut actions);
                state.rate_actions(&weights, &actions, &mut ratings);
                assert_eq!(ratings.len(), actions.len());
                assert!(ratings.iter().all(|rating| rating.is_finite()), "{ratings:?}\n{state}");
                let index = actions.binary_search(&fast).expect("the choice is legal");
                let highest = ratings.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                assert!(ratings[index] >= highest - 1e-3, "{fast} {} {highest}\n{state}", ratings[index]);
                // Half the games of the evaluation, half of chance: both rich and odd boards.
                let action = if seed % 2 == 0 { fast } else { state.random_action(&mut rng, &mut actions) };
                state.apply(action);
            }
        }
    });
}

#[test]
fn choosing_needs_no_memory() {
    let weights = SummerPavilionWeights::default();
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    let used = allocation_counter::measure(|| {
        let mut rng = Generator::new(2);
        let mut state = start();
        while state.turn() != Turn::Over {
            match state.turn() {
                Turn::Player(_) => {
                    let action = state.best_action(&weights, &mut rng, &mut actions, &mut ratings);
                    state.apply(action);
                }
                _ => state.play_chance(&mut rng),
            }
        }
    });
    assert_eq!(used.count_total, 0);
}

#[test]
fn greedy_beats_random() {
    let weights = SummerPavilionWeights::default();
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    let mut won = 0.0;
    for game in 0..100 {
        let mut rng = Generator::new(game);
        let mut state = start();
        let greedy = Seat::new(game as usize % 2);
        while state.turn() != Turn::Over {
            match state.turn() {
                Turn::Player(seat) if seat == greedy => {
                    let action = state.best_action(&weights, &mut rng, &mut actions, &mut ratings);
                    state.apply(action);
                }
                _ => state.play_random(&mut rng, &mut actions),
            }
        }
        let wins: PerPlayer<f64> = state.wins();
        won += wins[greedy];
    }
    assert!(won >= 97.0, "greedy won {won} of 100");
}

#[test]
fn weights_round_trip_through_toml() {
    let weights = SummerPavilionWeights { star: 1.25, ..Default::default() };
    let text = toml::to_string(&weights).unwrap();
    assert_eq!(toml::from_str::<SummerPavilionWeights>(&text), Ok(weights.clone()));
    assert_eq!(toml::from_str::<SummerPavilionWeights>("star = 1.25"), Ok(weights));
    assert!(toml::from_str::<SummerPavilionWeights>("stars = 1.25").is_err());
}

#[test]
fn slots_of_numbers_are_those_of_the_rules() {
    for (side, numbers) in [BoardSide::Colored, BoardSide::Gray].into_iter().zip(NUMBERS) {
        for (cost, slots) in numbers.into_iter().enumerate().skip(1) {
            assert_eq!(slots, side.slots_of_cost(cost as u8), "{side:?} {cost}");
        }
    }
}

#[test]
fn a_star_is_completed() {
    let state = placing(6, "BBBBBBOO", &[("B", "BBBBB.")]);
    assert_eq!(best(&state), "B6B0");
}

#[test]
fn an_equal_tile_goes_where_the_run_is_longer() {
    let state = placing(6, "Y", &[("Y", ".YYYYY"), ("C", ".R....")]);
    assert_eq!(best(&state), "Y1Y0");
}

#[test]
fn coming_wild_tiles_are_kept() {
    let mut state = placing(1, "GGGOR", &[("O", "OOOOOO"), ("R", "RRRRRR"), ("G", "GG....")]);
    state.apply(Action::Pass);
    let mut kept = Vec::new();
    while state.phase() == Phase::Keep {
        let token = best(&state);
        state.play_token(&token).unwrap();
        kept.push(token);
    }
    assert_eq!(kept.iter().filter(|token| *token == "keep:G").count(), 3, "{kept:?}");
}

#[test]
fn nothing_is_kept_in_the_last_round() {
    let mut state = placing(6, "OO", &[("O", "OOOOOO")]);
    state.apply(Action::Pass);
    assert_eq!(best(&state), "done");
}

#[test]
fn of_equal_sources_the_one_with_a_wild_tile_is_better() {
    let state = position(|state| {
        (state["phase"], state["turn"]) = (json!("acquire"), json!(0));
        state["factories"] = json!(["BBBB", "BBBP", "", "", ""]);
        state["boards"][0]["hand"] = json!("B");
    });
    let with_wild = rating_of(&state, "2B") - rating_of(&state, "1B");
    assert!(with_wild > 0.0, "{with_wild}");
}

fn rating_of(state: &SummerPavilion, token: &str) -> f32 {
    let mut ratings = Vec::new();
    state.rate_actions(&SummerPavilionWeights::default(), &[token.parse().unwrap()], &mut ratings);
    ratings[0]
}

fn values(state: &SummerPavilion) -> Vec<Millipoints> {
    let judge = SummerPavilion::judge(state.rules(), state.players(), &Default::default());
    state.values(&judge, &state.shares(&judge)).as_slice().to_vec()
}

/// The first board before the deal of a round.
fn deal(round: u32, hand: &str, stars: &[(&str, &str)]) -> SummerPavilion {
    let mut state = serde_json::to_value(placing(round, hand, stars)).unwrap();
    (state["phase"], state["turn"]) = (json!("deal"), json!("chance"));
    SummerPavilion::from_json(start().rules(), &state).unwrap()
}

#[test]
fn the_value_of_the_last_turn_is_the_final_score() {
    for_each_variant::<SummerPavilion>(|rules, players| {
        let mut rng = Generator::new(6);
        let mut state = SummerPavilion::new(rules, players);
        while state.turn() != Turn::Over {
            let before = state;
            state.play_random(&mut rng, &mut Vec::new());
            if state.turn() == Turn::Over && before.phase() == Phase::Place {
                let scores: Vec<Millipoints> =
                    state.scores().iter().map(|(_, score)| Millipoints::from(*score) * POINT).collect();
                assert_eq!(values(&before), scores, "{before}");
            }
        }
    });
}

#[test]
fn a_complete_star_is_worth_its_points_at_the_end() {
    let state = placing(6, "", &[("B", "BBBBBB")]);
    let score = Millipoints::from(state.board(Seat::new(0)).score()) * POINT;
    assert_eq!(values(&state)[0], score + 15 * POINT);
}

#[test]
fn a_kept_tile_more_is_never_worse() {
    for round in 2..=6 {
        for color in LETTERS.chars() {
            let (fewer, more) = (deal(round, "RB", &[]), deal(round, &format!("RB{color}"), &[]));
            assert!(values(&more)[0] > values(&fewer)[0], "{color} in round {round}");
        }
    }
}

#[test]
fn a_star_nearer_to_its_end_promises_more() {
    for round in 2..=6 {
        let worth = |slots| values(&deal(round, "", &[("G", slots)]))[0];
        assert!(worth("GGGGG.") > worth("GGGG..") && worth("GGGG..") > worth("......"), "round {round}");
    }
}

#[test]
fn the_numbers_of_the_factories_make_no_difference() {
    let with = |factories: Value| {
        position(|state| {
            (state["phase"], state["turn"]) = (json!("acquire"), json!(0));
            state["factories"] = factories;
        })
    };
    let one = with(json!(["BBRY", "OOGP", "BRRY", "GGOO", "YYPB"]));
    let other = with(json!(["YYPB", "BRRY", "BBRY", "OOGP", "GGOO"]));
    assert_eq!(values(&one), values(&other));
}

#[test]
fn value_weights_are_read_from_toml() {
    let weights = SummerPavilionValueWeights { start: 1.25, ..Default::default() };
    let text = toml::to_string(&weights).unwrap();
    assert_eq!(toml::from_str::<SummerPavilionValueWeights>(&text), Ok(weights.clone()));
    assert_eq!(toml::from_str::<SummerPavilionValueWeights>("start = 1.25"), Ok(weights));
    assert!(toml::from_str::<SummerPavilionValueWeights>("starts = 1.25").is_err());
}
