//! A game as runs see it, whichever it is: [`Arena`].

use std::fmt::Debug;

use azulejo::{GameSpec, Record, SpecError, check_players, spec_of, with_game};
use azulejo_agents::{AgentSpecError, Playable};

use super::job_player::{JobPlayer, SchedulePlayer};
use crate::schedule::Schedule;
use crate::score_sources::ScoreSources;

/// The rules under which the games of a run are played. Runs know no more of a game, so that they play those
/// of the registry and any other that has these abilities.
pub trait Arena: Debug + Sync {
    /// The game's spec.
    fn spec(&self) -> String;

    /// Whether so many players can play.
    ///
    /// # Errors
    /// If the game does not seat them.
    fn check_players(&self, players: usize) -> Result<usize, SpecError>;

    /// The spec of the game of a record.
    ///
    /// # Errors
    /// If it is another game, or its rules cannot be used.
    fn spec_in(&self, record: &Record) -> Result<String, SpecError>;

    /// A player for the games of a schedule; each thread needs one of its own.
    ///
    /// # Errors
    /// If an agent cannot be built for the game.
    fn player<'a>(&self, schedule: &'a Schedule) -> Result<Box<dyn JobPlayer + 'a>, AgentSpecError>;

    /// A player for games that were played already: it builds no agents before it has to play, so that programs which
    /// took part need not be there any more.
    fn recaller<'a>(&self, schedule: &'a Schedule) -> Box<dyn JobPlayer + 'a>;
}

/// The arena of the game `G`.
#[derive(Debug)]
pub struct GameArena<G: Playable + ScoreSources> {
    /// The rules.
    pub rules: &'static G::Rules,
}

impl<G: Playable + ScoreSources> Arena for GameArena<G> {
    fn spec(&self) -> String {
        spec_of::<G>(self.rules)
    }

    fn check_players(&self, players: usize) -> Result<usize, SpecError> {
        check_players::<G>(players)
    }

    fn spec_in(&self, record: &Record) -> Result<String, SpecError> {
        record.rules_of::<G>().map(spec_of::<G>)
    }

    fn player<'a>(&self, schedule: &'a Schedule) -> Result<Box<dyn JobPlayer + 'a>, AgentSpecError> {
        Ok(Box::new(SchedulePlayer::<G>::new(schedule, self.rules)?))
    }

    fn recaller<'a>(&self, schedule: &'a Schedule) -> Box<dyn JobPlayer + 'a> {
        Box::new(SchedulePlayer::<G>::unseated(schedule, self.rules))
    }
}

/// The arena of a registered game.
pub fn arena(game: GameSpec) -> Box<dyn Arena> {
    with_game!(game, |rules: &'static G::Rules| Box::new(GameArena::<G> { rules }))
}
