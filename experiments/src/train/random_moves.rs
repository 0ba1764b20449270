//! Which moves of a game to learn from were drawn at random: [`RandomMoves`].

use azulejo::{Game, History, Ply, Record, Turn};

/// The moves of a game that were drawn at random, by their numbers, in order.
///
/// Random moves lead to states that play itself would not come to; they are no good play. What a position before one is worth
/// must not be learned from what came of the game after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RandomMoves(Vec<usize>);

impl RandomMoves {
    /// Those of a recorded game: the choices without an analysis of agents that have analyses with a policy in the game.
    ///
    /// So they are in games that training plays, where every other choice of who learns comes with an analysis, and none of an
    /// opponent's. In other games an agent writes policies or plays without search, not both.
    pub(super) fn of<G: Game>(record: &Record, history: &History<G>) -> Self {
        let analyses = record.analysis.as_deref().unwrap_or_default();
        let mut legal = Vec::new();
        let action = |(ply, Ply { before, .. }): (usize, Ply<'_, G>)| {
            let Turn::Player(seat) = before.turn() else { return None };
            before.legal_actions(&mut legal);
            (legal.len() > 1).then_some(())?;
            Some((ply, record.agents.get(seat.index())?, analyses.get(ply).and_then(Option::as_ref)))
        };
        let actions: Vec<_> = history.replay().enumerate().filter_map(action).collect();
        let writes = |agent: &String| {
            let policies =
                actions.iter().filter(|(_, _, found)| found.is_some_and(|it| !it.policy.is_empty()));
            policies.map(|(_, writer, _)| writer).any(|writer| *writer == agent)
        };
        let random = actions.iter().filter(|(_, agent, found)| found.is_none() && writes(agent));
        RandomMoves(random.map(|(ply, ..)| *ply).collect())
    }

    /// The first one from the move with this number on, or that one itself.
    pub(super) fn next(&self, ply: usize) -> Option<usize> {
        self.0.get(self.0.partition_point(|random| *random < ply)).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use azulejo::azul::Azul;
    use azulejo_agents::neural::{Embedded, Network, shape_of};

    use super::*;
    use crate::train::opponents::Opponents;
    use crate::train::tests::TINY;
    use crate::train::training_agent::StagePlayer;
    use crate::train::training_tables::TrainingTables;
    use crate::train::{TrainConfig, TrainingSeeds, thread_pool};

    /// The random moves of some games of training.
    fn drawn(player: &StagePlayer) -> Vec<RandomMoves> {
        let config = TrainConfig::read(TINY).unwrap();
        let (tables, seeds) = (config.tables().unwrap(), TrainingSeeds(config.seed));
        let tables = TrainingTables::<Azul> { tables, seeds, opponents: Opponents::default() };
        let records = thread_pool(std::num::NonZeroUsize::MIN)
            .unwrap()
            .install(|| tables.play(player, 0..4, 1))
            .unwrap();
        let moves = records.iter().map(|record| {
            RandomMoves::of(record, &record.history::<Azul>(tables.of(record.index).rules).unwrap())
        });
        moves.collect()
    }

    #[test]
    fn training_writes_an_analysis_for_every_choice_but_random_ones() {
        let config = TrainConfig::read(TINY).unwrap();
        let network = Network::untrained(shape_of::<Azul>(16, 1), 1);
        let players = |random_actions, random_share| {
            let teachers = ["greedy", "random", "minimax:nodes=50", "mcts:sims=4"].map(|agent| {
                let teacher = config.teacher.clone().unwrap();
                let teacher = crate::train::TeacherConfig { random_actions, random_share, ..teacher };
                StagePlayer::Teacher(agent.parse().unwrap(), teacher)
            });
            let selfplay =
                crate::train::SelfplayConfig { random_actions, ..config.selfplay.clone().unwrap() };
            let network = StagePlayer::Network(Arc::new(Embedded::new(network.clone())), selfplay);
            teachers.into_iter().chain([network])
        };
        for player in players(0, 0.0) {
            assert_eq!(drawn(&player), vec![RandomMoves::default(); 4], "{}", player.name());
        }
        for player in players(6, 0.5) {
            assert_ne!(drawn(&player), vec![RandomMoves::default(); 4], "{}", player.name());
        }
    }
}
