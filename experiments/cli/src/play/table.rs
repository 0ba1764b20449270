//! A game in play: everything that happens at the table, without input or output.

use azulejo::record::{Analysis, End, Record, RecordError, result};
use azulejo::{Game, History, Move, MoveError, Seat, Turn, spec_of};
use azulejo_experiments::score_sources::ScoreBreakdown;

use super::deal_source::DealSource;
use super::player::Player;
use crate::display::GameDisplay;

/// Whom the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    /// A person's decision.
    Person(Seat),
    /// An agent's decision.
    Agent(Seat),
    /// Something that the program draws at random, or that was drawn before.
    Chance,
    /// What people at a table have drawn, to be entered.
    Entry,
    /// Nobody: the game is over.
    Nobody,
}

/// A game in play, with all moves since its start.
///
/// The same seed gives the same deals, also after an undo.
#[derive(Clone, Debug)]
pub(super) struct GameTable<G: Game> {
    players: Vec<Player>,
    seed: u64,
    deals: DealSource,
    history: History<G>,
    /// For each move what the agent that chose it had found, as a record has it: a game that is gone on with
    /// comes from one.
    analysis: Vec<Option<Analysis>>,
}

impl<G: GameDisplay> GameTable<G> {
    /// The start of a game between these players, one a seat.
    pub(super) fn new(rules: &'static G::Rules, players: Vec<Player>, seed: u64) -> Self {
        let history = History::new(rules, players.len());
        GameTable { players, seed, deals: DealSource::Seed, history, analysis: Vec::new() }
    }

    /// A recorded game, to be gone on with by these players.
    ///
    /// # Errors
    /// A move that cannot be played.
    pub(super) fn resume(
        rules: &'static G::Rules,
        players: Vec<Player>,
        record: &Record,
    ) -> Result<Self, RecordError> {
        let history = record.history::<G>(rules)?;
        let mut analysis = record.analysis.clone().unwrap_or_default();
        analysis.resize(history.plies(), None);
        Ok(GameTable { players, seed: record.seed, deals: DealSource::Seed, history, analysis })
    }

    /// The same table with outcomes from elsewhere.
    #[must_use]
    pub(super) fn with_deals(self, deals: DealSource) -> Self {
        GameTable { deals, ..self }
    }

    /// The present state.
    pub(super) fn state(&self) -> &G {
        self.history.state()
    }

    /// The game so far.
    pub(super) fn history(&self) -> &History<G> {
        &self.history
    }

    /// The number of moves so far.
    pub(super) fn plies(&self) -> usize {
        self.history.plies()
    }

    /// The players, one a seat.
    pub(super) fn players(&self) -> &[Player] {
        &self.players
    }

    /// The players' names as a caption shows them.
    pub(super) fn names(&self) -> Vec<String> {
        self.players.iter().map(Player::label).collect()
    }

    /// Whom the game waits for.
    pub(super) fn waiting(&self) -> Waiting {
        match self.state().turn() {
            Turn::Over => Waiting::Nobody,
            Turn::Chance => match self.deals.outcome(self.seed, self.nodes(), self.state()) {
                Ok(None) => Waiting::Entry,
                Ok(Some(_)) | Err(_) => Waiting::Chance,
            },
            Turn::Player(seat) => match self.players[seat.index()] {
                Player::Person => Waiting::Person(seat),
                Player::Agent(_) => Waiting::Agent(seat),
            },
        }
    }

    /// Plays an action of the player to move, with what an agent found before it chose.
    ///
    /// # Errors
    /// Why it cannot be played; nothing changes.
    pub(super) fn act(&mut self, action: G::Action, analysis: Option<Analysis>) -> Result<(), MoveError> {
        self.history.push(Move::Action(action))?;
        self.analysis.push(analysis);
        Ok(())
    }

    /// The number of chance nodes so far.
    fn nodes(&self) -> usize {
        self.history.moves().iter().filter(|played| matches!(played, Move::Outcome(_))).count()
    }

    /// Deals what the game waits for at a chance node; nothing happens elsewhere, and where it is to be entered.
    ///
    /// # Errors
    /// If the outcome that is known cannot be; nothing changes.
    pub(super) fn deal(&mut self) -> Result<(), MoveError> {
        if self.state().turn() != Turn::Chance {
            return Ok(());
        }
        if let Some(drawn) = self.deals.outcome(self.seed, self.nodes(), self.state())? {
            self.history.push(Move::Outcome(drawn))?;
            self.analysis.push(None);
        }
        Ok(())
    }

    /// Plays an outcome that people at a table have drawn.
    ///
    /// # Errors
    /// Why it cannot be; nothing changes.
    pub(super) fn enter(&mut self, token: &str) -> Result<(), MoveError> {
        let node = self.nodes();
        self.history.push_token(token)?;
        self.analysis.push(None);
        self.deals.note(node, token);
        Ok(())
    }

    /// Takes back everything from a person's last decision on; returns whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let decided = |state: &G| match state.turn() {
            Turn::Player(seat) => self.players[seat.index()] == Player::Person,
            _ => false,
        };
        let decisions = self.history.replay().enumerate().filter(|(_, ply)| decided(&ply.before));
        let Some((last, _)) = decisions.last() else { return false };
        self.history.truncate(last);
        self.analysis.truncate(last);
        true
    }

    /// What happened at a ply, in words: `seat 1 (greedy) 3R4: take 2 red from factory 3 to line 4`.
    ///
    /// # Panics
    /// If no move has been played at this ply.
    pub(super) fn event(&self, ply: usize) -> String {
        let state = self.history.state_at(ply);
        match (&self.history.moves()[ply], state.turn()) {
            (Move::Action(action), Turn::Player(seat)) => {
                let name = self.players[seat.index()].label();
                format!("seat {seat} ({name}) {action}: {}", state.action_in_words(*action))
            }
            (Move::Outcome(outcome), _) => format!("{outcome}: {}", state.outcome_in_words(outcome)),
            (Move::Action(action), _) => action.to_string(),
        }
    }

    /// Where the points so far came from.
    pub(super) fn score_breakdown(&self) -> ScoreBreakdown {
        ScoreBreakdown::of(&self.history)
    }

    /// The record of the game so far: finished, or truncated here.
    pub(super) fn record(&self) -> Record {
        let agents: Vec<String> = self.players.iter().map(ToString::to_string).collect();
        let named = self.players.iter().any(|player| player.label() != player.to_string());
        let names = named.then(|| self.names());
        let record = Record::new(&self.history, End::at(self.state()), agents, self.seed, 0);
        Record { names, ..record.with_analysis(self.analysis.clone()) }
    }

    /// The winners' shares: of the game that is over, or of the points so far.
    pub(super) fn wins(&self) -> azulejo::PerPlayer<f64> {
        result(self.state(), End::at(self.state())).1
    }

    /// The game's spec.
    pub(super) fn game(&self) -> String {
        spec_of::<G>(self.state().rules())
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;
    use azulejo::{Rules, intern};

    use super::*;

    /// A table with a person at seat 0 that plays the first legal action.
    fn table<G: GameDisplay>(moves: usize) -> GameTable<G> {
        let players = vec![Player::Person, "greedy".parse().unwrap(), "random".parse().unwrap()];
        let mut table = GameTable::<G>::new(intern(G::Rules::from_options(&[]).unwrap()), players, 5);
        let mut legal = Vec::new();
        while table.plies() < moves {
            match table.waiting() {
                Waiting::Chance => table.deal().unwrap(),
                Waiting::Nobody | Waiting::Entry => break,
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
        let moves = table.history().moves().to_vec();
        let mut undone = 0;
        while table.undo() {
            undone += 1;
            assert_eq!(table.waiting(), Waiting::Person(Seat::new(0)));
            assert_eq!(table.history().moves(), &moves[..table.plies()]);
        }
        assert!(undone >= 10, "{undone} decisions");
        assert_eq!(table.waiting(), Waiting::Person(Seat::new(0)));
        while table.plies() < moves.len() {
            match &moves[table.plies()] {
                Move::Outcome(_) => table.deal().unwrap(),
                Move::Action(action) => table.act(*action, None).unwrap(),
            }
        }
        assert_eq!(table.history().moves(), moves, "the same deals are drawn again");
    }

    #[test]
    fn a_saved_game_goes_on_where_it_was() {
        let table = table::<QueensGarden>(40);
        let record = table.record();
        record.verify().unwrap();
        assert_eq!((record.end, record.agents[0].as_str()), (End::Truncated, "human"));
        let players = super::super::player::recorded(&record.agents);
        let rules = table.state().rules();
        let resumed = GameTable::<QueensGarden>::resume(rules, players, &record).unwrap();
        assert_eq!(resumed.history(), table.history());
        assert_eq!(resumed.players(), table.players());
        assert_eq!(resumed.record(), record);
    }

    #[test]
    fn a_finished_game_is_recorded_as_such_and_its_sources_add_up() {
        let table = table::<QueensGarden>(usize::MAX);
        let record = table.record();
        record.verify().unwrap();
        assert_eq!(record.end, End::Finished);
        assert_eq!(table.score_breakdown().totals(), table.state().scores());
    }

    #[test]
    fn a_table_s_deals_are_known_or_entered_and_come_again_after_an_undo() {
        let opening = "DBBYR/KKWW/BYRK/RRRR/BWWW";
        let players = vec![Player::Person; 2];
        let table = || GameTable::<Azul>::new(intern(AzulRules::default()), players.clone(), 1);
        let mut known = table().with_deals(DealSource::read(opening));
        assert_eq!(known.waiting(), Waiting::Chance);
        known.deal().unwrap();
        assert_eq!(known.history().moves()[0].to_string(), opening);
        let mut entered = table().with_deals(DealSource::read(""));
        assert_eq!(entered.waiting(), Waiting::Entry);
        entered.deal().unwrap();
        assert_eq!(entered.plies(), 0);
        assert!(entered.enter("DBBBB").is_err() && entered.enter("3R4").is_err());
        entered.enter(opening).unwrap();
        entered.act("4R4".parse().unwrap(), None).unwrap();
        assert!(entered.undo() && entered.history() == known.history());
        let mut wrong = table().with_deals(DealSource::read("DBBBB"));
        assert_eq!((wrong.waiting(), wrong.deal().is_err(), wrong.plies()), (Waiting::Chance, true, 0));
    }

    #[test]
    fn a_refused_action_changes_nothing() {
        let mut table = table::<QueensGarden>(1);
        let before = table.state().to_owned();
        assert!(table.act("joker".parse().unwrap(), None).is_err());
        assert_eq!((*table.state(), table.plies()), (before, 1));
    }
}
