//! A line-up and its blocks.

use super::sums::{BlockSums, GameSums, RotationSums};
use crate::stats::{Member, Stratum};

/// The agents of a line-up, each once, and their blocks.
#[derive(Debug)]
pub(super) struct Lineup {
    /// The agents and how many seats each holds, in the order in which they first sit.
    pub members: Vec<Member>,
    /// The agents at the seats of a block's first game.
    seats: Vec<usize>,
    /// All blocks.
    pub blocks: Stratum<BlockSums>,
    /// The complete blocks, game by game.
    pub rotations: Stratum<RotationSums>,
}

impl Lineup {
    /// The line-up with these agents at the seats of a block's first game.
    pub(super) fn new(seats: &[usize]) -> Self {
        let mut members: Vec<Member> = Vec::new();
        for &agent in seats {
            match members.iter_mut().find(|member| member.agent == agent) {
                Some(member) => member.seats += 1.0,
                None => members.push((agent, 1.0).into()),
            }
        }
        Lineup { members, seats: seats.to_vec(), blocks: Stratum::default(), rotations: Stratum::default() }
    }

    /// An agent's place among the members; `None` if it does not take part.
    pub(super) fn place_of(&self, agent: usize) -> Option<usize> {
        self.members.iter().position(|member| member.agent == agent)
    }

    /// The agent at each seat in a block's game with this number.
    pub(super) fn agents_at(&self, game: usize) -> Vec<usize> {
        let mut seats = self.seats.clone();
        seats.rotate_right(game);
        seats
    }

    /// The sums of a block's game with this number, in which the seats won this.
    pub(super) fn game_sums(&self, game: usize, wins: Vec<f64>) -> GameSums {
        let first = self.members[0].agent;
        let seated = self.agents_at(game).into_iter().zip(&wins);
        GameSums::new(seated.filter(|(agent, _)| *agent == first).map(|(_, win)| win).sum(), wins)
    }
}
