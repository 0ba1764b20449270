//! What Azul and Summer Pavilion have in common: factories to which tiles are dealt four by four, and the
//! center.

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
    /// The deal of these tiles to the factories in order, at most 4 tiles to each of at most 9.
    pub fn new(factories: &[Tiles]) -> Self {
        Deal::from_fn(factories.len(), |i| factories[i])
    }

    /// The deal to `count` factories with the tiles that `tiles(i)` returns for factory `i` (from 0).
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

    /// The deal that a token spells; `None` if it spells none. Letters stand in the order of the colors:
    /// every deal has one spelling.
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

/// For each color, which sources hold it: the index over the sources from which legal actions are counted.
///
/// Eight lanes rather than as many as there are colors let the compiler update all colors at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holders([u16; 8]);

impl Holders {
    /// The sources that hold a color: bit 0 the center, bit `f` factory `f`.
    #[inline]
    pub(crate) fn of(&self, color: usize) -> u16 {
        self.0[color]
    }

    /// The sources that hold any color but this one.
    #[inline]
    pub(crate) fn of_others(&self, color: usize) -> u16 {
        let mut others = self.0;
        others[color] = 0;
        others.into_iter().fold(0, |all, sources| all | sources)
    }

    /// Notes the tiles now lying at a source.
    #[inline]
    pub(crate) fn set(&mut self, source: usize, tiles: Tiles) {
        for (color, sources) in self.0.iter_mut().enumerate() {
            *sources = (*sources & !(1 << source)) | u16::from(tiles.count(color) != 0) << source;
        }
    }

    /// Follows a draft: `color` leaves the source; from a factory everything else moves to the center.
    #[inline]
    pub(crate) fn take(&mut self, source: usize, color: usize) {
        let bit = 1u16 << source;
        let rest = self.0[color] & !bit;
        if source != CENTER {
            for sources in &mut self.0 {
                *sources = (*sources & !bit) | (*sources >> source & 1);
            }
        }
        self.0[color] = rest;
    }

    /// Whether no source holds any tile.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, &sources| all | sources) == 0
    }
}
