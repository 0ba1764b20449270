//! What a stage learns from: the examples of the last stages.

use azulejo_agents::neural::Example;

/// The examples of the last stages.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// The latest stage last.
    stages: Vec<(u64, Vec<Example>)>,
}

impl Window {
    /// Takes in the examples of a stage, and lets go of those before stage `first`.
    pub(super) fn push(&mut self, stage: u64, examples: Vec<Example>, first: u64) {
        self.stages.retain(|(known, _)| *known >= first);
        self.stages.push((stage, examples));
    }

    /// The examples to draw from.
    pub(super) fn examples(&self) -> Vec<&Example> {
        self.stages.iter().flat_map(|(_, examples)| examples).collect()
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
            wins: [0.5, 0.5, 0.0, 0.0],
            points_to_come: [0.0; 4],
        };
        let mut window = Window::default();
        (0..5).for_each(|stage| window.push(stage, vec![example(stage)], stage.saturating_sub(1)));
        assert_eq!(window.examples(), [&example(3), &example(4)]);
    }
}
