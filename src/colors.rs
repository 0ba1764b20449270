//! Enumerations of colors with a letter each.

/// A game's colors: an enumeration whose values are written as letters.
pub trait Colors: Copy + std::fmt::Display + 'static {
    /// The letters of the colors in order.
    const LETTERS: &'static str;
    /// All colors in order.
    const ALL: &'static [Self];
}

/// Declares a game's colors in order, each with its letter.
macro_rules! colors {
    ($(#[doc = $doc:literal])+ $first:ident = $first_letter:literal, $($color:ident = $letter:literal,)+) => {
        /// The letters of the colors in order.
        pub const LETTERS: &str = concat!($first_letter, $($letter),+);

        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Color {
            #[doc = concat!("`", $first_letter, "`")]
            #[default]
            $first,
            $(#[doc = concat!("`", $letter, "`")] $color,)+
        }

        impl Color {
            /// All colors in order.
            pub const ALL: [Color; LETTERS.len()] = [Color::$first, $(Color::$color,)+];

            /// The color's number, from 0.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The color's letter.
            pub fn letter(self) -> char {
                LETTERS.as_bytes()[self.index()] as char
            }

            /// The color with this letter.
            pub fn from_letter(letter: char) -> Option<Self> {
                LETTERS.find(letter).map(|index| Color::ALL[index])
            }
        }

        impl $crate::colors::Colors for Color {
            const LETTERS: &'static str = LETTERS;
            const ALL: &'static [Self] = &Color::ALL;
        }

        impl std::fmt::Display for Color {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.letter())
            }
        }
    };
}

pub(crate) use colors;
