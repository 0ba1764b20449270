//! A stage of a training run: [`Stage`].

use std::ops::Range;

use super::config::{TeacherConfig, TrainConfig};

/// A stage: the teacher's, if there is one, which is the first, or a generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage<'a> {
    pub config: &'a TrainConfig,
    /// Its number, from 0.
    pub number: u64,
}

impl<'a> Stage<'a> {
    /// The number of stages of a run.
    pub(super) fn count(config: &TrainConfig) -> u64 {
        config.generations + u64::from(config.teacher.is_some())
    }

    /// The teacher, if this is its stage.
    pub(super) fn teacher(self) -> Option<&'a TeacherConfig> {
        self.config.teacher.as_ref().filter(|_| self.number == 0)
    }

    /// The generation that it is; 0 for the teacher's.
    pub(super) fn generation(self) -> u64 {
        self.number + 1 - u64::from(self.config.teacher.is_some())
    }

    /// The numbers in the run of its games.
    pub(super) fn games(self) -> Range<u64> {
        let taught = self.config.teacher.as_ref().map_or(0, |teacher| teacher.games);
        let games = self.config.selfplay.as_ref().map_or(0, |selfplay| selfplay.games);
        match self.teacher() {
            Some(_) => 0..taught,
            None => {
                let first = taught + (self.generation() - 1) * games;
                first..first + games
            }
        }
    }

    /// The numbers of the stages whose games it learns from. A teacher's games are not mixed with others.
    pub(super) fn learned_from(self) -> Range<u64> {
        let first = u64::from(self.config.teacher.is_some());
        if self.teacher().is_some() {
            return 0..1;
        }
        first.max((self.number + 1).saturating_sub(self.config.learning.window))..self.number + 1
    }

    /// Its optimizer steps.
    pub(super) fn steps(self) -> u64 {
        self.teacher().map_or(self.config.learning.steps, |teacher| teacher.steps)
    }
}
