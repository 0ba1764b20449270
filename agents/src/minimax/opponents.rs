//! How the other seats are taken to play: [`Opponents`].

use crate::parameters::keyword_enum;

keyword_enum! {
    /// How seats other than the one that searches are taken to play, where there are several.
    Opponents {
        /// All others play together against the lead of the seat that searches (Sturtevant and Korf 2000).
        Paranoid = "paranoid",
        /// Every seat maximizes its own lead (max^n; Luckhardt and Irani 1986).
        MaxN = "maxn",
    }
}
