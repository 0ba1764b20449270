//! A player's wall of 5 × 5 spaces as bit sets.

use super::{COLORS, Color};

/// The bits of row 0; row `r` is this shifted left by `5 * r`.
const ROW: u32 = 0b11111;
/// The bits of column 0; column `c` is this shifted left by `c`.
const COLUMN: u32 = 0b00001_00001_00001_00001_00001;

/// `RUN[line][place]`: the length of the run of set bits of a 5-bit `line` through `place`, which counts as
/// set; 0 for a run of 1, which scores nothing beside another run.
const RUN: [[u8; COLORS]; 32] = {
    let mut table = [[0; COLORS]; 32];
    let mut line = 0;
    while line < 32 {
        let mut place = 0;
        while place < COLORS {
            let mut first = place;
            while first > 0 && line >> (first - 1) & 1 == 1 {
                first -= 1;
            }
            let mut last = place;
            while last < 4 && line >> (last + 1) & 1 == 1 {
                last += 1;
            }
            table[line][place] = if first == last { 0 } else { (last - first + 1) as u8 };
            place += 1;
        }
        line += 1;
    }
    table
};

/// The tiles on a wall: for each color the set of its spaces, bit `5 * row + column` (rows and columns from
/// 0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wall {
    colors: [u32; COLORS],
    filled: u32,
}

impl Wall {
    /// Puts a tile of the color on a free space.
    #[inline]
    pub fn place(&mut self, row: usize, column: usize, color: Color) {
        let bit = 1 << (5 * row + column);
        debug_assert!(self.filled & bit == 0, "row {row}, column {column} holds a tile already");
        self.colors[color.index()] |= bit;
        self.filled |= bit;
    }

    /// Puts a tile of the color on a free space if a condition holds, without a branch.
    #[inline]
    pub fn place_if(&mut self, condition: bool, row: usize, column: usize, color: Color) {
        let bit = u32::from(condition) << (5 * row + column);
        debug_assert!(self.filled & bit == 0, "row {row}, column {column} holds a tile already");
        self.colors[color.index()] |= bit;
        self.filled |= bit;
    }

    /// The occupied spaces, bit `5 * row + column`.
    #[inline]
    pub const fn filled(self) -> u32 {
        self.filled
    }

    /// The spaces that hold this color, bit `5 * row + column`.
    #[inline]
    pub const fn spaces_of(self, color: Color) -> u32 {
        self.colors[color.index()]
    }

    /// The color on a space.
    #[inline]
    pub fn color_at(self, row: usize, column: usize) -> Option<Color> {
        let bit = 1 << (5 * row + column);
        Color::ALL.into_iter().find(|color| self.colors[color.index()] & bit != 0)
    }

    /// Whether the row holds a tile of this color.
    #[inline]
    pub const fn row_has(self, row: usize, color: Color) -> bool {
        self.colors[color.index()] & (ROW << (5 * row)) != 0
    }

    /// The column in which the colored side shows a color in a row.
    #[inline]
    pub const fn printed_column(row: usize, color: Color) -> usize {
        let column = color.index() + row;
        if column >= COLORS { column - COLORS } else { column }
    }

    /// The color that the colored side shows on a space.
    pub const fn printed_color(row: usize, column: usize) -> Color {
        Color::ALL[(column + COLORS - row) % COLORS]
    }

    /// The rows, as 5 bits, that hold this color.
    #[inline]
    pub const fn rows_with(self, color: Color) -> u32 {
        // A row holds a color at most once, so its 5 bits add up to that bit.
        let spaces = self.colors[color.index()];
        let rows = (spaces | spaces >> 1 | spaces >> 2 | spaces >> 3 | spaces >> 4) & COLUMN;
        (rows.wrapping_mul(0x11111) >> 16) & ROW
    }

    /// The columns, as 5 bits, in which the gray side allows a color in a row: free, and without that color.
    /// None if the row holds the color.
    #[inline]
    pub fn open_columns(self, row: usize, color: Color) -> u32 {
        if self.row_has(row, color) {
            return 0;
        }
        let spaces = self.colors[color.index()];
        let taken = self.row(row) | (spaces | spaces >> 5 | spaces >> 10 | spaces >> 15 | spaces >> 20);
        !taken & ROW
    }

    /// The points for placing a tile on this space: the lengths of the runs through it, counted if above 1.
    #[inline]
    pub fn placement_points(self, row: usize, column: usize) -> i16 {
        Wall::points_at(row, column, self.row(row), self.column(column))
    }

    /// The points for placing a tile on a space whose row and column are filled like this (5 bits each).
    #[inline]
    pub fn points_at(row: usize, column: usize, row_bits: u32, column_bits: u32) -> i16 {
        let runs = RUN[(row_bits & ROW) as usize][column] + RUN[(column_bits & ROW) as usize][row];
        i16::from(runs.max(1))
    }

    /// The number of complete rows.
    #[inline]
    pub fn complete_rows(self) -> i16 {
        (0..COLORS).filter(|&row| self.row(row) == ROW).count() as i16
    }

    /// The number of complete columns.
    #[inline]
    pub fn complete_columns(self) -> i16 {
        (0..COLORS).filter(|&column| self.column(column) == ROW).count() as i16
    }

    /// The number of colors with all five tiles placed.
    #[inline]
    pub fn complete_colors(self) -> i16 {
        self.colors.iter().filter(|spaces| spaces.count_ones() == 5).count() as i16
    }

    /// The occupied columns of a row as 5 bits.
    #[inline]
    pub const fn row(self, row: usize) -> u32 {
        self.filled >> (5 * row) & ROW
    }

    /// The occupied rows of a column as 5 bits.
    #[inline]
    pub const fn column(self, column: usize) -> u32 {
        // The product moves bit 5 r to bit 16 + r; no two of its partial products meet.
        (self.filled >> column & COLUMN).wrapping_mul(0x11111) >> 16 & ROW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_gathered() {
        for column in 0..COLORS {
            for rows in 0..32u32 {
                let mut wall = Wall::default();
                (0..COLORS)
                    .filter(|row| rows >> row & 1 == 1)
                    .for_each(|row| wall.place(row, column, Color::ALL[row]));
                assert_eq!(wall.column(column), rows);
            }
        }
    }

    #[test]
    fn printed_colors_invert_printed_columns() {
        for row in 0..COLORS {
            for color in Color::ALL {
                assert_eq!(Wall::printed_color(row, Wall::printed_column(row, color)), color);
            }
        }
    }
}
