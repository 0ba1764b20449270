//! What a person types.

/// A line that a person typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// Nothing.
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
    /// List the commands.
    Help,
}

/// The commands with what they do, for help.
pub(super) const COMMANDS: [(&str, &str); 7] = [
    ("number or move", "plays it; the beginning of a move lists what begins so"),
    ("u, undo", "takes back your last decision and all that followed"),
    ("h, hint", "shows what the adviser would do, with its values"),
    ("e, eval", "switches the evaluation on or off"),
    ("s, save [FILE]", "saves the game as a record; --load goes on with it"),
    ("q, quit", "leaves the game"),
    ("?, help", "shows this list"),
];

impl<'a> Command<'a> {
    /// What a line means. Every text that is no command is a choice.
    pub fn read(line: &'a str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = Some(rest.trim()).filter(|rest| !rest.is_empty());
        match (word, rest) {
            ("", _) => Command::Nothing,
            ("u" | "undo", None) => Command::Undo,
            ("h" | "hint", None) => Command::Hint,
            ("e" | "eval", None) => Command::Evaluation,
            ("s" | "save", file) => Command::Save(file),
            ("q" | "quit", None) => Command::Quit,
            ("?" | "help", None) => Command::Help,
            _ => Command::Choice(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words_and_the_rest_are_choices() {
        assert_eq!(Command::read(" u "), Command::Undo);
        assert_eq!(Command::read("save my game.jsonl"), Command::Save(Some("my game.jsonl")));
        assert_eq!(Command::read("s"), Command::Save(None));
        assert_eq!(Command::read(""), Command::Nothing);
        assert_eq!(Command::read("17"), Command::Choice("17"));
        assert_eq!(Command::read("exp:B4"), Command::Choice("exp:B4"));
        assert_eq!(Command::read("q now"), Command::Choice("q now"));
    }
}
