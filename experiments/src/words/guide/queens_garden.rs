//! Queen's Garden in short.

use azulejo::Game;
use azulejo::queens_garden::{Color, Pattern, QueensGarden, QueensGardenRules, Wheel};

use super::{Topic, lines, list};

/// What there is to say of a topic.
pub(in crate::words) fn guide(state: &QueensGarden, topic: Topic) -> Vec<String> {
    let rules = state.rules();
    lines(&match topic {
        Topic::Rules => how_it_goes(rules),
        Topic::Scoring => what_scores(rules),
        Topic::Legend => legend(),
    })
}

fn how_it_goes(rules: &QueensGardenRules) -> String {
    let awards = rules.joker_awards;
    format!(
        "4 rounds. In turn, until all have passed:
        - acquire: take one of every kind of a color, or of a pattern, that is shown;
          the storage holds 12 tiles and jokers and 2 expansions;
        - place a tile or an expansion of the storage for the value of its pattern (1
          to 6): that many hexagons, itself included, all of different kinds and all of
          one color or of one pattern; jokers stand for any;
        - buy a face-down expansion for {} points;
        - pass, and discard what you like for its value; the first to pass loses {}
          and begins the next round.
        Hexagons of one color that hang together must all differ, and so must those
        of one pattern; a hexagon may also lie apart from all.
        Surrounding the fountain brings {} jokers, a statue {}, a bench {}, a pavilion {}.",
        rules.expansion_price,
        rules.first_pass_penalty,
        awards.fountain,
        awards.statue,
        awards.bench,
        awards.pavilion
    )
}

fn what_scores(rules: &QueensGardenRules) -> String {
    let wheel: Vec<String> = (1..).zip(&rules.wheel).map(|(round, wheel)| wheel_line(round, wheel)).collect();
    let bonuses = (1..).zip(rules.group_bonus).filter(|(_, points)| *points != 0);
    let bonuses = bonuses.map(|(size, points)| format!("of {size} {points} more"));
    format!(
        "Everybody begins with {} points and {} jokers; no deduction leads below {}.
        After each round each hexagon in the garden scores by the wheel:
        {}
        and each pavilion {}.
        At the end: {} for each joker; what is left in the storage costs its value.
        Every group of at least {} hexagons of one color, or of one pattern, scores
        the sum of its values; a group {}.",
        rules.start_score,
        rules.start_jokers,
        rules.score_floor,
        wheel.join("\n"),
        rules.pavilion_points,
        rules.joker_points,
        rules.smallest_group,
        list(bonuses)
    )
}

/// What a hexagon scores after a round, by the letter of its color or the value of its pattern.
fn wheel_line(round: u8, wheel: &Wheel) -> String {
    let colors = Color::ALL.into_iter().map(|color| color.to_string()).zip(wheel.colors);
    let patterns = Pattern::ALL.into_iter().map(|pattern| pattern.to_string()).zip(wheel.patterns);
    let paid = colors.chain(patterns).filter(|(_, points)| *points != 0);
    format!("round {round}: {}", list(paid.map(|(what, points)| format!("{what} {points}"))))
}

fn legend() -> String {
    "Colors: Y yellow, B light blue, L light green, G dark green, P light purple,
    V dark purple. Patterns by value: 1 tree, 2 bird, 3 butterfly, 4 flower, 5 plant,
    6 lily. B4 is a light blue flower.
    On top the slots of the display: tiles in brackets lie on a face-down expansion;
    a star marks the stack's top.
    A board: tiles and expansions in the storage, then the garden. 23 is place 3 of
    area 2, free; 2? a free area; fo the fountain, pa a pavilion, st a statue, be a
    bench.
    Moves: acq:B or acq:4 acquires; tile:B4, then at:23 places; exp:B4, then at:35
    lays an expansion on area 3 with its hexagon at place 5; pay:B2, payx:B2, joker
    pay; buy:3 buys for area 3; pass; drop:B4, dropx:B4 discard; done."
        .to_owned()
}
