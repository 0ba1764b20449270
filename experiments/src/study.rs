//! Files that say what tournaments play: [`Study`].

use azulejo::{GameSpec, check_seats};
use azulejo_agents::AgentSpec;
use azulejo_agents::settings::parse_runs;
use serde::{Deserialize, Deserializer};

use crate::rules_file::read_game;
use crate::schedule::{Pairing, Schedule, ScheduleError, position};
use crate::stats::SprtSettings;

/// One tournament, or several that belong together, as a TOML file describes them.
///
/// The keys are the names of the command's options. Several tournaments are tables `[runs.NAME]`; keys above
/// them hold for every run that does not set them itself.
///
/// ```
/// use azulejo_experiments::study::Study;
///
/// let study = Study::read(
///     "game = 'azul'
///      games = 100
///      seed = 1
///      agents = ['random', 'greedy']
///      [runs.azul-2]
///      players = 2
///      [runs.azul-3]
///      players = 3
///      games = 99",
/// )?;
/// let tables: Vec<_> = study.runs.iter().map(|run| (run.name(), run.players, run.games)).collect();
/// assert_eq!(tables, [("azul-2", 2, 100), ("azul-3", 3, 99)]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The tournaments by name; a single one without a name if the file has no `[runs]`.
    pub runs: Vec<StudyRun>,
}

/// One tournament of a study.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyRun {
    /// Its name in the study, also that of its directory; `None` in a file without `[runs]`.
    #[serde(skip)]
    pub name: Option<String>,
    /// The game.
    #[serde(deserialize_with = "game")]
    pub game: GameSpec,
    /// The number of players.
    #[serde(deserialize_with = "number_of_players")]
    pub players: usize,
    /// The number of games of each pairing.
    pub games: u64,
    /// The master seed.
    pub seed: u64,
    /// The agents.
    #[serde(deserialize_with = "from_texts")]
    pub agents: Vec<AgentSpec>,
    /// The only one of the agents that plays each other one; all play all if absent.
    #[serde(default, deserialize_with = "from_text")]
    pub gauntlet: Option<AgentSpec>,
    /// Only agents that stand at most so many places apart in the list play each other; all do if absent.
    #[serde(default)]
    pub neighbors: Option<usize>,
    /// The one of the agents whose rating is 0; the mean of all is 0 if absent.
    #[serde(default, deserialize_with = "from_text")]
    pub anchor: Option<AgentSpec>,
    /// The sequential test of the first agent against the second that ends the tournament.
    #[serde(default, deserialize_with = "from_text")]
    pub sprt: Option<SprtSettings>,
}

impl Study {
    /// Reads the file's text.
    ///
    /// # Errors
    /// The first key or value that cannot be used, with its run and line, or that is missing.
    pub fn read(text: &str) -> Result<Self, String> {
        let named = |(name, run)| StudyRun { name, ..run };
        Ok(Study { runs: parse_runs(text)?.into_iter().map(named).collect() })
    }
}

impl StudyRun {
    /// The run's name, empty if it has none.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// What the run says of who meets whom.
    ///
    /// # Errors
    /// If it says two things.
    pub fn pairing(&self) -> Result<Pairing<'_>, ScheduleError> {
        match (&self.gauntlet, self.neighbors) {
            (Some(_), Some(_)) => Err(ScheduleError::Pairings),
            (Some(one), None) => Ok(Pairing::Gauntlet(one)),
            (None, Some(places)) => Ok(Pairing::Neighbors(places)),
            (None, None) => Ok(Pairing::All),
        }
    }

    /// The games that are to be played.
    ///
    /// # Errors
    /// If the agents cannot be paired like this, or one that the run names is not among them.
    pub fn schedule(&self) -> Result<Schedule, ScheduleError> {
        let pairing = match (&self.sprt, &self.agents[..]) {
            (Some(_), [tested, _]) => Pairing::Gauntlet(tested),
            (Some(_), _) => return Err(ScheduleError::NoDuel { agents: self.agents.len() }),
            (None, _) => self.pairing()?,
        };
        let schedule =
            Schedule::tournament((self.game, self.players), &self.agents, self.games, self.seed, pairing)?;
        if let Some(anchor) = &self.anchor {
            position("anchor", anchor, &self.agents)?;
        }
        Ok(schedule)
    }
}

fn game<'de, D: Deserializer<'de>>(from: D) -> Result<GameSpec, D::Error> {
    read_game(&String::deserialize(from)?).map_err(serde::de::Error::custom)
}

fn from_text<'de, D: Deserializer<'de>, S: std::str::FromStr<Err: std::fmt::Display>>(
    from: D,
) -> Result<Option<S>, D::Error> {
    String::deserialize(from)?.parse().map(Some).map_err(serde::de::Error::custom)
}

fn from_texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<AgentSpec>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    let specs = texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom));
    specs.collect()
}

fn number_of_players<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    check_seats(usize::deserialize(from)?, GameSpec::PLAYERS).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str =
        "game = 'azul:gray'\nplayers = 3\ngames = 30\nseed = 7\nagents = ['random', 'mcts:sims=5']\n";

    fn specs(run: &StudyRun) -> Vec<String> {
        run.agents.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_single_tournament_is_read() {
        let study = Study::read(&format!("{ONE}anchor = 'random'\n")).unwrap();
        let [run] = &study.runs[..] else { panic!("{study:?}") };
        assert_eq!((run.game.to_string().as_str(), run.players, run.games), ("azul:gray", 3, 30));
        assert_eq!(specs(run), ["random", "mcts:sims=5"]);
        assert_eq!((&run.gauntlet, run.anchor.as_ref(), run.name()), (&None, Some(&run.agents[0]), ""));
    }

    #[test]
    fn runs_take_what_they_do_not_set_from_the_file() {
        let runs = "[runs.more]\ngames = 60\n[runs.four]\nplayers = 4\nagents = ['greedy', 'random']\n";
        let study = Study::read(&format!("{ONE}{runs}")).unwrap();
        let [four, more] = &study.runs[..] else { panic!("{study:?}") };
        assert_eq!(
            (four.name(), four.players, four.games, specs(four)[0].as_str()),
            ("four", 4, 30, "greedy")
        );
        assert_eq!(
            (more.name(), more.players, more.games, specs(more)[0].as_str()),
            ("more", 3, 60, "random")
        );
    }

    #[test]
    fn faults_are_named_with_their_places() {
        let message = |from: &str, to: &str| Study::read(&ONE.replace(from, to)).unwrap_err();
        assert!(message("azul:gray", "azul:grey").starts_with("line 1: game: unknown option 'grey' of azul"));
        assert!(message("players = 3", "players = 5").starts_with("line 2: players: 5 players"));
        assert!(message("mcts", "mctz").starts_with("line 5: agents: unknown agent 'mctz'"));
        assert!(message("seed", "sead").starts_with("line 4: sead: unknown field `sead`"));
        assert_eq!(message("seed = 7\n", ""), "line 1: missing field `seed`");
        let runs = |runs: &str| Study::read(&format!("{ONE}{runs}")).unwrap_err();
        assert!(runs("[runs.a]\nplayers = 7").starts_with("runs.a: line 7: players: 7 players"));
        assert!(runs("[runs.a.runs.b]").starts_with("runs.a: line 6: runs: unknown field"));
        assert_eq!(
            Study::read(&ONE.replace("seed = 7\n", "[runs.a]\n")).unwrap_err(),
            "runs.a: line 4: missing field `seed`",
            "keys after a run's heading are the run's"
        );
    }
}
