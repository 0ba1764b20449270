use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use azulejo::azul::{Azul, AzulRules};
use azulejo::record::End;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Game, GameSpec, History, Record, Rules, intern};
use azulejo_agents::AgentSpec;
use azulejo_experiments::game_loop::arena;
use azulejo_experiments::review::{JudgeError, Judging, Mark, MoveVerdict, judge, judging_agent};
use azulejo_experiments::schedule::{Rotation, Schedule};

use super::Review;
use azulejo_experiments::words::GameWords;

use crate::display::GameDisplay;

/// A game between greedy (seat 0) and random (seat 1).
fn record(game: &str) -> Record {
    let agents: Vec<AgentSpec> = ["greedy", "random"].iter().map(|spec| spec.parse().unwrap()).collect();
    let game: GameSpec = game.parse().unwrap();
    let schedule = Schedule::selfplay((game, 2), &agents, 1, 3, Rotation::Fixed).unwrap();
    arena(game).player(&schedule).unwrap().play(&schedule.job(0)).unwrap().record
}

/// A review of such a game of the default variant.
fn review<G: GameDisplay>(game: &str) -> Review<G> {
    let record = record(game);
    let line = record.to_line();
    Review::read(intern(G::Rules::from_options(&[]).unwrap()), record, &line).unwrap()
}

/// The review with an agent's verdicts.
fn reviewed<G: GameDisplay>(mut review: Review<G>, agent: &str, threads: usize) -> Review<G> {
    let (agent, threads) = (agent.parse().unwrap(), NonZeroUsize::new(threads).unwrap());
    let judged = AtomicUsize::new(0);
    let count = |_, _: Option<&MoveVerdict>| _ = judged.fetch_add(1, Ordering::Relaxed);
    let judging = Judging { seed: 3, threads, stop: &AtomicBool::new(false), judged: &count };
    let verdicts = judge(&agent, &review.history, &judging);
    assert_eq!(judged.into_inner(), review.record.moves.len());
    review.verdicts = verdicts.unwrap();
    review.judge = Some(agent.to_string());
    review
}

#[test]
fn the_annotated_record_is_a_record_and_reads_back() {
    let review = reviewed(review::<Azul>("azul"), "mcts:sims=30,margin=0", 1);
    let line = review.to_line();
    let record = Record::from_line(&line).unwrap();
    record.verify().unwrap();
    assert_eq!(record.moves, review.record.moves);
    let back = Review::<Azul>::read(intern(AzulRules::default()), record, &line).unwrap();
    assert_eq!((&back.verdicts, &back.judge), (&review.verdicts, &review.judge));
    assert_eq!(back.verdicts.len(), back.record.moves.len());
    for (verdict, state) in review.verdicts.iter().zip(review.history.states()) {
        assert_eq!(verdict.is_some(), matches!(state.turn(), azulejo::Turn::Player(_)));
    }
    assert!(review.summary().len() >= 3 && review.caption(2).contains("seat 0 (greedy) plays"));
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_threads() {
    let agent = "mcts:sims=20,margin=0";
    let one = reviewed(review::<SummerPavilion>("summer-pavilion"), agent, 1);
    let three = reviewed(review::<SummerPavilion>("summer-pavilion"), agent, 3);
    assert_eq!(one.verdicts, three.verdicts);
}

/// A game of Azul of one action, judged.
fn one_action(token: &str) -> Review<Azul> {
    let rules = intern(AzulRules::default());
    let mut history = History::<Azul>::new(rules, 2);
    history.push_tokens(["DBBYR/KKWW/BYRK/RRRR/BWWW", token]).unwrap();
    let agents = vec!["human".to_owned(), "greedy".to_owned()];
    let record = Record::new(&history, End::Truncated, agents, 1, 0);
    let line = record.to_line();
    reviewed(Review::read(rules, record, &line).unwrap(), "mcts:sims=300,margin=1", 1)
}

#[test]
fn a_blunder_is_marked_and_the_best_move_is_not() {
    let blunder = one_action("4R0");
    let verdict = blunder.verdicts[1].as_ref().unwrap();
    let best = verdict.best().unwrap().to_owned();
    assert!(verdict.loss.unwrap() >= 0.05 && verdict.mark().is_some(), "{verdict:?}");
    assert!(verdict.points_lost.unwrap() >= 1.0, "{verdict:?}");
    let loss = format!("and {:.1} points; ", verdict.points_lost.unwrap());
    assert!(blunder.comment(2)[0].contains(&loss), "{:?}", blunder.comment(2));
    assert_eq!((blunder.next_mark(0), blunder.next_mark(2)), (Some(2), None));
    assert!(blunder.caption(2).contains("seat 0 (human) plays 4R0 ?"), "{}", blunder.caption(2));
    assert!(blunder.comment(2)[0].ends_with(&format!("; {best} was best")), "{:?}", blunder.comment(2));
    let better = &blunder.comment(2)[1];
    let (start, end) = (
        format!("better: {}; ", blunder.history.state_at(1).action_in_words(best.parse().unwrap())),
        verdict.line.join(" "),
    );
    assert!(
        better.starts_with(&start) && better.ends_with(&end) && better.contains(" % of the win, "),
        "{better}"
    );
    let summary = blunder.summary();
    let points = verdict.points_lost.unwrap();
    let table = summary.iter().position(|line| line.starts_with("seat  moves  points  win %")).unwrap();
    let row = &summary[table + 1];
    assert!(row.starts_with(&format!("   0      1  {points:>6.1}  ")), "{row}");
    assert!(row.ends_with("  tiles to the floor -> no tiles to the floor"), "{row}");
    assert_eq!(summary.len(), table + 2);
    let good = one_action(&best);
    let verdict = good.verdicts[1].as_ref().unwrap();
    assert_eq!((verdict.loss, verdict.points_lost, verdict.best()), (Some(0.0), Some(0.0), Some(&*best)));
    assert!(
        good.summary()[1].ends_with("1 decisions, mean loss 0.0 % and 0.0 points, 0 ?!, 0 ?, 0 ??"),
        "{:?}",
        good.summary()
    );
}

#[test]
fn judges_need_values_and_win_shares() {
    let review = review::<Azul>("azul");
    let judged = |agent: &str, stop: bool| {
        let stop = &AtomicBool::new(stop);
        let judging = Judging { seed: 1, threads: NonZeroUsize::MIN, stop, judged: &|_, _| () };
        judge(&agent.parse().unwrap(), &review.history, &judging).unwrap_err()
    };
    assert_eq!(judged("mcts:sims=1000000000", true), JudgeError::Stopped);
    let error = judged("greedy", false);
    assert!(error.to_string().contains(": agent 'greedy' chooses moves without values"), "{error}");
    let judging = |spec: &str| judging_agent(&spec.parse().unwrap()).to_string();
    assert_eq!(judging("mcts:sims=50"), "mcts:sims=50,margin=0.2");
    assert_eq!(judging("mcts:sims=50,margin=0.5"), "mcts:sims=50,margin=0.5");
    assert_eq!(judging("greedy"), "greedy");
}

#[test]
fn marks_begin_at_5_10_and_20_percent() {
    let mark = |loss| MoveVerdict { loss: Some(loss), ..MoveVerdict::default() }.mark();
    assert_eq!(mark(0.049), None);
    assert_eq!((mark(0.05), mark(0.1)), (Some(Mark::Inaccuracy), Some(Mark::Mistake)));
    assert_eq!((mark(0.199), mark(0.2)), (Some(Mark::Mistake), Some(Mark::Blunder)));
}
