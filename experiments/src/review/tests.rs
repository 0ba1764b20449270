use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use azulejo::azul::{Azul, AzulRules};
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Game, GameSpec, Record, Rules, intern};
use azulejo_agents::AgentSpec;

use super::{Mark, Review, Verdict, judge, win_share_agent};
use crate::game_loop::job_player;
use crate::plan::{Plan, Rotation};

/// A game between greedy (seat 0) and random (seat 1).
fn record(game: &str) -> Record {
    let agents: Vec<AgentSpec> = ["greedy", "random"].iter().map(|spec| spec.parse().unwrap()).collect();
    let game: GameSpec = game.parse().unwrap();
    let plan = Plan::selfplay((game, 2), &agents, 1, 3, Rotation::Fixed).unwrap();
    job_player(&plan).unwrap().play(&plan.job(0)).unwrap().record
}

fn reviewed<G: crate::tabletop::Tabletop>(game: &str, agent: &str, threads: usize) -> Review<G> {
    let record = record(game);
    let line = record.to_line();
    let mut review = Review::read(intern(G::Rules::from_options(&[]).unwrap()), record, &line).unwrap();
    let (agent, threads) = (agent.parse().unwrap(), NonZeroUsize::new(threads).unwrap());
    let judged = AtomicUsize::new(0);
    let game = (&review.states[..], &review.record.moves[..]);
    let verdicts = judge(&agent, game, (3, threads), || _ = judged.fetch_add(1, Ordering::Relaxed));
    assert_eq!(judged.into_inner(), review.record.moves.len());
    review.verdicts = verdicts.unwrap();
    review.judge = Some(agent.to_string());
    review
}

fn losses<G: crate::tabletop::Tabletop>(review: &Review<G>, seat: usize) -> Vec<f32> {
    let own = |state: &G| state.turn() == azulejo::Turn::Player(azulejo::Seat::new(seat));
    let verdicts = review.verdicts.iter().zip(&review.states).filter(|(_, state)| own(state));
    verdicts.filter_map(|(verdict, _)| verdict.as_ref()?.loss).collect()
}

#[test]
fn the_annotated_record_is_a_record_and_reads_back() {
    let review = reviewed::<Azul>("azul", "mcts:sims=30,margin=0", 1);
    let line = review.to_line();
    let record = Record::from_line(&line).unwrap();
    record.verify().unwrap();
    assert_eq!(record.moves, review.record.moves);
    let back = Review::<Azul>::read(intern(AzulRules::default()), record, &line).unwrap();
    assert_eq!((&back.verdicts, &back.judge), (&review.verdicts, &review.judge));
    assert_eq!(back.verdicts.len(), back.record.moves.len());
    for (verdict, state) in review.verdicts.iter().zip(&review.states) {
        assert_eq!(verdict.is_some(), matches!(state.turn(), azulejo::Turn::Player(_)));
    }
    assert!(review.summary().len() == 3 && review.caption(2).contains("seat 0 (greedy) plays"));
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_threads() {
    let agent = "mcts:sims=20,margin=0";
    let one = reviewed::<SummerPavilion>("summer-pavilion", agent, 1);
    let three = reviewed::<SummerPavilion>("summer-pavilion", agent, 3);
    assert_eq!(one.verdicts, three.verdicts);
}

#[test]
fn a_random_player_loses_more_than_a_greedy_one() {
    let review = reviewed::<SummerPavilion>("summer-pavilion", "mcts:sims=60", 2);
    let mean = |seat| {
        let losses = losses(&review, seat);
        losses.iter().sum::<f32>() / losses.len() as f32
    };
    assert!(mean(1) > mean(0) + 0.01, "{} and {}", mean(0), mean(1));
    let marked = review.next_mark(0).expect("a random player's game has a blunder");
    assert!(review.caption(marked).contains('?') && review.comment(marked)[0].contains(" was best"));
}

#[test]
fn judges_need_values_and_win_shares() {
    let review =
        Review::<Azul>::read(intern(AzulRules::default()), record("azul"), &record("azul").to_line());
    let review = review.unwrap();
    let game = (&review.states[..], &review.record.moves[..]);
    let error = judge(&"greedy".parse().unwrap(), game, (1, NonZeroUsize::MIN), || ()).unwrap_err();
    assert!(error.to_string().starts_with("agent 'greedy' does not search"), "{error}");
    let pure = |spec: &str| win_share_agent(&spec.parse().unwrap()).to_string();
    assert_eq!(pure("mcts:sims=50"), "mcts:sims=50,margin=0");
    assert_eq!(pure("mcts:sims=50,margin=0.5"), "mcts:sims=50,margin=0.5");
    assert_eq!(pure("greedy"), "greedy");
}

#[test]
fn marks_begin_at_5_10_and_20_percent() {
    let mark = |loss| {
        let (values, visits, best, line) = (vec![], vec![], None, vec![]);
        Verdict { values, visits, best, line, loss: Some(loss) }.mark()
    };
    assert_eq!(mark(0.049), None);
    assert_eq!((mark(0.05), mark(0.1)), (Some(Mark::Inaccuracy), Some(Mark::Mistake)));
    assert_eq!((mark(0.199), mark(0.2)), (Some(Mark::Mistake), Some(Mark::Blunder)));
}
