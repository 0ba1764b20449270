//! Command lines and options as values in an agent spec: [`Words`].

use crate::parameters::ParameterValue;

/// Words as a shell splits them: at blanks, except within quotes or after a backslash.
///
/// In a spec the value ends at the first comma that is not quoted either.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    text: String,
    words: Vec<String>,
}

impl Words {
    /// The words, without quotes.
    pub fn as_slice(&self) -> &[String] {
        &self.words
    }
}

impl ParameterValue for Words {
    fn read(text: &str) -> Result<Self, String> {
        let expected = || "words as in a shell: blanks and commas within words in quotes".to_owned();
        if text.contains(char::is_control) {
            return Err(expected());
        }
        let words = shlex::split(text).filter(|words| !words.is_empty()).ok_or_else(expected)?;
        Ok(Words { text: text.to_owned(), words })
    }

    fn print(&self) -> String {
        self.text.clone()
    }

    fn end(text: &str) -> usize {
        let mut quote = None;
        let mut letters = text.char_indices();
        while let Some((place, letter)) = letters.next() {
            match (letter, quote) {
                ('\\', None | Some('"')) => _ = letters.next(),
                ('\'' | '"', None) => quote = Some(letter),
                (',', None) => return place,
                _ if quote == Some(letter) => quote = None,
                _ => {}
            }
        }
        text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_in_a_shell() {
        let words = Words::read(r#"my\ bot --name "a b" 'c, d' e"#).unwrap();
        assert_eq!(words.as_slice(), ["my bot", "--name", "a b", "c, d", "e"]);
        for text in ["", "  ", "'open", "a\nb", "a\0b"] {
            assert!(Words::read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_value_ends_at_a_comma_outside_quotes() {
        for (text, value) in [
            ("bot,time=1", "bot"),
            ("bot", "bot"),
            ("'a,b',c", "'a,b'"),
            (r#""a\",b",c"#, r#""a\",b""#),
            (r"a\,b,c", r"a\,b"),
            (r"'a\',b", r"'a\'"),
            ("é,", "é"),
            ("'open,", "'open,"),
        ] {
            assert_eq!(&text[..Words::end(text)], value, "{text}");
        }
    }
}
