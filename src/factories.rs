//! What Azul and Summer Pavilion have in common: factories to which tiles are dealt four by four, and the center.

use std::fmt;
use std::marker::PhantomData;

use crate::colors::Colors;
use crate::tiles::Tiles;

/// Tiles dealt to a factory.
pub const FACTORY_TILES: u8 = 4;
/// The most factories: those of 4 players.
pub const MAX_FACTORIES: usize = 9;
/// Places that tiles are taken from: the center, number 0, and the factories from 1.
pub const SOURCES: usize = MAX_FACTORIES + 1;
/// The number of the center among the sources.
pub const CENTER: usize = 0;

/// The tiles dealt to each factory, `DBBYR/KKWW/…`; an empty one is `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal<C> {
    factories: [Tiles; MAX_FACTORIES],
    count: u8,
    colors: PhantomData<C>,
}

impl<C: Colors> Deal<C> {
    /// The deal that gives these tiles to the factories in order, at most 4 tiles to each of at most 9.
    pub fn new(factories: &[Tiles]) -> Self {
        Deal::from_fn(factories.len(), |i| factories[i])
    }

    /// The deal to `count` factories with the tiles that `tiles(i)` gives for factory `i` (from 0).
    #[inline]
    pub(crate) fn from_fn(count: usize, mut tiles: impl FnMut(usize) -> Tiles) -> Self {
        let (factories, colors) = ([Tiles::EMPTY; MAX_FACTORIES], PhantomData);
        let mut deal = Deal { factories, count: count as u8, colors };
        deal.factories[..count].iter_mut().enumerate().for_each(|(i, factory)| *factory = tiles(i));
        deal
    }

    /// The tiles of each factory.
    #[inline]
    pub fn factories(&self) -> &[Tiles] {
        &self.factories[..self.count as usize]
    }

    /// The deal that a token spells; `None` if it spells none. Letters stand in the order of the colors: every deal
    /// has one spelling.
    pub(crate) fn read(token: &str) -> Option<Self> {
        let factory = |text: &str| match text {
            "-" => Some(Tiles::EMPTY),
            "" => None,
            _ => Tiles::from_letters(text, C::LETTERS).filter(|tiles| tiles.total() <= FACTORY_TILES),
        };
        let text = token
            .strip_prefix('D')
            .filter(|text| text.len() < MAX_FACTORIES * (FACTORY_TILES as usize + 1))?;
        let factories = text.split('/').map(factory).collect::<Option<Vec<Tiles>>>()?;
        let deal = (factories.len() <= MAX_FACTORIES).then(|| Deal::new(&factories))?;
        (deal.to_string() == token).then_some(deal)
    }
}

impl<C: Colors> fmt::Display for Deal<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, factory) in self.factories().iter().enumerate() {
            f.write_str(if i == 0 { "D" } else { "/" })?;
            if factory.is_empty() {
                f.write_str("-")?;
            }
            factory.letters(C::LETTERS).fmt(f)?;
        }
        Ok(())
    }
}
