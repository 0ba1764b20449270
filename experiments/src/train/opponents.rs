//! Who takes seats in self-play beside the network: [`Opponents`].

use azulejo::{Game, Generator, Move};
use azulejo_agents::{Agent, AgentError, AgentSpec, AgentSpecError, Decision, Limits, Playable};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::config::SelfplayConfig;

/// The pool of agents that sit at some of the tables for three and more.
///
/// A network that only ever meets itself learns what positions are worth among its like. Between two players the best play is worth at
/// least as much against anybody else. Among more it need not be: what two others do together can leave the best play worse off.
#[derive(Clone, Debug, Default)]
pub(super) struct Opponents {
    specs: Vec<AgentSpec>,
    /// The share of games with some of them.
    share: f64,
}

impl Opponents {
    /// Those of a configuration that has been checked.
    pub(super) fn new(config: &SelfplayConfig) -> Self {
        let specs = config.opponents.iter().map(|spec| spec.parse().expect("a spec has been checked"));
        Opponents { specs: specs.collect(), share: config.opponent_share }
    }

    /// Who sits at each seat of a game: 0 for the network, else an opponent's number, from 1 on. The network has one seat at least.
    pub(super) fn seats(&self, players: usize, rng: &mut Generator) -> Vec<usize> {
        let mut seats = vec![0; players];
        if players > 2 && rng.random::<f64>() < self.share {
            let taken = 1 + rng.below(players as u64 - 1) as usize;
            seats[..taken].fill_with(|| 1 + rng.below(self.specs.len() as u64) as usize);
            seats.shuffle(rng);
        }
        seats
    }

    /// The name of the opponent with this number in records.
    pub(super) fn name(&self, number: usize) -> String {
        self.specs[number - 1].to_string()
    }

    /// All of them, in the order of their numbers, for one game at a time.
    ///
    /// # Errors
    /// If one cannot be built.
    pub(super) fn build<G: Playable>(&self) -> Result<Vec<Box<dyn Agent<G>>>, AgentSpecError> {
        let agents =
            self.specs.iter().map(|spec| Ok(Box::new(Opponent(spec.build::<G>()?)) as Box<dyn Agent<G>>));
        agents.collect()
    }
}

/// An agent from whose choices nothing is to be learned: they come without what its search found.
struct Opponent<G: Game>(Box<dyn Agent<G>>);

impl<G: Game> Agent<G> for Opponent<G> {
    fn new_game(&mut self, seed: u64) {
        self.0.new_game(seed);
    }

    fn choose(&mut self, state: &G, limits: &Limits<'_>) -> Result<Decision<G>, AgentError> {
        self.0.choose(state, limits).map(|decision| Decision::plain(decision.action))
    }

    fn observe(&mut self, played: &Move<G>) {
        self.0.observe(played);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(share: f64) -> Opponents {
        Opponents { specs: ["greedy", "random"].map(|spec| spec.parse().unwrap()).into(), share }
    }

    /// Seats of many games, from one generator.
    fn seats(opponents: &Opponents, players: usize) -> Vec<Vec<usize>> {
        let mut rng = Generator::new(7);
        (0..2000).map(|_| opponents.seats(players, &mut rng)).collect()
    }

    #[test]
    fn every_seating_of_three_and_four_comes_up_but_one_without_the_network() {
        for players in [3, 4] {
            let found: std::collections::BTreeSet<_> = seats(&pool(1.0), players).into_iter().collect();
            // Each seat is the network's, or one of two opponents'; neither all of one nor none of the other.
            let all = 3_usize.pow(players as u32) - 2_usize.pow(players as u32) - 1;
            assert_eq!(found.len(), all, "{players} players");
            assert!(found.iter().all(|seats| seats.contains(&0) && seats.iter().any(|seat| *seat > 0)));
        }
    }

    #[test]
    fn as_many_games_as_the_share_says_have_opponents_and_none_for_two() {
        let games = seats(&pool(0.25), 4);
        let with = games.iter().filter(|seats| seats.iter().any(|seat| *seat > 0)).count();
        assert!((450..550).contains(&with), "{with} of 2000");
        assert!(seats(&pool(1.0), 2).iter().all(|seats| *seats == [0, 0]));
        assert!(seats(&Opponents::default(), 4).iter().all(|seats| *seats == [0; 4]));
    }
}
