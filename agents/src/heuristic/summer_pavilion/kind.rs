//! What stars are to become, and where the tiles of each color are at home.

use azulejo::bits::positions;
use azulejo::summer_pavilion::{Board, BoardSide, CENTER_STAR, COLORS, STAR_SLOTS, STARS};

/// What a star is to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StarKind {
    /// All tiles of this color (its number).
    Plain(usize),
    /// All tiles different.
    Mixed,
    /// Not decided yet; the set of colors on it, bit [`Color::index`], has none or one.
    Open(u8),
}

impl StarKind {
    /// What the star becomes, or stays, with one more tile.
    #[inline]
    pub(super) fn with(self, color: usize) -> StarKind {
        match self {
            StarKind::Open(colors) if colors == 0 || colors == 1 << color => StarKind::Plain(color),
            StarKind::Open(_) => StarKind::Mixed,
            kind => kind,
        }
    }

    /// The colors of which one more tile makes it, or keeps it, a star of that color, bit [`Color::index`].
    #[inline]
    fn plain_colors(self) -> u8 {
        match self {
            StarKind::Plain(color) => 1 << color,
            StarKind::Mixed => 0,
            StarKind::Open(0) => ALL_COLORS,
            StarKind::Open(colors) => colors,
        }
    }
}

/// All colors, bit [`Color::index`].
pub(super) const ALL_COLORS: u8 = (1 << COLORS) - 1;

/// No star: the home of a color that has none.
pub(super) const HOMELESS: u8 = STARS as u8;

/// For each color the star in which its tiles are most at home, or [`HOMELESS`].
#[inline]
pub(super) fn homes(side: BoardSide, kinds: &[StarKind; STARS], board: &Board) -> [u8; COLORS] {
    if side == BoardSide::Colored {
        return std::array::from_fn(|color| if board.free(color) != 0 { color as u8 } else { HOMELESS });
    }
    // The fullest star of the color, then one with nothing on it.
    let (mut homes, mut tiles) = ([HOMELESS; COLORS], [0; COLORS]);
    for (star, kind) in kinds[..CENTER_STAR].iter().enumerate() {
        let filled = STAR_SLOTS as u32 - board.free(star).count_ones();
        if filled == STAR_SLOTS as u32 {
            continue;
        }
        for color in positions(kind.plain_colors().into()) {
            if 1 + filled > tiles[color] {
                (homes[color], tiles[color]) = (star as u8, 1 + filled);
            }
        }
    }
    homes
}

/// What a star is to become, as things lie.
#[inline]
pub(super) fn kind_of(side: BoardSide, board: &Board, star: usize) -> StarKind {
    if side == BoardSide::Colored {
        return if star == CENTER_STAR { StarKind::Mixed } else { StarKind::Plain(star) };
    }
    let colors = board.colors_on(star);
    if board.free(star).count_ones() + 2 > STAR_SLOTS as u32 {
        StarKind::Open(colors)
    } else if colors & (colors - 1) == 0 {
        StarKind::Plain(colors.trailing_zeros() as usize)
    } else {
        StarKind::Mixed
    }
}
