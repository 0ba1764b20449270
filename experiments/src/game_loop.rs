//! One game between agents, from the first deal to the record.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use azulejo::record::{End, Recorder};
use azulejo::{Game, Record, Seat, Turn};
use azulejo_agents::{
    Agent, AgentError, AgentSpecError, Limits, Move, Playable, PlayableVisitor, visit_playable,
};
use thiserror::Error;

use crate::plan::{Analyses, Job, Plan};
use crate::stream::Stream;

/// Why a seat lost its game by forfeit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaultReason {
    /// The agent gave no answer.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The agent answered with an action that the rules forbid.
    #[error("illegal action {action}: {why}")]
    Illegal {
        /// The action in the game's notation.
        action: String,
        /// The rule that forbids it.
        why: String,
    },
    /// The agent panicked: a fault in its program.
    #[error("the agent crashed: {0}")]
    Crash(String),
}

/// A forfeit: which game, which seat, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {index}: seat {seat} ({agent}) forfeits at ply {ply}: {reason}")]
pub struct Fault {
    /// The game's number in the run.
    pub index: u64,
    /// The seat that forfeits.
    pub seat: Seat,
    /// The agent's spec.
    pub agent: String,
    /// The number of moves before.
    pub ply: usize,
    /// What the agent did.
    pub reason: FaultReason,
}

/// A played game.
#[derive(Clone, Debug)]
pub struct Played {
    /// The record.
    pub record: Record,
    /// The round in which the game ended, from 1.
    pub rounds: u32,
    /// Why a seat forfeited, if one did.
    pub fault: Option<Fault>,
}

/// The random generators of a game's chance nodes: one for each, so that games of one seed block get the same
/// deals however many random numbers a deal takes.
#[derive(Clone, Debug)]
pub struct Deals {
    seed: u64,
    block: u64,
    node: u64,
}

impl Deals {
    /// The deals of a seed block under a master seed.
    pub fn new(seed: u64, block: u64) -> Self {
        Deals { seed, block, node: 0 }
    }

    /// The outcome of the game's next chance node.
    ///
    /// # Panics
    /// May panic if the state is not at a chance node.
    pub fn draw<G: Game>(&mut self, state: &G) -> G::Outcome {
        let outcome = self.at(self.node, state);
        self.node += 1;
        outcome
    }

    /// The outcome of the chance node with this number in the game, counted from 0.
    ///
    /// # Panics
    /// May panic if the state is not at a chance node.
    pub fn at<G: Game>(&self, node: u64, state: &G) -> G::Outcome {
        state.sample_chance(&mut Stream::Deals.generator(self.seed, &[self.block, node]))
    }
}

/// An agent at its seat.
struct Seated<G: Game> {
    /// Its number in the plan.
    number: usize,
    /// The seed of its random numbers in this game.
    seed: u64,
    agent: Box<dyn Agent<G>>,
}

/// How a game stopped, with its recorder and the offence if there was one.
struct Stopped<G: Game> {
    recorder: Recorder<G>,
    end: End,
    offence: Option<(Seat, FaultReason)>,
}

/// Plays a game between agents, one a seat.
fn play<G: Game>(
    mut recorder: Recorder<G>,
    agents: &mut [Seated<G>],
    deals: Deals,
    move_limit: usize,
    analyses: Analyses,
) -> Stopped<G> {
    let (end, offence) = match play_on(&mut recorder, agents, deals, move_limit, analyses) {
        Ok(end) => (end, None),
        Err((seat, reason)) => (End::Forfeit(seat), Some((seat, reason))),
    };
    Stopped { recorder, end, offence }
}

/// Plays until the game ends or a seat offends.
fn play_on<G: Game>(
    recorder: &mut Recorder<G>,
    agents: &mut [Seated<G>],
    mut deals: Deals,
    move_limit: usize,
    analyses: Analyses,
) -> Result<End, (Seat, FaultReason)> {
    for_each_seat(agents, |it| it.agent.new_game(it.seed))?;
    loop {
        let state = *recorder.state();
        let played = match state.turn() {
            Turn::Over => return Ok(End::Finished),
            _ if recorder.plies() >= move_limit => return Ok(End::Truncated),
            Turn::Chance => {
                let outcome = deals.draw(&state);
                recorder.chance(&outcome).expect("a drawn outcome is possible");
                Move::Chance(outcome)
            }
            Turn::Player(seat) => {
                let agent = &mut *agents[seat.index()].agent;
                Move::Action(act(recorder, agent, analyses).map_err(|reason| (seat, reason))?)
            }
        };
        for_each_seat(agents, |it| it.agent.observe(&played))?;
    }
}

/// Does something with the agent of each seat; a seat whose agent panics has offended.
fn for_each_seat<G: Game>(
    agents: &mut [Seated<G>],
    mut tell: impl FnMut(&mut Seated<G>),
) -> Result<(), (Seat, FaultReason)> {
    let mut seats = Seat::all(agents.len()).zip(agents);
    seats.try_for_each(|(seat, it)| guarded(|| tell(it)).map_err(|reason| (seat, reason)))
}

/// Lets an agent work; a panic becomes a reason to forfeit. The agent must not be used afterwards.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, FaultReason> {
    let message = |panic: Box<dyn Any + Send>| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        azulejo::shortened(text.unwrap_or("without a message"))
    };
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| FaultReason::Crash(message(panic)))
}

/// Lets the agent choose and plays its action.
fn act<G: Game>(
    recorder: &mut Recorder<G>,
    agent: &mut dyn Agent<G>,
    analyses: Analyses,
) -> Result<G::Action, FaultReason> {
    let decision = guarded(|| agent.choose(recorder.state(), &Limits::default()))??;
    let analysis = match analyses {
        Analyses::Kept => decision.search.as_ref().map(|search| search.analysis()),
        Analyses::Dropped => None,
    };
    let action = decision.action;
    recorder
        .act(action, analysis)
        .map_err(|why| FaultReason::Illegal { action: action.to_string(), why: why.to_string() })?;
    Ok(action)
}

/// Something that plays the games of one plan, one after the other.
pub trait JobPlayer: Send {
    /// Plays a game of the plan.
    ///
    /// # Errors
    /// If an agent cannot be built.
    fn play(&mut self, job: &Job) -> Result<Played, AgentSpecError>;
}

/// A player for the games of a plan; each thread needs one of its own.
///
/// # Errors
/// If an agent cannot be built for the plan's game.
pub fn job_player(plan: &Plan) -> Result<Box<dyn JobPlayer + '_>, AgentSpecError> {
    visit_playable(plan.game, OpenHall(plan))
}

struct OpenHall<'a>(&'a Plan);

impl<'a> PlayableVisitor for OpenHall<'a> {
    type Output = Result<Box<dyn JobPlayer + 'a>, AgentSpecError>;

    fn visit<G: Playable>(self, rules: &'static G::Rules) -> Self::Output {
        let build = |spec: &azulejo_agents::AgentSpec| Ok(vec![spec.build::<G>()?]);
        let idle = self.0.agents.iter().map(build).collect::<Result<_, AgentSpecError>>()?;
        Ok(Box::new(Hall { plan: self.0, rules, idle }))
    }
}

/// The agents of a plan, built once and seated for game after game.
struct Hall<'a, G: Playable> {
    plan: &'a Plan,
    rules: &'static G::Rules,
    /// For each agent of the plan the copies that do not play at the moment.
    idle: Vec<Vec<Box<dyn Agent<G>>>>,
}

impl<G: Playable> Hall<'_, G> {
    /// Seats the job's agents.
    fn seat(&mut self, job: &Job) -> Result<Vec<Seated<G>>, AgentSpecError> {
        let seats = job.seats.iter().enumerate();
        seats
            .map(|(seat, &number)| {
                let agent = match self.idle[number].pop() {
                    Some(agent) => agent,
                    None => self.plan.agents[number].build()?,
                };
                let seed = Stream::Agents.seed(self.plan.seed, &[job.index, seat as u64]);
                Ok(Seated { number, seed, agent })
            })
            .collect()
    }
}

impl<G: Playable> JobPlayer for Hall<'_, G> {
    fn play(&mut self, job: &Job) -> Result<Played, AgentSpecError> {
        let plan = self.plan;
        let mut agents = self.seat(job)?;
        let recorder = Recorder::new(self.rules, plan.players);
        let deals = Deals::new(plan.seed, job.block);
        let stopped = play::<G>(recorder, &mut agents, deals, plan.move_limit, plan.analyses);
        let crashed = match &stopped.offence {
            Some((seat, FaultReason::Crash(_))) => Some(seat.index()),
            _ => None,
        };
        for (seat, Seated { number, agent, .. }) in agents.into_iter().enumerate() {
            // What a panic leaves of an agent is not used again.
            if crashed != Some(seat) {
                self.idle[number].push(agent);
            }
        }
        let fault = stopped.offence.map(|(seat, reason)| Fault {
            index: job.index,
            seat,
            agent: plan.agents[job.seats[seat.index()]].to_string(),
            ply: stopped.recorder.plies(),
            reason,
        });
        let rounds = stopped.recorder.state().round();
        let mut record = stopped.recorder.finish(stopped.end, plan.specs(job), plan.seed, job.index);
        record.reason = fault.as_ref().map(|fault| fault.reason.to_string());
        Ok(Played { record, rounds, fault })
    }
}

#[cfg(test)]
mod tests {
    use azulejo::GameSpec;
    use azulejo::azul::{Azul, AzulRules};
    use azulejo_agents::Decision;

    use super::*;
    use crate::plan::Rotation;

    fn plan(players: usize, agent: &str) -> Plan {
        let game: GameSpec = "azul".parse().unwrap();
        Plan::selfplay((game, players), &[agent.parse().unwrap()], 4, 7, Rotation::Rotated).unwrap()
    }

    #[test]
    fn games_finish_and_verify_with_any_number_of_players() {
        for players in 2..=4 {
            let plan = plan(players, "random");
            let played = job_player(&plan).unwrap().play(&plan.job(0)).unwrap();
            played.record.verify().unwrap();
            assert_eq!((played.record.end, played.record.players), (End::Finished, players));
            assert!(played.rounds >= 5);
        }
    }

    #[test]
    fn a_game_depends_on_nothing_but_its_job() {
        let plan = plan(3, "greedy");
        let mut used = job_player(&plan).unwrap();
        used.play(&plan.job(0)).unwrap();
        let fresh = job_player(&plan).unwrap().play(&plan.job(3)).unwrap();
        assert_eq!(used.play(&plan.job(3)).unwrap().record, fresh.record);
    }

    #[test]
    fn games_of_a_block_begin_with_the_same_deal() {
        let plan = plan(2, "random");
        let mut player = job_player(&plan).unwrap();
        let deals: Vec<String> =
            (0..4).map(|index| player.play(&plan.job(index)).unwrap().record.moves[0].clone()).collect();
        assert!(deals[0] == deals[1] && deals[2] == deals[3] && deals[0] != deals[2], "{deals:?}");
    }

    #[test]
    fn long_games_are_truncated() {
        let mut plan = plan(2, "random");
        plan.move_limit = 5;
        let played = job_player(&plan).unwrap().play(&plan.job(0)).unwrap();
        assert_eq!((played.record.end, played.record.moves.len()), (End::Truncated, 5));
        played.record.verify().unwrap();
    }

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

    fn stopped(agents: [Box<dyn Agent<Azul>>; 2]) -> Stopped<Azul> {
        let rules = azulejo::intern(AzulRules::default());
        let mut agents = agents.map(|agent| Seated { number: 0, seed: 1, agent });
        play(Recorder::new(rules, 2), &mut agents, Deals::new(1, 0), 3000, Analyses::Dropped)
    }

    #[test]
    fn an_illegal_action_forfeits() {
        let stopped = stopped([Box::new(Stubborn(None)), Box::new(Stubborn(None))]);
        let (seat, reason) = stopped.offence.unwrap();
        assert_eq!(stopped.end, End::Forfeit(seat));
        assert!(reason.to_string().starts_with("illegal action "), "{reason}");
        let record = stopped.recorder.finish(stopped.end, vec!["stubborn".to_owned(); 2], 1, 0);
        record.verify().unwrap();
        assert_eq!(record.wins[seat.index()], 0.0);
    }

    #[test]
    fn a_panic_forfeits() {
        let stopped = stopped([Box::new(Fragile(vec![])), Box::new(Fragile(vec![]))]);
        let (seat, reason) = stopped.offence.unwrap();
        assert_eq!((stopped.end, seat, stopped.recorder.plies()), (End::Forfeit(seat), Seat::new(0), 5));
        assert_eq!(reason.to_string(), "the agent crashed: a fault in the\u{FFFD}program");
    }
}
