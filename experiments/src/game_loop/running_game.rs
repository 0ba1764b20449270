//! A game between agents that is played in steps: [`RunningGame`].

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Poll, ready};

use azulejo::{End, Game, History, Move, Seat, Turn};
use azulejo_agents::{Decision, Limits, SearchSummary};

use super::{FaultReason, FinishedGame, GameSetup, Participant};
use crate::schedule::Analyses;

/// Room for the moves of most games, so that what is kept of them seldom has to move.
const USUAL_MOVES: usize = 128;

/// A game that goes on until an agent waits for a batch of questions, which other games on the same thread may share.
pub struct RunningGame<'a, G: Game> {
    setup: GameSetup<'a, G>,
    /// What has been played.
    game: FinishedGame<G>,
    /// Whether the agents have been told of the game.
    begun: bool,
}

impl<'a, G: Game> RunningGame<'a, G> {
    /// A game that is about to begin.
    pub fn new(setup: GameSetup<'a, G>) -> Self {
        let mut history = History::new(setup.rules, setup.seats.len());
        history.reserve(USUAL_MOVES);
        let searches = Vec::with_capacity(USUAL_MOVES);
        let game = FinishedGame { history, searches, end: End::Truncated, fault: None };
        RunningGame { setup, game, begun: false }
    }

    /// Plays on until the game has ended, was cut off or forfeited, or waits for a batch: then it is to be called again
    /// after [`flush`](RunningGame::flush) of this game or of one that shares the batch.
    pub fn poll(&mut self) -> Poll<()> {
        match ready!(self.play_on()) {
            Ok(end) => self.game.end = end,
            Err((seat, reason)) => {
                (self.game.end, self.game.fault) = (End::Forfeit(seat), Some((seat, reason)));
            }
        }
        Poll::Ready(())
    }

    /// Works out the batch that the agent to move waits for.
    pub fn flush(&mut self) {
        let Turn::Player(seat) = self.game.history.state().turn() else { return };
        let agent = &mut *self.setup.participants[self.setup.seats[seat.index()]].agent;
        if let Err(reason) = guarded(|| agent.flush()) {
            self.game.fault = Some((seat, reason));
        }
    }

    /// The game as far as it was played, and its participants, who can play another one.
    pub fn finish(self) -> (FinishedGame<G>, Vec<Participant<'a, G>>) {
        (self.game, self.setup.participants)
    }

    /// Plays until the game ends, a seat commits a fault or an agent waits.
    #[inline]
    fn play_on(&mut self) -> Poll<Result<End, (Seat, FaultReason)>> {
        if let Some(fault) = self.game.fault.take() {
            return Poll::Ready(Err(fault));
        }
        if !std::mem::replace(&mut self.begun, true) {
            self.tell(|it| it.agent.new_game(it.seed))?;
        }
        loop {
            let state = self.game.history.state();
            let played = match state.turn() {
                Turn::Over => return Poll::Ready(Ok(End::Finished)),
                _ if self.game.history.plies() >= self.setup.move_limit => {
                    return Poll::Ready(Ok(End::Truncated));
                }
                Turn::Chance => {
                    let drawn = Move::Outcome(self.setup.deals.draw(state));
                    self.game.push(drawn, None).expect("a drawn outcome is possible");
                    drawn
                }
                Turn::Player(seat) => ready!(self.act(seat)).map_err(|reason| (seat, reason))?,
            };
            self.tell(|it| it.agent.observe(&played))?;
        }
    }

    /// Tells every agent with a seat something; one that panics is at fault.
    #[inline]
    fn tell(&mut self, mut tell: impl FnMut(&mut Participant<'a, G>)) -> Result<(), (Seat, FaultReason)> {
        let GameSetup { participants, seats, .. } = &mut self.setup;
        for (place, participant) in participants.iter_mut().enumerate() {
            let mut held = Seat::all(seats.len()).filter(|seat| seats[seat.index()] == place);
            let Some(seat) = held.next() else { continue };
            guarded(|| tell(participant)).map_err(|reason| (seat, reason))?;
        }
        Ok(())
    }

    /// Lets the agent at a seat choose and plays its action.
    #[inline]
    fn act(&mut self, seat: Seat) -> Poll<Result<Move<G>, FaultReason>> {
        let RunningGame { setup, game, .. } = self;
        let agent = &mut *setup.participants[setup.seats[seat.index()]].agent;
        let choice = guarded(|| agent.poll_choose(game.history.state(), &Limits::default()))?;
        let Decision { action, search } = ready!(choice)?;
        // What a search limited by time has spent is known from nowhere else.
        let kept = |search: &SearchSummary<G>| setup.analyses == Analyses::Kept || search.timed;
        game.push(Move::Action(action), search.filter(kept))
            .map_err(|why| FaultReason::Illegal { action: action.to_string(), why: why.to_string() })?;
        Poll::Ready(Ok(Move::Action(action)))
    }
}

/// Lets an agent work; a panic becomes a reason to forfeit. The agent must not be used afterwards.
#[inline]
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, FaultReason> {
    let message = |panic: Box<dyn Any + Send>| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        azulejo::shortened(text.unwrap_or("without a message"))
    };
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| FaultReason::Crash(message(panic)))
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo_agents::{Agent, AgentError};

    use super::*;
    use crate::game_loop::Deals;

    /// Plays the first legal action, and with `batches` left only after a flush.
    #[derive(Default)]
    struct WaitingAgent {
        /// Batches that it waits for; none if it does not wait.
        batches: Option<usize>,
        flushed: bool,
        games: usize,
    }

    impl Agent<Azul> for WaitingAgent {
        fn new_game(&mut self, _seed: u64) {
            self.games += 1;
        }

        fn choose(&mut self, state: &Azul, _limits: &Limits<'_>) -> Result<Decision<Azul>, AgentError> {
            let mut legal = Vec::new();
            state.legal_actions(&mut legal);
            Ok(Decision::plain(legal[0]))
        }

        fn poll_choose(
            &mut self,
            state: &Azul,
            limits: &Limits<'_>,
        ) -> Poll<Result<Decision<Azul>, AgentError>> {
            if self.batches.is_some() && !std::mem::take(&mut self.flushed) {
                return Poll::Pending;
            }
            Poll::Ready(self.choose(state, limits))
        }

        fn flush(&mut self) {
            let left = self.batches.expect("only those are flushed who wait");
            self.batches = Some(left.checked_sub(1).expect("a batch is left"));
            self.flushed = true;
        }
    }

    fn game(agents: &mut [WaitingAgent; 2]) -> RunningGame<'_, Azul> {
        RunningGame::new(GameSetup {
            rules: azulejo::intern(AzulRules::default()),
            participants: agents.iter_mut().map(|agent| Participant { agent, seed: 1 }).collect(),
            seats: vec![0, 1],
            deals: Deals::new(1, 0),
            move_limit: 3000,
            analyses: Analyses::Dropped,
        })
    }

    #[test]
    fn a_game_that_waits_is_the_same_game() {
        let mut plain = <[WaitingAgent; 2]>::default();
        let mut expected = game(&mut plain);
        assert!(expected.poll().is_ready());
        let (expected, _) = expected.finish();
        let mut waiting =
            [WaitingAgent { batches: Some(500), ..WaitingAgent::default() }, WaitingAgent::default()];
        let mut waits = game(&mut waiting);
        let mut flushes = 0;
        while waits.poll().is_pending() {
            assert!(waits.poll().is_pending(), "nothing has changed");
            waits.flush();
            flushes += 1;
        }
        let (found, _) = waits.finish();
        assert_eq!((found.end, found.history.moves()), (End::Finished, expected.history.moves()));
        assert_eq!((waiting[0].games, waiting[0].batches), (1, Some(500 - flushes)));
        assert!(flushes > 20, "{flushes}");
    }

    #[test]
    fn a_batch_that_fails_forfeits() {
        let mut agents =
            [WaitingAgent { batches: Some(3), ..WaitingAgent::default() }, WaitingAgent::default()];
        let mut waits = game(&mut agents);
        while waits.poll().is_pending() {
            waits.flush();
        }
        let (found, _) = waits.finish();
        let (seat, reason) = found.fault.unwrap();
        assert_eq!((found.end, seat), (End::Forfeit(Seat::new(0)), Seat::new(0)));
        assert_eq!(reason.to_string(), "the agent crashed: a batch is left");
    }
}
