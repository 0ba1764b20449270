//! What is summed over the blocks of a line-up.

use std::iter::once;

use crate::stats::Sums;

/// What the games of a block came to. Shared wins count in parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlockSums {
    /// The number of games.
    pub games: f64,
    /// The wins of each member of the line-up.
    pub members: Vec<f64>,
    /// The wins of each seat.
    pub seats: Vec<f64>,
}

impl BlockSums {
    /// No games of a line-up with so many members.
    pub(super) fn none(members: usize, players: usize) -> Self {
        BlockSums { games: 0.0, members: vec![0.0; members], seats: vec![0.0; players] }
    }
}

impl Sums for BlockSums {
    fn sums(&self) -> impl Iterator<Item = f64> {
        once(&self.games).chain(&self.members).chain(&self.seats).copied()
    }

    fn sums_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        once(&mut self.games).chain(&mut self.members).chain(&mut self.seats)
    }
}

/// What a complete block came to, game by game: in each the seats have moved on by one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RotationSums {
    /// The number of blocks: 1, and more where blocks were added up.
    pub blocks: f64,
    /// The square of the first member's wins in all games.
    pub squared_wins: f64,
    /// The games in the order of their rotations.
    pub games: Vec<GameSums>,
}

/// What one game of a complete block came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GameSums {
    /// The wins of the line-up's first member.
    pub wins: f64,
    /// Their square.
    pub squared_wins: f64,
    /// The wins of each seat.
    pub seats: Vec<f64>,
}

impl GameSums {
    /// A game in which the first member and each seat won this.
    pub(super) fn new(wins: f64, seats: Vec<f64>) -> Self {
        GameSums { wins, squared_wins: wins * wins, seats }
    }
}

impl RotationSums {
    /// A block of these games.
    pub(super) fn new(games: Vec<GameSums>) -> Self {
        let wins: f64 = games.iter().map(|game| game.wins).sum();
        RotationSums { blocks: 1.0, squared_wins: wins * wins, games }
    }
}

impl Sums for RotationSums {
    fn sums(&self) -> impl Iterator<Item = f64> {
        let game = |game: &GameSums| [game.wins, game.squared_wins];
        let games =
            self.games.iter().flat_map(move |it| game(it).into_iter().chain(it.seats.iter().copied()));
        [self.blocks, self.squared_wins].into_iter().chain(games)
    }

    fn sums_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let games = self
            .games
            .iter_mut()
            .flat_map(|GameSums { wins, squared_wins, seats }| [wins, squared_wins].into_iter().chain(seats));
        [&mut self.blocks, &mut self.squared_wins].into_iter().chain(games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lists_hold_every_sum_in_the_same_order() {
        let mut block = BlockSums { games: 1.0, members: vec![2.0, 3.0], seats: vec![4.0, 5.0] };
        assert_eq!(block.sums().collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(block.sums_mut().map(|sum| *sum).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 5.0]);
        let games = vec![GameSums::new(2.0, vec![2.0, 0.0]), GameSums::new(0.5, vec![0.5, 0.25])];
        let mut block = RotationSums::new(games);
        let expected = [1.0, 6.25, 2.0, 4.0, 2.0, 0.0, 0.5, 0.25, 0.5, 0.25];
        assert_eq!(block.sums().collect::<Vec<_>>(), expected);
        assert_eq!(block.sums_mut().map(|sum| *sum).collect::<Vec<_>>(), expected);
    }
}
