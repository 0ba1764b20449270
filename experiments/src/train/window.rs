//! What a stage learns from: the examples of the last stages.

use azulejo_agents::neural::Example;

/// The examples of the last stages.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// The latest stage last, with the examples of each of its games.
    stages: Vec<(u64, Vec<Vec<Example>>)>,
}

impl Window {
    /// Takes in the examples of a stage, game by game, and lets go of those before stage `first`.
    pub(super) fn push(&mut self, stage: u64, games: Vec<Vec<Example>>, first: u64) {
        self.stages.retain(|(known, _)| *known >= first);
        self.stages.push((stage, games));
    }

    /// The examples to draw from.
    pub(super) fn examples(&self) -> Vec<&Example> {
        self.stages.iter().flat_map(|(_, games)| games).flatten().collect()
    }

    /// The examples of each game of the latest stage.
    pub(super) fn latest(&self) -> &[Vec<Example>] {
        self.stages.last().map_or(&[], |(_, games)| games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_stages_are_let_go() {
        let example = |stage: u64| Example {
            features: vec![stage as u16],
            policy: Vec::new(),
            players: 2,
            wins: Some([0.5, 0.5, 0.0, 0.0]),
            points_to_come: None,
        };
        let mut window = Window::default();
        (0..5).for_each(|stage| window.push(stage, vec![vec![example(stage)]; 2], stage.saturating_sub(1)));
        assert_eq!(window.examples(), [&example(3), &example(3), &example(4), &example(4)]);
        assert_eq!(window.latest(), [[example(4)], [example(4)]]);
    }
}
