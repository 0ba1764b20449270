//! Making a suite of positions of the round before the last one: [`RoundBeforeMaker`].

use azulejo::seed::derive;
use azulejo::{GameSpec, Generator, Move, Seat, Turn, with_game};
use azulejo_agents::{Agent, AgentError, Playable};

use super::games::{MakingError, SuiteGames, next_move};
use super::position::{ExpectedMove, SuitePosition, Values};

/// Takes a position of each game from the round before its last one, and plays every action of it to the end, again and
/// again: the same chances for all actions, each followed by the agent of the games at both seats.
#[derive(Clone, Debug)]
pub struct RoundBeforeMaker {
    /// The games.
    pub games: SuiteGames,
    /// How often each action is played to the end, at least 2; with the first half of the chances the best one is found by which
    /// losses in the second half are measured, and the other way round.
    pub draws: usize,
    /// The most legal actions that a position may have.
    pub actions: usize,
}

impl RoundBeforeMaker {
    /// The position of game number `index`; none if the round has none with a choice among so many actions, or if all of its actions came to
    /// the same.
    ///
    /// # Errors
    /// If the agent does not play.
    pub fn positions(&self, index: u64) -> Result<Vec<SuitePosition>, MakingError> {
        let game = self.games.spec(index);
        let found = with_game!(game, |rules: &'static G::Rules| self.position_of::<G>(rules, game, index))?;
        Ok(found.into_iter().filter(SuitePosition::matters).collect())
    }

    fn position_of<G: Playable>(
        &self,
        rules: &'static G::Rules,
        game: GameSpec,
        index: u64,
    ) -> Result<Option<SuitePosition>, MakingError> {
        let history = self.games.play::<G>(rules, index)?;
        let choices = (0..history.plies()).map(|ply| (ply, history.state_at(ply)));
        let choices: Vec<(usize, G)> =
            choices.filter(|(_, it)| matches!(it.turn(), Turn::Player(_))).collect();
        let Some(last) = choices.last().map(|(_, state)| state.round()) else { return Ok(None) };
        let mut legal = Vec::new();
        let mut fits = |state: &G| {
            state.legal_actions(&mut legal);
            state.round() + 1 == last && (2..=self.actions).contains(&legal.len())
        };
        let choices: Vec<(usize, G)> = choices.into_iter().filter(|(_, state)| fits(state)).collect();
        if choices.is_empty() {
            return Ok(None);
        }
        let mut rng = Generator::new(derive(self.games.seed, &[index, 1]));
        let (ply, state) = choices[rng.below(choices.len() as u64) as usize];
        let values = Values::Expected(self.values(&state, index)?);
        Ok(Some(SuitePosition::new(game, self.games.source(index, ply), &state, values)))
    }

    /// What each legal action comes to, for the player to move.
    fn values<G: Playable>(&self, state: &G, index: u64) -> Result<Vec<ExpectedMove>, MakingError> {
        let mut agent = self.games.agent.build::<G>()?;
        let mut legal = Vec::new();
        state.legal_actions(&mut legal);
        let Turn::Player(mover) = state.turn() else { return Ok(Vec::new()) };
        let mut values = Vec::new();
        for action in legal {
            let mut value = ExpectedMove { action: action.to_string(), leads: [0.0; 2], wins: [0.0; 2] };
            for draw in 0..self.draws {
                let half = usize::from(2 * draw >= self.draws);
                let of_half = if half == 0 { self.draws.div_ceil(2) } else { self.draws / 2 } as f64;
                let seed = derive(self.games.seed, &[index, 4, draw as u64]);
                let (lead, win) = played_on(*state, action, &mut *agent, seed, mover)?;
                value.leads[half] += lead / of_half;
                value.wins[half] += win / of_half;
            }
            value.round();
            values.push(value);
        }
        Ok(values)
    }
}

/// The lead and the share of the win at the end if an action is played, and then what the agent chooses.
fn played_on<G: Playable>(
    mut state: G,
    action: G::Action,
    agent: &mut dyn Agent<G>,
    seed: u64,
    mover: Seat,
) -> Result<(f64, f64), AgentError> {
    agent.new_game(derive(seed, &[0]));
    let mut deals = Generator::new(derive(seed, &[1]));
    let mut next = Some(Move::Action(action));
    while let Some(played) = next {
        played.apply(&mut state);
        next = next_move(&state, agent, &mut deals)?;
    }
    let scores = state.scores();
    let other = mover.next(state.players());
    Ok((f64::from(scores[mover]) - f64::from(scores[other]), state.wins()[mover]))
}
