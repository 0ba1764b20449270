//! A training run for a game and the time there is: a teacher's games first, then the network's own.

use std::num::NonZeroU64;
use std::time::Duration;

use super::config::{
    EvaluationConfig, LearningConfig, Lesson, SelfplayConfig, TableConfig, TeacherConfig, TrainConfig,
};

/// Minutes that are left at the end of what a run was fitted to, as a share of them: reports, checkpoints, and times that
/// were not the trial's.
const RESERVE: f64 = 0.05;

/// The teacher's share of the time that is not spent on measurements. Imitation is quick and comes first; from then on the
/// network's own searches are better than the teacher's.
const TEACHER_SHARE: f64 = 0.4;

/// Generations of self-play in a run that was fitted: with half an hour each has some hundred games and more.
const GENERATIONS: u64 = 20;

/// Positions that steps draw for each new one: from a teacher's games each is drawn about so often, and in self-play, where steps
/// draw from the whole window, too.
const PASSES: f64 = 1.5;

/// What the parts of a training run take, as a short trial found it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Seconds for one of the teacher's games, with all threads playing.
    pub teacher_game: f64,
    /// Seconds for a game of self-play, likewise.
    pub selfplay_game: f64,
    /// Seconds for a game of a measurement, likewise.
    pub measured_game: f64,
    /// Seconds for an optimizer step.
    pub step: f64,
    /// Positions to learn from in a game.
    pub positions: f64,
}

impl TrainConfig {
    /// A run for one game spec and number of players that learns without further settings: it imitates `mcts` with few
    /// simulations, and then goes on with its own searches, whose leaves are judged at the end of the round half by the game's
    /// own value. Results alone would be learned by heart, so the targets are mostly what searches found.
    pub fn recipe(game: String, players: usize) -> Self {
        let teacher =
            TeacherConfig { lesson: Lesson::Visits, random_share: 0.02, ..TeacherConfig::default() };
        TrainConfig {
            tables: vec![TableConfig { game, players, share: 1.0 }],
            selfplay: Some(SelfplayConfig { scale: 0.5, heuristic: Some(0.5), ..SelfplayConfig::default() }),
            learning: LearningConfig { warmup: 100, ..LearningConfig::default() },
            teacher: Some(teacher),
            evaluation: Some(EvaluationConfig::default()),
            ..TrainConfig::default()
        }
    }

    /// The smallest run that has all parts of this one, for a trial of what they take.
    pub fn trial(&self, games: NonZeroU64) -> Self {
        let (games, steps) = (games.get(), 20);
        TrainConfig {
            generations: 1,
            teacher: self.teacher.clone().map(|teacher| TeacherConfig { games, steps, ..teacher }),
            selfplay: Some(SelfplayConfig { games, ..self.selfplay.clone().unwrap_or_default() }),
            learning: LearningConfig { steps, ..self.learning },
            evaluation: self.evaluation.clone().map(|evaluation| EvaluationConfig { games, ..evaluation }),
            ..self.clone()
        }
    }

    /// The same with as many games and steps as fit into the time at this pace. The result is a plain configuration:
    /// whoever runs it again gets the same network, however long that takes.
    pub fn fitted(&self, time: Duration, pace: Pace) -> Self {
        let batch = self.learning.batch as f64;
        let learning = pace.positions * PASSES / batch * pace.step;
        let games_in = |seconds: f64, game: f64| ((seconds / (game + learning)) as u64).max(20);
        let steps_for = |games: u64| ((games as f64 * pace.positions * PASSES / batch) as u64).max(1);
        let measured = self.evaluation.as_ref().map_or(0.0, |evaluation| {
            let times = GENERATIONS / evaluation.every.max(1) + 1;
            (times * evaluation.games * evaluation.opponents.len() as u64) as f64 * pace.measured_game
        });
        // What measurements take is not to eat up a short run.
        let seconds = time.as_secs_f64() * (1.0 - RESERVE);
        let seconds = (seconds - measured).max(seconds / 2.0);
        let teacher_share = if self.teacher.is_some() { TEACHER_SHARE } else { 0.0 };
        let taught = games_in(teacher_share * seconds, pace.teacher_game);
        let games = games_in((1.0 - teacher_share) * seconds / GENERATIONS as f64, pace.selfplay_game);
        let teacher = self.teacher.clone();
        TrainConfig {
            generations: GENERATIONS,
            teacher: teacher.map(|teacher| TeacherConfig {
                games: taught,
                steps: steps_for(taught),
                ..teacher
            }),
            selfplay: Some(SelfplayConfig { games, ..self.selfplay.clone().unwrap_or_default() }),
            learning: LearningConfig { steps: steps_for(games), ..self.learning },
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_can_be_read_again_and_teaches_by_searches() {
        let recipe = TrainConfig::recipe("queens-garden:variant".to_owned(), 3);
        let text = toml::to_string(&recipe).unwrap();
        assert_eq!(TrainConfig::read(&text).unwrap(), recipe);
        assert_eq!(recipe.teacher.as_ref().unwrap().lesson, Lesson::Visits);
        assert_eq!(recipe.warning(), None);
        let trial = recipe.trial(NonZeroU64::new(8).unwrap());
        assert_eq!(
            (trial.generations, trial.teacher.unwrap().games, trial.selfplay.unwrap().games),
            (1, 8, 8)
        );
    }

    #[test]
    fn a_fitted_run_takes_the_time_that_there_is() {
        let recipe = TrainConfig::recipe("azul".to_owned(), 2);
        for (minutes, slow) in [(2, 1.0), (30, 1.0), (30, 8.0), (600, 0.2)] {
            let pace = Pace {
                teacher_game: 0.02 * slow,
                selfplay_game: 0.03 * slow,
                measured_game: 0.04 * slow,
                step: 0.01,
                positions: 70.0,
            };
            let time = Duration::from_secs(60 * minutes);
            let run = recipe.fitted(time, pace);
            assert!(run.check().is_ok());
            let teacher = run.teacher.as_ref().unwrap();
            let games = run.selfplay.unwrap().games;
            let played = teacher.games as f64 * pace.teacher_game + (20 * games) as f64 * pace.selfplay_game;
            let steps = (teacher.steps + 20 * run.learning.steps) as f64 * pace.step;
            let measured = 5.0 * 200.0 * pace.measured_game;
            let share = (played + steps + measured) / time.as_secs_f64();
            let most = if measured > time.as_secs_f64() / 2.0 { 1.6 } else { 1.0 };
            assert!((0.85..most).contains(&share), "{minutes} min: {share}");
            let draws =
                (run.learning.steps * run.learning.batch as u64) as f64 / (games as f64 * pace.positions);
            assert!((1.2..1.6).contains(&draws), "each position is drawn {draws} times");
        }
    }
}
