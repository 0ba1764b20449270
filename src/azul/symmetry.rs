//! What can be called by other names on the gray wall without changing the game: [`Symmetry`].

use super::{Action, AzulRules, COLORS, Color, Deal, WallSide};
use crate::tiles::Tiles;

/// The ways to put the colors into an order.
const ORDERS: u32 = 120;

/// A renaming of colors, and of columns from the right to the left. On the gray wall no rule tells colors from each other, nor
/// left from right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symmetry {
    /// What each color is called.
    colors: [Color; COLORS],
    /// Whether columns are counted from the right.
    mirrored: bool,
}

impl Symmetry {
    /// How many there are by some rules; number 0 changes nothing.
    pub(super) fn count(rules: &AzulRules) -> u32 {
        match rules.wall {
            WallSide::Gray => 2 * ORDERS,
            WallSide::Colored => 1,
        }
    }

    /// The one with this number, below [`count`](Symmetry::count).
    pub(super) fn new(number: u32) -> Self {
        let (mut left, mut rest) = (Color::ALL.to_vec(), number / 2);
        // The digits of the number to bases of falling size choose among the colors that are left.
        let colors = std::array::from_fn(|place| {
            let base = (COLORS - place) as u32;
            let chosen = left.remove((rest % base) as usize);
            rest /= base;
            chosen
        });
        Symmetry { colors, mirrored: number % 2 == 1 }
    }

    /// What an action is called.
    pub(super) fn action(self, action: Action) -> Action {
        match action {
            Action::Draft { source, color, line } => {
                Action::Draft { source, color: self.colors[color.index()], line }
            }
            Action::Tile { row, column } if self.mirrored => {
                Action::Tile { row, column: COLORS as u8 - 1 - column }
            }
            tile @ Action::Tile { .. } => tile,
        }
    }

    /// What a deal is called.
    pub(super) fn deal(self, deal: &Deal) -> Deal {
        let renamed = |tiles: Tiles| {
            let mut counts = [0; COLORS];
            tiles.iter().for_each(|(color, count)| counts[self.colors[color].index()] = count);
            Tiles::from_counts(&counts)
        };
        Deal::from_fn(deal.factories().len(), |factory| renamed(deal.factories()[factory]))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn symmetries_are_renamings_each_another_one() {
        let gray = AzulRules { wall: WallSide::Gray, ..AzulRules::default() };
        assert_eq!((Symmetry::count(&gray), Symmetry::count(&AzulRules::default())), (240, 1));
        let (deal, tile): (Deal, Action) = ("DBBBB/YYYR/RRKK/W".parse().unwrap(), "T42".parse().unwrap());
        let image = |number: u32| {
            let symmetry = Symmetry::new(number);
            (symmetry.deal(&deal).to_string(), symmetry.action(tile).to_string())
        };
        assert_eq!(image(0), (deal.to_string(), tile.to_string()));
        assert_eq!((0..240).map(image).collect::<HashSet<_>>().len(), 240);
        assert_eq!(Symmetry::new(1).action(tile).to_string(), "T44");
    }
}
