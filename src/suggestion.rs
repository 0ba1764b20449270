//! What a mistyped word was probably meant to be: [`suggestion`].

/// The end of a message about an unknown word: `; did you mean 'greedy'?` if one of the known ones, separated by commas,
/// is close to it, and nothing otherwise. What stands after `=` in either is not looked at.
///
/// ```
/// assert_eq!(azulejo::suggestion("greddy", "random, greedy"), "; did you mean 'greedy'?");
/// assert_eq!(azulejo::suggestion("chess", "random, greedy"), "");
/// ```
pub fn suggestion(given: &str, known: &str) -> String {
    let key = |text: &str| text.split('=').next().unwrap_or_default().to_lowercase();
    let given: Vec<char> = key(given).chars().take(LONGEST).collect();
    let candidates = known.split(", ").map(|word| {
        let letters: Vec<char> = key(word).chars().collect();
        (distance(&given, &letters), letters.len(), word)
    });
    // A third of the letters may be wrong.
    let close = candidates.filter(|&(wrong, letters, _)| wrong <= letters.max(given.len()) / 3);
    let best = close.min_by_key(|&(wrong, ..)| wrong);
    best.map_or(String::new(), |(.., word)| format!("; did you mean '{word}'?"))
}

/// No word is longer; more letters of a text from outside are not looked at.
const LONGEST: usize = 40;

/// How many letters are to be put in, left out, changed or swapped with the next to make one word of the other.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let changed = rows[i][j] + usize::from(a != b);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn distances_count_what_is_to_be_done() {
        for (one, other, expected) in [
            ("", "", 0),
            ("", "ab", 2),
            ("azul", "azul", 0),
            ("azule", "azul", 1),
            ("auzl", "azul", 1),
            ("sims", "time", 2),
        ] {
            assert_eq!(distance(&letters(one), &letters(other)), expected, "{one} {other}");
            assert_eq!(distance(&letters(other), &letters(one)), expected, "{other} {one}");
        }
    }

    #[test]
    fn only_close_words_are_suggested() {
        let known = "colored, gray, standard, alternate, wilds=<six letters>, rules=FILE";
        assert_eq!(suggestion("grey", known), "; did you mean 'gray'?");
        assert_eq!(suggestion("wild=RPGOYB", known), "; did you mean 'wilds=<six letters>'?");
        assert_eq!(suggestion("purple", known), "");
        assert_eq!((suggestion("", known), suggestion("x", "")), (String::new(), String::new()));
        assert_eq!(suggestion(&"é".repeat(100_000), known), "");
    }
}
