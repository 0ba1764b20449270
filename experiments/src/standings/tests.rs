use azulejo::record::{End, FORMAT, VERSION};
use azulejo::{Record, Seat};

use super::*;
use crate::game_loop::{Effort, Played};
use crate::schedule::{Pairing, Rotation, Schedule};
use crate::stats::{Estimate, Interval};
use crate::summary::Summary;

fn value(estimate: Option<Estimate>) -> f64 {
    estimate.unwrap().value
}

fn interval(estimate: Option<Estimate>) -> Option<Interval> {
    estimate.unwrap().interval
}

/// Two agents at a table of three: line-ups 0 0 1 and 0 1 1.
fn schedule(games: u64) -> Schedule {
    let agents = ["random".parse().unwrap(), "greedy".parse().unwrap()];
    Schedule::tournament(("azul", 3), &agents, games, 1, Pairing::All).unwrap()
}

/// All pairs of these agents at tables of two.
fn duels(agents: &[&str], games: u64) -> Schedule {
    let agents: Vec<azulejo_agents::AgentSpec> = agents.iter().map(|agent| agent.parse().unwrap()).collect();
    Schedule::tournament(("azul", 2), &agents, games, 1, Pairing::All).unwrap()
}

/// A game that the agent with number `winner` wins at the first of its seats; each agent has as many points
/// as ten times its number, plus its seat.
fn game(schedule: &Schedule, index: u64, winner: usize) -> Played {
    let seat = schedule.job(index).seats.iter().position(|&agent| agent == winner).unwrap();
    drawn_game(schedule, index, seat)
}

/// The same, won at this seat.
pub(super) fn drawn_game(schedule: &Schedule, index: u64, seat: usize) -> Played {
    let job = schedule.job(index);
    let points = |(seat, &agent): (usize, &usize)| (10 * agent + seat) as i16;
    let record = Record {
        format: FORMAT.to_owned(),
        version: VERSION,
        game: "azul".to_owned(),
        rules: None,
        players: schedule.players,
        agents: schedule.specs(&job),
        names: None,
        seed: 1,
        index,
        moves: vec!["0B0".to_owned(); 5],
        scores: job.seats.iter().enumerate().map(points).collect(),
        wins: (0..schedule.players).map(|other| f64::from(u8::from(other == seat))).collect(),
        end: if index == 0 { End::Truncated } else { End::Finished },
        reason: None,
        analysis: None,
    };
    Played { record, rounds: 6, efforts: Vec::new(), statistics: None, fault: None }
}

fn counted(schedule: &Schedule, winners: &[usize]) -> Standings {
    let mut standings = StandingsBuilder::new(schedule);
    for (index, &winner) in (0..).zip(winners) {
        standings.push(&schedule.job(index), &game(schedule, index, winner));
    }
    standings.finish()
}

#[test]
fn shares_count_wins_for_each_seat_and_game() {
    let schedule = schedule(3);
    // A block of line-up 0 0 1, then one of 0 1 1.
    let standings = counted(&schedule, &[0, 0, 1, 1, 1, 1]);
    let totals = standings.totals();
    let share = |agents: &[usize]| standings.share_of(agents).value(&totals).unwrap();
    assert_eq!(share(&[0]), 2.0 / 9.0, "2 wins with 2 seats in 3 games and 1 seat in 3 games");
    assert_eq!(share(&[1]), 4.0 / 9.0);
    assert_eq!((share(&[0, 1]), share(&[1, 0])), (share(&[0]), share(&[1])));
    let seats: f64 = (0..3).map(|seat| standings.share_of_seat(seat).value(&totals).unwrap()).sum();
    assert!((seats - 1.0).abs() < 1e-12);
    let contests = standings.contests(&totals);
    let members = |list: [(usize, f64); 2]| list.map(Member::from).to_vec();
    assert_eq!(contests[0], Contest { members: members([(0, 2.0), (1, 1.0)]), wins: vec![2.0, 1.0] });
    assert_eq!(contests[1], Contest { members: members([(0, 1.0), (1, 2.0)]), wins: vec![0.0, 3.0] });
}

#[test]
fn means_are_over_seats_and_games() {
    let schedule = schedule(3);
    let standings = counted(&schedule, &[0, 0, 1, 1, 1, 1]);
    // Every agent sits at every seat equally often: 1 on average.
    assert_eq!(standings.games_of(&[0]), (6, Some(1.0)));
    assert_eq!(standings.games_of(&[1, 0]), (6, Some(11.0)));
    assert_eq!((standings.mean_plies(), standings.mean_rounds()), (Some(5.0), Some(6.0)));
    assert_eq!((standings.games(), standings.truncated(), standings.forfeits()), (6, 1, 0));
}

#[test]
fn what_is_spent_is_told_of_agents_limited_by_time() {
    let schedule = duels(&["mcts:cpu=5", "random"], 2);
    let mut standings = StandingsBuilder::new(&schedule);
    for index in 0..2 {
        let job = schedule.job(index);
        let seat = job.seats.iter().position(|&agent| agent == 0).unwrap();
        let mut played = game(&schedule, index, 0);
        played.efforts = vec![Effort::default(); 2];
        played.efforts[seat] = Effort { choices: 1 + index, nodes: 300, cpu_ms: 7.5, ..Effort::default() };
        standings.push(&job, &played);
    }
    let summary = Summary::new(&schedule, &standings.finish(), None).unwrap();
    let [mcts, random] = &summary.agents[..] else { panic!("two agents") };
    assert_eq!((mcts.mean_cpu_ms, mcts.mean_nodes), (Some(5.0), Some(200.0)));
    assert_eq!((random.mean_cpu_ms, random.mean_nodes), (None, None));
    let text = serde_json::to_string(random).unwrap();
    assert!(!text.contains("mean_cpu_ms") && !text.contains("mean_nodes"), "{text}");
    let columns = |summary: &Summary| crate::report::tables::agents(summary).columns.len();
    let mut without = summary.clone();
    without.agents.iter_mut().for_each(|agent| (agent.mean_cpu_ms, agent.mean_nodes) = (None, None));
    assert_eq!(columns(&summary), columns(&without) + 2);
    assert_eq!(serde_json::from_str::<Summary>(&serde_json::to_string(&without).unwrap()).unwrap(), without);
}

#[test]
fn forfeits_belong_to_the_agent_at_the_seat() {
    let schedule = duels(&["random", "greedy"], 2);
    let mut standings = StandingsBuilder::new(&schedule);
    for index in 0..2 {
        let mut played = game(&schedule, index, 0);
        // The second game has the seats the other way round.
        played.record.end = End::Forfeit(Seat::new(index as usize));
        standings.push(&schedule.job(index), &played);
    }
    let standings = standings.finish();
    assert_eq!((standings.forfeits(), standings.forfeits_of(0), standings.forfeits_of(1)), (2, 2, 0));
}

#[test]
fn an_incomplete_block_counts_and_unplayed_line_ups_do_not() {
    let schedule = schedule(3);
    let standings = counted(&schedule, &[0, 1]);
    let totals = standings.totals();
    assert_eq!(standings.share_of(&[1]).value(&totals), Some(0.5));
    assert!(totals[1].is_none());
    let nothing = counted(&schedule, &[]);
    assert_eq!(nothing.share_of(&[0]).value(&nothing.totals()), None);
    let summary = Summary::new(&schedule, &nothing, None).unwrap();
    assert_eq!((summary.plies, summary.agents[0].mean_score, summary.agents[0].rating), (None, None, None));
    assert_eq!((summary.seats[0].win_share, summary.pairs.len()), (None, 0));
}

#[test]
fn intervals_need_two_blocks() {
    let one = counted(&schedule(3), &[0, 0, 1]);
    let summary = Summary::new(&schedule(3), &one, None).unwrap();
    assert!(
        summary
            .agents
            .iter()
            .all(|agent| interval(agent.win_share).is_none() && interval(agent.rating).is_none())
    );
    assert!(summary.agents.iter().all(|agent| agent.win_share.is_some() && agent.rating.is_some()));
    // A block of each line-up, 0 0 1 and 0 1 1: together they vary.
    let two = counted(&schedule(3), &[0, 0, 1, 1, 1, 1]);
    let summary = Summary::new(&schedule(3), &two, None).unwrap();
    let agent = &summary.agents[1];
    for estimate in [agent.win_share, agent.rating] {
        let Interval { low, high } = interval(estimate).unwrap();
        assert!(low < value(estimate) && value(estimate) < high, "{agent:?}");
    }
}

#[test]
fn single_blocks_of_many_line_ups_vary_as_many_blocks_of_one() {
    // Agent 3 wins two of three blocks, in 27 line-ups of one block each or in one of 27 blocks.
    let width = |lineups: usize, blocks: usize| {
        let strata: Vec<Stratum<BlockSums>> = (0..lineups)
            .map(|lineup| {
                let mut stratum = Stratum::default();
                (0..blocks).for_each(|block| {
                    let won = f64::from(u8::from((lineup + block) % 3 > 0));
                    stratum.push(BlockSums { games: 1.0, members: vec![won], seats: Vec::new() });
                });
                stratum
            })
            .collect();
        let part = |lineup| Part { lineup, winner: Winner::Member(0), seats: 1.0 };
        let share = WinShare { parts: (0..lineups).map(part).collect() };
        let found = crate::stats::bootstrap(&strata, azulejo::Generator::new(1), |totals, _| {
            vec![share.value(totals)]
        });
        let interval = found[0].unwrap();
        interval.high - interval.low
    };
    let (many, one) = (width(27, 1), width(1, 27));
    assert!((many / one - 1.0).abs() < 0.1, "{many} and {one}");
}

#[test]
fn intervals_hold_their_estimates_however_one_sided_the_games_are() {
    // Six agents of whom the one with the higher number always wins: many one-sided line-ups.
    let agents: Vec<azulejo_agents::AgentSpec> =
        (1..=6).map(|n| format!("mcts:sims={n}").parse().unwrap()).collect();
    let schedule = Schedule::tournament(("azul", 3), &agents, 30, 1, Pairing::All).unwrap();
    let winners: Vec<usize> =
        (0..schedule.games).map(|index| *schedule.job(index).seats.iter().max().unwrap()).collect();
    let summary = Summary::new(&schedule, &counted(&schedule, &winners), None).unwrap();
    for agent in &summary.agents {
        for estimate in [agent.win_share, agent.rating] {
            let Interval { low, high } = interval(estimate).unwrap();
            assert!(low <= value(estimate) && value(estimate) <= high, "{agent:?}");
        }
    }
}

#[test]
fn a_perfect_score_has_a_finite_rating_that_its_interval_holds() {
    let schedule = duels(&["random", "greedy"], 200);
    let standings = counted(&schedule, &[1; 200]);
    let summary = Summary::new(&schedule, &standings, None).unwrap();
    let (random, greedy) = (&summary.agents[0], &summary.agents[1]);
    // 100 blocks and half an imaginary one for each side: 100.5 to 0.5.
    let difference = value(greedy.rating) - value(random.rating);
    assert!((difference - 400.0 * 201f64.log10()).abs() < 1e-6, "{difference}");
    // The interval of the share is Jeffreys': from 0.9752, which is 400 · log₁₀ 39.3 = 638 points.
    assert!((interval(greedy.win_share).unwrap().low - 0.9752).abs() < 0.004, "{greedy:?}");
    let low = interval(greedy.rating).unwrap().low - interval(random.rating).unwrap().high;
    assert!((low - 638.0).abs() < 60.0, "{low}");
}

#[test]
fn upsets_that_never_happened_do_not_pull_the_far_agents_together() {
    // The stronger wins three of four against its neighbor and everything against others: intervals lie
    // around the ratings.
    let schedule = duels(&["mcts:sims=1", "mcts:sims=2", "mcts:sims=3", "mcts:sims=4"], 80);
    let lineups = schedule.lineups.len() as u64;
    let winners: Vec<usize> = (0..schedule.games)
        .map(|index| {
            let job = schedule.job(index);
            let (low, high) = (job.seats[0].min(job.seats[1]), job.seats[0].max(job.seats[1]));
            if high == low + 1 && (job.block / lineups).is_multiple_of(4) { low } else { high }
        })
        .collect();
    let summary = Summary::new(&schedule, &counted(&schedule, &winners), None).unwrap();
    for agent in &summary.agents {
        let (value, Interval { low, high }) = (value(agent.rating), interval(agent.rating).unwrap());
        assert!(low < value && value < high, "{agent:?}");
        assert!((0.4..2.5).contains(&((high - value) / (value - low))), "{agent:?}");
    }
}

#[test]
fn only_agents_that_are_connected_are_rated() {
    let schedule = duels(&["mcts:sims=1", "mcts:sims=2", "mcts:sims=3", "mcts:sims=4"], 2);
    // Only the first line-up and the one of the other two have played.
    let mut standings = StandingsBuilder::new(&schedule);
    for index in (0..schedule.games).filter(|&index| {
        let seats = schedule.job(index).seats;
        seats.contains(&0) == seats.contains(&1)
    }) {
        standings.push(&schedule.job(index), &game(&schedule, index, schedule.job(index).seats[0]));
    }
    let standings = standings.finish();
    let rated = |anchor: Option<&azulejo_agents::AgentSpec>| -> Vec<bool> {
        let summary = Summary::new(&schedule, &standings, anchor).unwrap();
        summary.agents.iter().map(|agent| agent.rating.is_some()).collect()
    };
    assert_eq!(rated(None), [true, true, false, false]);
    assert_eq!(rated(Some(&schedule.agents[3])), [false, false, true, true]);
}

#[test]
fn the_anchor_is_at_zero() {
    let schedule = schedule(6);
    let standings = counted(&schedule, &[0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1]);
    let free = Summary::new(&schedule, &standings, None).unwrap();
    let anchored = Summary::new(&schedule, &standings, Some(&schedule.agents[0])).unwrap();
    let rating = |summary: &Summary, agent: usize| value(summary.agents[agent].rating);
    assert!((rating(&free, 0) + rating(&free, 1)).abs() < 1e-9, "the mean is 0");
    assert_eq!(rating(&anchored, 0), 0.0);
    let difference = rating(&free, 1) - rating(&free, 0);
    assert!((rating(&anchored, 1) - difference).abs() < 1e-9);
}

/// A tournament of two in which the winner of a block's games is what `winner` says of the block and the
/// game.
fn duel_of(blocks: u64, winner: impl Fn(u64, usize) -> usize) -> (Schedule, Summary) {
    let schedule = duels(&["random", "greedy"], 2 * blocks);
    let winners: Vec<usize> =
        (0..schedule.games).map(|index| winner(index / 2, (index % 2) as usize)).collect();
    let summary = Summary::new(&schedule, &counted(&schedule, &winners), None).unwrap();
    (schedule, summary)
}

#[test]
fn shared_deals_that_decide_games_cancel_out() {
    // The deals alone decide: who wins one game at a seat wins the other at the other one's.
    let (_, lucky) = duel_of(100, |block, game| (block as usize + game) % 2);
    assert!(value(lucky.deals_ratio) < 0.02, "{:?}", lucky.deals_ratio);
    // Each agent likes its own deals.
    let (_, liked) = duel_of(100, |block, _| block as usize % 2);
    assert!((value(liked.deals_ratio) - 2.0).abs() < 0.02, "{:?}", liked.deals_ratio);
    // Games that have nothing to do with each other.
    let (_, free) = duel_of(400, |block, game| (block as usize >> game) % 2);
    let Interval { low, high } = interval(free.deals_ratio).unwrap();
    assert!(low < 1.0 && 1.0 < high && high - low < 0.3, "{free:?}");
    // Games that are all alike tell nothing of deals.
    let (_, alike) = duel_of(40, |_, _| 1);
    assert_eq!(alike.deals_ratio, None);
    // The same number of free games, in few blocks: what is only imagined does not standings.
    let (_, few) = duel_of(4, |block, game| (block as usize >> game) % 2);
    assert!((value(few.deals_ratio) - 1.0).abs() < 1e-9, "{few:?}");
}

#[test]
fn seats_are_rated_beside_the_agents() {
    // The first seat wins three of four games, whoever sits there: 400 log₁₀ 3 = 191 points.
    let (_, summary) = duel_of(400, |block, game| if block % 4 == 0 { 1 - game } else { game });
    let difference = value(summary.seats[0].elo) - value(summary.seats[1].elo);
    assert!((difference - 191.0).abs() < 2.0, "{summary:?}");
    let Interval { low, high } = interval(summary.seats[0].elo).unwrap();
    assert!(low > 60.0 && high < 130.0);
    assert!((value(summary.seats[0].elo) + value(summary.seats[1].elo)).abs() < 1e-9);
    // And if one agent wins everything nothing is known of the seats.
    let (_, one) = duel_of(100, |_, _| 1);
    assert_eq!((one.seats[0].elo, interval(one.seats[0].win_share)), (None, None), "{one:?}");
    let (_, nine) = duel_of(100, |block, game| if block < 9 { game } else { 1 });
    assert_eq!((nine.seats[0].elo, interval(nine.seats[0].win_share)), (None, None), "{nine:?}");
    let (_, ten) = duel_of(100, |block, game| if block < 10 { game } else { 1 });
    let share = interval(ten.seats[0].win_share).unwrap();
    assert!(share.low > 0.5 && share.high < 0.6 && value(ten.seats[0].elo) > 100.0, "{ten:?}");
    // Games of equal agents at all seats tell of seats in every block.
    let selfplay =
        Schedule::selfplay(("azul", 2), &["greedy".parse().unwrap()], 20, 1, Rotation::Fixed).unwrap();
    let mut standings = StandingsBuilder::new(&selfplay);
    for index in 0..20 {
        standings.push(&selfplay.job(index), &drawn_game(&selfplay, index, usize::from(index % 4 == 0)));
    }
    let equals = Summary::new(&selfplay, &standings.finish(), None).unwrap();
    let share = interval(equals.seats[0].win_share).unwrap();
    assert!(share.low < 0.6 && 0.8 < share.high && share.high < 0.95, "{equals:?}");
}

#[test]
fn cycles_are_found() {
    let schedule = duels(&["mcts:sims=1", "mcts:sims=2", "mcts:sims=3"], 100);
    // Each wins against the next one, but for one block of four.
    let winners: Vec<usize> = (0..schedule.games)
        .map(|index| {
            let job = schedule.job(index);
            let (one, other) = (job.seats[0], job.seats[1]);
            let (better, worse) = if (one + 1) % 3 == other { (one, other) } else { (other, one) };
            if (job.block / 3).is_multiple_of(4) { worse } else { better }
        })
        .collect();
    let summary = Summary::new(&schedule, &counted(&schedule, &winners), None).unwrap();
    let cycles = summary.cycles.as_ref().unwrap();
    assert_eq!((cycles.triples, cycles.intransitive, cycles.certain), (1, 1, 1));
    assert_eq!((value(cycles.share), interval(cycles.share).unwrap().high), (1.0, 1.0));
    for pair in &summary.pairs {
        let superiority = pair.superiority.unwrap();
        assert!(!(0.05..0.95).contains(&superiority), "{pair:?}");
        assert_eq!(superiority > 0.5, value(pair.a_win_share) > 0.5);
    }
}
