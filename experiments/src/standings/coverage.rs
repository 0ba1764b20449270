//! How often the intervals of a summary hold what they are of: tournaments that are drawn, with strengths that are known.

use std::ops::Range;

use azulejo::Generator;
use azulejo_agents::AgentSpec;
use rand::RngExt;

use super::tests::drawn_game;
use super::{Standings, StandingsBuilder};
use crate::schedule::{Pairing, Schedule};
use crate::stats::{ELO, Estimate};
use crate::stream::Stream;
use crate::summary::Summary;

/// A tournament without effect of seats, and how strong its agents are.
struct Case {
    players: usize,
    pairing: Pairing<'static>,
    /// The natural logarithms of the strengths, the first one that of the agent that is looked at.
    strengths: Vec<f64>,
    /// Blocks of each line-up.
    blocks: u64,
}

/// How often each kind of interval held its number.
#[derive(Debug, Default)]
struct Coverage {
    /// Win shares of agents, of pairs and of seats, ratings, and what seats add to them: held and drawn.
    counts: [(u64, u64); 5],
}

const KINDS: [&str; 5] = ["share", "pair", "seat", "rating", "seat Elo"];

impl Coverage {
    fn count(&mut self, kind: usize, truth: f64, estimate: Option<Estimate>) {
        let Some(interval) = estimate.and_then(|estimate| estimate.interval) else { return };
        let (held, drawn) = &mut self.counts[kind];
        *held += u64::from((interval.low..=interval.high).contains(&truth));
        *drawn += 1;
    }

    fn shares(&self) -> [Option<f64>; 5] {
        self.counts.map(|(held, drawn)| (drawn > 0).then(|| held as f64 / drawn as f64))
    }
}

impl Case {
    /// One agent against others that are equals, with this share of the wins at a table with one of each.
    fn favorite(players: usize, agents: usize, share: f64, blocks: u64) -> Case {
        let odds = (players - 1) as f64 * share / (1.0 - share);
        let strengths = std::iter::once(odds.ln()).chain(std::iter::repeat_n(0.0, agents - 1)).collect();
        Case { players, pairing: Pairing::All, strengths, blocks }
    }

    fn schedule(&self, seed: u64) -> Schedule {
        let agents: Vec<AgentSpec> = (1..=self.strengths.len())
            .map(|number| format!("mcts:sims={number}").parse().expect("a spec"))
            .collect();
        let table = ("azul", self.players);
        let schedule = |games| {
            Schedule::tournament(table, &agents, games, seed, self.pairing).expect("agents can be paired")
        };
        // The games of a pairing are spread over its line-ups.
        let one = schedule(1);
        schedule(one.games * self.blocks)
    }

    /// Plays the tournament with this seed and counts which intervals hold.
    fn play(&self, seed: u64, coverage: &mut Coverage) {
        let schedule = self.schedule(seed);
        let mut rng = Stream::Samples.generator(seed, &[]);
        let mut standings = StandingsBuilder::new(&schedule);
        for index in 0..schedule.games {
            let job = schedule.job(index);
            let winner = draw(job.seats.iter().map(|&agent| self.strengths[agent].exp()), &mut rng);
            standings.push(&job, &drawn_game(&schedule, index, winner));
        }
        let standings = standings.finish();
        let summary = Summary::new(&schedule, &standings, None).expect("there is no anchor");
        self.count(&schedule, &standings, &summary, coverage);
    }

    fn count(&self, schedule: &Schedule, standings: &Standings, summary: &Summary, coverage: &mut Coverage) {
        let agents = self.strengths.len();
        let mean = self.strengths.iter().sum::<f64>() / agents as f64;
        for (agent, found) in summary.agents.iter().enumerate() {
            let truth = self.share(schedule, &[agent]);
            assert!(standings.games_of(&[agent]).0 > 0);
            coverage.count(0, truth, found.win_share);
            coverage.count(3, ELO * (self.strengths[agent] - mean), found.rating);
        }
        let number = |spec: &str| schedule.agents.iter().position(|agent| agent.to_string() == spec);
        for pair in &summary.pairs {
            let both = [&pair.a, &pair.b].map(|spec| number(spec).expect("an agent of the schedule"));
            coverage.count(1, self.share(schedule, &both), pair.a_win_share);
        }
        for seat in &summary.seats {
            coverage.count(2, 1.0 / self.players as f64, seat.win_share);
            coverage.count(4, 0.0, seat.elo);
        }
    }

    /// The expected win share of the first of these agents in games in which all of them take part.
    fn share(&self, schedule: &Schedule, agents: &[usize]) -> f64 {
        let (mut wins, mut seats) = (0.0, 0.0);
        for lineup in schedule.lineups.iter().filter(|lineup| agents.iter().all(|it| lineup.contains(it))) {
            let held = lineup.iter().filter(|agent| **agent == agents[0]).count() as f64;
            let all: f64 = lineup.iter().map(|&agent| self.strengths[agent].exp()).sum();
            wins += held * self.strengths[agents[0]].exp() / all;
            seats += held;
        }
        wins / seats
    }

    fn coverage(&self, seeds: Range<u64>) -> Coverage {
        let mut coverage = Coverage::default();
        seeds.for_each(|seed| self.play(seed, &mut coverage));
        coverage
    }
}

/// The place of a weight, drawn in proportion.
fn draw(weights: impl Iterator<Item = f64> + Clone, rng: &mut Generator) -> usize {
    let mut left = weights.clone().sum::<f64>() * rng.random::<f64>();
    let place = weights.clone().position(|weight| {
        left -= weight;
        left < 0.0
    });
    place.unwrap_or(weights.count() - 1)
}

fn check(name: &str, case: &Case, seeds: Range<u64>) {
    let tournaments = (seeds.end - seeds.start) as f64;
    let shares = case.coverage(seeds).shares();
    let cells: Vec<String> = shares
        .iter()
        .map(|share| share.map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share)))
        .collect();
    println!("| {name} | {} | {} |", case.blocks, cells.join(" | "));
    let least = match case.blocks {
        ..25 => 0.90,
        _ => 0.93,
    };
    for (kind, share) in KINDS.iter().zip(shares) {
        // What is counted is itself drawn: three standard errors.
        let slack = 3.0 * (least * (1.0 - least) / tournaments).sqrt();
        assert!(
            share.is_none_or(|share| share > least - slack),
            "{name}, {} blocks: {kind} {share:?}",
            case.blocks
        );
    }
}

/// The cases of the table in docs/statistics.md.
fn cases(blocks: u64) -> Vec<(String, Case)> {
    let favorite = |players, agents, share| {
        let name = format!("{players} players, {agents} agents, one wins {:.1} %", 100.0 * share);
        (name, Case::favorite(players, agents, share, blocks))
    };
    let spread = |players: usize, strengths: &[f64]| {
        let apart = ELO * (strengths[0] - strengths[1]);
        let name = format!("{players} players, {} agents {apart:.0} Elo apart", strengths.len());
        let (strengths, pairing) = (strengths.to_vec(), Pairing::All);
        (name, Case { players, pairing, strengths, blocks })
    };
    vec![
        favorite(2, 2, 0.5),
        favorite(2, 2, 0.75),
        favorite(2, 2, 0.95),
        favorite(2, 2, 0.998),
        favorite(3, 3, 0.5),
        favorite(3, 3, 0.95),
        favorite(3, 2, 0.5),
        favorite(4, 4, 0.25),
        favorite(4, 4, 0.75),
        favorite(4, 4, 0.95),
        favorite(4, 4, 0.998),
        spread(2, &[2.0, 1.0, 0.0, -1.0]),
        spread(2, &[6.0, 3.0, 0.0, -3.0]),
        spread(3, &[1.0, 0.5, 0.0, -0.5]),
    ]
}

#[test]
fn intervals_hold_what_they_are_of() {
    for (name, case) in
        [("2 players", Case::favorite(2, 2, 0.9, 25)), ("4 players", Case::favorite(4, 4, 0.95, 8))]
    {
        check(name, &case, 0..60);
    }
}

/// Some minutes: `cargo test -p azulejo-experiments --release coverage -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn intervals_hold_what_they_are_of_in_many_cases() {
    println!("| tournament | blocks | {} |", KINDS.join(" | "));
    println!("| --- | --- |{}", " --- |".repeat(KINDS.len()));
    for blocks in [5, 25, 200] {
        for (name, case) in cases(blocks) {
            check(&name, &case, 0..200);
        }
    }
}

/// Minutes, in the same way.
#[test]
#[ignore = "takes minutes"]
fn rows_that_seemed_low_are_drawn_again() {
    const LOW: [&str; 3] = [
        "2 players, 2 agents, one wins 50.0 %",
        "3 players, 2 agents, one wins 50.0 %",
        "4 players, 4 agents, one wins 99.8 %",
    ];
    for (name, case) in cases(200).into_iter().filter(|(name, _)| LOW.contains(&name.as_str())) {
        check(&name, &case, 200..1200);
    }
}
