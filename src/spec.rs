//! Game specs: the text that names a game and its variant.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Mutex;

use serde_json::Value;

use crate::changes::{Changes, RuleKey};
use crate::error::{SpecError, StateError, excerpt, shortened};
use crate::game::{Game, Rules};
use crate::registry::GameSpec;

/// Whether a spec names the game `G`, by its id in capital or small letters.
pub fn names<G: Game>(spec: &str) -> bool {
    split_variant(spec).0.eq_ignore_ascii_case(G::ID)
}

/// The rules of the game `G` that a spec names.
///
/// # Errors
/// A spec of another game, an option that the game does not have or cannot use, a rules file (reading a spec
/// opens none), or changed numbers as [`changed_rules`] refuses them.
pub fn rules_of<G: Game>(spec: &str) -> Result<&'static G::Rules, SpecError> {
    if !names::<G>(spec) {
        return Err(SpecError::unknown(spec, &[G::ID]));
    }
    let (variant, changes) = split_changes(spec);
    let options: Vec<&str> = split_variant(variant).1.map(|all| all.split(',').collect()).unwrap_or_default();
    refuse_file(G::ID, &options)?;
    let rules = intern(G::Rules::from_options(&options)?);
    let Some(text) = changes else { return Ok(rules) };
    let changes = serde_json::from_str(text).map_err(|error| unusable::<G>(text, error.to_string()))?;
    changed_rules::<G>(rules, &changes)
}

/// The named variants of a game, the default variant first.
pub fn variants<G: Game>() -> impl Iterator<Item = &'static G::Rules> {
    G::Rules::variants().into_iter().map(intern)
}

/// A spec without changed numbers as the game's id, and the text of the options if there is one.
fn split_variant(spec: &str) -> (&str, Option<&str>) {
    let (variant, _) = split_changes(spec);
    variant.split_once(':').map_or((variant, None), |(id, options)| (id, Some(options)))
}

/// The option with changed rules, a JSON object or, for those who read files, a file's name.
const RULES: &str = "rules=";

/// A spec without its changed numbers, and their JSON object, which takes up the rest of the text.
fn split_changes(text: &str) -> (&str, Option<&str>) {
    let begins = |&at: &usize| text[at + RULES.len()..].starts_with('{') && text[..at].ends_with([':', ',']);
    match text.find(RULES).filter(begins) {
        Some(at) => (&text[..at - 1], Some(&text[at + RULES.len()..])),
        None => (text, None),
    }
}

/// Refuses a file with changed rules: reading a spec opens none.
fn refuse_file(game: &'static str, options: &[&str]) -> Result<(), SpecError> {
    match options.iter().find_map(|option| option.strip_prefix(RULES)) {
        Some(file) => Err(SpecError::RulesFile { game, file: excerpt(file) }),
        None => Ok(()),
    }
}

/// The rules with these numbers changed.
///
/// # Errors
/// A key or a value that the rules do not have, or too many different rules ([`MOST_RULES`]).
pub fn changed_rules<G: Game>(
    rules: &'static G::Rules,
    changes: &Changes,
) -> Result<&'static G::Rules, SpecError> {
    if changes.is_empty() {
        return Ok(rules);
    }
    let changed = rules.with_changes(changes).map_err(|problem| {
        let text = serde_json::to_string(changes).expect("changes have only plain values and text keys");
        unusable::<G>(&text, problem)
    })?;
    keep(changed, MOST_RULES).ok_or(SpecError::Rules { game: G::ID, most: MOST_RULES })
}

/// The keys whose numbers differ from those of the variant that the rules belong to, in the order of
/// [`Rules::KEYS`].
pub fn changed_keys<R: Rules>(rules: &R) -> Vec<&'static RuleKey> {
    let options = rules.options();
    let options: Vec<&str> = options.split(',').filter(|option| !option.is_empty()).collect();
    let variant = R::from_options(&options).expect("rules print the options that they are made of");
    let (before, now) = (variant.numbers(), rules.numbers());
    R::KEYS.iter().filter(|key| key.value(&before) != key.value(&now)).collect()
}

fn unusable<G: Game>(changes: &str, problem: String) -> SpecError {
    SpecError::Value {
        game: G::ID,
        option: excerpt(&format!("{RULES}{changes}")),
        problem: shortened(&problem),
    }
}

impl GameSpec {
    /// The game of a JSON state: what its keys `game` and `rules` say.
    ///
    /// # Errors
    /// If they are missing or name no game.
    pub fn of_state(state: &Value) -> Result<Self, StateError> {
        let game = state.get("game").and_then(Value::as_str);
        let game = game.ok_or_else(|| StateError::new("game", "missing, expected a game's spec"))?;
        let game: GameSpec =
            game.parse().map_err(|error: SpecError| StateError::new("game", error.to_string()))?;
        match state.get("rules") {
            None | Some(Value::Null) => Ok(game),
            Some(Value::Object(changes)) => {
                game.with_changes(changes).map_err(|error| StateError::new("rules", error.to_string()))
            }
            Some(other) => {
                let found = excerpt(&other.to_string());
                Err(StateError::new(
                    "rules",
                    format!("found {found}, expected an object with the changed numbers"),
                ))
            }
        }
    }
}

/// The spec of a game with these rules: its variant, and the changed numbers if there are any.
pub fn spec_of<G: Game>(rules: &G::Rules) -> String {
    let (variant, changes) = (variant_of::<G>(rules), rules.changes());
    if changes.is_empty() {
        return variant;
    }
    let joint = if variant.contains(':') { ',' } else { ':' };
    let changes = serde_json::to_string(&changes).expect("changes have only plain values and text keys");
    format!("{variant}{joint}{RULES}{changes}")
}

/// The spec of the variant that these rules belong to, without changed numbers: the game's id, and the
/// options if there are any.
pub fn variant_of<G: Game>(rules: &G::Rules) -> String {
    let options = rules.options();
    if options.is_empty() { G::ID.to_owned() } else { format!("{}:{options}", G::ID) }
}

/// Notes the option that decides something, unless a different one has decided it already.
///
/// # Errors
/// [`SpecError::Conflict`] with the option that came first.
pub(crate) fn choose<'a>(
    game: &'static str,
    chosen: &mut Option<&'a str>,
    option: &'a str,
) -> Result<(), SpecError> {
    match chosen.replace(option).filter(|&first| first != option) {
        Some(first) => Err(SpecError::Conflict { game, first: excerpt(first), second: excerpt(option) }),
        None => Ok(()),
    }
}

/// A number of players from outside, if the game seats so many.
///
/// # Errors
/// If it does not.
pub fn check_players<G: Game>(players: usize) -> Result<usize, SpecError> {
    check_seats(players, G::PLAYERS)
}

/// A number of players from outside, if a game that seats these numbers of players seats so many.
///
/// # Errors
/// If it does not.
pub fn check_seats(players: usize, seats: RangeInclusive<usize>) -> Result<usize, SpecError> {
    if seats.contains(&players) { Ok(players) } else { Err(SpecError::Players { players, seats }) }
}

/// The range from the fewest to the most players of several games.
pub const fn widest(ranges: &[RangeInclusive<usize>]) -> RangeInclusive<usize> {
    let (mut fewest, mut most, mut at) = (usize::MAX, 0, 0);
    while at < ranges.len() {
        let (first, last) = (*ranges[at].start(), *ranges[at].end());
        (fewest, most) = (if first < fewest { first } else { fewest }, if last > most { last } else { most });
        at += 1;
    }
    fewest..=most
}

/// The most rules of one game that a program holds for specs with changed numbers, which may come from
/// outside: a bound on memory (under 1 MiB), since rules are held for the life of the program.
pub const MOST_RULES: usize = 4096;

/// The one place in memory that holds these rules for the life of the program.
///
/// States refer to their rules by reference, so that they stay plain values; equal rules share one place.
/// Memory grows with the number of different rules that the caller asks for; rules from outside, read as a
/// [`GameSpec`], are bounded by [`MOST_RULES`].
pub fn intern<R: Rules>(rules: R) -> &'static R {
    keep(rules, usize::MAX).expect("no program holds as many rules")
}

/// The place of these rules; `None` if they are new and there are `most` of their type already.
fn keep<R: Rules>(rules: R, most: usize) -> Option<&'static R> {
    static KNOWN: Mutex<Option<HashMap<TypeId, Vec<&'static (dyn Any + Send + Sync)>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let same_type = known.get_or_insert_default().entry(TypeId::of::<R>()).or_default();
    let found = same_type.iter().filter_map(|any| any.downcast_ref::<R>()).find(|&other| *other == rules);
    found.or_else(|| {
        (same_type.len() < most).then(|| {
            let leaked: &'static R = Box::leak(Box::new(rules));
            same_type.push(leaked);
            leaked
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_prints_and_parses_back() {
        for spec in GameSpec::all() {
            assert_eq!(spec.to_string().parse::<GameSpec>().unwrap(), spec);
        }
    }

    #[test]
    fn unknown_games_and_options_are_named() {
        let error = "azule".parse::<GameSpec>().unwrap_err().to_string();
        assert!(error.starts_with("unknown game 'azule'; known games: azul"), "{error}");
        assert!(error.ends_with("; did you mean 'azul'?"), "{error}");
        let error = "azul:grey".parse::<GameSpec>().unwrap_err().to_string();
        assert!(error.ends_with("; did you mean 'gray'?"), "{error}");
        let error = "azul:purple".parse::<GameSpec>().unwrap_err().to_string();
        assert_eq!(error, "unknown option 'purple' of azul; known options: colored, gray, rules=FILE");
        assert!("azul:".parse::<GameSpec>().is_err());
        assert!("azul:gray,colored".parse::<GameSpec>().is_err());
        assert_eq!(
            check_players::<crate::azul::Azul>(5).unwrap_err().to_string(),
            "5 players: the game seats 2, 3 or 4"
        );
    }

    #[test]
    fn games_are_named_in_any_case() {
        let game: GameSpec = "Summer-PAVILION:gray".parse().unwrap();
        assert_eq!(game.to_string(), "summer-pavilion:gray");
    }

    #[test]
    fn changed_rules_print_and_parse_back() {
        let text = r#"azul:gray,rules={"column_bonus":10,"floor":[-1,-1,-1,-1,-1,-1,-1]}"#;
        let game: GameSpec = text.parse().unwrap();
        assert_eq!(game.to_string(), text);
        let gray: GameSpec = "azul:gray".parse().unwrap();
        assert_eq!(game.variant(), gray);
        assert_eq!(gray.with_changes(serde_json::json!({"row_bonus": 2}).as_object().unwrap()), Ok(gray));
        let again = r#"queens-garden:rules={ "joker_awards" : {"bench":4} }"#.parse::<GameSpec>().unwrap();
        assert_eq!(again.to_string(), r#"queens-garden:rules={"joker_awards":{"bench":4}}"#);
        assert_eq!("azul:rules={}".parse::<GameSpec>().unwrap().to_string(), "azul");
    }

    #[test]
    fn changed_rules_are_refused_with_the_key() {
        let error = |text: &str| text.parse::<GameSpec>().unwrap_err().to_string();
        let start = r#"option 'rules={"column_bonus":101}' of azul: "#;
        let found = "column_bonus: found 101, expected 0 to 100";
        assert_eq!(error(r#"azul:rules={"column_bonus":101}"#), format!("{start}{found}"));
        assert!(error(r#"azul:rules={"columns":1}"#).contains("unknown field `columns`"));
        assert!(error("azul:rules={").contains("EOF"));
        assert!(error("azul:rules={},gray").contains("trailing characters"));
        let file = error("azul:gray,rules=no/such/file.toml");
        assert!(file.starts_with("'rules=no/such/file.toml' of azul names a file"), "{file}");
        assert!(error("azulrules={}").starts_with("unknown game"));
    }

    #[test]
    fn the_game_of_a_state_is_its_variant_with_its_rules() {
        let game = |state: Value| GameSpec::of_state(&state).map(|game| game.to_string());
        let changed = serde_json::json!({"game": "azul:gray", "rules": {"last_round": 5}});
        assert_eq!(game(changed), Ok(r#"azul:gray,rules={"last_round":5}"#.to_owned()));
        let error = |state: Value| game(state).unwrap_err().to_string();
        assert!(error(serde_json::json!({"players": 2})).starts_with("game: "));
        let wrong = error(serde_json::json!({"game": "azul", "rules": 5}));
        assert_eq!(wrong, "rules: found 5, expected an object with the changed numbers");
        assert!(
            error(serde_json::json!({"game": "azul", "rules": {"last_round": 0}})).starts_with("rules: ")
        );
    }

    #[test]
    fn equal_rules_are_one() {
        let gray = || intern(crate::azul::AzulRules::from_options(&["gray"]).unwrap());
        let (first, second) = (gray(), gray());
        assert!(std::ptr::eq(first, second));
    }
}
