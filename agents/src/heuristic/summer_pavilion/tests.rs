use azulejo::summer_pavilion::{Action, BoardSide, LETTERS, Phase, SummerPavilion, SummerPavilionRules};
use azulejo::testing::for_each_variant;
use azulejo::{Game, Generator, PerPlayer, Seat, Turn, intern};
use serde_json::{Value, json};

use super::choice::Ties;
use super::geometry::NUMBERS;
use super::{SummerPavilionPlayout, SummerPavilionValueWeights, SummerPavilionWeights};
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

/// The slow twin of a greedy choice: all legal actions are rated, and those of the highest rating tie. Of the mixes that
/// pay for a slot with a color only the cheapest counts; ties are drawn in the order in which the fast choice meets them.
fn slow_choice(state: &SummerPavilion, weights: &SummerPavilionWeights, rng: &mut Generator) -> Action {
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    state.legal_actions(&mut actions);
    if state.phase() == Phase::Keep {
        return slow_keep(state, weights, &actions);
    }
    state.rate_actions(weights, &actions, &mut ratings);
    assert!(ratings.iter().all(|rating| rating.is_finite()), "{ratings:?}\n{state}");
    let mut rated: Vec<(Action, f32)> = actions.into_iter().zip(ratings).collect();
    keep_cheapest_mixes(&mut rated);
    match state.phase() {
        Phase::Acquire => rated.sort_by_key(|(action, _)| match *action {
            Action::Acquire { source, color } => (color, source),
            _ => unreachable!("tiles are acquired"),
        }),
        Phase::Place => rated.rotate_right(1),
        _ => {}
    }
    let (mut best, mut highest, mut ties) = (rated[0].0, f32::NEG_INFINITY, 0);
    for (action, rating) in rated {
        if rating > highest {
            (best, highest, ties) = (action, rating, 1);
        } else if rating == highest {
            ties += 1;
            if rng.below(ties) == 0 {
                best = action;
            }
        }
    }
    best
}

/// Leaves one mix of each slot and color: that of the fewest wild tiles where the color's are worth no more than they,
/// else that of the most.
fn keep_cheapest_mixes(rated: &mut Vec<(Action, f32)>) {
    let mut left: Vec<(Action, f32)> = Vec::new();
    for &(action, rating) in rated.iter() {
        match (left.last().map(|last| last.0), action) {
            (Some(Action::Place { slot, color, .. }), Action::Place { slot: same, color: too, .. })
                if (slot, color) == (same, too) =>
            {
                let last = left.last_mut().expect("there is one");
                if rating > last.1 {
                    *last = (action, rating);
                }
            }
            _ => left.push((action, rating)),
        }
    }
    *rated = left;
}

/// The tiles kept are chosen together: the first color of which one is among them.
fn slow_keep(state: &SummerPavilion, weights: &SummerPavilionWeights, actions: &[Action]) -> Action {
    let mut playout = SummerPavilionPlayout::default();
    let (rater, _) = playout.rater(state, weights).expect("a player is to move");
    let action = rater.best_keep();
    assert!(actions.contains(&action), "{action}\n{state}");
    action
}

/// Rules under which the numbers that ratings rest on differ.
fn changed_rules(side: BoardSide) -> &'static SummerPavilionRules {
    intern(SummerPavilionRules {
        side,
        rounds: 4,
        number_points: [5, 0, 3, 0, 7, 9],
        kept_penalty: 0,
        ..SummerPavilionRules::default()
    })
}

/// Plays games in which half of the turns are chance's and calls `check` at every choice of a player.
fn for_each_choice(mut check: impl FnMut(&SummerPavilion, &mut Generator)) {
    let mut play = |rules, players| {
        for seed in 0..6 {
            let mut rng = Generator::new(seed);
            let mut state = SummerPavilion::new(rules, players);
            while state.turn() != Turn::Over {
                if let Turn::Player(_) = state.turn() {
                    check(&state, &mut rng);
                }
                // Games of the evaluation, games of chance and mixed ones: both rich and odd boards.
                if matches!(state.turn(), Turn::Player(_)) && rng.below(3) >= seed % 4 {
                    let weights = SummerPavilionWeights::default();
                    let action = state.best_action(&weights, &mut rng, &mut Vec::new(), &mut Vec::new());
                    state.apply(action);
                } else {
                    state.play_random(&mut rng, &mut Vec::new());
                }
            }
        }
    };
    for_each_variant::<SummerPavilion>(&mut play);
    for side in [BoardSide::Colored, BoardSide::Gray] {
        (2..=4).for_each(|players| play(changed_rules(side), players));
    }
}

#[test]
fn what_is_remembered_never_shows() {
    let (weights, mut playout) = (SummerPavilionWeights::default(), SummerPavilionPlayout::default());
    let (mut checked, mut tied) = (0, 0);
    for_each_choice(|state, rng| {
        let (mut slow_rng, mut fast_rng, mut fresh_rng) = (rng.clone(), rng.clone(), rng.clone());
        let slow = slow_choice(state, &weights, &mut slow_rng);
        let fast = playout.best(state, &weights, &mut Ties::Random(&mut fast_rng));
        let fresh = state.best_action(&weights, &mut fresh_rng, &mut Vec::new(), &mut Vec::new());
        assert_eq!((slow, slow, &slow_rng), (fast, fresh, &fast_rng), "{state}");
        assert_eq!(fast_rng, fresh_rng, "{state}");
        checked += 1;
        tied += u32::from(slow_rng != *rng);
    });
    assert!(checked > 10_000 && tied > 500, "{tied} ties in {checked} choices");
}

#[test]
fn a_playout_plays_the_best_actions_one_by_one() {
    let (weights, mut playout) = (SummerPavilionWeights::default(), SummerPavilionPlayout::default());
    let mut number = 0;
    for_each_choice(|state, rng| {
        number += 1;
        if number % 40 != 0 {
            return;
        }
        let (mut slow, mut fast) = (*state, *state);
        let (mut slow_rng, mut fast_rng) = (rng.clone(), rng.clone());
        while fast.turn() != Turn::Over {
            match fast.turn() {
                Turn::Chance => fast.play_chance(&mut fast_rng),
                _ => fast.play_best(&weights, &mut playout, &mut fast_rng, &mut Vec::new(), &mut Vec::new()),
            }
        }
        while slow.turn() != Turn::Over {
            match slow.turn() {
                Turn::Chance => slow.play_chance(&mut slow_rng),
                _ => slow.apply(slow_choice(&slow, &weights, &mut slow_rng)),
            }
        }
        assert_eq!((slow, slow_rng), (fast, fast_rng));
    });
}

#[test]
fn the_tiles_kept_are_worth_most() {
    let (weights, mut actions, mut ratings) = (SummerPavilionWeights::default(), Vec::new(), Vec::new());
    for_each_choice(|state, rng| {
        if state.phase() == Phase::Keep {
            let kept = state.best_action(&weights, rng, &mut actions, &mut ratings);
            state.legal_actions(&mut actions);
            state.rate_actions(&weights, &actions, &mut ratings);
            let index = actions.iter().position(|action| *action == kept).expect("the choice is legal");
            let highest = ratings.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            assert!(ratings[index] >= highest - 1e-3, "{kept} {} {highest}\n{state}", ratings[index]);
        }
    });
}

#[test]
fn choosing_and_playing_on_need_no_memory() {
    let weights = SummerPavilionWeights::default();
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    let used = allocation_counter::measure(|| {
        let mut rng = Generator::new(2);
        let mut playout = SummerPavilionPlayout::default();
        for plays_on in [false, true] {
            let mut state = start();
            while state.turn() != Turn::Over {
                match state.turn() {
                    Turn::Player(_) if plays_on => {
                        state.play_best(&weights, &mut playout, &mut rng, &mut actions, &mut ratings);
                    }
                    Turn::Player(_) => {
                        let action = state.best_action(&weights, &mut rng, &mut actions, &mut ratings);
                        state.apply(action);
                    }
                    _ => state.play_chance(&mut rng),
                }
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
