use std::collections::{HashMap, HashSet};

use azulejo::queens_garden::{
    Action, Board, JokerAwards, KINDS, Kind, Ornament, Phase, Place, QueensGarden, QueensGardenRules, Side,
};
use azulejo::testing::for_each_variant;
use azulejo::{Game, Generator, PerPlayer, Rules, Seat, Turn, intern};
use rand::Rng;
use serde_json::{Value, json};

use super::keys::choice_key;
use super::plan::{Gains, Plan};
use super::{QueensGardenPlayout, QueensGardenValueWeights, QueensGardenWeights, storage};
use crate::heuristic::{Heuristic, Millipoints, POINT, StateValue, best_index};

/// The first turn of a game for two whose display shows these tiles, with changes to its JSON object.
fn position(fill: &str, change: impl FnOnce(&mut Value)) -> QueensGarden {
    let rules = intern(QueensGardenRules::default());
    let mut state = QueensGarden::new(rules, 2);
    state.play_token(fill).unwrap();
    let mut value = serde_json::to_value(state).unwrap();
    change(&mut value);
    QueensGarden::from_json(rules, &value).unwrap()
}

/// Moves the tiles of these kinds from the bag to a list of the first board.
fn give(value: &mut Value, tiles: &[&str]) {
    for tile in tiles {
        let count = &mut value["bag"][Kind::from_text(tile).unwrap().index()];
        *count = json!(count.as_u64().unwrap() - 1);
    }
    value["boards"][0]["tiles"] = json!(tiles);
}

/// Lays tiles from the bag on places of the first garden.
fn lay(value: &mut Value, hexagons: &[(&str, &str)]) {
    for (place, tile) in hexagons {
        let count = &mut value["bag"][Kind::from_text(tile).unwrap().index()];
        *count = json!(count.as_u64().unwrap() - 1);
        value["boards"][0]["hexagons"][place] = json!(tile);
    }
}

/// Makes it the last round.
fn last_round(value: &mut Value) {
    value["round"] = json!(4);
    value["supply"] = json!(31);
}

/// The legal actions with their ratings, best first.
fn ranking(state: &QueensGarden) -> Vec<(f32, Action)> {
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    state.legal_actions(&mut actions);
    state.rate_actions(&QueensGardenWeights::default(), &actions, &mut ratings);
    let mut ranking: Vec<(f32, Action)> = ratings.into_iter().zip(actions).collect();
    ranking.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranking
}

fn rating(state: &QueensGarden, action: &str) -> f32 {
    let action: Action = action.parse().unwrap();
    ranking(state).into_iter().find(|(_, other)| *other == action).unwrap().0
}

#[test]
fn ratings_are_finite_and_one_for_each_action() {
    let weights = QueensGardenWeights::default();
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    for_each_variant::<QueensGarden>(|rules, players| {
        let mut rng = Generator::new(5);
        for _ in 0..5 {
            let mut state = QueensGarden::new(rules, players);
            while state.turn() != Turn::Over {
                if let Turn::Player(_) = state.turn() {
                    state.legal_actions(&mut actions);
                    state.rate_actions(&weights, &actions, &mut ratings);
                    assert_eq!(ratings.len(), actions.len());
                    let odd = ratings.iter().position(|rating| !rating.is_finite());
                    assert_eq!(odd.map(|index| actions[index]), None, "{state}");
                }
                state.play_random(&mut rng, &mut actions);
            }
        }
    });
}

#[test]
fn the_choice_has_the_highest_rating() {
    let weights = QueensGardenWeights::default();
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    for_each_variant::<QueensGarden>(|rules, players| {
        let mut rng = Generator::new(6);
        let mut state = QueensGarden::new(rules, players);
        while state.turn() != Turn::Over {
            if let Turn::Player(_) = state.turn() {
                let choice = state.best_action(&weights, &mut rng, &mut actions, &mut ratings);
                let best = ranking(&state)[0].0;
                assert_eq!(rating(&state, &choice.to_string()), best, "{choice} in\n{state}");
                // Good play reaches other states than random play.
                state.apply(choice);
            } else {
                state.play_chance(&mut rng);
            }
        }
    });
}

/// Plays single best choices, each of which is legal, until another state or the turn's end is reached.
fn play_singly(state: &mut QueensGarden, until: &QueensGarden, rng: &mut Generator) {
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    loop {
        let action = state.best_action(&QueensGardenWeights::default(), rng, &mut actions, &mut ratings);
        state.try_apply(action).unwrap();
        if state == until || state.pending().actions().is_empty() {
            return;
        }
    }
}

/// The rules of both sides, and rules of which almost every number is another.
fn sides_and_changed_rules() -> Vec<&'static QueensGardenRules> {
    let mut all = <QueensGardenRules as Rules>::variants();
    let standard = all[0].clone();
    all.push(QueensGardenRules {
        stack: [3, 4, 6],
        start_score: 4,
        start_jokers: 6,
        score_floor: -9,
        expansion_price: 3,
        first_pass_penalty: 4,
        joker_awards: JokerAwards { fountain: 3, statue: 1, bench: 0, pavilion: 1 },
        pavilion_points: 3,
        joker_points: 2,
        smallest_group: 2,
        group_bonus: [0, 1, 0, 4, 6, 9],
        ..standard.clone()
    });
    // What a garden gains differs from the standard rules, and nothing else.
    all.push(QueensGardenRules { ornaments: [Ornament::Statue; 6], ..standard });
    all.into_iter().map(intern).collect()
}

/// Calls `check` with states at players' turns of greedy and of random games, and with those that single
/// actions lead to: as in a search, most of the boards of one are those of others.
fn for_related_states(mut check: impl FnMut(&QueensGarden, &Generator)) {
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    for (rules, players) in
        sides_and_changed_rules().into_iter().flat_map(|rules| [2, 3, 4].map(|n| (rules, n)))
    {
        for game in 0..4 {
            let (mut rng, mut state) = (Generator::new(game), QueensGarden::new(rules, players));
            while state.turn() != Turn::Over {
                if let Turn::Player(_) = state.turn() {
                    check(&state, &rng);
                    state.legal_actions(&mut actions);
                    for &action in actions.iter().step_by(3) {
                        let mut after = state;
                        after.apply(action);
                        if let Turn::Player(_) = after.turn() {
                            check(&after, &rng);
                        }
                    }
                    // Random games too, which stop in the middle of turns.
                    if game % 2 == 0 {
                        let weights = QueensGardenWeights::default();
                        state.apply(state.best_action(&weights, &mut rng, &mut actions, &mut ratings));
                        continue;
                    }
                }
                state.play_random(&mut rng, &mut actions);
            }
        }
    }
}

#[test]
fn what_playouts_keep_changes_no_turn() {
    let (weights, mut playout) = (QueensGardenWeights::default(), QueensGardenPlayout::default());
    let (mut actions, mut ratings) = (Vec::new(), Vec::new());
    let (mut turns, mut different) = (0, HashSet::new());
    for_related_states(|state, rng| {
        let (mut planned, mut plan_rng) = (*state, rng.clone());
        planned.play_best(&weights, &mut playout, &mut plan_rng, &mut actions, &mut ratings);
        let (mut single, mut single_rng) = (*state, rng.clone());
        play_singly(&mut single, &planned, &mut single_rng);
        assert_eq!(planned, single, "from\n{state}");
        assert_eq!(plan_rng.next_u64(), single_rng.next_u64(), "from\n{state}");
        turns += 1;
        different.insert(choice_key(state));
    });
    assert!(turns > 20_000 && different.len() < turns * 3 / 4, "{} of {turns}", different.len());
}

#[test]
fn states_of_one_choice_key_have_the_same_actions_and_ratings() {
    let mut known: HashMap<u64, (Vec<Action>, Vec<f32>)> = HashMap::new();
    for_related_states(|state, _| {
        let (mut actions, mut ratings) = (Vec::new(), Vec::new());
        state.legal_actions(&mut actions);
        state.rate_actions(&QueensGardenWeights::default(), &actions, &mut ratings);
        let first = known.entry(choice_key(state)).or_insert_with(|| (actions.clone(), ratings.clone()));
        assert_eq!(first, &(actions, ratings), "{state}");
    });
}

#[test]
fn what_a_judge_keeps_of_boards_is_what_they_are_worth() {
    let kept: Vec<_> = sides_and_changed_rules()
        .into_iter()
        .map(|rules| (rules, QueensGarden::judge(rules, 2, &Default::default())))
        .collect();
    let mut known: HashMap<u64, Vec<f32>> = HashMap::new();
    for_related_states(|state, _| {
        let (_, kept) = kept.iter().find(|(rules, _)| std::ptr::eq(*rules, state.rules())).unwrap();
        let fresh = QueensGarden::judge(state.rules(), state.players(), &Default::default());
        let [seen, expected] = [kept, &fresh].map(|judge| {
            let mut numbers = Vec::new();
            state.table_insights(&mut numbers);
            let shares =
                PerPlayer::from_fn(state.players(), |seat| state.seat_insights(judge, seat, &mut numbers));
            assert_eq!(shares, state.shares(judge), "{state}");
            numbers.extend(state.values(judge, &shares).iter().map(|(_, value)| *value as f32));
            numbers
        });
        assert_eq!(seen, expected, "{state}");
        let first = known.entry(state.value_key().unwrap()).or_insert(expected);
        assert_eq!(first, &seen, "{state}");
    });
}

#[test]
fn weights_are_read_from_toml() {
    let weights = QueensGardenWeights { tempo: 7.5, ..QueensGardenWeights::default() };
    let text = toml::to_string(&weights).unwrap();
    assert_eq!(toml::from_str::<QueensGardenWeights>(&text).unwrap(), weights);
    assert_eq!(toml::from_str::<QueensGardenWeights>("tempo = 7.5").unwrap(), weights);
    assert!(toml::from_str::<QueensGardenWeights>("temper = 7.5").is_err());
}

#[test]
fn a_group_that_begins_to_score_is_completed() {
    let state = position("FG6,P5,V4,V5", |value| {
        last_round(value);
        lay(value, &[("01", "Y2"), ("02", "Y4")]);
        give(value, &["Y1"]);
    });
    assert!(rating(&state, "tile:Y1") > rating(&state, "pass"));
    let mut placing = state;
    placing.play_token("tile:Y1").unwrap();
    assert_eq!(placing.phase(), Phase::Place);
    let ends = [Place::new(0, 3), Place::new(0, 6)].map(Action::At);
    assert!(ends.contains(&ranking(&placing)[0].1), "{:?}", ranking(&placing));
}

#[test]
fn no_room_is_bought_when_nothing_can_use_it() {
    let state = position("FG6,P5,V4,V5", last_round);
    assert!(rating(&state, "pass") > rating(&state, "buy:1"));
}

#[test]
fn a_set_that_pays_itself_is_preferred_to_a_single_tile() {
    let state = position("FB1,B2,B3,V6", |_| ());
    assert!(rating(&state, "acq:B") > rating(&state, "acq:V"));
    assert!(rating(&state, "acq:B") > rating(&state, "acq:2"));
}

#[test]
fn the_best_payment_is_carried_on_token_by_token() {
    let state = position("FG6,P5,V4,V5", |value| give(value, &["Y1", "Y2", "Y3", "Y5", "Y6", "B3"]));
    let mut paying = state;
    for token in ["tile:Y3", "at:01"] {
        paying.play_token(token).unwrap();
    }
    let before = ranking(&paying)[0];
    paying.apply(before.1);
    if paying.phase() == Phase::Pay {
        // The rest costs what the first token's rating counted for it.
        let rest = ranking(&paying)[0];
        assert!(rest.0 > before.0, "{before:?} then {rest:?}");
    }
}

#[test]
fn the_best_action_beats_random_play() {
    let weights = QueensGardenWeights::default();
    let (mut actions, mut ratings, mut won) = (Vec::new(), Vec::new(), 0.0);
    for game in 0..60 {
        let mut rng = Generator::new(game);
        let greedy = Seat::new(game as usize % 2);
        let mut state = QueensGarden::new(intern(QueensGardenRules::default()), 2);
        while state.turn() != Turn::Over {
            if state.turn() == Turn::Player(greedy) {
                state.legal_actions(&mut actions);
                state.rate_actions(&weights, &actions, &mut ratings);
                state.apply(actions[best_index(&ratings, &mut rng)]);
            } else {
                state.play_random(&mut rng, &mut actions);
            }
        }
        won += state.wins()[greedy];
    }
    assert!(won >= 58.0, "{won} of 60");
}

#[test]
fn a_network_sorts() {
    // One that sorts all sequences of zeros and ones sorts everything (Knuth's zero-one principle).
    for bits in 0..64 {
        let mut numbers = std::array::from_fn(|i| (bits >> i & 1) as f32);
        storage::sort(&mut numbers);
        assert!(numbers.is_sorted(), "{bits:#b}");
    }
}

#[test]
fn nothing_is_allocated_once_the_buffers_are_there() {
    let (weights, rules) = (QueensGardenWeights::default(), intern(QueensGardenRules::default()));
    let (mut actions, mut ratings) =
        (Vec::with_capacity(QueensGarden::MAX_LEGAL), Vec::with_capacity(QueensGarden::MAX_LEGAL));
    let mut playout = QueensGardenPlayout::default();
    let judge = QueensGarden::judge(rules, 4, &Default::default());
    QueensGarden::new(rules, 4).shares(&judge);
    let game = allocation_counter::measure(|| {
        let mut rng = Generator::new(4);
        let mut state = QueensGarden::new(rules, 4);
        while state.turn() != Turn::Over {
            match state.turn() {
                Turn::Chance => state.play_chance(&mut rng),
                _ => {
                    state.play_best(&weights, &mut playout, &mut rng, &mut actions, &mut ratings);
                    std::hint::black_box(state.shares(&judge));
                }
            }
        }
    });
    assert_eq!(game.count_total, 0);
}

/// What a state is worth to each seat.
fn values(state: &QueensGarden, weights: &QueensGardenValueWeights) -> Vec<Millipoints> {
    let judge = QueensGarden::judge(state.rules(), state.players(), weights);
    state.values(&judge, &state.shares(&judge)).as_slice().to_vec()
}

/// What networks that correct the value see beside it.
fn insights(state: &QueensGarden) -> Vec<f32> {
    let judge = QueensGarden::judge(state.rules(), state.players(), &Default::default());
    let mut numbers = Vec::new();
    state.table_insights(&mut numbers);
    for seat in state.boards().iter().map(|(seat, _)| seat) {
        let share = state.seat_insights(&judge, seat, &mut numbers);
        assert_eq!(share, state.share(&judge, seat), "{state}");
    }
    numbers
}

/// Calls `check` in all states at players' turns and chance nodes of games in which so many of ten choices
/// are played by rating, the others at random.
fn for_states(seed: u64, by_rating: u64, mut check: impl FnMut(&QueensGarden)) {
    let (mut actions, mut ratings, mut playout) = (Vec::new(), Vec::new(), QueensGardenPlayout::default());
    for_each_variant::<QueensGarden>(|rules, players| {
        let mut rng = Generator::new(seed);
        let mut state = QueensGarden::new(rules, players);
        while state.turn() != Turn::Over {
            check(&state);
            match state.turn() {
                Turn::Player(_) if rng.below(10) < by_rating => {
                    let weights = QueensGardenWeights::default();
                    state.play_best(&weights, &mut playout, &mut rng, &mut actions, &mut ratings);
                }
                _ => state.play_random(&mut rng, &mut actions),
            }
        }
    });
}

#[test]
fn value_weights_are_read_from_toml() {
    let weights = QueensGardenValueWeights { room: [1.0; 5], ..QueensGardenValueWeights::default() };
    let text = toml::to_string(&weights).unwrap();
    assert_eq!(toml::from_str::<QueensGardenValueWeights>(&text).unwrap(), weights);
    let some = toml::from_str::<QueensGardenValueWeights>("room = [1, 1, 1, 1, 1]");
    assert_eq!(some.unwrap(), weights);
    assert!(toml::from_str::<QueensGardenValueWeights>("rooms = [1, 1, 1, 1, 1]").is_err());
}

/// Weights that make nothing of what is not sure, but count the storage as at the end.
fn final_points() -> QueensGardenValueWeights {
    let nothing = toml::Table::try_from(QueensGardenValueWeights::default()).unwrap();
    let nothing: toml::Table =
        nothing.into_iter().map(|(name, _)| (name, toml::Value::from(vec![0.0; 5]))).collect();
    let nothing: QueensGardenValueWeights = nothing.try_into().unwrap();
    QueensGardenValueWeights { value: [-1.0; 5], joker: [1.0; 5], ..nothing }
}

/// The values of what a storage holds.
fn stored(board: &Board) -> i16 {
    board.tiles().iter().chain(board.expansions().iter()).map(|kind| i16::from(kind.value())).sum()
}

#[test]
fn what_is_sure_is_the_final_score_of_a_game_that_ends_now() {
    let mut ends = 0;
    for seed in 0..4 {
        for_states(seed, 10, |state| {
            let last = state.boards().iter().filter(|(_, board)| !board.passed()).count() == 1;
            if state.round() < 4 || state.phase() != Phase::Turn || !last || state.marker().is_none() {
                return;
            }
            // A score that falls to 0 loses less than the storage is worth.
            if state.boards().iter().any(|(_, board)| board.score() < stored(board)) {
                return;
            }
            let mut over = *state;
            over.apply(Action::Pass);
            if over.turn() != Turn::Over {
                over.apply(Action::Done);
            }
            let scores: Vec<Millipoints> =
                over.scores().iter().map(|(_, score)| Millipoints::from(*score) * POINT).collect();
            assert_eq!(values(state, &final_points()), scores, "{state}");
            ends += 1;
        });
    }
    assert!(ends > 20, "{ends} ends");
}

#[test]
fn shares_kept_from_action_to_action_are_those_from_scratch() {
    let mut actions = Vec::new();
    for_states(7, 5, |state| {
        let Turn::Player(seat) = state.turn() else { return };
        let [judge, scratch] =
            [(); 2].map(|()| QueensGarden::judge(state.rules(), state.players(), &Default::default()));
        let before = state.shares(&judge);
        state.legal_actions(&mut actions);
        for &action in &actions {
            let mut after = *state;
            after.apply(action);
            if after.turn() != Turn::Over {
                let kept = after.shares_after(&judge, seat, &before);
                assert_eq!(kept, after.shares(&scratch), "{action} in\n{state}");
            }
        }
    });
}

#[test]
fn the_value_does_not_depend_on_the_order_of_the_display() {
    let mut permuted = 0;
    for_states(8, 5, |state| {
        let mut value = serde_json::to_value(state).unwrap();
        let slots = value["display"].as_array_mut().unwrap();
        // The stack's top stays the last one.
        let free = slots.len() - usize::from(state.stack() > 0);
        if state.phase() != Phase::Turn || free < 2 {
            return;
        }
        slots[..free].reverse();
        let other = QueensGarden::from_json(state.rules(), &value).unwrap();
        assert_eq!(values(state, &Default::default()), values(&other, &Default::default()), "{state}");
        assert_eq!(insights(state), insights(&other), "{state}");
        permuted += 1;
    });
    assert!(permuted > 50, "{permuted} displays");
}

#[test]
fn the_value_reads_nothing_hidden() {
    let mut changed = 0;
    for_states(9, 5, |state| {
        let mut value = serde_json::to_value(state).unwrap();
        let (bag, tower) = (value["bag"].clone(), value["tower"].clone());
        if state.phase() != Phase::Turn || state.tower().is_empty() || state.tower().total() < 4 {
            return;
        }
        (value["bag"], value["tower"]) = (tower, bag);
        let Ok(other) = QueensGarden::from_json(state.rules(), &value) else { return };
        assert_eq!(values(state, &Default::default()), values(&other, &Default::default()), "{state}");
        assert_eq!(insights(state), insights(&other), "{state}");
        changed += 1;
    });
    assert!(changed > 50, "{changed} states");
}

#[test]
fn every_insight_has_a_name() {
    let names = QueensGarden::INSIGHTS;
    for_states(10, 5, |state| {
        let found = insights(state);
        assert_eq!(found.len(), names.table.len() + state.players() * names.seat.len());
        assert!(found.iter().all(|number| number.is_finite()), "{found:?}");
        let variant = names.table.iter().position(|name| *name == "variant").unwrap();
        assert_eq!(found[variant] > 0.0, state.rules().side == Side::Variant);
        let seat = &found[names.table.len()..][..names.seat.len()];
        let score = names.seat.iter().position(|name| *name == "score / 7").unwrap();
        assert_eq!((7.0 * seat[score]).round() as i16, state.board(Seat::new(0)).score());
    });
}

#[test]
fn a_plan_pays_with_what_gains_least() {
    let state = position("FG6,P5,V4,V5", |value| give(value, &["Y1", "Y2", "Y3", "B3", "B3"]));
    let board = state.board(Seat::new(0));
    let index = |text| Kind::from_text(text).unwrap().index();
    let mut gains = Gains { tiles: [0.0; KINDS], expansions: [f32::NEG_INFINITY; KINDS] };
    gains.tiles[index("Y3")] = 9.0;
    gains.tiles[index("Y1")] = 2.0;
    gains.tiles[index("B3")] = 1.0;
    // Y3 with Y2 and, rather than the better Y1, nothing else of yellow: Y1 pays; then B3 costs two jokers.
    let plan = Plan::new(board, &gains);
    assert_eq!((plan.gain, plan.left), (9.0, 6.0));
    gains.tiles[index("B3")] = 3.0;
    assert_eq!(Plan::new(board, &gains).gain, 12.0, "three jokers pay two");
}
