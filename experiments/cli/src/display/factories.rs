//! What Azul and Summer Pavilion draw alike: the tiles of factories and center.

use azulejo::azul::CENTER;
use azulejo::tiles::Tiles;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::faint;

/// The columns of a factory after its number: 4 tiles and a gap.
const FACTORY_WIDTH: usize = 6;

/// The letters of a game's colors, each with the style of its tiles.
pub type ColorStyles = [(char, Style)];

/// Tiles as letters on their colors.
pub fn letters(tiles: Tiles, colors: &ColorStyles) -> Vec<Span<'static>> {
    let letter = |(color, count): (usize, u8)| {
        let (letter, style) = colors[color];
        std::iter::repeat_n(Span::styled(letter.to_string(), style), count.into())
    };
    tiles.iter().flat_map(letter).collect()
}

/// The factories (`source` from 1) side by side, and the center below them with a `*` if the marker lies there.
pub fn factories_and_center(
    count: usize,
    source: impl Fn(usize) -> Tiles,
    marker_in_center: bool,
    colors: &ColorStyles,
) -> [Line<'static>; 2] {
    let mut factories = Vec::new();
    for factory in 1..=count {
        let tiles = source(factory);
        factories.push(Span::styled(format!("{factory}:"), faint()));
        factories.extend(letters(tiles, colors));
        factories.push(Span::raw(" ".repeat(FACTORY_WIDTH - usize::from(tiles.total()))));
    }
    let mut center = vec![Span::styled(format!("{CENTER}:"), faint())];
    center.extend(letters(source(CENTER), colors));
    center.push(Span::raw(if marker_in_center { "*" } else { "" }));
    [factories, center].map(Line::from)
}
