//! The sentences with which a run's report begins: who won, by how much, how sure that is.

use super::cells::{percent, whole, with_interval};
use crate::stats::Verdict;
use crate::summary::{AgentSummary, SeatSummary, Summary};

/// From here on nobody doubts which of two is stronger.
const SURE: f64 = 0.95;

/// What a run found, in a few sentences.
pub(super) fn answer(summary: &Summary) -> Vec<String> {
    let found = match &summary.ranked()[..] {
        [] => None,
        [_] => Some(seats(summary)),
        [first, second, ..] => Some(winner(summary, first, second)),
    };
    found.into_iter().chain(tested(summary)).chain(spoiled(summary)).collect()
}

/// Who is ahead of whom.
fn winner(summary: &Summary, first: &AgentSummary, second: &AgentSummary) -> String {
    let (name, next) = (first.label(), second.label());
    let even = percent(Some(1.0 / summary.players as f64));
    let share = with_interval(first.win_share, percent);
    let ahead = match summary.agents.len() {
        2 => format!("{name} won {share} of {} games against {next}, where {even} is even", first.games),
        all => {
            let lead = first.rating.zip(second.rating).map(|(one, other)| one.value - other.value);
            let lead = lead
                .map_or(String::new(), |lead| format!(", {} Elo points before {next}", whole(Some(lead))));
            format!(
                "{name} is the first of {all} agents: it won {share} of {} games, where {even} is even{lead}",
                first.games
            )
        }
    };
    format!("{ahead}. {}", certainty(summary, first, second))
}

/// How sure it is that the first one is the stronger of the two.
fn certainty(summary: &Summary, first: &AgentSummary, second: &AgentSummary) -> String {
    let (name, next) = (first.label(), second.label());
    let superiority = |a: &AgentSummary, b: &AgentSummary| {
        summary.pairs.iter().find(|pair| pair.a == a.spec && pair.b == b.spec)?.superiority
    };
    let met = superiority(first, second).or_else(|| superiority(second, first).map(|share| 1.0 - share));
    match met {
        Some(sure) if sure >= SURE => {
            format!("The probability that {name} is stronger than {next} is {}.", percent(Some(sure)))
        }
        Some(sure) => format!(
            "Which of the two is stronger is open: the probability that it is {name} is {}.",
            percent(Some(sure))
        ),
        None => {
            let ends = first.rating.and_then(|it| it.low()).zip(second.rating.and_then(|it| it.high()));
            match ends {
                Some((low, high)) if low > high => "The intervals of their ratings do not meet.".to_owned(),
                Some(_) => "That is not certain: the intervals of their ratings meet.".to_owned(),
                None => "These are too few games to say how sure that is.".to_owned(),
            }
        }
    }
}

/// Whether a seat is ahead where one agent holds them all.
fn seats(summary: &Summary) -> String {
    let even = 1.0 / summary.players as f64;
    let agent = summary.agents.first().map_or("", AgentSummary::label);
    let first = summary.seats.first().filter(|seat| seat.win_share.is_some_and(|it| it.interval.is_some()));
    let Some(SeatSummary { win_share: Some(share), .. }) = first else {
        return format!("{agent} held all seats, in too few games to tell them apart.");
    };
    let (low, high) = (share.low().unwrap_or(0.0), share.high().unwrap_or(1.0));
    let verdict = if low > even {
        "going first is an advantage"
    } else if high < even {
        "going first is a disadvantage"
    } else {
        "whether going first matters is open"
    };
    format!(
        "With {agent} at all seats seat 0 won {} of {} games, where {} is even: {verdict}.",
        with_interval(Some(*share), percent),
        summary.games,
        percent(Some(even)),
    )
}

/// What a sequential test came to.
fn tested(summary: &Summary) -> Option<String> {
    let (test, agent) = (summary.sprt.as_ref()?, summary.agents.first()?);
    let (name, scale) = (agent.label(), &test.scale);
    Some(match test.verdict {
        Verdict::Null => format!("The sequential test ended: {name} is not {} {scale} better.", test.elo1),
        Verdict::Alternative => format!(
            "The sequential test ended: {name} is better, by {} {scale} rather than {}.",
            test.elo1, test.elo0
        ),
        Verdict::Open => {
            format!("The sequential test is not decided between {} and {} {scale}.", test.elo0, test.elo1)
        }
    })
}

/// Games that tell nothing of how well agents play.
fn spoiled(summary: &Summary) -> Option<String> {
    let Summary { games, truncated, forfeits, .. } = summary;
    (truncated + forfeits > 0)
        .then(|| format!("Of the {games} games {forfeits} were forfeited and {truncated} cut off."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Estimate, Interval};
    use crate::summary::PairSummary;

    fn agent(spec: &str, share: f64, rating: f64) -> AgentSummary {
        let around = |value: f64, half: f64| {
            Some(Estimate { value, interval: Some(Interval { low: value - half, high: value + half }) })
        };
        AgentSummary {
            spec: spec.to_owned(),
            name: azulejo_agents::label(spec).ne(spec).then(|| azulejo_agents::label(spec).to_owned()),
            games: 40,
            win_share: around(share, 0.05),
            forfeits: 0,
            mean_score: None,
            mean_cpu_ms: None,
            mean_nodes: None,
            mean_ms: None,
            longest_ms: None,
            overruns: None,
            rating: around(rating, 30.0),
        }
    }

    fn summary(agents: Vec<AgentSummary>, superiority: Option<f64>) -> Summary {
        let pair = |a: &AgentSummary, b: &AgentSummary| PairSummary {
            a: a.spec.clone(),
            b: b.spec.clone(),
            games: 40,
            a_win_share: None,
            superiority,
            a_mean_score: None,
            b_mean_score: None,
        };
        let pairs = agents.windows(2).map(|both| pair(&both[0], &both[1])).collect();
        let seat = |seat| SeatSummary { seat, win_share: agents[0].win_share, mean_score: None, elo: None };
        Summary {
            game: "azul".to_owned(),
            players: 2,
            games: 40,
            seed: 1,
            seats: (0..2).map(seat).collect(),
            pairs,
            agents,
            plies: None,
            rounds: None,
            truncated: 0,
            forfeits: 0,
            sprt: None,
            deals_ratio: None,
            cycles: None,
            measures: None,
        }
    }

    #[test]
    fn two_agents() {
        let agents = || vec![agent("random", 0.3, -80.0), agent("mcts:sims=9,name=New", 0.7, 80.0)];
        let found = answer(&summary(agents(), Some(0.01)));
        let ahead = "New won 70.0 % [65.0 %, 75.0 %] of 40 games against random, where 50.0 % is even.";
        assert_eq!(found, [format!("{ahead} The probability that New is stronger than random is 99.0 %.")]);
        let open = answer(&summary(agents(), Some(0.4))).concat();
        assert!(open.ends_with("is open: the probability that it is New is 60.0 %."), "{open}");
        let spoiled = answer(&Summary { forfeits: 3, ..summary(agents(), None) });
        assert!(spoiled[0].ends_with("ratings do not meet."), "{spoiled:?}");
        assert_eq!(spoiled[1], "Of the 40 games 3 were forfeited and 0 cut off.");
    }

    #[test]
    fn several_agents_and_one() {
        let several =
            vec![agent("random", 0.2, -100.0), agent("greedy", 0.6, 50.0), agent("mcts", 0.6, 51.0)];
        let found = answer(&summary(several, None)).concat();
        assert!(found.starts_with("mcts is the first of 3 agents: it won 60.0 %"), "{found}");
        assert!(found.ends_with(
            "1 Elo points before greedy. That is not certain: the intervals of their ratings meet."
        ));
        let alone = |share| answer(&summary(vec![agent("greedy", share, 0.0)], None)).concat();
        assert!(alone(0.6).ends_with("where 50.0 % is even: going first is an advantage."), "{}", alone(0.6));
        assert!(alone(0.48).ends_with("whether going first matters is open."));
        assert!(alone(0.4).ends_with("going first is a disadvantage."));
    }
}
