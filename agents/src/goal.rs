//! Searches that are bent to a plan: [`Goal`], which a seat strives for beside points.

use std::collections::VecDeque;
use std::fmt;
use std::task::{Poll, ready};

use azulejo::seed::derive;
use azulejo::{Game, Generator, Seat, Turn};

use crate::evaluator::{Evaluator, Expectation, Utility};
use crate::heuristic::Heuristic;
use crate::parameters::{AgentParameters, AgentSpecError};
use crate::rollout::GreedyPolicy;
use crate::valuation::Horizon;

/// Something that a seat can strive for beside points.
pub struct Goal<G: Game> {
    /// Its name in agent specs.
    pub name: &'static str,
    /// What it goes for.
    pub about: &'static str,
    /// How much of it a seat has in a state: complete things count 1 each, parts of them less.
    pub count: fn(&G, Seat) -> f32,
}

impl<G: Game> Clone for Goal<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Goal<G> {}

impl<G: Game> fmt::Debug for Goal<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}

/// How much of `whole` there is, as goals count it: parts count by their square, so that it pays to complete one thing before the
/// next one is begun.
#[inline]
pub(crate) fn part(have: u32, whole: u32) -> f32 {
    let share = have as f32 / whole as f32;
    share * share
}

/// A goal with the points that one complete thing is worth to the seat that searches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull<G: Game> {
    goal: Goal<G>,
    points: f32,
}

impl<G: Heuristic> Pull<G> {
    /// The goal that an agent's parameters `goal` and `goal_weight` name, if they do.
    ///
    /// # Errors
    /// If the game has no such goal.
    pub(crate) fn of<P: AgentParameters>(
        name: Option<&str>,
        points: f32,
    ) -> Result<Option<Self>, AgentSpecError> {
        let Some(name) = name else { return Ok(None) };
        let goal = G::GOALS.iter().find(|goal| goal.name == name).copied().ok_or_else(|| {
            let known: Vec<&str> = G::GOALS.iter().map(|goal| goal.name).collect();
            let known =
                if known.is_empty() { "none".to_owned() } else { format!("one of {}", known.join(", ")) };
            P::refusal("goal", name, format!("{known} for {}", G::NAME))
        })?;
        Ok(Some(Pull { goal, points }))
    }
}

/// The utility of a point that a goal is worth: about that of a point of lead in an even game.
const POINT_UTILITY: f32 = 1.0 / 40.0;

/// Evaluates as another evaluator does, and adds to the utility of the seat that searches what a goal is worth to it. Shares of the win
/// and leads stay what they are, and the other seats are taken to play for points alone.
pub(crate) struct BentEvaluator<G: Heuristic> {
    inner: Box<dyn Evaluator<G>>,
    pull: Pull<G>,
    /// The seat that searches.
    seat: Option<Seat>,
    /// Leads to where a goal is counted: the next chance node.
    policy: GreedyPolicy<G>,
    rng: Generator,
    /// What is added to the values that wait.
    waiting: VecDeque<f32>,
}

/// Tells the generator of a goal from others with the same seed.
const STREAM: u64 = 0x60a1;

impl<G: Heuristic> BentEvaluator<G> {
    /// An evaluator with a pull to a goal.
    pub(crate) fn new(inner: Box<dyn Evaluator<G>>, pull: Pull<G>) -> Self {
        let (policy, rng) = (GreedyPolicy::new(G::Weights::default()), Generator::new(0));
        BentEvaluator { inner, pull, seat: None, policy, rng, waiting: VecDeque::new() }
    }

    /// What the goal is worth in a state.
    fn bonus(&mut self, state: &G) -> f32 {
        let Some(seat) = self.seat else { return 0.0 };
        let mut state = *state;
        if G::IS_RATED {
            Horizon::Chance.reach(&mut state, &mut self.policy, &mut self.rng);
        }
        POINT_UTILITY * self.pull.points * (self.pull.goal.count)(&state, seat)
    }

    fn bent(&self, mut found: Expectation, bonus: f32) -> Expectation {
        if let Some(seat) = self.seat {
            found.utility[seat] += bonus;
        }
        found
    }
}

impl<G: Heuristic> Evaluator<G> for BentEvaluator<G> {
    fn reseed(&mut self, seed: u64) {
        self.rng = Generator::new(derive(seed, &[STREAM]));
        self.seat = None;
        self.inner.reseed(seed);
    }

    fn prepare(&mut self, root: &G) {
        if let Turn::Player(seat) = root.turn() {
            self.seat = Some(seat);
        }
        self.waiting.clear();
        self.inner.prepare(root);
    }

    fn keeps_values(&self, root: &G) -> bool {
        self.seat.is_none_or(|seat| root.turn() == Turn::Player(seat))
    }

    fn value(&mut self, state: &G) -> Expectation {
        let bonus = self.bonus(state);
        let found = self.inner.value(state);
        self.bent(found, bonus)
    }

    fn result(&mut self, state: &G, utility: Utility) -> Expectation {
        let bonus = self.bonus(state);
        let found = self.inner.result(state, utility);
        self.bent(found, bonus)
    }

    fn visit_generators(&mut self, visit: &mut dyn FnMut(&mut Generator)) {
        visit(&mut self.rng);
        self.inner.visit_generators(visit);
    }

    fn policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    ) {
        self.inner.policy(state, actions, probabilities, rng);
    }

    fn ask(&mut self, state: &G) -> Poll<Expectation> {
        let bonus = self.bonus(state);
        match self.inner.ask(state) {
            Poll::Ready(found) => Poll::Ready(self.bent(found, bonus)),
            Poll::Pending => {
                self.waiting.push_back(bonus);
                Poll::Pending
            }
        }
    }

    fn answer(&mut self) -> Poll<Expectation> {
        let found = ready!(self.inner.answer());
        let bonus = self.waiting.pop_front().unwrap_or(0.0);
        Poll::Ready(self.bent(found, bonus))
    }

    fn poll_policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    ) -> Poll<()> {
        self.inner.poll_policy(state, actions, probabilities, rng)
    }

    fn flush(&mut self) {
        self.inner.flush();
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::Azul;
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;
    use azulejo::{History, Move, Rules, intern};

    use super::*;
    use crate::agent::Limits;
    use crate::registry::{AgentSpec, Playable};

    /// A game of the agent at seat 0 with another one.
    fn play<G: Playable>(specs: [&str; 2], seed: u64) -> History<G> {
        let rules: &'static G::Rules = intern(G::Rules::variants().remove(0));
        let mut agents = specs.map(|spec| spec.parse::<AgentSpec>().unwrap().build::<G>().unwrap());
        agents.iter_mut().for_each(|agent| agent.new_game(seed));
        let (mut history, mut rng) = (History::<G>::new(rules, 2), Generator::new(seed));
        while history.state().turn() != Turn::Over {
            let state = history.state();
            let played = match state.turn() {
                Turn::Player(seat) => {
                    Move::Action(agents[seat.index()].choose(state, &Limits::default()).unwrap().action)
                }
                _ => Move::Outcome(state.sample_chance(&mut rng)),
            };
            history.push(played).unwrap();
            agents.iter_mut().for_each(|agent| agent.observe(&played));
        }
        history
    }

    /// How much of a goal seat 0 has on average over the states of games that it plays like this.
    fn reached<G: Playable>(goal: &Goal<G>, spec: &str) -> f32 {
        const GAMES: u64 = 6;
        let mean = |history: History<G>| {
            let states: Vec<f32> =
                history.replay().map(|ply| (goal.count)(&ply.after, Seat::new(0))).collect();
            states.iter().sum::<f32>() / states.len() as f32
        };
        (0..GAMES).map(|seed| mean(play::<G>([spec, "greedy"], seed))).sum::<f32>() / GAMES as f32
    }

    /// Who strives for the goals of a game has more of them, most of all of one.
    fn check<G: Playable>() {
        const SEARCH: &str = "mcts:sims=60,rollout=none";
        assert!(G::GOALS.len() >= 4, "{}", G::NAME);
        let gain = |goal: &Goal<G>| {
            let with = reached::<G>(goal, &format!("{SEARCH},goal={},goal_weight=60", goal.name));
            with / reached::<G>(goal, SEARCH).max(0.01) - 1.0
        };
        let gains: Vec<f32> = G::GOALS.iter().map(gain).collect();
        let names: Vec<&str> = G::GOALS.iter().map(|goal| goal.name).collect();
        let most = gains.iter().copied().fold(f32::MIN, f32::max);
        assert!(gains.iter().sum::<f32>() > 0.0 && most > 0.1, "{}: {names:?}: {gains:?}", G::NAME);
    }

    #[test]
    fn who_strives_for_a_goal_of_azul_reaches_more_of_it() {
        check::<Azul>();
    }

    #[test]
    fn who_strives_for_a_goal_of_summer_pavilion_reaches_more_of_it() {
        check::<SummerPavilion>();
    }

    #[test]
    fn who_strives_for_a_goal_of_queens_garden_reaches_more_of_it() {
        check::<QueensGarden>();
    }

    #[test]
    fn a_goal_without_weight_changes_no_move() {
        let moves = |spec: &str| play::<Azul>([spec, "greedy"], 5).moves().to_vec();
        assert_eq!(moves("mcts:sims=30,goal=columns,goal_weight=0"), moves("mcts:sims=30"));
        assert_ne!(moves("mcts:sims=30,goal=columns,goal_weight=60"), moves("mcts:sims=30"));
        let neural = "neural:sims=8";
        assert_eq!(moves(&format!("{neural},goal=rows,goal_weight=0")), moves(neural));
        assert_ne!(moves(&format!("{neural},goal=rows,goal_weight=60")), moves(neural));
    }

    #[test]
    fn a_tree_of_one_seat_is_not_gone_on_with_for_another_one() {
        let inner = Box::new(crate::rollout::Rollout::new(
            crate::rollout::RandomPolicy::default(),
            Utility { margin: 0.5 },
        ));
        let pull = Pull { goal: Azul::GOALS[0], points: 1.0 };
        let mut bent = BentEvaluator::<Azul>::new(inner, pull);
        let (mut history, mut rng) = (History::<Azul>::new(intern(Default::default()), 2), Generator::new(1));
        let deal = history.state().sample_chance(&mut rng);
        history.push(Move::Outcome(deal)).unwrap();
        let first = *history.state();
        assert!(bent.keeps_values(&first), "nothing has been searched yet");
        bent.prepare(&first);
        let mut next = first;
        next.play_random(&mut rng, &mut Vec::new());
        assert!(bent.keeps_values(&first) && !bent.keeps_values(&next));
    }

    #[test]
    fn unknown_goals_are_refused() {
        let error =
            |spec: &str| spec.parse::<AgentSpec>().unwrap().build::<Azul>().err().unwrap().to_string();
        for agent in ["mcts", "neural"] {
            let message = error(&format!("{agent}:goal=stars"));
            assert!(
                message.contains("goal") && message.contains("stars") && message.contains("one of columns"),
                "{message}"
            );
        }
    }
}
