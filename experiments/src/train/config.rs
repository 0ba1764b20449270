//! What a training run does: [`TrainConfig`].

use std::path::PathBuf;

use azulejo::{Game, GameSpec, check_players};
use azulejo_agents::AgentSpec;
use azulejo_agents::evaluator::RolloutKind;
use azulejo_agents::neural::{NeuralParameters, RootKind, TrainerSettings};
use azulejo_agents::parameters::AgentParameters;
use azulejo_agents::settings::{parse_runs, parse_settings};
use azulejo_agents::shipped::EvaluatedState;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::manifest::{Provenance, ProvenanceError, SettingDifference, first_difference, printed_spec};
use crate::rules_file::{read_game, read_rules, rules_file_of};
use crate::stats::Interval;

/// What a seed means in training. Runs that name no version have the deals of tournaments with the same seed.
pub(super) const VERSION: u64 = 2;

/// Who learns, in the records of self-play.
pub(super) const LEARNER: &str = "neural";

/// A training run as a TOML file describes it. Every key has a default; `[teacher]`, `[evaluation]` and `[critic]` are in a run
/// that names them, and then so are their other keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainConfig {
    /// The master seed: the same seed gives the same weights.
    pub seed: u64,
    /// The version of training, 2, which a run's `train.toml` names: its games and what they teach go on in this
    /// version only. A file that describes a run does without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Generations of self-play, one after the other.
    pub generations: u64,
    /// A weights file of the same sizes to begin with, of another run; random weights without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// The network's sizes.
    pub network: NetworkConfig,
    /// The network is a critic, which corrects the game's own value: it learns from a teacher's games alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critic: Option<CriticConfig>,
    /// What is played.
    pub tables: Vec<TableConfig>,
    /// How the network plays against itself; not needed without generations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selfplay: Option<SelfplayConfig>,
    /// How it learns.
    pub learning: LearningConfig,
    /// Another agent's games to learn from first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teacher: Option<TeacherConfig>,
    /// How its strength is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationConfig>,
    /// What decides the games beside the configuration, which a run's `train.toml` names. A file that describes a run does
    /// without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// A run of a few minutes at Azul for two.
impl Default for TrainConfig {
    fn default() -> Self {
        TrainConfig {
            seed: 1,
            version: None,
            provenance: None,
            generations: 20,
            start: None,
            network: NetworkConfig::default(),
            critic: None,
            tables: vec![TableConfig::default()],
            selfplay: None,
            learning: LearningConfig::default(),
            teacher: None,
            evaluation: None,
        }
    }
}

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkConfig {
    /// Numbers in each layer, 8 to 4096.
    pub width: usize,
    /// Residual blocks, at most 64.
    pub blocks: usize,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        NetworkConfig { width: 128, blocks: 1 }
    }
}

/// What a critic learns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriticConfig {
    /// λ, 0 to 1: how much the points that a game came to count beside those that were expected on the way.
    pub lambda: f32,
}

/// A variant with a number of players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableConfig {
    /// The game spec; all tables have the same game, in any variants.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// How often it is played, in proportion to the other tables' shares.
    pub share: f64,
}

/// Azul for two.
impl Default for TableConfig {
    fn default() -> Self {
        TableConfig { game: "azul".to_owned(), players: 2, share: 1.0 }
    }
}

/// How games against itself are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfplayConfig {
    /// Games in a generation.
    pub games: u64,
    /// Parameters of the agent `neural`, without `net`, `sims` and `noise`, by which its searches are made: `c=0.9,heuristic=0.5`.
    /// With `root=puct`, its default, the visits are learned in place of an improved policy. Without it searches are as the keys
    /// `considered`, `scale`, `rollout`, `evaluate`, `heuristic` and `margin` say, with `root=gumbel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Simulations of a full search, whose improved policy is learned.
    pub full: u64,
    /// Simulations of a cheap search, which only plays.
    pub cheap: u64,
    /// The share of full searches (playout cap randomization; Wu 2019).
    pub full_share: f64,
    /// The most actions that a full search considers.
    pub considered: u64,
    /// How far the improved policy trusts the searches' values beside the network's policy: 1 if not given,
    /// less where values are noisy.
    pub scale: f32,
    /// How searches judge leaves: `round` if not given.
    pub rollout: RolloutKind,
    /// What the network evaluates, as for the agent `neural`; `look` in former versions.
    #[serde(alias = "look", skip_serializing_if = "Option::is_none")]
    pub evaluate: Option<EvaluatedState>,
    /// The weight of the game's own value or end beside the network's, 0 to 1, as for the agent `neural`;
    /// `hand` in former versions.
    #[serde(alias = "hand", skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<f32>,
    /// The weight of the lead in points in the utility, 0 to 1.
    pub margin: f32,
    /// Agents that take seats at tables for three and more, by specs that are limited by other than time; what they choose is not
    /// learned. The network sits at one seat at least.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<String>,
    /// The share of the games for three and more in which they do.
    #[serde(skip_serializing_if = "is_none_of_all")]
    pub opponent_share: f64,
    /// A game begins with up to so many actions drawn uniformly.
    pub random_actions: u64,
    /// For so many actions from then on full searches play an action drawn from the improved policy.
    pub drawn_actions: u64,
    /// The temperature of that policy.
    pub temperature: f32,
}

impl Default for SelfplayConfig {
    fn default() -> Self {
        SelfplayConfig {
            games: 300,
            agent: None,
            full: 48,
            cheap: 12,
            full_share: 0.3,
            considered: 16,
            scale: 1.0,
            rollout: RolloutKind::Round,
            evaluate: None,
            heuristic: None,
            margin: 0.5,
            opponents: Vec::new(),
            opponent_share: 0.0,
            random_actions: 4,
            drawn_actions: 20,
            temperature: 1.0,
        }
    }
}

/// Whether an answer is left out of files.
fn is_false(answer: &bool) -> bool {
    !answer
}

/// Whether a number is left out of files.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Whether a share is left out of files.
fn is_none_of_all(share: &f64) -> bool {
    *share == 0.0
}

impl SelfplayConfig {
    /// Checks that the opponents can be seated.
    ///
    /// # Errors
    /// What cannot be used.
    fn check_opponents(&self) -> Result<(), String> {
        for text in &self.opponents {
            let spec: AgentSpec = text.parse().map_err(|error| format!("opponents: {error}"))?;
            if ["time", "cpu"].iter().any(|limit| spec.get(limit).is_some()) {
                return Err(format!(
                    "opponents: found '{text}', expected another limit than time, such as sims"
                ));
            }
            // Records tell the network's seats by its name.
            if spec.to_string() == LEARNER {
                return Err(format!(
                    "opponents: found '{text}', expected a limit, such as {LEARNER}:sims=100"
                ));
            }
        }
        if self.opponents.is_empty() != is_none_of_all(&self.opponent_share) {
            return Err(format!(
                "opponent_share: found {} with {} opponents, expected a share above 0 with some, 0 without",
                self.opponent_share,
                self.opponents.len()
            ));
        }
        Ok(())
    }

    /// The parameters of searches with so many simulations.
    ///
    /// # Errors
    /// If `agent` is none of the agent `neural`, or says what is not its own to say.
    pub(super) fn searches(&self, sims: u64) -> Result<NeuralParameters, String> {
        let Some(agent) = &self.agent else {
            return Ok(NeuralParameters {
                sims: Some(sims),
                root: RootKind::Gumbel,
                considered: self.considered,
                scale: self.scale,
                rollout: Some(self.rollout),
                evaluate: self.evaluate,
                heuristic: self.heuristic,
                margin: Some(self.margin),
                ..NeuralParameters::default()
            });
        };
        let parameters = match agent.as_str() {
            "" => NeuralParameters::default(),
            pairs => NeuralParameters::from_pairs(pairs).map_err(|error| error.to_string())?,
        };
        let NeuralParameters { net, sims: given, time, cpu, threads, noise, .. } = &parameters;
        let limits = [given, time, cpu];
        if net.is_some() || limits.iter().any(|limit| limit.is_some()) || *threads > 1 || *noise > 0.0 {
            return Err(format!(
                "found '{agent}', expected parameters without net, sims, time, cpu, threads and noise"
            ));
        }
        Ok(NeuralParameters { sims: Some(sims), ..parameters })
    }
}

/// How the network learns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearningConfig {
    /// Optimizer steps in a generation.
    pub steps: u64,
    /// Examples in a step.
    pub batch: usize,
    /// Generations whose games are learned from, the latest one included.
    pub window: u64,
    /// The learning rate at the start, reached over the first `warmup` steps.
    pub learning_rate: f32,
    /// The learning rate at the end: from the start it falls along half a cosine.
    pub final_learning_rate: f32,
    /// Steps to warm up.
    pub warmup: u64,
    /// The share of a weight that is lost in a step, as a multiple of the learning rate.
    pub weight_decay: f32,
    /// The weight of the scores in the loss.
    pub score_weight: f32,
    /// The network that plays and is written is the mean of the weights over about so many steps, the newest weighing most; those
    /// of the last step alone if 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub average: u64,
    /// Whether each game is learned from with its things called by other names, drawn at random, where its rules have symmetries.
    #[serde(skip_serializing_if = "is_false")]
    pub symmetries: bool,
    /// The weight of the search's value in the target for the win, 0 to 1; the rest is the game's result.
    pub search_value: f32,
    /// A key of former versions, whose files may still say 0.
    #[serde(skip_serializing, deserialize_with = "former")]
    pub surprise: (),
}

impl Default for LearningConfig {
    fn default() -> Self {
        LearningConfig {
            steps: 150,
            batch: 256,
            window: 12,
            learning_rate: 0.002,
            final_learning_rate: 0.0002,
            warmup: 0,
            weight_decay: 0.02,
            score_weight: 0.5,
            average: 0,
            symmetries: false,
            search_value: 0.7,
            surprise: (),
        }
    }
}

/// Reads the 0 of a key that is no longer there.
fn former<'de, D: Deserializer<'de>>(value: D) -> Result<(), D::Error> {
    match f64::deserialize(value)? {
        0.0 => Ok(()),
        other => {
            Err(D::Error::custom(format!("found surprise = {other}, expected 0: it is no longer there")))
        }
    }
}

/// Another agent whose games the network imitates before it plays itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TeacherConfig {
    /// The agent's spec.
    pub agent: String,
    /// What its choices teach.
    pub lesson: Lesson,
    /// Games that it plays against itself.
    pub games: u64,
    /// Up to so many actions at the start of a game, and a share of the later ones, are drawn uniformly.
    pub random_actions: u64,
    /// The share of later actions that are drawn uniformly.
    pub random_share: f64,
    /// Optimizer steps on these games.
    pub steps: u64,
}

impl Default for TeacherConfig {
    fn default() -> Self {
        TeacherConfig {
            agent: "mcts:sims=32".to_owned(),
            lesson: Lesson::Action,
            games: 2000,
            random_actions: 6,
            random_share: 0.0,
            steps: 1500,
        }
    }
}

/// The policy that a teacher's choice teaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lesson {
    /// The action that it played.
    #[default]
    Action,
    /// Each action in proportion to the visits that the search gave it; the action if it did not search.
    Visits,
}

/// How strength is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Generations from one measurement to the next; the last generation is measured in any case.
    pub every: u64,
    /// Games against each opponent at the first table, rounded up to whole blocks.
    pub games: u64,
    /// Parameters of the agent `neural`, without `net`, or without `critic` where a critic is trained:
    /// `sims=64,root=gumbel`.
    pub agent: String,
    /// The opponents' specs.
    pub opponents: Vec<String>,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        EvaluationConfig {
            every: 5,
            games: 200,
            agent: "sims=100".to_owned(),
            opponents: vec!["greedy".to_owned()],
        }
    }
}

/// A table at which games are played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrainingTable<G: Game> {
    /// The variant.
    pub rules: &'static G::Rules,
    /// The number of players.
    pub players: usize,
    /// The weight of this table among all.
    pub share: f64,
}

impl TrainConfig {
    /// Reads the text of a file that describes one run, and checks it.
    ///
    /// # Errors
    /// The first key or value that cannot be used.
    pub fn read(text: &str) -> Result<Self, String> {
        let config = parse_settings::<Self>(text)?.completed();
        config.check()?;
        Ok(config)
    }

    /// The text of a file that describes this run, with all keys.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration has only plain values")
    }

    /// The same with the default way of self-play if there are generations and it is not said.
    pub fn completed(mut self) -> Self {
        if self.generations > 0 && self.selfplay.is_none() {
            self.selfplay = Some(SelfplayConfig::default());
        }
        self
    }

    /// Reads the text of a file that describes one run without a name or, in tables `[runs.NAME]`, several with
    /// their names, as [`parse_runs`] does, and checks all.
    ///
    /// # Errors
    /// The first key or value that cannot be used.
    pub fn read_runs(text: &str) -> Result<Vec<(Option<String>, Self)>, String> {
        let complete = |(name, config): (Option<String>, Self)| {
            let (place, config) =
                (name.as_ref().map_or(String::new(), |name| format!("runs.{name}: ")), config.completed());
            config.check().map_err(|problem| place + &problem)?;
            Ok((name, config))
        };
        parse_runs::<Self>(text)?.into_iter().map(complete).collect()
    }

    /// Checks that all values can be used.
    ///
    /// # Errors
    /// The first one that cannot.
    pub(crate) fn check(&self) -> Result<(), String> {
        let range = |key: &str, value: f64, low: f64, high: f64| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(format!("{key}: found {value}, expected {low} to {high}"))
            }
        };
        const MANY: f64 = 1e9;
        if let Some(found) = self.version.filter(|found| *found != VERSION) {
            return Err(format!("version: found {found}, expected {VERSION}"));
        }
        range("network.width", self.network.width as f64, 8.0, 4096.0)?;
        range("network.blocks", self.network.blocks as f64, 0.0, 64.0)?;
        range("generations", self.generations as f64, 0.0, MANY)?;
        match &self.selfplay {
            Some(selfplay) => {
                selfplay.searches(selfplay.full).map_err(|error| format!("selfplay.agent: {error}"))?;
                selfplay.check_opponents().map_err(|error| format!("selfplay.{error}"))?;
                range("selfplay.opponent_share", selfplay.opponent_share, 0.0, 1.0)?;
                range("selfplay.games", selfplay.games as f64, 1.0, MANY)?;
                range("selfplay.full", selfplay.full as f64, 2.0, MANY)?;
                range("selfplay.cheap", selfplay.cheap as f64, 2.0, MANY)?;
                range("selfplay.full_share", selfplay.full_share, 0.0, 1.0)?;
                range("selfplay.considered", selfplay.considered as f64, 1.0, MANY)?;
                range("selfplay.scale", selfplay.scale.into(), 0.0, 100.0)?;
                range("selfplay.heuristic", selfplay.heuristic.unwrap_or(0.0).into(), 0.0, 1.0)?;
                range("selfplay.margin", selfplay.margin.into(), 0.0, 1.0)?;
                range("selfplay.temperature", selfplay.temperature.into(), 0.01, 100.0)?;
            }
            None if self.generations > 0 => {
                return Err(format!(
                    "selfplay: found none, expected [selfplay] for {} generations",
                    self.generations
                ));
            }
            None => {}
        }
        let LearningConfig { batch, window, search_value, learning_rate, final_learning_rate, .. } =
            self.learning;
        range("learning.batch", batch as f64, 1.0, 1e6)?;
        range("learning.window", window as f64, 1.0, MANY)?;
        range("learning.learning_rate", learning_rate.into(), 0.0, 1.0)?;
        range("learning.final_learning_rate", final_learning_rate.into(), 0.0, 1.0)?;
        range("learning.weight_decay", self.learning.weight_decay.into(), 0.0, 1000.0)?;
        range("learning.score_weight", self.learning.score_weight.into(), 0.0, 1000.0)?;
        range("learning.search_value", search_value.into(), 0.0, 1.0)?;
        if let Some(critic) = &self.critic {
            range("critic.lambda", critic.lambda.into(), 0.0, 1.0)?;
            if self.teacher.is_none() || self.generations > 0 {
                return Err(
                    "critic: a critic learns from a teacher: expected [teacher], and generations = 0".into(),
                );
            }
        }
        if let Some(teacher) = &self.teacher {
            teacher.agent.parse::<AgentSpec>().map_err(|error| format!("teacher.agent: {error}"))?;
            range("teacher.games", teacher.games as f64, 1.0, MANY)?;
            range("teacher.random_share", teacher.random_share, 0.0, 1.0)?;
        }
        if let Some(evaluation) = &self.evaluation {
            range("evaluation.every", evaluation.every as f64, 1.0, MANY)?;
            range("evaluation.games", evaluation.games as f64, 1.0, MANY)?;
            for opponent in &evaluation.opponents {
                opponent.parse::<AgentSpec>().map_err(|error| format!("evaluation.opponents: {error}"))?;
            }
            self.player("net.safetensors")?;
        }
        self.check_tables()
    }

    /// What is to be said of measurements that cannot tell 10 percentage points; `None` if they can, if there
    /// are none, or if the run is too small to learn much.
    pub fn warning(&self) -> Option<String> {
        /// Half the interval that is wide enough, a share of the wins.
        const WIDEST: f64 = 0.1;
        /// So few games to learn from are a try.
        const TINY: u64 = 1000;
        let games = self.evaluation.as_ref()?.games;
        let taught = self.teacher.as_ref().map_or(0, |teacher| teacher.games);
        let played =
            self.selfplay.as_ref().map_or(0, |selfplay| selfplay.games.saturating_mul(self.generations));
        // Of even games that have nothing to do with each other, each a win or none.
        let half_width = Interval::around(0.0, 0.5 / (games as f64).sqrt()).high;
        (half_width > WIDEST && taught.saturating_add(played) >= TINY).then(|| {
            format!(
                "evaluation.games: {games} games tell a win share to ± {:.0} percentage points; it takes 100 to tell 10",
                100.0 * half_width
            )
        })
    }

    /// What decides the games of a run of this configuration that begins now: the files that it names, by itself or in an
    /// agent's spec.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub(crate) fn present_provenance(&self) -> Result<Provenance, ProvenanceError> {
        let (teacher, evaluation) = (self.teacher.as_ref(), self.evaluation.as_ref());
        let opponents = evaluation.map_or(&[][..], |evaluation| &evaluation.opponents).iter().cloned();
        // Measured with the run's own network, which is no file that it was given.
        let player = evaluation.map(|evaluation| format!("neural:{}", evaluation.agent));
        let searches = self.selfplay.iter().filter_map(|selfplay| selfplay.agent.as_ref());
        let searches = searches.map(|parameters| format!("neural:{parameters}"));
        let seated = self.selfplay.iter().flat_map(|selfplay| selfplay.opponents.iter().cloned());
        let specs = teacher.map(|teacher| teacher.agent.clone()).into_iter().chain(opponents);
        let specs = specs.chain(player).chain(searches).chain(seated);
        let agents: Vec<AgentSpec> = specs.filter_map(|spec| spec.parse().ok()).collect();
        let rules = self.tables.iter().filter_map(|table| rules_file_of(&table.game));
        let files = agents.iter().flat_map(AgentSpec::files).chain(rules).chain(self.start.clone());
        Provenance::of_files(files)
    }

    /// Checks that both say the same of a run, whatever their version and provenance; agents are compared by what their specs say,
    /// not by their text.
    ///
    /// # Errors
    /// The first key that differs.
    pub fn check_same(&self, before: &TrainConfig) -> Result<(), SettingDifference> {
        let keys = |config: &TrainConfig| {
            toml::Table::try_from(config.with_printed_specs()).expect("a configuration has only plain values")
        };
        first_difference("", &keys(self), &keys(before), &[]).map_or(Ok(()), Err)
    }

    /// The same without version and provenance, with agents' specs as the program prints them now.
    fn with_printed_specs(&self) -> Self {
        let mut printed = TrainConfig { version: None, provenance: None, ..self.clone() };
        if let Some(teacher) = &mut printed.teacher {
            teacher.agent = printed_spec(&teacher.agent);
        }
        if let Some(selfplay) = &mut printed.selfplay {
            selfplay.agent.iter_mut().for_each(|agent| *agent = printed_spec(&format!("neural:{agent}")));
            selfplay.opponents.iter_mut().for_each(|spec| *spec = printed_spec(spec));
        }
        if let Some(evaluation) = &mut printed.evaluation {
            evaluation.agent = printed_spec(&format!("neural:{}", evaluation.agent));
            evaluation.opponents.iter_mut().for_each(|spec| *spec = printed_spec(spec));
        }
        printed
    }

    /// Whether there are tables, all of one game.
    fn check_tables(&self) -> Result<(), String> {
        let Some(TableConfig { game: first, .. }) = self.tables.first() else {
            return Err("tables: found none, expected at least one".to_owned());
        };
        let id = |spec: &str| spec.split(':').next().unwrap_or(spec).to_owned();
        for TableConfig { game, share, .. } in &self.tables {
            if game.contains(char::is_control) {
                return Err("tables.game: found control characters".to_owned());
            }
            if id(game) != id(first) {
                return Err(format!("tables.game: found '{game}' beside '{first}', expected one game"));
            }
            if !(*share > 0.0 && share.is_finite()) {
                return Err(format!("tables.share: found {share}, expected a number above 0"));
            }
        }
        Ok(())
    }

    /// The registered game of the first table.
    ///
    /// # Errors
    /// If there is no table, or its game's spec or rules file cannot be used.
    pub fn game(&self) -> Result<GameSpec, String> {
        self.check_tables()?;
        read_game(&self.tables[0].game).map_err(|error| format!("tables.game: {error}"))
    }

    /// The tables.
    ///
    /// # Errors
    /// If there is none, or one that is none of the game `G` or cannot be used.
    pub(crate) fn tables<G: Game>(&self) -> Result<Vec<TrainingTable<G>>, String> {
        self.check_tables()?;
        let tables = self.tables.iter().map(|&TableConfig { ref game, players, share }| {
            let rules = read_rules::<G>(game).map_err(|error| format!("tables.game: {error}"))?;
            let players = check_players::<G>(players).map_err(|error| format!("tables.players: {error}"))?;
            Ok(TrainingTable { rules, players, share })
        });
        tables.collect()
    }

    /// The agent that is measured, with its network in this file; `None` if nothing is measured.
    ///
    /// # Errors
    /// If its parameters cannot be used.
    pub(crate) fn player(&self, net: &str) -> Result<Option<AgentSpec>, String> {
        let Some(evaluation) = &self.evaluation else { return Ok(None) };
        let separator = if evaluation.agent.is_empty() { "" } else { "," };
        let key = if self.critic.is_some() { "critic" } else { "net" };
        let spec = format!("neural:{key}={net}{separator}{}", evaluation.agent);
        spec.parse().map(Some).map_err(|error| format!("evaluation.agent: {error}"))
    }

    /// The learning rate of a step, counted from 0.
    pub(crate) fn learning_rate(&self, step: u64) -> f32 {
        let LearningConfig { learning_rate, final_learning_rate, warmup, .. } = self.learning;
        let all =
            self.generations * self.learning.steps + self.teacher.as_ref().map_or(0, |teacher| teacher.steps);
        let warm = ((step + 1) as f32 / warmup.max(1) as f32).min(1.0);
        let course = (step as f32 / all.max(1) as f32).min(1.0);
        let cosine = (1.0 + (std::f32::consts::PI * course).cos()) / 2.0;
        warm * (final_learning_rate + (learning_rate - final_learning_rate) * cosine)
    }

    /// What the trainer needs.
    pub(crate) fn trainer(&self) -> TrainerSettings {
        let LearningConfig { score_weight, weight_decay, .. } = self.learning;
        TrainerSettings { score_weight, weight_decay }
    }
}
