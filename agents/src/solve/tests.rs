use azulejo::azul::Azul;
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Game, Generator, History, Move, Seat, Turn, rules_of};

use super::search::Solver;
use super::*;
use crate::Playable;
use crate::parameters::Mebibytes;
use crate::toy::{Child, Toy};

/// Plain minimax without any cleverness: the lead and the win share of seat 0 under best play for each.
struct Twin<'a> {
    nodes: u64,
    most: u64,
    /// For chance nodes that make no difference: some of their outcomes are tried, and must come to the same.
    rng: Option<&'a mut Generator>,
}

/// Why the twin has no values.
#[derive(Debug, PartialEq)]
enum NoTwin {
    Large,
    Chance,
}

impl Twin<'_> {
    fn values<G: Game>(&mut self, state: &G) -> Result<(i16, f64), NoTwin> {
        self.nodes += 1;
        if self.nodes > self.most {
            return Err(NoTwin::Large);
        }
        match state.turn() {
            Turn::Over => {
                let (scores, wins) = (state.scores(), state.wins());
                Ok((scores[Seat::new(0)] - scores[Seat::new(1)], wins[Seat::new(0)]))
            }
            Turn::Chance => {
                let Some(rng) = self.rng.take() else { return Err(NoTwin::Chance) };
                let children: Vec<G> =
                    (0..2).map(|_| played(state, |state| state.play_chance(rng))).collect();
                self.rng = Some(rng);
                let values: Vec<(i16, f64)> =
                    children.iter().map(|child| self.values(child)).collect::<Result<_, _>>()?;
                // Where an outcome matters there is no exact value.
                if values[0] == values[1] { Ok(values[0]) } else { Err(NoTwin::Chance) }
            }
            Turn::Player(seat) => {
                let mut actions = Vec::new();
                state.legal_actions(&mut actions);
                let children = actions.iter().map(|action| played(state, |state| state.apply(*action)));
                let values: Vec<(i16, f64)> =
                    children.map(|child| self.values(&child)).collect::<Result<_, _>>()?;
                let leads = values.iter().map(|it| it.0);
                let wins = values.iter().map(|it| it.1);
                Ok(match seat.index() {
                    0 => (leads.max().unwrap(), wins.fold(0.0, f64::max)),
                    _ => (leads.min().unwrap(), wins.fold(1.0, f64::min)),
                })
            }
        }
    }
}

fn played<G: Game>(state: &G, play: impl FnOnce(&mut G)) -> G {
    let mut state = *state;
    play(&mut state);
    state
}

fn solved<G: Endgame>(state: &G) -> Result<Solution<G>, SolveError> {
    solve(state, SolveLimits { nodes: 3_000_000, memory: Mebibytes::new(64) }, &mut |_| ())
}

/// What the twin says of every legal action, for the player to move.
fn by_twin<G: Game>(
    state: &G,
    most: u64,
    rng: Option<&mut Generator>,
) -> Result<Vec<SolvedAction<G>>, NoTwin> {
    let Turn::Player(seat) = state.turn() else { return Err(NoTwin::Chance) };
    let mut twin = Twin { nodes: 0, most, rng };
    let mut actions = Vec::new();
    state.legal_actions(&mut actions);
    let value = |action: G::Action| {
        let (lead, win) = twin.values(&played(state, |state| state.apply(action)))?;
        let (lead, win) = if seat.index() == 0 { (lead, win) } else { (-lead, 1.0 - win) };
        Ok(SolvedAction { action, lead, win })
    };
    actions.into_iter().map(value).collect()
}

/// A game between players who play at random or, where `greed` says so, as rated.
fn game<G: Playable>(spec: &str, seed: u64, greedy: bool) -> History<G> {
    let mut history = History::<G>::new(rules_of::<G>(spec).unwrap(), 2);
    let (mut rng, mut legal) = (Generator::new(seed), Vec::new());
    let mut agent = "greedy".parse::<crate::AgentSpec>().unwrap().build::<G>().unwrap();
    agent.new_game(seed);
    while history.state().turn() != Turn::Over {
        let state = *history.state();
        let by_agent = greedy && rng.below(4) > 0 && matches!(state.turn(), Turn::Player(_));
        let next = match by_agent {
            true => Move::Action(agent.choose(&state, &crate::Limits::default()).unwrap().action),
            false => Move::draw(&state, &mut rng, &mut legal),
        };
        history.push(next).unwrap();
    }
    history
}

/// Compares the solver with the twin in the last positions of games; returns how many were solved and how many were refused
/// because of chance.
fn compare<G: Playable>(spec: &str, seeds: std::ops::Range<u64>, most: u64) -> [usize; 2] {
    let mut counts = [0; 2];
    for seed in seeds {
        let history = game::<G>(spec, seed, seed % 2 == 0);
        let (mut large, mut rng) = (0, Generator::new(seed));
        for ply in (0..history.plies()).rev() {
            let state = history.state_at(ply);
            if !matches!(state.turn(), Turn::Player(_)) {
                continue;
            }
            let place = format!("{spec}, seed {seed}, ply {ply}: {state}");
            match (by_twin(&state, most, None), solved(&state)) {
                (Ok(expected), found) => {
                    assert_eq!(found.unwrap().actions, expected, "{place}");
                    counts[0] += 1;
                }
                (Err(NoTwin::Chance), Err(error)) => {
                    assert!(matches!(error, SolveError::Chance { .. }), "{place}\n{error}");
                    counts[1] += 1;
                }
                // Something is drawn, but it is of no use to anybody.
                (Err(NoTwin::Chance), Ok(found)) => {
                    if let Ok(expected) = by_twin(&state, most, Some(&mut rng)) {
                        assert_eq!(found.actions, expected, "{place}");
                        counts[0] += 1;
                    }
                }
                (Err(NoTwin::Large), _) => large += 1,
            }
            if large > 2 || counts[1] > 30 * (seed as usize + 1) {
                break;
            }
        }
    }
    counts
}

#[test]
fn azul_is_solved_as_by_the_twin() {
    assert!(compare::<Azul>("azul", 0..16, 20_000)[0] > 60);
    assert!(compare::<Azul>("azul:gray", 0..16, 20_000)[0] > 60);
}

#[test]
fn summer_pavilion_is_solved_as_by_the_twin() {
    let found = compare::<SummerPavilion>("summer-pavilion", 0..16, 20_000);
    assert!(found[0] > 60 && found[1] > 60, "{found:?}");
    let found = compare::<SummerPavilion>("summer-pavilion:gray", 0..16, 20_000);
    assert!(found[0] > 60 && found[1] > 60, "{found:?}");
}

#[test]
fn queens_garden_is_solved_as_by_the_twin() {
    let found = compare::<QueensGarden>("queens-garden", 0..30, 20_000);
    assert!(found[0] > 60 && found[1] > 60, "{found:?}");
    let found = compare::<QueensGarden>("queens-garden:variant", 30..50, 20_000);
    assert!(found[0] > 40 && found[1] > 40, "{found:?}");
}

#[test]
fn changed_rules_are_solved_as_by_the_twin() {
    let azul =
        r#"azul:rules={"floor":[-2,-3,0,-5,-1,-1,-9],"marker_points":-3,"marker_spaces":0,"row_bonus":9}"#;
    assert!(compare::<Azul>(azul, 0..6, 10_000)[0] > 20);
    let short = r#"azul:gray,rules={"last_round":1,"factories":[3,7,9]}"#;
    assert!(compare::<Azul>(short, 0..6, 10_000)[0] > 20);
    let poor = r#"summer-pavilion:rules={"starting_score":0,"discard_penalty":-6,"kept_penalty":-3,"feature_tiles":[0,1,0]}"#;
    assert!(compare::<SummerPavilion>(poor, 0..10, 10_000)[0] > 20);
    let poor = r#"queens-garden:rules={"start_score":0,"first_pass_penalty":5,"expansion_price":1,"joker_points":0}"#;
    assert!(compare::<QueensGarden>(poor, 0..20, 10_000)[0] > 20);
}

/// The first position of a game, from its end backwards, that takes more nodes than this and fewer than 3 million.
fn large<G: Playable>(spec: &str, seed: u64, nodes: u64) -> Option<(G, Solution<G>)> {
    let history = game::<G>(spec, seed, true);
    let states = (0..history.plies()).rev().map(|ply| history.state_at(ply));
    let solutions = states.take(40).filter_map(|state| Some((state, solved(&state).ok()?)));
    solutions.into_iter().find(|(_, solution)| solution.nodes > nodes)
}

/// Neither the size of the table nor the order in which actions are tried changes a value.
fn check_order<G: Playable>(spec: &str) {
    let found: Vec<_> = (0..10).filter_map(|seed| large::<G>(spec, seed, 3000)).take(2).collect();
    assert!(!found.is_empty(), "{spec}");
    for (state, solution) in found {
        let small = SolveLimits { nodes: 30_000_000, memory: Mebibytes::new(2) };
        assert_eq!(solve(&state, small, &mut |_| ()).unwrap().actions, solution.actions, "{state}");
        let (mut rng, mut watch) = (Generator::new(1), |_: &SolveProgress| ());
        for _ in 0..3 {
            let mut budget = Budget::new(30_000_000, 1 << 26, &mut watch);
            let mut actions: Vec<G::Action> = solution.actions.iter().map(|it| it.action).collect();
            let mut solver = Solver::new(&state, state.outlook(), &mut budget, 1 << 22);
            for _ in 0..2000 {
                let action = <G::Action as azulejo::Indexed>::from_index(
                    rng.below(<G::Action as azulejo::Indexed>::COUNT as u64) as usize,
                );
                solver.order.refuted(action, rng.below(40) as usize, 1 + rng.below(30) as usize);
            }
            let first = rng.below(actions.len() as u64) as usize;
            actions.rotate_left(first);
            let worths = solver.solve(&state, &actions).unwrap();
            let Turn::Player(seat) = state.turn() else { unreachable!("an action was solved") };
            for (action, worth) in actions.iter().zip(worths) {
                let (lead, win) = (worth.seen_by(seat).lead(), worth.seen_by(seat).win());
                assert!(
                    solution.actions.contains(&SolvedAction { action: *action, lead, win }),
                    "{action}: {state}"
                );
            }
        }
    }
}

#[test]
fn neither_tables_nor_orders_change_a_value() {
    check_order::<Azul>("azul");
    check_order::<Azul>("azul:gray");
    check_order::<QueensGarden>("queens-garden");
}

#[test]
fn values_are_read_off_the_worth() {
    // Seat 1 can draw or lose by 2; seat 0 chooses between that, a lead of 1 and a defeat.
    let toy = Toy::parse("0(1([3 3] [5 3]) [2 1] [0 4])", 2);
    let expected = [(0, 0, 0.5), (1, 1, 1.0), (2, -4, 0.0)];
    let expected = expected.map(|(child, lead, win)| SolvedAction { action: Child(child), lead, win });
    assert_eq!(solved(&toy).unwrap().actions, expected);
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_reason() {
    let refusal = |text: &str, players| solved(&Toy::parse(text, players)).unwrap_err().to_string();
    assert_eq!(refusal("[1 2]", 2), "no player is to move");
    assert_eq!(refusal("*(1:[1 2] 1:[2 1])", 2), "no player is to move");
    assert!(refusal("0([1 2 3] [2 1 3])", 3).starts_with("3 players: "));
    let chance = refusal("0(1([1 1] 0(*(1:[0 1] 1:[1 0]))) [3 3])", 2);
    assert_eq!(chance, "something is still left to chance: after '0 1 0' a chance node follows");
    let toy = Toy::parse("0(1([3 3] [5 3]) [2 1] [0 4])", 2);
    let limits = SolveLimits { nodes: 3, ..SolveLimits::default() };
    let found = solve(&toy, limits, &mut |_| ()).unwrap_err();
    assert_eq!(found.to_string(), "too large: 0 of 3 actions are solved after 4 nodes, the limit");
}
