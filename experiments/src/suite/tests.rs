use std::collections::HashSet;
use std::num::NonZeroUsize;

use azulejo::{Game, Generator, Turn, rules_of, with_game};
use azulejo_agents::solve::SolveLimits;
use azulejo_agents::{AgentSpec, Playable};
use rand_distr::{Distribution, Exp1};

use super::score::{SuiteLoss, estimates};
use super::*;
use crate::stats::Stratum;
use crate::thread_pool;

/// The legal actions of a position of two players at whose turn it is.
fn legal<G: Game>(position: &SuitePosition) -> Vec<String> {
    let state = G::from_json(rules_of::<G>(&position.game).unwrap(), &position.state).unwrap();
    assert!(matches!(state.turn(), Turn::Player(_)) && state.players() == 2);
    let mut legal = Vec::new();
    state.legal_actions(&mut legal);
    legal.iter().map(ToString::to_string).collect()
}

#[test]
fn suites_are_whole() {
    for (id, packed) in SUITES {
        for (tier, packed) in Tier::ALL.into_iter().zip(packed) {
            is_whole(id, tier, packed.len());
        }
    }
}

fn is_whole(id: &str, tier: Tier, bytes: usize) {
    let suite = Suite::of(id, tier).unwrap();
    let least = if tier == Tier::Ends { 500 } else { 200 };
    assert!(suite.positions.len() >= least && bytes <= 300_000, "{id}: {bytes}");
    let states: HashSet<String> = suite.positions.iter().map(|it| it.state.to_string()).collect();
    assert_eq!(states.len(), suite.positions.len(), "{id}: positions are there twice");
    for position in &suite.positions {
        let game: GameSpec = position.game.parse().unwrap();
        let legal = with_game!(game, |_rules: &'static G::Rules| legal::<G>(position));
        assert_eq!(position.actions(), legal, "{id}: {}", position.state);
        assert!(position.matters());
        match &position.values {
            Values::Exact(moves) => {
                assert_eq!(tier, Tier::Ends);
                let fit = |it: &SolvedMove| it.lead == 0 || it.win == f64::from(u8::from(it.lead > 0));
                assert!(moves.iter().all(fit), "{id}: {moves:?}");
            }
            Values::Expected(moves) => {
                assert_eq!(tier, Tier::RoundBefore);
                assert!(
                    moves.iter().flat_map(|it| it.wins).all(|win| (0.0..=1.0).contains(&win)),
                    "{id}: {moves:?}"
                );
            }
        }
    }
    let spread = suite.positions.iter().map(|it| it.actions().len()).collect::<HashSet<_>>().len();
    assert!(spread >= 8, "{id}: positions are all alike");
    let variants = suite.specs().unwrap().len();
    assert!(variants > 1, "{id}: {variants} variant");
}

/// Solves a position again; `None` if it is too large for a test.
fn solved_again<G: Playable>(position: &SuitePosition) -> Option<Vec<SolvedMove>> {
    let state = G::from_json(rules_of::<G>(&position.game).unwrap(), &position.state).unwrap();
    let limits = SolveLimits { nodes: 200_000, ..SolveLimits::default() };
    Some(SolvedMove::all(&state.solve(limits, &mut |_| ()).ok()?))
}

#[test]
fn values_are_found_again() {
    for id in Suite::GAMES {
        let (suite, mut rng, mut found) = (Suite::of(id, Tier::Ends).unwrap(), Generator::new(25), 0);
        for _ in 0..12 {
            let position = &suite.positions[rng.below(suite.positions.len() as u64) as usize];
            let game: GameSpec = position.game.parse().unwrap();
            let again = with_game!(game, |_rules: &'static G::Rules| solved_again::<G>(position));
            if let Some(again) = again {
                assert_eq!(Values::Exact(again), position.values, "{id}: {}", position.state);
                found += 1;
            }
        }
        assert!(found >= 6, "{id}: only {found} of 12 are small enough");
    }
}

/// A suite of a few positions.
fn small(id: &str) -> Suite {
    let mut suite = Suite::of(id, Tier::Ends).unwrap();
    suite.positions.truncate(60);
    suite
}

fn score(suite: &Suite, agent: &str, threads: usize) -> Result<SuiteScore, SuiteError> {
    let agent: AgentSpec = agent.parse().unwrap();
    let pool = thread_pool(NonZeroUsize::new(threads).unwrap()).unwrap();
    let losses = SuiteLosses::of(suite, &agent, &pool, &|| ())?;
    Ok(SuiteLosses::score(&agent, &[losses]))
}

#[test]
fn scores_depend_on_no_number_of_threads() {
    for (id, agent) in [("azul", "random"), ("summer-pavilion", "greedy"), ("queens-garden", "mcts:sims=8")] {
        let suite = small(id);
        assert_eq!(score(&suite, agent, 1).unwrap(), score(&suite, agent, 3).unwrap(), "{agent}");
    }
}

#[test]
fn strong_agents_lose_less() {
    let suite = small("azul");
    let lost = |agent| score(&suite, agent, 2).unwrap().points_lost.unwrap().value;
    let (random, greedy, minimax) = (lost("random"), lost("greedy"), lost("minimax:nodes=20000"));
    assert!(random > greedy && greedy > minimax, "{random} {greedy} {minimax}");
}

#[test]
fn one_ply_loses_less_than_chance_a_round_before_the_end() {
    for id in Suite::GAMES {
        let suite = Suite::of(id, Tier::RoundBefore).unwrap();
        let score = |agent| score(&suite, agent, 2).unwrap();
        let (random, greedy) = (score("random"), score("greedy"));
        let lost = |score: &SuiteScore| score.points_lost.unwrap().value;
        assert!(lost(&random) > lost(&greedy), "{id}: {random:?} {greedy:?}");
        assert_eq!(random.thrown_away, None);
    }
}

/// A maker whose games are those of `greedy`.
fn maker(game: &str, draws: usize) -> RoundBeforeMaker {
    let games = SuiteGames { games: vec![game.parse().unwrap()], agent: "greedy".parse().unwrap(), seed: 3 };
    RoundBeforeMaker { games, draws, actions: 24 }
}

#[test]
fn rounds_before_the_last_one_are_played_to_the_end() {
    for (game, round) in [("azul", 1..8), ("summer-pavilion", 5..6), ("queens-garden", 3..4)] {
        let positions = maker(game, 4).positions(0).unwrap();
        assert_eq!(positions, maker(game, 4).positions(0).unwrap());
        for position in &positions {
            let at = position.state["round"].as_u64().unwrap();
            assert!(round.contains(&at), "{game}: round {at}");
            let Values::Expected(moves) = &position.values else { panic!("{game}: {position:?}") };
            // Four games are two to a half: leads in halves, wins in quarters.
            let fit = |it: &ExpectedMove| it.leads.iter().all(|lead| (2.0 * lead).fract() == 0.0);
            assert!(moves.len() > 1 && moves.iter().all(fit), "{game}: {moves:?}");
        }
    }
}

#[test]
fn what_one_half_of_the_chances_calls_best_is_measured_by_the_other() {
    let value = |action: &str, leads, wins| ExpectedMove { action: action.to_owned(), leads, wins };
    let source = PositionSource { agent: "random".to_owned(), seed: 1, index: 0, ply: 3 };
    let moves = vec![
        value("a", [3.0, 1.0], [0.8, 0.5]),
        value("b", [2.0, 2.0], [0.6, 0.6]),
        value("c", [-1.0, 0.0], [0.1, 0.2]),
    ];
    let (game, state) = ("azul".to_owned(), serde_json::Value::Null);
    let position = SuitePosition { game, source, state, values: Values::Expected(moves) };
    let loss = |action: &str| SuiteLoss::of(&position, action).unwrap();
    // The first half says a, the second one b.
    let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
    let c = loss("c");
    assert_eq!((c.optimal, c.thrown_away), (0.0, 0.0));
    assert!(close(c.points, 0.5 * (1.0 - 0.0) + 0.5 * (2.0 + 1.0)), "{c:?}");
    assert!(close(c.win, 0.5 * (0.5 - 0.2) + 0.5 * (0.6 - 0.1)), "{c:?}");
    // Who always plays what the first half calls best loses by the second, and the other way round.
    let (a, b) = (loss("a"), loss("b"));
    assert_eq!([a.optimal, b.optimal], [0.5, 0.5]);
    assert!(close(a.points, 0.5 * (2.0 - 3.0)) && close(b.points, 0.5 * (1.0 - 2.0)), "{a:?} {b:?}");
    assert_eq!(SuiteLoss::of(&position, "d"), None);
}

#[test]
fn agents_that_do_not_choose_are_an_error() {
    let error = |agent: &str| score(&small("azul"), agent, 2).unwrap_err().to_string();
    assert!(error("greedy:weights=absent.toml").contains("absent.toml"));
    let broken = error("exec:cmd=false,start=2000");
    assert!(broken.starts_with("azul, position ") || broken.contains("false"), "{broken}");
}

#[test]
fn scores_are_means_of_what_is_lost() {
    let value = |action: &str, lead, win| SolvedMove { action: action.to_owned(), lead, win };
    let source = |index| PositionSource { agent: "random".to_owned(), seed: 1, index, ply: 3 };
    let position = |index, values| SuitePosition {
        game: "azul".to_owned(),
        source: source(index),
        state: serde_json::Value::Null,
        values: Values::Exact(values),
    };
    let first = position(0, vec![value("a", 3, 1.0), value("b", -1, 0.0), value("c", 1, 1.0)]);
    let loss = |action: &str| SuiteLoss::of(&first, action);
    let lost = SuiteLoss { positions: 1.0, optimal: 0.0, points: 4.0, win: 1.0, thrown_away: 1.0 };
    assert_eq!((loss("b"), loss("d")), (Some(lost), None));
    let mut blocks = Stratum::default();
    blocks.push(loss("b").unwrap());
    blocks.push(loss("a").unwrap().and(&loss("c").unwrap()));
    let [optimal, points, win, thrown_away] = estimates(&[blocks]).map(|it| it.unwrap().value);
    assert_eq!([optimal, points, win, thrown_away], [1.0 / 3.0, 2.0, 1.0 / 3.0, 1.0 / 3.0]);
    assert_eq!(estimates(&[Stratum::default()]), [None; 4]);
}

/// A game's positions as they might come out: mostly nothing is lost, now and then much, and games differ.
fn drawn(rng: &mut Generator) -> SuiteLoss {
    let rate = 0.05 + 0.3 * rng.below(1000) as f64 / 1000.0;
    let positions = 1 + rng.below(3);
    (0..positions).fold(SuiteLoss::default(), |sums, _| {
        let is_lost = (rng.below(1_000_000) as f64) < rate * 1e6;
        let size: f64 = Exp1.sample(rng);
        let points = if is_lost { 1.0 + 6.0 * size } else { 0.0 };
        let win = f64::from(u8::from(is_lost && rng.below(8) == 0));
        let optimal = 1.0 - f64::from(u8::from(is_lost));
        sums.and(&SuiteLoss { positions: 1.0, optimal, points, win, thrown_away: win })
    })
}

#[test]
fn intervals_hold_what_they_are_of() {
    const RUNS: usize = 120;
    // A rate of 0.2 in the mean, and of 0.2 / 8 for results.
    let expected = [0.8, 0.2 * 7.0, 0.025, 0.025];
    let mut held = [0; 4];
    for run in 0..RUNS {
        let mut rng = Generator::new(run as u64);
        let mut blocks = Stratum::default();
        (0..120).for_each(|_| blocks.push(drawn(&mut rng)));
        for ((held, found), expected) in held.iter_mut().zip(estimates(&[blocks])).zip(expected) {
            let interval = found.unwrap().interval.unwrap();
            *held += usize::from((interval.low..=interval.high).contains(&expected));
        }
    }
    // 95 % of 120 are 114, with a standard error of 2.4.
    assert!(held.iter().all(|held| (107..=120).contains(held)), "{held:?} of {RUNS}");
}
