//! Summer Pavilion in short.

use azulejo::Game;
use azulejo::summer_pavilion::{BoardSide, COLORS, Color, SummerPavilion, SummerPavilionRules};

use super::{Topic, lines, list};

/// What there is to say of a topic.
pub(in crate::words) fn guide(state: &SummerPavilion, topic: Topic) -> Vec<String> {
    let rules = state.rules();
    lines(&match topic {
        Topic::Rules => how_it_goes(rules),
        Topic::Scoring => what_scores(rules),
        Topic::Legend => legend(),
    })
}

fn how_it_goes(rules: &SummerPavilionRules) -> String {
    let wilds = list((1..=COLORS as u8).map(|round| rules.wild(round)));
    let stars = match rules.side {
        BoardSide::Colored => {
            "A slot costs its number. Outer stars take their own color,
        the center star each color once."
        }
        BoardSide::Gray => {
            "A slot costs what is printed on it. A star takes tiles of one color
        or of all different ones: its first two tiles decide."
        }
    };
    let [pillar, statue, window] = rules.feature_tiles;
    format!(
        "{} rounds, each with a wild color: {wilds}.
        First, in turn, take all tiles of a color (but the wild one) from a factory or
        the center, and with them one wild tile if there is one; the rest of a factory
        goes to the center. Whoever takes from the center first gets the token, loses
        points for the tiles taken with it and begins the second part.
        Then, in turn, place a tile or pass. A placement is paid with tiles of its
        color, of which at least one must be of that color, or wild ones.
        {stars}
        Surrounding a pillar brings {pillar}, a statue {statue}, a window {window} tiles of the supply.
        Who passes keeps up to {} tiles and discards the rest.",
        rules.rounds, rules.keep_limit
    )
}

fn what_scores(rules: &SummerPavilionRules) -> String {
    let stars = Color::ALL.iter().zip(rules.star_points).map(|(color, points)| format!("{color} {points}"));
    let numbers = (1..).zip(rules.number_points).filter(|(_, points)| *points != 0);
    let numbers = numbers.map(|(number, points)| format!("{number}: {points}"));
    format!(
        "Everybody begins with {} points; no loss leads below 0.
        A tile placed: 1 point for each tile that hangs together with it in its star,
        itself included.
        The token: {} for each tile taken with it. A discarded tile: {}.
        At the end a complete star of one color: {};
        of six colors: {}.
        All slots of one cost: {}.
        A tile kept at the end: {}.",
        rules.starting_score,
        rules.center_penalty,
        rules.discard_penalty,
        list(stars),
        rules.mixed_star_points,
        list(numbers),
        rules.kept_penalty
    )
}

fn legend() -> String {
    "O orange, R red, B blue, Y yellow, G green, P purple; * the token.
    1: to 9: are factories, 0: is the center; then the wild color and the supply.
    A board: the hand, then a line for each star with its slots 1 to 6. A letter is
    a tile, a number what a free slot costs. After them how many of the slots around
    the star's pillar, statue and window are filled. C is the center star.
    Moves: 3R takes red from factory 3; B6B3 puts a blue tile on slot 6 of the blue
    star, 3 of the tiles paid being wild; +O takes an orange bonus tile; keep:O keeps
    an orange tile; done keeps no more; pass."
        .to_owned()
}
