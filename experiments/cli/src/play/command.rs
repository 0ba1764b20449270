//! What a person types.

use azulejo_experiments::words::Topic;

/// A line that a person typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayCommand<'a> {
    Nothing,
    /// A choice, by its number or in notation, or its beginning.
    Choice(&'a str),
    /// Take back the last decision.
    Undo,
    /// Ask the adviser.
    Hint,
    /// Switch the evaluation on or off.
    Evaluation,
    /// Save the game, into this file if one is named.
    Save(Option<&'a str>),
    /// Leave.
    Quit,
    /// Tell something of the game.
    Guide(Topic),
    /// List the commands.
    Help,
}

/// The commands with what they do, for help.
pub(super) const COMMANDS: [(&str, &str); 8] = [
    ("number or move", "plays it; the beginning of a move lists what begins so"),
    ("u, undo", "takes back your last decision and all that followed"),
    ("h, hint", "shows what the adviser would do, with its values"),
    ("e, eval", "switches the evaluation on or off"),
    ("rules, points", "explain the game in short; so does legend, the signs and letters"),
    ("s, save [FILE]", "saves the game as a record; --load goes on with it"),
    ("q, quit", "leaves the game"),
    ("?, help", "shows this list"),
];

impl<'a> PlayCommand<'a> {
    /// What a line means. Every text that is no command is a choice.
    pub(super) fn read(line: &'a str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = Some(rest.trim()).filter(|rest| !rest.is_empty());
        match (word, rest) {
            ("", _) => PlayCommand::Nothing,
            ("u" | "undo", None) => PlayCommand::Undo,
            ("h" | "hint", None) => PlayCommand::Hint,
            ("e" | "eval", None) => PlayCommand::Evaluation,
            ("s" | "save", file) => PlayCommand::Save(file),
            ("q" | "quit", None) => PlayCommand::Quit,
            ("rules", None) => PlayCommand::Guide(Topic::Rules),
            ("points" | "scoring", None) => PlayCommand::Guide(Topic::Scoring),
            ("legend", None) => PlayCommand::Guide(Topic::Legend),
            ("?" | "help", None) => PlayCommand::Help,
            _ => PlayCommand::Choice(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words_and_the_rest_are_choices() {
        assert_eq!(PlayCommand::read(" u "), PlayCommand::Undo);
        assert_eq!(PlayCommand::read("save my game.jsonl"), PlayCommand::Save(Some("my game.jsonl")));
        assert_eq!(PlayCommand::read("s"), PlayCommand::Save(None));
        assert_eq!(PlayCommand::read(""), PlayCommand::Nothing);
        for topic in Topic::ALL {
            assert_eq!(PlayCommand::read(&topic.to_string()), PlayCommand::Guide(topic));
        }
        assert_eq!(PlayCommand::read("17"), PlayCommand::Choice("17"));
        assert_eq!(PlayCommand::read("exp:B4"), PlayCommand::Choice("exp:B4"));
        assert_eq!(PlayCommand::read("q now"), PlayCommand::Choice("q now"));
    }
}
