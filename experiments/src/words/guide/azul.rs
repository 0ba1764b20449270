//! Azul in short.

use azulejo::Game;
use azulejo::azul::{Azul, AzulRules, WallSide};

use super::{Topic, lines, list};

/// What there is to say of a topic.
pub(in crate::words) fn guide(state: &Azul, topic: Topic) -> Vec<String> {
    let rules = state.rules();
    lines(&match topic {
        Topic::Rules => how_it_goes(rules, state.factories()),
        Topic::Scoring => what_scores(rules),
        Topic::Legend => legend(rules),
    })
}

fn how_it_goes(rules: &AzulRules, factories: usize) -> String {
    let wall = match rules.wall {
        WallSide::Colored => "On this wall each color has its place in each row.",
        WallSide::Gray => "On this wall you choose the column; no color twice in a row or column.",
    };
    let last = rules.last_round;
    format!(
        "A round: each of the {factories} factories gets 4 tiles. In turn, take all tiles of
        one color from a factory (its others go to the center) or from the center,
        and put them into one pattern line, which holds one color, or on the floor.
        What does not fit falls to the floor. The first to take from the center also
        takes the marker, which lies on the floor and starts the next round.
        When all is taken, one tile of each complete line goes to the wall and scores;
        the rest of the line is put away. Incomplete lines stay.
        {wall}
        The game ends after the round in which a row of a wall is complete, at the
        latest after round {last}."
    )
}

fn what_scores(rules: &AzulRules) -> String {
    format!(
        "A tile on the wall: the length of its row of neighbors, plus that of its column
        of neighbors; 1 if it has none.
        The floor's spaces from the left: {}; never below 0 points.
        At the end: {} for each complete row, {} for each complete column,
        {} for each color with all its 5 tiles.
        Among equals the one with more complete rows wins.",
        list(rules.floor),
        rules.row_bonus,
        rules.column_bonus,
        rules.color_bonus
    )
}

fn legend(rules: &AzulRules) -> String {
    let wall = match rules.wall {
        WallSide::Colored => "A small letter on the wall: a free space for this color.",
        WallSide::Gray => "T42: the tile of line 4 goes to column 2.",
    };
    format!(
        "B blue, Y yellow, R red, K black, W white; * the marker.
        1: to 9: are factories, 0: is the center.
        A board: lines 1 to 5 with the wall beside them, then 0, the floor, with what
        its free spaces cost. A point is a free space.
        {wall}
        Moves: 3R4 takes the red tiles of factory 3 into line 4; 0W0 takes the white
        tiles of the center to the floor."
    )
}
