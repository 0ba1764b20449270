//! One game between agents, from the first deal to the last move: [`GameSetup`] plays it, a [`RunningGame`] in steps.
//!
//! Tournaments, self-play and the games of a training run are all played here. A [`JobPlayer`] plays the
//! games of a schedule, in the [`Arena`] of their rules.

mod arena;
mod deals;
mod effort;
mod fault;
mod job_player;
mod running_game;

use azulejo::{End, Game, History, Move, MoveError, Record, Seat};
use azulejo_agents::{Agent, SearchSummary};

pub use arena::{Arena, GameArena, arena};
pub use deals::Deals;
pub use effort::Effort;
pub use fault::{Fault, FaultReason};
pub use job_player::{JobPlayer, Played};
pub use running_game::RunningGame;

use crate::schedule::Analyses;
#[cfg(test)]
use crate::schedule::Schedule;

/// A player for the games of a schedule of a registered game.
#[cfg(test)]
pub(crate) fn job_player(
    schedule: &Schedule,
) -> Result<Box<dyn JobPlayer + '_>, azulejo_agents::AgentSpecError> {
    arena(schedule.game.parse().expect("a schedule names a registered game")).player(schedule)
}

/// An agent in a game, with the seed of its random numbers there.
pub struct Participant<'a, G: Game> {
    /// The agent.
    pub agent: &'a mut dyn Agent<G>,
    /// What [`Agent::new_game`] is told.
    pub seed: u64,
}

/// A game that is about to be played.
pub struct GameSetup<'a, G: Game> {
    /// The rules.
    pub rules: &'static G::Rules,
    /// The agents. Each that has a seat is told once of the game and of every move in it, in this order.
    pub participants: Vec<Participant<'a, G>>,
    /// For each seat the place of its agent among the participants: an agent may hold several seats.
    pub seats: Vec<usize>,
    /// The outcomes of chance nodes.
    pub deals: Deals,
    /// The number of moves after which the game is cut off.
    pub move_limit: usize,
    /// Whether it is kept what the agents' searches found; those that a time limits always are.
    pub analyses: Analyses,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct FinishedGame<G: Game> {
    /// Its moves.
    pub history: History<G>,
    /// For each move what the search found, where there was one and it is kept.
    pub searches: Vec<Option<SearchSummary<G>>>,
    /// How it ended.
    pub end: End,
    /// The seat that forfeited, and why.
    pub fault: Option<(Seat, FaultReason)>,
}

impl<G: Game> FinishedGame<G> {
    /// The game's record, as played by agents of these specs in the game `index` of a run with this seed.
    pub fn record(&self, agents: Vec<String>, seed: u64, index: u64) -> Record {
        let written = |search: &Option<SearchSummary<G>>| search.as_ref().map(SearchSummary::analysis);
        let record = Record::new(&self.history, self.end, agents, seed, index)
            .with_analysis(self.searches.iter().map(written).collect());
        Record { reason: self.fault.as_ref().map(|(_, reason)| reason.to_string()), ..record }
    }

    #[inline]
    fn push(&mut self, played: Move<G>, search: Option<SearchSummary<G>>) -> Result<(), MoveError> {
        self.history.push(played)?;
        self.searches.push(search);
        Ok(())
    }
}

impl<G: Game> GameSetup<'_, G> {
    /// Plays the game until it ends, is cut off, or a seat forfeits.
    pub fn play(self) -> FinishedGame<G> {
        let mut game = RunningGame::new(self);
        while game.poll().is_pending() {
            game.flush();
        }
        game.finish().0
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo_agents::{AgentError, Decision, Limits};

    use super::*;

    /// Answers with an action that is never legal twice: the first one of the game, again and again.
    struct Stubborn(Option<<Azul as Game>::Action>);

    impl Agent<Azul> for Stubborn {
        fn new_game(&mut self, _seed: u64) {}

        fn choose(&mut self, state: &Azul, _limits: &Limits<'_>) -> Result<Decision<Azul>, AgentError> {
            let mut legal = Vec::new();
            state.legal_actions(&mut legal);
            Ok(Decision::plain(*self.0.get_or_insert(legal[0])))
        }
    }

    /// Plays at random until it is told of its fifth move.
    struct Fragile(Vec<Move<Azul>>);

    impl Agent<Azul> for Fragile {
        fn new_game(&mut self, _seed: u64) {}

        fn choose(&mut self, state: &Azul, _limits: &Limits<'_>) -> Result<Decision<Azul>, AgentError> {
            let mut legal = Vec::new();
            state.legal_actions(&mut legal);
            Ok(Decision::plain(legal[0]))
        }

        fn observe(&mut self, played: &Move<Azul>) {
            self.0.push(*played);
            assert!(self.0.len() < 5, "a fault in the\nprogram");
        }
    }

    fn finished(agents: &mut [&mut dyn Agent<Azul>], seats: Vec<usize>) -> FinishedGame<Azul> {
        let setup = GameSetup {
            rules: azulejo::intern(AzulRules::default()),
            participants: agents
                .iter_mut()
                .map(|agent| Participant { agent: &mut **agent, seed: 1 })
                .collect(),
            seats,
            deals: Deals::new(1, 0),
            move_limit: 3000,
            analyses: Analyses::Dropped,
        };
        setup.play()
    }

    #[test]
    fn an_illegal_action_forfeits() {
        let finished = finished(&mut [&mut Stubborn(None), &mut Stubborn(None)], vec![0, 1]);
        let (seat, reason) = finished.fault.clone().unwrap();
        assert_eq!(finished.end, End::Forfeit(seat));
        assert!(reason.to_string().starts_with("illegal action "), "{reason}");
        let record = finished.record(vec!["stubborn".to_owned(); 2], 1, 0);
        record.verify().unwrap();
        assert_eq!(record.wins[seat.index()], 0.0);
    }

    #[test]
    fn a_panic_forfeits() {
        let finished = finished(&mut [&mut Fragile(vec![]), &mut Fragile(vec![])], vec![0, 1]);
        let (seat, reason) = finished.fault.unwrap();
        assert_eq!((finished.end, seat, finished.history.plies()), (End::Forfeit(seat), Seat::new(0), 5));
        assert_eq!(reason.to_string(), "the agent crashed: a fault in the\u{FFFD}program");
    }

    /// Plays the first legal action and counts what it is told.
    #[derive(Default)]
    struct Counting {
        games: usize,
        seen: Vec<Move<Azul>>,
    }

    impl Agent<Azul> for Counting {
        fn new_game(&mut self, _seed: u64) {
            self.games += 1;
        }

        fn choose(&mut self, state: &Azul, _limits: &Limits<'_>) -> Result<Decision<Azul>, AgentError> {
            let mut legal = Vec::new();
            state.legal_actions(&mut legal);
            Ok(Decision::plain(legal[0]))
        }

        fn observe(&mut self, played: &Move<Azul>) {
            self.seen.push(*played);
        }
    }

    #[test]
    fn an_agent_of_several_seats_is_told_everything_once() {
        let (mut twice, mut once) = (Counting::default(), Counting::default());
        let finished = finished(&mut [&mut twice, &mut once], vec![0, 1, 0]);
        assert_eq!((&finished.fault, finished.history.start().players()), (&None, 3));
        assert!(finished.history.plies() > 50);
        for agent in [twice, once] {
            assert_eq!((agent.games, agent.seen.as_slice()), (1, finished.history.moves()));
        }
        assert!(finished.searches.iter().all(Option::is_none));
        assert_eq!(finished.searches.len(), finished.history.plies());
    }
}
