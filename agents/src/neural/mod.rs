//! Networks: what they look like, how they learn, and the agent that searches with one.

mod aligned;
mod average;
mod backend;
mod batch;
mod critic;
mod evaluator;
mod file;
mod fixed_kernels;
mod fixed_layers;
mod inference;
mod kernels;
mod network;
mod onnx;
#[cfg(test)]
mod random_examples;
#[cfg(test)]
mod tests;
#[cfg(feature = "torch")]
mod torch;
mod training;

use std::path::{Path, PathBuf};

use crate::abilities::{need_features, need_ratings};
use crate::agent::Agent;
use crate::builder::AgentBuilder;
use crate::clock::{TimeControl, TimeLimits};
use crate::evaluator::{Evaluator, RolloutKind, Utility};
use crate::game_knowledge::GameKnowledge;
use crate::goal::Pull;
use crate::heuristic::StateValue;
use crate::mcts::{
    ChanceTreatment, DEFAULT_MEMORY, Gumbel, MctsAgent, RootNoise, RootRule, Searcher, SelectionRule,
    TreeRules,
};
use crate::parameters::{AgentParameters, AgentSpecError, Mebibytes, Share, keyword_enum};
use crate::rollout::{GreedyPolicy, RandomPolicy, Rollout};
use crate::rule_knowledge::{KnownKeys, RuleKnowledge};
use crate::search_threads::MAX_THREADS;
use crate::shipped::{EvaluatedState, NetSettings};
use crate::valuation::{Horizon, Valuation};

pub use average::AveragedNetwork;
pub use backend::{Backend, BackendError};
pub use batch::{BatchNetwork, BatchRow, BatchedInference, PendingLook};
pub use critic::{Critic, about_critic, critic_from_bytes, critic_shape, read_critic, untrained_critic};
pub(crate) use evaluator::NetworkEvaluator;
pub use file::{
    About, MAX_BLOCKS, MAX_WIDTH, NetError, from_bytes, read, read_about, read_file, shape_of, to_bytes,
    untrained, with_settings,
};
pub use inference::{Embedded, Inference};
pub use network::{Network, SCORE_UNIT, Shape, Workspace, softmax};
pub use onnx::to_onnx;
#[cfg(feature = "torch")]
pub use torch::TorchTrainer;
pub use training::{CpuTrainer, Example, Losses, Trainer, TrainerSettings, TrainerState};

crate::agent_parameters! {
    /// Monte Carlo tree search with a network that judges states and suggests actions.
    NeuralParameters = "neural" {
        /// The file with the network's weights, which may also say the defaults of the search's parameters; default: the network
        /// that comes with the agents.
        net: Option<String> = None,
        /// Simulations a move; default 1000, without limit if a time is given.
        sims: Option<u64> = None,
        /// Milliseconds a move on the wall clock; default: no limit.
        time: Option<u64> = None,
        /// Milliseconds a move of processor time, of several threads that of the first; default: no limit.
        cpu: Option<u64> = None,
        /// With time or cpu, the share of what earlier moves of the game left of theirs that a move may take beside its own, 0 to 1: then
        /// time and cpu are what moves take at most on average. Default 0.
        carry: Share = Share::NONE,
        /// How simulations are shared out at the root, puct, or gumbel (sequential halving; puct if only a time is given);
        /// default puct.
        root: RootKind = RootKind::Puct,
        /// With root=gumbel, the most actions that are considered; default 16.
        considered: u64 = 16,
        /// With root=gumbel, the factor on random numbers that decide between actions: 1 explores. With root=puct, the share of
        /// random numbers in the prior at the root, 0 to 1: 0.25 explores. Default 0.
        noise: f32 = 0.0,
        /// With root=gumbel, how far values are trusted beside the network's policy; default 1.
        scale: f32 = 1.0,
        /// The weight of exploration; default 1.5, with the networks that come with the agents 0.9 in Azul, 0.8 in Summer Pavilion
        /// and 1.1 in Queen's Garden.
        c: Option<f32> = None,
        /// How much worse than its parent an untried child is taken to be; default 0.1, in Queen's Garden 0 with the network
        /// that comes with the agents.
        fpu: Option<f32> = None,
        /// The temperature of the prior, above 0: the network's policy is taken to the power of 1 / prior, so that more than 1 evens
        /// it out. Default 1, with the network for Azul that comes with the agents 1.8.
        prior: Option<f32> = None,
        /// How a leaf is judged: none, by the network and the game's own value at once; round, by both, the value at the next
        /// chance node, to which the greedy agent's actions lead; greedy, by the network and the end of a game played so;
        /// random, by the end of a random game. Default round.
        rollout: Option<RolloutKind> = None,
        /// What the network evaluates, the leaf itself or the next chance node, to which the greedy agent's actions lead (end);
        /// default end, leaf with the networks of Azul and Summer Pavilion that come with the agents.
        #[alias = "look"]
        evaluate: Option<EvaluatedState> = None,
        /// The weight beside the network's value, 0 to 1, of the game's own value with rollout=round or none, of the game's end
        /// with greedy. Default with greedy 0.5, else with the networks that come with the agents 0.5 for Azul, 0.4 for Summer
        /// Pavilion and 1 for Queen's Garden, and 0 with others.
        #[alias = "hand"]
        heuristic: Option<f32> = None,
        /// With rollout=round or none, the weight in the game's own value, 0 to 1, of the end of a game that the greedy agent plays on
        /// from there: the value's errors are not those of the game. Default 0.
        playout: Option<f32> = None,
        /// The file with the weights of a critic, a network that corrects the game's own value, or none. Default the one that the
        /// network's file names, with the networks that come with the agents theirs, else none.
        critic: Option<String> = None,
        /// What the tree does at chance nodes, sample or afterstate; default sample.
        chance: ChanceTreatment = ChanceTreatment::Sample,
        /// The weight of the lead in points in the utility, 0 to 1; the rest is win share. Default 0.5, in Queen's Garden 0.8
        /// with the network that comes with the agents.
        margin: Option<f32> = None,
        /// Threads that search at once in one tree; with more than 1 the same seed need not find the same, and there is no batch.
        /// Default 1.
        threads: u64 = 1,
        /// Leaves of the tree that are gathered before they are judged together; more than 1 costs strength, and gains time only
        /// where the network works in batches, as the one built in does not. Default 1, most 256.
        batch: u64 = 1,
        /// Mebibytes for the tree; a search ends when it is full. Default 1024.
        memory: Mebibytes = DEFAULT_MEMORY,
        /// Something that the search strives for beside points, see the balance page of the documentation; default: none.
        goal: Option<String> = None,
        /// The points that a complete thing of the goal's kind is worth to the search; default 10.
        goal_weight: f32 = 10.0,
    }
}

impl AgentBuilder for NeuralParameters {
    fn build<G: GameKnowledge>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        need_features::<G>(self)?;
        let (network, About { search, .. }) = self.network::<G>()?;
        let settings = search.unwrap_or_default();
        self.check(&settings)?;
        if matches!(self.rollout.unwrap_or(settings.rollout), RolloutKind::Greedy | RolloutKind::Round) {
            need_ratings::<G>(self)?;
        }
        let critic = self.critic_network::<G>(&settings)?.map(Embedded::new);
        let critic = critic.as_ref().map(|critic| critic as _);
        let goal = Pull::of::<Self>(self.goal.as_deref(), self.goal_weight)?;
        Ok(Box::new(agent::<G>(self, &Embedded::in_16_bits(network), critic, &settings).with_goal(goal)))
    }

    fn rule_knowledge<G: GameKnowledge>(&self) -> Result<RuleKnowledge, AgentSpecError> {
        let settings = self.network::<G>()?.1.search.unwrap_or_default();
        let (rollout, weight) = self.rollout_and_weight(&settings);
        let value = KnownKeys::Listed(<G as StateValue>::KNOWN_RULES);
        let (keys, by) = match rollout {
            RolloutKind::Random => (KnownKeys::All, "the ends of its playouts, not its network's policy"),
            _ if weight <= 0.0 => (KnownKeys::None, "a network trained without the change"),
            RolloutKind::Greedy => (KnownKeys::All, "the ends of its playouts, not its network"),
            RolloutKind::Round | RolloutKind::None => (value, "the game's own value, not its networks"),
        };
        Ok(RuleKnowledge { keys, by })
    }

    fn files(&self) -> Vec<PathBuf> {
        let net = self.net.as_ref().map(PathBuf::from);
        let critic = match (self.critic.as_deref(), &net) {
            (Some("none"), _) | (None, None) => None,
            (Some(file), _) => Some(PathBuf::from(file)),
            (None, Some(net)) => file::critic_beside(net),
        };
        net.into_iter().chain(critic).collect()
    }
}

/// Why a network that comes with the agents can be read.
const FITS: &str = "the agents' own networks fit";

impl NeuralParameters {
    /// Refuses what no search can do.
    fn check(&self, settings: &NetSettings) -> Result<(), AgentSpecError> {
        if let Some(prior) = self.prior.filter(|prior| *prior <= 0.0) {
            return Err(Self::refusal("prior", &prior.to_string(), "a number above 0".to_owned()));
        }
        if self.root == RootKind::Puct && self.noise > 1.0 {
            let expected = "a share from 0 to 1 with root=puct".to_owned();
            return Err(Self::refusal("noise", &self.noise.to_string(), expected));
        }
        let rollout = self.rollout.unwrap_or(settings.rollout);
        if self.playout.is_some() && matches!(rollout, RolloutKind::Greedy | RolloutKind::Random) {
            let expected = "none where the rollout goes to the end of the game".to_owned();
            return Err(Self::refusal("playout", &self.get("playout").unwrap_or_default(), expected));
        }
        match (self.threads, self.batch) {
            (1, _) | (_, 1) => Ok(()),
            (threads, _) => Err(Self::refusal("threads", &threads.to_string(), "1 with batch".to_owned())),
        }
    }

    /// How a leaf is judged, and the weight of that beside the network's value.
    fn rollout_and_weight(&self, settings: &NetSettings) -> (RolloutKind, f32) {
        let rollout = self.rollout.unwrap_or(settings.rollout);
        let weight = match rollout {
            RolloutKind::Greedy => HEURISTIC_OF_PLAYOUT,
            _ => settings.heuristic,
        };
        (rollout, self.heuristic.unwrap_or(weight))
    }

    fn tree_rules(&self, settings: &NetSettings) -> TreeRules {
        let (c, fpu) = (self.c.unwrap_or(settings.c), self.fpu.unwrap_or(settings.fpu));
        let selection = SelectionRule::Puct { c, fpu };
        TreeRules { selection, chance: self.chance, memory: self.memory.bytes_of_part(1) }
    }

    /// The network, and what its file says of it.
    fn network<G: GameKnowledge>(&self) -> Result<(Network, About), AgentSpecError> {
        let expected = format!("a file of {} weights", G::NAME);
        match (&self.net, G::NET) {
            (Some(file), _) => file::read::<G>(Path::new(file))
                .map_err(|error| Self::refusal("net", file, format!("{expected}: {error}"))),
            (None, Some(shipped)) => Ok(file::from_bytes::<G>(shipped.weights).expect(FITS)),
            (None, None) => Err(Self::refusal("net", "", expected)),
        }
    }

    /// The critic that the parameters name, or else the one that the network's settings name.
    fn critic_network<G: GameKnowledge>(
        &self,
        settings: &NetSettings,
    ) -> Result<Option<Network>, AgentSpecError> {
        let read = match (self.critic.as_deref(), &settings.critic, &self.net) {
            (Some("none"), ..) | (None, None, _) => return Ok(None),
            (Some(file), ..) => critic::read_critic::<G>(Path::new(file)).map_err(|error| {
                let expected = format!("none, or a file of a critic for {}", G::NAME);
                Self::refusal("critic", file, format!("{expected}: {error}"))
            })?,
            (None, Some(name), Some(net)) => critic::read_critic::<G>(&Path::new(net).with_file_name(name))
                .map_err(|error| {
                let expected = format!("its critic {name} beside it (critic=none does without)");
                Self::refusal("net", net, format!("{expected}: {error}"))
            })?,
            (None, Some(_), None) => {
                let critic = G::NET.and_then(|shipped| shipped.critic).expect("it comes with its network");
                critic::critic_from_bytes::<G>(critic).expect(FITS)
            }
        };
        Ok(Some(read.0))
    }
}

keyword_enum! {
    /// How simulations are shared out at the root.
    RootKind {
        /// By the same rule as everywhere, [`SelectionRule::Puct`].
        Puct = "puct",
        /// By sequential halving, [`Gumbel`].
        Gumbel = "gumbel",
    }
}

/// The agent with networks that have been read already; the parameters `net` and `critic` are not looked at.
pub(crate) fn agent<G: GameKnowledge>(
    parameters: &NeuralParameters,
    network: &dyn Inference,
    critic: Option<&dyn Inference>,
    settings: &NetSettings,
) -> MctsAgent<G> {
    let utility = Utility { margin: parameters.margin.unwrap_or(settings.margin).min(1.0) };
    let evaluator = |network: &dyn Inference| -> Box<dyn Evaluator<G>> {
        Box::new(evaluator::<G>(parameters, network, critic, settings, utility))
    };
    let helpers = (1..parameters.threads.min(MAX_THREADS)).map(|_| evaluator(&*network.for_thread()));
    let searcher = Searcher::new(parameters.tree_rules(settings), utility, evaluator(network));
    searching_by(parameters, searcher.with_helpers(helpers))
}

/// What judges leaves and suggests actions by these parameters.
fn evaluator<G: GameKnowledge>(
    parameters: &NeuralParameters,
    network: &dyn Inference,
    critic: Option<&dyn Inference>,
    settings: &NetSettings,
    utility: Utility,
) -> NetworkEvaluator<G> {
    let (rollout, weight) = parameters.rollout_and_weight(settings);
    let greedy = || GreedyPolicy::new(G::Weights::default());
    let playout = parameters.playout.unwrap_or(settings.playout);
    let value = |horizon| {
        let value = Valuation::new(horizon, greedy(), G::ValueWeights::default(), utility);
        let value = value.with_playout(playout);
        Box::new(match critic {
            Some(critic) => value.with_correction(Box::new(Critic::new(Some(critic)))),
            None => value,
        })
    };
    let horizon = match (rollout, parameters.evaluate.unwrap_or(settings.evaluate)) {
        (RolloutKind::None, _) | (_, EvaluatedState::Leaf) => Horizon::Here,
        (_, EvaluatedState::End) => Horizon::Chance,
    };
    let prior = parameters.prior.unwrap_or(settings.prior);
    let by_network = NetworkEvaluator::<G>::new(network, horizon, utility).with_prior(prior);
    match rollout {
        RolloutKind::None => by_network.with_heuristic(weight, value(Horizon::Here)),
        RolloutKind::Round => by_network.with_heuristic(weight, value(Horizon::Chance)),
        RolloutKind::Greedy => by_network.with_heuristic(weight, Box::new(Rollout::new(greedy(), utility))),
        RolloutKind::Random => {
            by_network.with_values_of(Box::new(Rollout::new(RandomPolicy::default(), utility)))
        }
    }
}

/// The agent that searches by these parameters with a searcher.
fn searching_by<G: GameKnowledge>(parameters: &NeuralParameters, searcher: Searcher<G>) -> MctsAgent<G> {
    let searcher = searcher.with_batch(parameters.batch.min(MAX_BATCH) as usize);
    let searcher = searcher.with_root(match parameters.root {
        RootKind::Puct if parameters.noise > 0.0 => {
            RootRule::NoisySelection(RootNoise { share: parameters.noise })
        }
        RootKind::Puct => RootRule::Selection,
        RootKind::Gumbel => RootRule::Halving(Gumbel {
            considered: parameters.considered,
            noise: parameters.noise,
            scale: parameters.scale,
        }),
    });
    let time = TimeLimits::from_millis(parameters.time, parameters.cpu);
    MctsAgent::new(parameters.sims, TimeControl::new(time, parameters.carry), searcher)
}

/// The agent with a network that has been read already, the parameter `net` is not looked at; `critic` is read.
///
/// # Errors
/// If the file of a critic cannot be used, or several threads cannot search so.
pub fn seated<G: GameKnowledge>(
    parameters: &NeuralParameters,
    network: &dyn Inference,
) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
    let settings = NetSettings::default();
    parameters.check(&settings)?;
    let critic = parameters.critic_network::<G>(&settings)?.map(Embedded::new);
    let goal = Pull::of::<NeuralParameters>(parameters.goal.as_deref(), parameters.goal_weight)?;
    let agent = agent(parameters, network, critic.as_ref().map(|critic| critic as _), &settings);
    Ok(Box::new(agent.with_goal(goal)))
}

/// The agent with an evaluator of its caller's, which says all that networks and heuristics would say: the parameters that
/// choose these must not be set. The weight of the lead is 0 unless told.
///
/// # Errors
/// If a parameter is set that the evaluator takes the place of.
pub fn searching<G: GameKnowledge>(
    parameters: &NeuralParameters,
    evaluator: Box<dyn Evaluator<G>>,
) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
    for key in ["net", "prior", "rollout", "evaluate", "heuristic", "playout", "critic", "threads"] {
        if let Some(value) = parameters.get(key) {
            let expected = "none beside an evaluator of your own".to_owned();
            return Err(NeuralParameters::refusal(key, &value, expected));
        }
    }
    let settings = NetSettings { margin: 0.0, ..NetSettings::default() };
    let utility = Utility { margin: parameters.margin.unwrap_or(settings.margin).min(1.0) };
    let searcher = Searcher::new(parameters.tree_rules(&settings), utility, evaluator);
    let goal = Pull::of::<NeuralParameters>(parameters.goal.as_deref(), parameters.goal_weight)?;
    Ok(Box::new(searching_by(parameters, searcher).with_goal(goal)))
}

/// The weight of a greedy game's end beside the network's value: in Summer Pavilion both together are better than either.
const HEURISTIC_OF_PLAYOUT: f32 = 0.5;

/// The most leaves of one tree at once.
const MAX_BATCH: u64 = 256;
