//! Azul with a planted fault: shows that the checks of this module fail when they should.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{Twin, check_contract, check_random_action, check_state_mutations, compare_with_twin};
use crate::azul::{Action, Azul, AzulRules, Deal};
use crate::error::{RuleViolation, StateError};
use crate::game::{Game, Turn};
use crate::player::PerPlayer;
use crate::{Generator, intern};

const NO_FAULT: u8 = 0;
const UNSORTED: u8 = 1;
const REPEATED: u8 = 2;
const UNLISTED: u8 = 3;
const LEGAL_AT_CHANCE: u8 = 4;
const REFUSAL_CHANGES_STATE: u8 = 5;
const KEY_MAY_BE_MISSING: u8 = 6;
const JSON_FORGETS_MARKER: u8 = 7;
const TWO_WINS: u8 = 8;
const WRONG_SCORES: u8 = 9;
const BIASED: u8 = 10;
const SOMETIMES_BIASED: u8 = 11;
const CUTS_SCORES: u8 = 12;
const NEVER_ENDS: u8 = 13;

/// Azul with the fault of this number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Broken<const FAULT: u8>(Azul);

impl<const FAULT: u8> fmt::Display for Broken<FAULT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const FAULT: u8> Serialize for Broken<FAULT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<const FAULT: u8> Game for Broken<FAULT> {
    type Rules = AzulRules;
    type Action = Action;
    type Outcome = Deal;

    const ID: &'static str = Azul::ID;
    const NAME: &'static str = Azul::NAME;
    const PLAYERS: std::ops::RangeInclusive<usize> = Azul::PLAYERS;
    const MAX_LEGAL: usize = Azul::MAX_LEGAL;

    fn new(rules: &'static AzulRules, players: usize) -> Self {
        Broken(Azul::new(rules, players))
    }

    fn rules(&self) -> &'static AzulRules {
        self.0.rules()
    }

    fn players(&self) -> usize {
        self.0.players()
    }

    fn round(&self) -> u32 {
        self.0.round()
    }

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn legal_actions(&self, buffer: &mut Vec<Action>) {
        self.0.legal_actions(buffer);
        match FAULT {
            UNSORTED if buffer.len() > 1 => buffer.swap(0, 1),
            REPEATED if !buffer.is_empty() => buffer.push(buffer[buffer.len() - 1]),
            UNLISTED if buffer.len() > 1 => _ = buffer.pop(),
            LEGAL_AT_CHANCE if self.turn() == Turn::Chance => {
                buffer.push(Action::Tile { row: 0, column: 0 });
            }
            _ => {}
        }
    }

    fn random_action(&self, rng: &mut Generator, buffer: &mut Vec<Action>) -> Action {
        self.0.legal_actions(buffer);
        let first = match FAULT {
            BIASED => true,
            SOMETIMES_BIASED => rng.below(20) == 0,
            _ => false,
        };
        if first { buffer[0] } else { self.0.random_action(rng, buffer) }
    }

    fn check_action(&self, action: Action) -> Result<(), RuleViolation> {
        self.0.check_action(action)
    }

    fn try_apply(&mut self, action: Action) -> Result<(), RuleViolation> {
        let result = self.0.try_apply(action);
        if FAULT == REFUSAL_CHANGES_STATE && result.is_err() && self.turn() == Turn::Chance {
            self.0.play_chance(&mut Generator::new(1));
        }
        result
    }

    fn apply(&mut self, action: Action) {
        if FAULT != NEVER_ENDS || self.round() < 3 {
            self.0.apply(action);
        }
    }

    fn sample_chance(&self, rng: &mut Generator) -> Deal {
        self.0.sample_chance(rng)
    }

    fn check_chance(&self, outcome: &Deal) -> Result<(), RuleViolation> {
        self.0.check_chance(outcome)
    }

    fn apply_chance(&mut self, outcome: &Deal) {
        self.0.apply_chance(outcome);
    }

    fn scores(&self) -> PerPlayer<i16> {
        let extra = i16::from(FAULT == WRONG_SCORES && self.turn() == Turn::Over);
        self.0.scores().map(|score| score + extra)
    }

    fn wins(&self) -> PerPlayer<f64> {
        self.0.wins().map(|win| if FAULT == TWO_WINS { 2.0 * win } else { win })
    }

    fn from_json(rules: &'static AzulRules, state: &Value) -> Result<Self, StateError> {
        let mut state = state.clone();
        match FAULT {
            KEY_MAY_BE_MISSING if state.get("lid").is_none() => state["lid"] = json!([0, 0, 0, 0, 0]),
            JSON_FORGETS_MARKER if state["phase"] == "over" => state["marker"] = json!("center"),
            CUTS_SCORES if state["phase"] == "draft" => {
                if let Some(score) = state.pointer_mut("/boards/0/score") {
                    *score = json!(score.as_u64().map_or(0, |score| score.min(5)));
                }
            }
            _ => {}
        }
        Azul::from_json(rules, &state).map(Broken)
    }
}

fn rules() -> &'static AzulRules {
    intern(AzulRules::default())
}

/// The message of the panic that `check` is expected to end in.
fn failure(check: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(check)).expect_err("the check finds the fault");
    payload
        .downcast_ref::<String>()
        .cloned()
        .or(payload.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap()
}

fn contract_failure<const FAULT: u8>() -> String {
    failure(|| check_contract::<Broken<FAULT>>(rules(), 2, 2, 1))
}

#[test]
fn the_contract_holds_without_a_fault() {
    check_contract::<Broken<NO_FAULT>>(rules(), 2, 2, 1);
    check_random_action::<Broken<NO_FAULT>>(rules(), 2, 50, 1);
    check_state_mutations::<Broken<NO_FAULT>>(rules(), 2, 50, 1);
}

#[test]
fn the_contract_names_each_fault() {
    for (message, part) in [
        (contract_failure::<UNSORTED>(), "is not ascending"),
        (contract_failure::<REPEATED>(), "is not ascending"),
        (contract_failure::<UNLISTED>(), "listed, or legal, but not both"),
        (contract_failure::<LEGAL_AT_CHANCE>(), "actions exist at a player's turn"),
        (contract_failure::<REFUSAL_CHANGES_STATE>(), "changes something"),
        (contract_failure::<KEY_MAY_BE_MISSING>(), "lid may be missing"),
        (contract_failure::<JSON_FORGETS_MARKER>(), "reads back differently"),
        (contract_failure::<TWO_WINS>(), "the wins add up to 2"),
        (contract_failure::<WRONG_SCORES>(), "replays to its result"),
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn biased_random_actions_are_noticed() {
    let check = |message: String| assert!(message.contains("chi-squared"), "{message}");
    check(failure(|| check_random_action::<Broken<BIASED>>(rules(), 2, 50, 1)));
    check(failure(|| check_random_action::<Broken<SOMETIMES_BIASED>>(rules(), 2, 200, 1)));
}

#[test]
fn states_that_are_read_as_something_else_are_noticed() {
    let message = failure(|| check_state_mutations::<Broken<CUTS_SCORES>>(rules(), 2, 400, 1));
    assert!(message.contains("is read as another one"), "{message}");
    let message = failure(|| check_state_mutations::<Broken<NEVER_ENDS>>(rules(), 2, 400, 1));
    assert!(message.contains("the game does not end"), "{message}");
}

/// A twin that is the engine, but starts every game with another seat.
struct OtherStart(Azul);

impl Twin for OtherStart {
    fn new(_: &str, players: usize) -> Self {
        OtherStart(Azul::new(rules(), players))
    }

    fn legal(&self) -> Vec<String> {
        let mut legal = Vec::new();
        self.0.legal_actions(&mut legal);
        legal.iter().map(ToString::to_string).collect()
    }

    fn play(&mut self, token: &str) {
        self.0.play_token(token).unwrap();
    }

    fn json(&self) -> Value {
        let mut json = serde_json::to_value(self.0).unwrap();
        if self.0.round() > 1 {
            json["start"] = json!(1 - json["start"].as_u64().unwrap());
        }
        json
    }

    fn wins(&self) -> Vec<f64> {
        self.0.wins().as_slice().to_vec()
    }
}

#[test]
fn a_twin_that_differs_is_noticed() {
    let message = failure(|| compare_with_twin::<Azul, OtherStart>(rules(), 2, 1, 1));
    assert!(message.contains("state of azul after"), "{message}");
}
