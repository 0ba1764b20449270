//! `catalog`: what can be played, against whom, and within which limits.

use std::collections::BTreeMap;

use azulejo::{Game, GameSpec, Rules, with_game};
use azulejo_agents::GameKnowledge;
use azulejo_agents::rung::{LEVELS, RungRating};
use azulejo_experiments::position;
use azulejo_experiments::words::Topic;
use serde::{Deserialize, Serialize};

use crate::answer::CallError;
use crate::search::MOST_MS;

/// Nothing is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CatalogRequest {}

/// What there is.
#[derive(Serialize)]
pub(super) struct CatalogAnswer {
    version: &'static str,
    games: Vec<ToldGame>,
    agents: Vec<ToldAgent>,
    limits: ToldLimits,
}

/// A game with its variants.
#[derive(Serialize)]
struct ToldGame {
    id: &'static str,
    name: &'static str,
    specs: Vec<ToldVariant>,
    players: Vec<usize>,
    guide: String,
}

/// A variant of a game.
#[derive(Serialize)]
struct ToldVariant {
    spec: String,
    name: String,
}

/// A bot.
#[derive(Serialize)]
struct ToldAgent {
    name: String,
    spec: String,
    about: String,
    /// Of a level by game its rating with `low` and `high`, null where it was not measured; of other bots nothing.
    ratings: BTreeMap<&'static str, Option<RungRating>>,
}

/// The most that may be asked for.
#[derive(Serialize)]
struct ToldLimits {
    time_ms: u64,
    multipv: usize,
}

/// The most candidates of an analysis.
pub(super) const MOST_CANDIDATES: usize = 20;

/// Tells what there is.
pub(super) fn catalog(_: CatalogRequest) -> Result<CatalogAnswer, CallError> {
    Ok(CatalogAnswer {
        version: env!("CARGO_PKG_VERSION"),
        games: GameSpec::IDS.iter().map(|id| game(id)).collect(),
        agents: agents(),
        limits: ToldLimits { time_ms: MOST_MS, multipv: MOST_CANDIDATES },
    })
}

fn game(id: &'static str) -> ToldGame {
    let all = GameSpec::all().into_iter().map(|game| game.to_string());
    let own = all.filter(|spec| spec.split(':').next() == Some(id));
    let game: GameSpec = id.parse().expect("an id is a spec");
    let (name, seats, options) = with_game!(game, |_rules: &'static G::Rules| {
        (<G as Game>::NAME, <G as Game>::PLAYERS, <<G as Game>::Rules as Rules>::OPTIONS)
    });
    let variant = |spec: String| ToldVariant { name: variant_name(&spec, options), spec };
    let start = position::start(game, *seats.start());
    let guide = Topic::ALL.map(|topic| format!("{topic}\n{}", start.guide(topic).join("\n")));
    ToldGame {
        id,
        name,
        specs: own.map(variant).collect(),
        players: seats.collect(),
        guide: guide.join("\n\n"),
    }
}

/// `gray board, alternate side`: the options of a variant.
fn variant_name(spec: &str, options: &[(&str, &str)]) -> String {
    _ = options;
    spec.split_once(':').map_or_else(|| "standard".to_owned(), |(_, options)| options.replace(',', ", "))
}

/// How strong a level of a game is; `None` if it was not measured.
fn rating(id: &str, level: usize) -> Option<RungRating> {
    let game: GameSpec = id.parse().expect("an id is a spec");
    let ladder = with_game!(game, |_rules: &'static G::Rules| <G as GameKnowledge>::LADDER);
    ladder.and_then(|rungs| rungs[level - 1].rating)
}

/// The levels of strength, the strongest bot, and what beginners may want to look at.
fn agents() -> Vec<ToldAgent> {
    let level = |level: usize| ToldAgent {
        ratings: GameSpec::IDS.iter().map(|id| (*id, rating(id, level))).collect(),
        name: format!("Level {level}"),
        spec: format!("ladder:level={level}"),
        about: match level {
            1 => "a beginner beats it".to_owned(),
            LEVELS => "the strongest level; takes seconds for a move".to_owned(),
            _ => "beats the level below it most of the time".to_owned(),
        },
    };
    let strongest = ToldAgent {
        name: "Strongest".to_owned(),
        spec: "neural".to_owned(),
        about: "searches with a network for as long as it is given".to_owned(),
        ratings: BTreeMap::new(),
    };
    let other = |name: &str, spec: &str, about: &str| ToldAgent {
        name: name.to_owned(),
        spec: spec.to_owned(),
        about: about.to_owned(),
        ratings: BTreeMap::new(),
    };
    let others = [
        other("Greedy", "greedy", "takes what looks best at once"),
        other("Tree search", "mcts", "searches without a network for as long as it is given"),
        other("Minimax", "minimax", "searches by depth for as long as it is given"),
        other("Random", "random", "plays anything that is legal"),
    ];
    (1..=LEVELS).map(level).chain([strongest]).chain(others).collect()
}
