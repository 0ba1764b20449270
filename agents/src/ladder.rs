//! The agent of graded strength: [`LadderParameters`].

use azulejo::seed::derive;
use azulejo::{Game, Generator, Move, Turn};

use crate::abilities::refusal;
use crate::agent::{Agent, AgentError, Decision, Limits};
use crate::builder::AgentBuilder;
use crate::game_knowledge::GameKnowledge;
use crate::greedy::GreedyParameters;
use crate::neural::NeuralParameters;
use crate::parameters::{AgentSpecError, ParameterValue};
use crate::rule_knowledge::RuleKnowledge;
use crate::rung::{LEVELS, Rung, RungPlayer};

crate::agent_parameters! {
    /// A bot of graded strength, from one that a beginner beats to the strongest; `docs/strength.md` rates each game's levels.
    LadderParameters = "ladder" {
        /// The level, 1 to 10; default 5.
        level: Level = Level(5),
    }
}

/// A level, 1 to [`LEVELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(u8);

impl ParameterValue for Level {
    fn read(text: &str) -> Result<Self, String> {
        let level = text.parse().ok().filter(|level| (1..=LEVELS).contains(&usize::from(*level)));
        level.map(Level).ok_or_else(|| format!("a level, 1 to {LEVELS}"))
    }

    fn print(&self) -> String {
        self.0.to_string()
    }
}

/// The agent that plays at a level.
fn agent<G: GameKnowledge>(rung: Rung) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
    let agent = match rung.player {
        RungPlayer::Greedy => GreedyParameters::default().build()?,
        RungPlayer::Neural { sims } => neural(sims).build()?,
    };
    if rung.slips == 0 {
        return Ok(agent);
    }
    let (rng, legal) = (Generator::new(0), Vec::new());
    Ok(Box::new(SlippingAgent::<G> { agent, slips: rung.slips, rng, legal }))
}

fn neural(sims: u64) -> NeuralParameters {
    NeuralParameters { sims: Some(sims), ..NeuralParameters::default() }
}

impl LadderParameters {
    /// What plays at this level of a game.
    fn rung<G: GameKnowledge>(&self) -> Result<Rung, AgentSpecError> {
        let ladder = G::LADDER.ok_or_else(|| refusal::<G>(self, "levels of strength"))?;
        Ok(ladder[usize::from(self.level.0) - 1])
    }
}

impl AgentBuilder for LadderParameters {
    fn build<G: GameKnowledge>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        agent(self.rung::<G>()?)
    }

    fn rule_knowledge<G: GameKnowledge>(&self) -> Result<RuleKnowledge, AgentSpecError> {
        match self.rung::<G>()?.player {
            RungPlayer::Greedy => GreedyParameters::default().rule_knowledge::<G>(),
            RungPlayer::Neural { sims } => neural(sims).rule_knowledge::<G>(),
        }
    }
}

/// Plays at random now and then, and otherwise as another agent.
struct SlippingAgent<G: Game> {
    agent: Box<dyn Agent<G>>,
    slips: u8,
    rng: Generator,
    legal: Vec<G::Action>,
}

impl<G: Game> Agent<G> for SlippingAgent<G> {
    fn new_game(&mut self, seed: u64) {
        self.rng = Generator::new(derive(seed, &[0]));
        self.agent.new_game(derive(seed, &[1]));
    }

    fn choose(&mut self, state: &G, limits: &Limits<'_>) -> Result<Decision<G>, AgentError> {
        if !matches!(state.turn(), Turn::Player(_)) {
            return Err(AgentError::NoTurn);
        }
        if self.rng.below(100) < u64::from(self.slips) {
            return Ok(Decision::plain(state.random_action(&mut self.rng, &mut self.legal)));
        }
        self.agent.choose(state, limits)
    }

    fn observe(&mut self, played: &Move<G>) {
        self.agent.observe(played);
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::intern;
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;

    use super::*;
    use crate::toy::Toy;
    use crate::{AgentSpec, Playable};

    fn spec(level: usize) -> AgentSpec {
        format!("ladder:level={level}").parse().unwrap()
    }

    #[test]
    fn levels_are_numbers_from_1_to_10() {
        let message = |text: &str| text.parse::<AgentSpec>().unwrap_err().to_string();
        for text in ["0", "11", "-1", "5.5", "", "best", "256"] {
            let expected =
                format!("agent 'ladder', parameter 'level': found '{text}', expected a level, 1 to 10");
            assert_eq!(message(&format!("ladder:level={text}")), expected);
        }
        assert_eq!(spec(5).to_string(), "ladder");
        assert_eq!(spec(10).to_string(), "ladder:level=10");
    }

    /// A higher level slips less, or thinks more.
    fn check_climbs<G: Playable>() {
        let ladder = G::LADDER.expect("a ladder");
        let effort = |rung: &Rung| match rung.player {
            RungPlayer::Greedy => (0, 100 - rung.slips),
            RungPlayer::Neural { sims } => (sims, 100 - rung.slips),
        };
        assert!(ladder.windows(2).all(|pair| effort(&pair[0]) < effort(&pair[1])), "{}", G::NAME);
        (1..=LEVELS).for_each(|level| drop(spec(level).build::<G>().unwrap()));
    }

    #[test]
    fn every_level_of_every_game_is_above_the_last() {
        check_climbs::<Azul>();
        check_climbs::<SummerPavilion>();
        check_climbs::<QueensGarden>();
    }

    #[test]
    fn a_game_without_levels_is_refused() {
        let refused = spec(3).build::<Toy>().err().expect("the toy has no ladder").to_string();
        assert!(refused.starts_with("agent 'ladder:level=3' cannot play"), "{refused}");
        assert!(refused.contains("which has no levels of strength"), "{refused}");
    }

    /// The choices of an agent with `seed` over the game of that number, which `greedy` plays.
    fn choices(spec: &str, seed: u64, game: u64) -> Vec<String> {
        let (mut agent, mut player) = (
            spec.parse::<AgentSpec>().unwrap().build::<Azul>().unwrap(),
            "greedy".parse::<AgentSpec>().unwrap().build::<Azul>().unwrap(),
        );
        agent.new_game(seed);
        player.new_game(game);
        let (mut state, mut rng, mut buffer) =
            (Azul::new(intern(AzulRules::default()), 2), Generator::new(game), Vec::new());
        let mut chosen = Vec::new();
        while state.turn() != Turn::Over {
            let played = match state.turn() {
                Turn::Player(_) => {
                    chosen.push(agent.choose(&state, &Limits::default()).unwrap().action.to_string());
                    Move::Action(player.choose(&state, &Limits::default()).unwrap().action)
                }
                _ => Move::draw(&state, &mut rng, &mut buffer),
            };
            played.apply(&mut state);
            agent.observe(&played);
            player.observe(&played);
        }
        chosen
    }

    #[test]
    fn slips_are_as_many_as_said_and_repeat_with_the_seed() {
        assert_eq!(choices("ladder:level=1", 7, 1), choices("ladder:level=1", 7, 1));
        assert_ne!(choices("ladder:level=1", 7, 1), choices("ladder:level=1", 8, 1));
        let differing = |spec: &str, its_seed: u64| {
            let pairs = (0..60).flat_map(|game| {
                let found = choices(spec, its_seed + game, game);
                found.into_iter().zip(choices("greedy", game, game))
            });
            let (all, other) =
                pairs.fold((0, 0), |(all, other), (a, b)| (all + 1, other + u32::from(a != b)));
            100.0 * f64::from(other) / f64::from(all)
        };
        // Equally rated actions are chosen from at random, as often as two that do not slip differ. A slip may hit on the same action.
        let (slips, of_equals) = (f64::from(Azul::LADDER.unwrap()[0].slips), differing("greedy", 100));
        let (found, expected) = (differing("ladder:level=1", 0), slips + (1.0 - slips / 100.0) * of_equals);
        assert!((found - expected).abs() < 3.0, "{found} % of choices differ, expected {expected} %");
    }

    #[test]
    fn nobody_is_to_move_at_a_chance_node() {
        let mut agent = spec(1).build::<Azul>().unwrap();
        let dealt = Azul::new(intern(AzulRules::default()), 2);
        assert_eq!(agent.choose(&dealt, &Limits::default()).unwrap_err(), AgentError::NoTurn);
    }
}
