//! Tiles that nobody sees: bag and lid.

use serde_json::Value;

use super::Table;

/// Tiles out of sight, by color or kind, and how they are shared out between the bag and where used tiles go.
#[derive(Clone, Copy, Debug)]
pub struct Stock<'a> {
    /// The key of the bag.
    pub bag: &'a str,
    /// The key of the place of used tiles.
    pub used: &'a str,
    /// How many of each color or kind there are in the game.
    pub each: u32,
}

impl Stock<'_> {
    /// Fills in what was not given of bag and used tiles, where so many of each are seen elsewhere, and so many were drawn from
    /// the bag, one deal after the other.
    pub fn fill_in(
        &self,
        table: &mut Table,
        is_given: &dyn Fn(&str) -> bool,
        seen: &[u32],
        drawn: impl IntoIterator<Item = u32>,
    ) {
        let hidden: Vec<u32> = seen.iter().map(|seen| self.each.saturating_sub(*seen)).collect();
        let rest = |given: &Value| -> Vec<u32> {
            let given = given.as_array().map(Vec::as_slice).unwrap_or_default();
            let given =
                given.iter().map(|count| count.as_u64().unwrap_or(0) as u32).chain(std::iter::repeat(0));
            hidden.iter().zip(given).map(|(all, given)| all.saturating_sub(given)).collect()
        };
        match (is_given(self.bag), is_given(self.used)) {
            (true, true) => {}
            (true, false) => _ = table.insert(self.used.to_owned(), rest(&table[self.bag]).into()),
            (false, true) => _ = table.insert(self.bag.to_owned(), rest(&table[self.used]).into()),
            (false, false) => {
                let all = self.each * seen.len() as u32;
                let bag = shared_out(&hidden, left(all, hidden.iter().sum(), drawn));
                let used: Vec<u32> = hidden.iter().zip(&bag).map(|(all, bag)| all - bag).collect();
                table.insert(self.bag.to_owned(), bag.into());
                table.insert(self.used.to_owned(), used.into());
            }
        }
    }
}

/// The tiles left in a bag that held `all`, of which `hidden` are out of sight now. A bag that does not last for a deal is filled
/// with what is out of sight.
fn left(all: u32, hidden: u32, drawn: impl IntoIterator<Item = u32>) -> u32 {
    let left = drawn.into_iter().fold(all, |left, deal| left.checked_sub(deal).unwrap_or(hidden));
    left.min(hidden)
}

/// So many of some tiles, of each color in proportion; what is left over goes to the largest remainders, of equal ones to the
/// first.
fn shared_out(tiles: &[u32], count: u32) -> Vec<u32> {
    let all: u32 = tiles.iter().sum::<u32>().max(1);
    let mut shares: Vec<u32> = tiles.iter().map(|tiles| tiles * count / all).collect();
    let mut order: Vec<usize> = (0..tiles.len()).collect();
    order.sort_by_key(|&color| std::cmp::Reverse(tiles[color] * count % all));
    let missing = (count - shares.iter().sum::<u32>()) as usize;
    order.into_iter().take(missing).for_each(|color| shares[color] += 1);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_none_is_more_than_there_is() {
        for count in 0..=12 {
            let shares = shared_out(&[7, 0, 1, 4], count);
            assert_eq!(shares.iter().sum::<u32>(), count);
            assert!(shares.iter().zip([7, 0, 1, 4]).all(|(share, tiles)| *share <= tiles), "{shares:?}");
        }
        assert_eq!(shared_out(&[4, 4], 2), [1, 1]);
    }

    #[test]
    fn a_bag_is_filled_again_when_it_is_empty() {
        assert_eq!(left(100, 80, [20]), 80);
        assert_eq!(left(100, 70, [20; 5]), 0);
        assert_eq!(left(100, 60, [20; 6]), 60);
        assert_eq!(left(100, 60, [20; 7]), 40);
        assert_eq!(left(100, 5, [20]), 5);
    }
}
