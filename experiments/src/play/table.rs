//! A game in play: everything that happens at the table, without input or output.

use azulejo::record::{Analysis, End, Record, RecordError, Recorder, result};
use azulejo::{Game, Refusal, Seat, Turn, excerpt, spec_of};
use azulejo_agents::Move;

use super::chair::Chair;
use crate::game_loop::Deals;
use crate::sources::Ledger;
use crate::tabletop::Tabletop;
use crate::thinker::Line;

/// Whom the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// A person's decision.
    Person(Seat),
    /// An agent's decision.
    Agent(Seat),
    /// Something that is drawn at random.
    Chance,
    /// Nobody: the game is over.
    Nobody,
}

/// A game in play, with all moves since its start.
///
/// The same seed gives the same deals, also after an undo.
#[derive(Clone, Debug)]
pub struct Table<G: Game> {
    chairs: Vec<Chair>,
    seed: u64,
    line: Line<G>,
    /// The start, then the state after each move.
    states: Vec<G>,
    /// For each move what the agent that chose it had found.
    analysis: Vec<Option<Analysis>>,
}

impl<G: Tabletop> Table<G> {
    /// The start of a game between the players on these chairs, one a seat.
    pub fn new(rules: &'static G::Rules, chairs: Vec<Chair>, seed: u64) -> Self {
        let start = G::new(rules, chairs.len());
        let line = Line { start, moves: Vec::new() };
        Table { chairs, seed, line, states: vec![start], analysis: Vec::new() }
    }

    /// A recorded game, to be gone on with by the players on these chairs.
    ///
    /// # Errors
    /// A move that cannot be played.
    pub fn resume(
        rules: &'static G::Rules,
        chairs: Vec<Chair>,
        record: &Record,
    ) -> Result<Self, RecordError> {
        let mut table = Table::new(rules, chairs, record.seed);
        for (ply, token) in record.moves.iter().enumerate() {
            let mut state = *table.state();
            let played = Move::play_token(&mut state, token).map_err(|why| RecordError::Move {
                token: excerpt(token),
                ply,
                why,
            })?;
            let analysis = record.analysis.as_ref().and_then(|all| all.get(ply).cloned().flatten());
            table.push(played, state, analysis);
        }
        Ok(table)
    }

    fn push(&mut self, played: Move<G>, state: G, analysis: Option<Analysis>) {
        self.line.moves.push(played);
        self.states.push(state);
        self.analysis.push(analysis);
    }

    /// The present state.
    pub fn state(&self) -> &G {
        self.states.last().expect("a table has the start state")
    }

    /// The moves so far.
    pub fn line(&self) -> &Line<G> {
        &self.line
    }

    /// The number of moves so far.
    pub fn plies(&self) -> usize {
        self.line.moves.len()
    }

    /// The players, one a seat.
    pub fn chairs(&self) -> &[Chair] {
        &self.chairs
    }

    /// The players' names as a caption shows them.
    pub fn names(&self) -> Vec<String> {
        self.chairs.iter().map(ToString::to_string).collect()
    }

    /// Whom the game waits for.
    pub fn waiting(&self) -> Waiting {
        match self.state().turn() {
            Turn::Over => Waiting::Nobody,
            Turn::Chance => Waiting::Chance,
            Turn::Player(seat) => match self.chairs[seat.index()] {
                Chair::Person => Waiting::Person(seat),
                Chair::Agent(_) => Waiting::Agent(seat),
            },
        }
    }

    /// Plays an action of the player to move, with what an agent found before it chose.
    ///
    /// # Errors
    /// The rule that forbids it; nothing changes.
    pub fn act(&mut self, action: G::Action, analysis: Option<Analysis>) -> Result<(), Refusal> {
        let mut state = *self.state();
        state.try_apply(action)?;
        self.push(Move::Action(action), state, analysis);
        Ok(())
    }

    /// Draws what the game waits for at a chance node; nothing happens elsewhere.
    pub fn deal(&mut self) {
        let mut state = *self.state();
        if state.turn() != Turn::Chance {
            return;
        }
        let node = self.line.moves.iter().filter(|played| matches!(played, Move::Chance(_))).count();
        let outcome = Deals::new(self.seed, 0).at(node as u64, &state);
        state.apply_chance(&outcome);
        self.push(Move::Chance(outcome), state, None);
    }

    /// Takes back everything from a person's last decision on; gives whether there was one.
    pub fn undo(&mut self) -> bool {
        let decided = |state: &G| match state.turn() {
            Turn::Player(seat) => self.chairs[seat.index()] == Chair::Person,
            _ => false,
        };
        let Some(ply) = self.states[..self.plies()].iter().rposition(decided) else { return false };
        self.line.moves.truncate(ply);
        self.analysis.truncate(ply);
        self.states.truncate(ply + 1);
        true
    }

    /// What happened at a ply, in words: `seat 1 (greedy) 3R4: 2 red, factory 3 to line 4`.
    ///
    /// # Panics
    /// If no move has been played at this ply.
    pub fn event(&self, ply: usize) -> String {
        let state = &self.states[ply];
        match (&self.line.moves[ply], state.turn()) {
            (Move::Action(action), Turn::Player(seat)) => {
                let name = &self.chairs[seat.index()];
                format!("seat {seat} ({name}) {action}: {}", state.action_in_words(*action))
            }
            (played, _) => match played {
                Move::Chance(outcome) => format!("{outcome}: {}", state.outcome_in_words(outcome)),
                Move::Action(action) => action.to_string(),
            },
        }
    }

    /// Where the points so far came from.
    pub fn ledger(&self) -> Ledger {
        let mut ledger = Ledger::new(&self.line.start);
        for (played, states) in self.line.moves.iter().zip(self.states.windows(2)) {
            ledger.follow(&states[0], played, &states[1]);
        }
        ledger
    }

    /// The record of the game so far: finished, or truncated here.
    pub fn record(&self) -> Record {
        let over = self.state().turn() == Turn::Over;
        let end = if over { End::Finished } else { End::Truncated };
        let mut recorder = Recorder::<G>::new(self.line.start.rules(), self.chairs.len());
        for (played, analysis) in self.line.moves.iter().zip(&self.analysis) {
            let recorded = match played {
                Move::Action(action) => recorder.act(*action, analysis.clone()),
                Move::Chance(outcome) => recorder.chance(outcome),
            };
            recorded.expect("what was played can be played again");
        }
        recorder.finish(end, self.names(), self.seed, 0)
    }

    /// The winners' shares: of the game that is over, or of the points so far.
    pub fn wins(&self) -> azulejo::PerPlayer<f64> {
        let over = self.state().turn() == Turn::Over;
        result(self.state(), if over { End::Finished } else { End::Truncated }).1
    }

    /// The game's spec.
    pub fn game(&self) -> String {
        spec_of::<G>(self.line.start.rules())
    }
}

#[cfg(test)]
mod tests {
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;
    use azulejo::{Rules, intern};

    use super::*;

    /// A table with a person at seat 0 that plays the first legal action.
    fn table<G: Tabletop>(moves: usize) -> Table<G> {
        let chairs = vec![Chair::Person, "greedy".parse().unwrap(), "random".parse().unwrap()];
        let mut table = Table::<G>::new(intern(G::Rules::from_options(&[]).unwrap()), chairs, 5);
        let mut legal = Vec::new();
        while table.plies() < moves {
            match table.waiting() {
                Waiting::Chance => table.deal(),
                Waiting::Nobody => break,
                Waiting::Person(_) | Waiting::Agent(_) => {
                    table.state().legal_actions(&mut legal);
                    table.act(legal[0], None).unwrap();
                }
            }
        }
        table
    }

    #[test]
    fn undo_goes_back_to_the_last_decision_of_a_person_and_deals_stay() {
        let mut table = table::<SummerPavilion>(100);
        let moves = table.line().moves.clone();
        let mut undone = 0;
        while table.undo() {
            undone += 1;
            assert_eq!(table.waiting(), Waiting::Person(Seat::new(0)));
            assert_eq!(table.line().moves, moves[..table.plies()]);
        }
        assert!(undone >= 10, "{undone} decisions");
        assert_eq!(table.waiting(), Waiting::Person(Seat::new(0)));
        while table.plies() < moves.len() {
            match &moves[table.plies()] {
                Move::Chance(_) => table.deal(),
                Move::Action(action) => table.act(*action, None).unwrap(),
            }
        }
        assert_eq!(table.line().moves, moves, "the same deals are drawn again");
    }

    #[test]
    fn a_saved_game_goes_on_where_it_was() {
        let table = table::<QueensGarden>(40);
        let record = table.record();
        record.verify().unwrap();
        assert_eq!((record.end, record.agents[0].as_str()), (End::Truncated, "human"));
        let chairs = super::super::chair::recorded(&record.agents);
        let rules = table.state().rules();
        let resumed = Table::<QueensGarden>::resume(rules, chairs, &record).unwrap();
        assert_eq!((resumed.state(), resumed.line()), (table.state(), table.line()));
        assert_eq!(resumed.chairs(), table.chairs());
        assert_eq!(resumed.record(), record);
    }

    #[test]
    fn a_finished_game_is_recorded_as_such_and_its_sources_add_up() {
        let table = table::<QueensGarden>(usize::MAX);
        let record = table.record();
        record.verify().unwrap();
        assert_eq!(record.end, End::Finished);
        assert_eq!(table.ledger().totals(), table.state().scores());
    }

    #[test]
    fn a_refused_action_changes_nothing() {
        let mut table = table::<QueensGarden>(1);
        let before = table.state().to_owned();
        assert!(table.act("joker".parse().unwrap(), None).is_err());
        assert_eq!((*table.state(), table.plies()), (before, 1));
    }
}
