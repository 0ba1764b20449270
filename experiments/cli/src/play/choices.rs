//! The choices of the player to move: numbered, in notation and in words.

use azulejo::{Game, excerpt};

use crate::display::GameDisplay;

/// Lists longer than this are shown only in part, by a filter.
pub(super) const LONG_LIST: usize = 60;

/// One choice.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice<G: Game> {
    /// The number that a person types, from 1.
    pub number: usize,
    pub action: G::Action,
    /// The action in the game's notation.
    pub token: String,
    /// The action in words.
    pub words: String,
}

/// All legal actions.
#[derive(Clone, Debug)]
pub(super) struct Choices<G: Game> {
    all: Vec<Choice<G>>,
}

/// What a text means among the choices.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pick<G: Game> {
    Action(G::Action),
    /// The beginning of several actions.
    Beginning,
    /// No action, and why not.
    Nothing(String),
}

impl<G: GameDisplay> Choices<G> {
    /// No choice at all.
    pub(super) fn none() -> Self {
        Choices { all: Vec::new() }
    }

    /// The choices in a state; none at chance and over.
    pub(super) fn of(state: &G) -> Self {
        let mut legal = Vec::new();
        state.legal_actions(&mut legal);
        let choice = |(place, action): (usize, G::Action)| Choice {
            number: place + 1,
            action,
            token: action.to_string(),
            words: listed(state.action_in_words(action)),
        };
        Choices { all: legal.into_iter().enumerate().map(choice).collect() }
    }

    /// The number of choices.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The choices whose notation or number begins with a text.
    pub(super) fn beginning_with(&self, text: &str) -> Vec<&Choice<G>> {
        let fits = |choice: &&Choice<G>| {
            begins(&choice.token, text) || !text.is_empty() && choice.number.to_string().starts_with(text)
        };
        self.all.iter().filter(fits).collect()
    }

    /// What a text that a person typed means: a number, a token, or the beginning of tokens.
    pub(super) fn pick(&self, state: &G, text: &str) -> Pick<G> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = text.parse::<usize>().ok();
            let found = number.and_then(|number| self.all.get(number.checked_sub(1)?));
            let missing =
                || Pick::Nothing(format!("{}: there are choices 1 to {}", excerpt(text), self.len()));
            return found.map_or_else(missing, |choice| Pick::Action(choice.action));
        }
        let same = |choice: &&Choice<G>| choice.token.eq_ignore_ascii_case(text);
        let exact = self.all.iter().find(|choice| choice.token == text);
        if let Some(choice) = exact.or_else(|| self.all.iter().find(same)) {
            return Pick::Action(choice.action);
        }
        if self.all.iter().any(|choice| begins(&choice.token, text)) {
            return Pick::Beginning;
        }
        Pick::Nothing(match text.parse::<G::Action>() {
            Ok(action) => match state.check_action(action) {
                Err(why) => format!("{}: {why}", excerpt(text)),
                Ok(()) => excerpt(text),
            },
            Err(error) => error.to_string(),
        })
    }
}

/// Words as a narrow list has them, whose heading says that tiles are taken.
fn listed(words: String) -> String {
    words.strip_prefix("take ").map(str::to_owned).unwrap_or(words)
}

/// Whether a token begins with a text, in capital or small letters.
fn begins(token: &str, text: &str) -> bool {
    token.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::intern;

    use super::*;

    fn state() -> Azul {
        let mut state = Azul::new(intern(AzulRules::default()), 2);
        state.play_token("DBBYR/KKWW/BYRK/RRRR/BWWW").unwrap();
        state
    }

    fn pick(text: &str) -> Pick<Azul> {
        let state = state();
        Choices::of(&state).pick(&state, text)
    }

    #[test]
    fn numbers_and_tokens_pick_actions() {
        assert_eq!(pick("1"), Pick::Action("1B0".parse().unwrap()));
        assert_eq!(pick("4R4"), Pick::Action("4R4".parse().unwrap()));
        assert_eq!(pick("4r4"), Pick::Action("4R4".parse().unwrap()));
        assert_eq!(pick("4R"), Pick::Beginning);
    }

    #[test]
    fn what_is_no_choice_is_explained() {
        let nothing = |text| match pick(text) {
            Pick::Nothing(why) => why,
            other => panic!("{other:?}"),
        };
        assert!(nothing("0").ends_with("there are choices 1 to 72"), "{}", nothing("0"));
        assert!(nothing("99999999999999999999").contains("choices 1 to"));
        assert_eq!(nothing("1W1"), "1W1: that source holds no tile of that color");
        assert!(nothing("fly").contains("an action such as 3R4"));
    }

    #[test]
    fn a_beginning_filters() {
        let choices = Choices::of(&state());
        let filtered = choices.beginning_with("4R");
        assert_eq!(filtered.len(), 6);
        assert!(filtered.iter().all(|choice| choice.token.starts_with("4R")));
        assert_eq!(choices.beginning_with("").len(), choices.len());
        assert_eq!(filtered[3].words, "4 red from factory 4 to line 3, 1 falls");
    }
}
