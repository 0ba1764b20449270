//! Files that say what tournaments play: [`Study`].

use std::collections::BTreeMap;

use azulejo::{GameSpec, check_seats};
use azulejo_agents::AgentSpec;
use azulejo_agents::settings::parse_settings;
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
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRun {
    /// Its name in the study, also that of its directory; `None` in a file without `[runs]`.
    pub name: Option<String>,
    /// The game.
    pub game: GameSpec,
    /// The number of players.
    pub players: usize,
    /// The number of games of each pairing.
    pub games: u64,
    /// The master seed.
    pub seed: u64,
    /// The agents.
    pub agents: Vec<AgentSpec>,
    /// The only one of the agents that plays each other one; all play all if absent.
    pub gauntlet: Option<AgentSpec>,
    /// The one of the agents whose rating is 0; the mean of all is 0 if absent.
    pub anchor: Option<AgentSpec>,
    /// The sequential test of the first agent against the second that ends the tournament.
    pub sprt: Option<SprtSettings>,
}

/// The keys of a file, or of one of its runs: all may be missing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    #[serde(default, deserialize_with = "game")]
    game: Option<GameSpec>,
    #[serde(default, deserialize_with = "number_of_players")]
    players: Option<usize>,
    games: Option<u64>,
    seed: Option<u64>,
    #[serde(default, deserialize_with = "from_texts")]
    agents: Option<Vec<AgentSpec>>,
    #[serde(default, deserialize_with = "from_text")]
    gauntlet: Option<AgentSpec>,
    #[serde(default, deserialize_with = "from_text")]
    anchor: Option<AgentSpec>,
    #[serde(default, deserialize_with = "from_text")]
    sprt: Option<SprtSettings>,
    runs: Option<BTreeMap<String, Keys>>,
}

impl Study {
    /// Reads the file's text.
    ///
    /// # Errors
    /// The first key or value that cannot be used, with its line, or the first run for which a key is
    /// missing.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut common: Keys = parse_settings(text)?;
        let Some(named) = common.runs.take() else {
            return Ok(Study { runs: vec![common.run(None)?] });
        };
        if named.is_empty() {
            return Err("runs: found none, expected at least one table [runs.NAME]".to_owned());
        }
        let run = |(name, keys): (String, Keys)| {
            let place = format!("runs.{name}");
            check_name(&name).map_err(|problem| format!("{place}: {problem}"))?;
            keys.or(&common).run(Some(name)).map_err(|problem| format!("{place}: {problem}"))
        };
        Ok(Study { runs: named.into_iter().map(run).collect::<Result<_, _>>()? })
    }
}

impl StudyRun {
    /// The run's name, empty if it has none.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// The games that are to be played.
    ///
    /// # Errors
    /// If the agents cannot be paired like this, or one that the run names is not among them.
    pub fn schedule(&self) -> Result<Schedule, ScheduleError> {
        let pairing = match (&self.gauntlet, &self.sprt, &self.agents[..]) {
            (_, Some(_), [tested, _]) => Pairing::Gauntlet(tested),
            (_, Some(_), _) => return Err(ScheduleError::NoDuel { agents: self.agents.len() }),
            (Some(one), None, _) => Pairing::Gauntlet(one),
            (None, None, _) => Pairing::All,
        };
        let schedule =
            Schedule::tournament((self.game, self.players), &self.agents, self.games, self.seed, pairing)?;
        if let Some(anchor) = &self.anchor {
            position("anchor", anchor, &self.agents)?;
        }
        Ok(schedule)
    }
}

/// The name of a run is that of a directory everywhere.
fn check_name(name: &str) -> Result<(), String> {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    if name.chars().all(plain) && !name.is_empty() && !name.starts_with('.') {
        return Ok(());
    }
    Err("a run's name has letters, digits and -_. and does not begin with a dot".to_owned())
}

impl Keys {
    /// These keys, and those of `common` where they are missing.
    fn or(self, common: &Keys) -> Keys {
        let common = common.clone();
        Keys {
            game: self.game.or(common.game),
            players: self.players.or(common.players),
            games: self.games.or(common.games),
            seed: self.seed.or(common.seed),
            agents: self.agents.or(common.agents),
            gauntlet: self.gauntlet.or(common.gauntlet),
            anchor: self.anchor.or(common.anchor),
            sprt: self.sprt.or(common.sprt),
            runs: self.runs,
        }
    }

    fn run(self, name: Option<String>) -> Result<StudyRun, String> {
        let missing = |key: &str| format!("missing key `{key}`");
        if self.runs.is_some() {
            return Err("a run has no runs of its own".to_owned());
        }
        Ok(StudyRun {
            name,
            game: self.game.ok_or_else(|| missing("game"))?,
            players: self.players.ok_or_else(|| missing("players"))?,
            games: self.games.ok_or_else(|| missing("games"))?,
            seed: self.seed.ok_or_else(|| missing("seed"))?,
            agents: self.agents.ok_or_else(|| missing("agents"))?,
            gauntlet: self.gauntlet,
            anchor: self.anchor,
            sprt: self.sprt,
        })
    }
}

fn game<'de, D: Deserializer<'de>>(from: D) -> Result<Option<GameSpec>, D::Error> {
    read_game(&String::deserialize(from)?).map(Some).map_err(serde::de::Error::custom)
}

fn from_text<'de, D: Deserializer<'de>, S: std::str::FromStr<Err: std::fmt::Display>>(
    from: D,
) -> Result<Option<S>, D::Error> {
    String::deserialize(from)?.parse().map(Some).map_err(serde::de::Error::custom)
}

fn from_texts<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<AgentSpec>>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    let specs = texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom));
    specs.collect::<Result<_, _>>().map(Some)
}

fn number_of_players<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    check_seats(usize::deserialize(from)?, GameSpec::PLAYERS).map(Some).map_err(serde::de::Error::custom)
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
        assert_eq!(message("seed = 7\n", ""), "missing key `seed`");
        let runs = |runs: &str| Study::read(&format!("{ONE}{runs}")).unwrap_err();
        assert!(runs("[runs.a]\nplayers = 7").starts_with("line 7: runs.a.players: 7 players"));
        assert!(runs("[runs.'a/b']").starts_with("runs.a/b: a run's name has"));
        assert_eq!(runs("[runs.a.runs.b]"), "runs.a: a run has no runs of its own");
        assert!(runs("[runs]").starts_with("runs: found none"));
        assert_eq!(
            Study::read(&ONE.replace("seed = 7\n", "[runs.a]\n")).unwrap_err(),
            "runs.a: missing key `seed`",
            "keys after a run's heading are the run's"
        );
    }
}
