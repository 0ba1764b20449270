//! Which numbers of changed rules an agent's choices depend on: [`RuleKnowledge`].

use azulejo::{RuleEffect, RuleKey};

/// Which numbers of the rules reach an agent's choices, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleKnowledge {
    /// The keys whose changes reach them beyond what states and legal actions show.
    pub keys: KnownKeys,
    /// By what they do, or what the agent looks at instead: `its ratings`.
    pub by: &'static str,
}

/// Keys of rules that an agent knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownKeys {
    /// None.
    None,
    /// These.
    Listed(&'static [&'static str]),
    /// All: games are played to their ends and counted.
    All,
    /// Any or none: the agent is a program of its own.
    Unsaid,
}

impl RuleKnowledge {
    /// Whether a change of the key's number can change what the agent plays. What lies on the table and what is
    /// legal no agent can overlook.
    pub fn covers(&self, key: &RuleKey) -> bool {
        key.effect == RuleEffect::Table
            || match self.keys {
                KnownKeys::None => false,
                KnownKeys::Listed(names) => names.contains(&key.name),
                KnownKeys::All | KnownKeys::Unsaid => true,
            }
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::Azul;
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;
    use azulejo::{Changes, Game, Generator, History, Move, RuleValues, Rules, Turn, changed_rules, intern};
    use serde_json::Value;

    use super::*;
    use crate::Playable;
    use crate::agent::Limits;
    use crate::heuristic::{Heuristic, StateValue};
    use crate::registry::AgentSpec;

    fn standard<G: Game>() -> &'static G::Rules {
        intern(G::Rules::variants().remove(0))
    }

    /// Who sees a key, as the games' pages tell it.
    fn seen_by<G: Playable>(key: &RuleKey) -> &'static str {
        let by_rating = <G as Heuristic>::KNOWN_RULES.contains(&key.name);
        let by_value = <G as StateValue>::KNOWN_RULES.contains(&key.name);
        match (key.effect, by_rating, by_value) {
            (RuleEffect::Table, false, false) => "all",
            (RuleEffect::Count, true, true) => "greedy, value",
            (RuleEffect::Count, false, true) => "value",
            (RuleEffect::Count, false, false) => "playouts",
            _ => panic!("{key:?}: what lies on the table is seen anyway, and what ratings see values do"),
        }
    }

    /// The table of a game's page is the one of the keys.
    fn check_page<G: Playable>(page: &str) {
        let rules = standard::<G>();
        let (_, rest) = page.split_once("## Rules from a file").unwrap();
        let section = rest.split("\n## ").next().unwrap();
        let found: Vec<String> =
            section.lines().filter(|line| line.starts_with("| `")).map(str::to_owned).collect();
        let names = <G::Rules as Rules>::KEYS.iter().map(|key| key.name);
        assert_eq!(found.len(), names.count(), "{found:?}");
        for (line, key) in found.iter().zip(<G::Rules as Rules>::KEYS) {
            let (start, now) = (format!("| `{}` | ", key.name), key.value(&rules.numbers()));
            let end = format!(" | `{now}` | {} | {} |", key.values, seen_by::<G>(key));
            assert!(line.starts_with(&start) && line.ends_with(&end), "{line}: expected {start}…{end}");
        }
    }

    #[test]
    fn the_pages_of_the_games_list_the_keys() {
        check_page::<Azul>(include_str!("../../docs/azul.md"));
        check_page::<SummerPavilion>(include_str!("../../docs/summer-pavilion.md"));
        check_page::<QueensGarden>(include_str!("../../docs/queens-garden.md"));
    }

    #[test]
    fn every_name_is_that_of_a_key() {
        fn check<G: Playable>() {
            let known = <G as Heuristic>::KNOWN_RULES.iter().chain(<G as StateValue>::KNOWN_RULES);
            known.for_each(|name| assert!(G::Rules::KEYS.iter().any(|key| key.name == *name), "{name}"));
        }
        check::<Azul>();
        check::<SummerPavilion>();
        check::<QueensGarden>();
    }

    /// This value in the place of every number or word.
    fn filled(value: &Value, with: &Value) -> Value {
        match value {
            Value::Array(list) => list.iter().map(|value| filled(value, with)).collect(),
            _ => with.clone(),
        }
    }

    /// Rules with another value of a key throughout.
    fn changed<G: Game>(rules: &'static G::Rules, key: &RuleKey, with: &Value) -> &'static G::Rules {
        let mut numbers = rules.numbers();
        match key.name.split_once('.') {
            None => numbers[key.name] = filled(&numbers[key.name], with),
            Some((outer, inner)) => match &mut numbers[outer] {
                Value::Array(tables) => {
                    tables.iter_mut().for_each(|table| table[inner] = filled(&table[inner], with));
                }
                table => table[inner] = with.clone(),
            },
        }
        let only = key.name.split('.').next().unwrap();
        let changes: Changes = [(only.to_owned(), numbers[only].clone())].into_iter().collect();
        changed_rules::<G>(rules, &changes).unwrap()
    }

    /// The moves of a game of `greedy` with itself.
    fn moves<G: Playable>(rules: &'static G::Rules, seed: u64) -> Vec<String> {
        let spec: AgentSpec = "greedy".parse().unwrap();
        let mut agent = spec.build::<G>().unwrap();
        agent.new_game(seed);
        let (mut history, mut rng) = (History::<G>::new(rules, 2), Generator::new(seed));
        while history.state().turn() != Turn::Over {
            let state = history.state();
            let played = match state.turn() {
                Turn::Chance => Move::Outcome(state.sample_chance(&mut rng)),
                _ => Move::Action(agent.choose(state, &Limits::default()).unwrap().action),
            };
            history.push(played).unwrap();
        }
        history.moves().iter().map(ToString::to_string).collect()
    }

    /// The ends of what a key may be changed to, one by one.
    fn ends(key: &RuleKey) -> Vec<Value> {
        match &key.values {
            // Rules bound these two by each other.
            RuleValues::Numbers(range) if key.name == "score_floor" => vec![Value::from(*range.start())],
            RuleValues::Numbers(range) if key.name == "start_score" => vec![Value::from(*range.end())],
            RuleValues::Numbers(range) => vec![Value::from(*range.start()), Value::from(*range.end())],
            RuleValues::Words(words) => words.iter().map(|&word| word.into()).collect(),
        }
    }

    /// Whether a key's change shows in the moves of games by some variant's rules, as far as both games go.
    fn shows<G: Playable>(key: &RuleKey) -> bool {
        let seeds = 0..20;
        G::Rules::variants().into_iter().any(|variant| {
            let rules: &'static G::Rules = intern(variant);
            seeds.clone().any(|seed| {
                let usual = moves::<G>(rules, seed);
                ends(key).iter().any(|end| {
                    let now = moves::<G>(changed::<G>(rules, key, end), seed);
                    let both = usual.len().min(now.len());
                    usual[..both] != now[..both]
                })
            })
        })
    }

    /// Points so far matter to ratings only where a deduction could bring them below the floor, which `greedy` hardly
    /// ever comes to.
    const SELDOM: [&str; 3] = ["start_score", "handicap", "score_floor"];

    /// Each changed number that `greedy` says that it knows changes its play in some variant, any other one in
    /// none.
    fn check_greedy<G: Playable>() {
        let is_seldom =
            |key: &RuleKey| <G as Heuristic>::KNOWN_RULES.contains(&key.name) && SELDOM.contains(&key.name);
        let keys = G::Rules::KEYS.iter().filter(|key| key.effect == RuleEffect::Count && !is_seldom(key));
        let wrong = keys.filter(|key| <G as Heuristic>::KNOWN_RULES.contains(&key.name) != shows::<G>(key));
        let wrong: Vec<&str> = wrong.map(|key| key.name).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", G::NAME);
    }

    #[test]
    fn greedy_plays_by_the_numbers_that_it_knows_and_by_no_others() {
        check_greedy::<Azul>();
        check_greedy::<SummerPavilion>();
        check_greedy::<QueensGarden>();
    }
}
