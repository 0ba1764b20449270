//! Rules files: TOML with the changed numbers of a game's rules, which a game spec names as `rules=FILE`.
//!
//! The engine opens no file: what a file says becomes part of the spec here, before anything else sees it.

use std::path::{Path, PathBuf};

use azulejo::record::RecordError;
use azulejo::{Changes, Game, GameSpec, Record, SpecError, changed_rules, excerpt, rules_of};
use azulejo_agents::settings::{parse_settings, read_settings};
use thiserror::Error;

/// A game spec with a rules file that cannot be used.
#[derive(Debug, Error)]
pub enum RulesFileError {
    /// The file cannot be read.
    #[error("the rules file {}: {problem}", excerpt(file))]
    File {
        /// The file as it was named.
        file: String,
        /// What is wrong, with the line and the key if it is in the text.
        problem: String,
    },
    /// Two files are named.
    #[error("'rules={}' and 'rules={}' exclude each other", excerpt(first), excerpt(second))]
    Conflict {
        /// The file that is named first.
        first: String,
        /// The other one.
        second: String,
    },
    /// The spec, or a number that the file changes, does not exist.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// A line of a record file that is no record, or whose rules file cannot be used.
#[derive(Debug, Error)]
pub enum RecordLineError {
    /// The line is no record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The record names its rules by a file.
    #[error("an old record: {0}")]
    Rules(RulesFileError),
}

/// Reads a game spec; with `rules=FILE` the numbers in the file become part of it.
///
/// # Errors
/// A spec or a file that cannot be used.
pub fn read_game(spec: &str) -> Result<GameSpec, RulesFileError> {
    let (variant, changes) = resolved(spec)?;
    let game: GameSpec = variant.parse()?;
    Ok(changes.map_or(Ok(game), |changes| game.with_changes(&changes))?)
}

/// Reads a spec of the game `G`, as [`read_game`] does that of any registered game.
///
/// # Errors
/// A spec or a file that cannot be used, or a spec of another game.
pub(crate) fn read_rules<G: Game>(spec: &str) -> Result<&'static G::Rules, RulesFileError> {
    let (variant, changes) = resolved(spec)?;
    let rules = rules_of::<G>(&variant)?;
    Ok(changes.map_or(Ok(rules), |changes| changed_rules::<G>(rules, &changes))?)
}

/// The changed numbers in a file.
///
/// # Errors
/// If the file cannot be read or is not TOML.
pub fn read_changes(file: &Path) -> Result<Changes, RulesFileError> {
    let unusable = |problem| RulesFileError::File { file: file.display().to_string(), problem };
    let text = read_settings(file).map_err(|error| unusable(error.to_string()))?;
    parse_changes(file, &text)
}

/// The changed numbers in the text of this file, which need not have been written yet.
///
/// # Errors
/// If it is not TOML.
pub fn parse_changes(file: &Path, text: &str) -> Result<Changes, RulesFileError> {
    parse_settings(text).map_err(|problem| RulesFileError::File { file: file.display().to_string(), problem })
}

/// Reads a line of a record file. An old record that names its rules by a file holds their numbers
/// afterwards.
///
/// # Errors
/// If the line is no record, or the file is not there any more.
pub fn read_record(line: &str) -> Result<Record, RecordLineError> {
    let mut record = Record::from_line(line)?;
    if let (variant, Some(changes)) = resolved(&record.game).map_err(RecordLineError::Rules)? {
        (record.game, record.rules) = (variant, Some(changes));
    }
    Ok(record)
}

/// The rules file that a spec names; `None` without one.
pub(crate) fn rules_file_of(spec: &str) -> Option<PathBuf> {
    split(spec).ok()?.1.map(PathBuf::from)
}

/// A spec without its rules file, and what the file says if there is one.
fn resolved(spec: &str) -> Result<(String, Option<Changes>), RulesFileError> {
    let (variant, file) = split(spec)?;
    Ok((variant, file.map(|file| read_changes(Path::new(file))).transpose()?))
}

/// A spec without its rules file, and the file if there is one.
fn split(spec: &str) -> Result<(String, Option<&str>), RulesFileError> {
    let Some((id, options)) = spec.split_once(':') else { return Ok((spec.to_owned(), None)) };
    let (mut kept, mut file) = (Vec::new(), None);
    let mut options = options.split(',');
    while let Some(option) = options.next() {
        match option.strip_prefix("rules=") {
            // The numbers themselves take up the rest.
            Some(numbers) if numbers.starts_with('{') => {
                kept.push(option);
                kept.extend(options.by_ref());
            }
            Some(second) => {
                if let Some(first) = file.replace(second).filter(|&first| first != second) {
                    let (first, second) = (first.to_owned(), second.to_owned());
                    return Err(RulesFileError::Conflict { first, second });
                }
            }
            None => kept.push(option),
        }
    }
    let variant = if kept.is_empty() { id.to_owned() } else { format!("{id}:{}", kept.join(",")) };
    Ok((variant, file))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use azulejo::Rules;
    use azulejo::queens_garden::QueensGardenRules;

    use super::*;

    #[test]
    fn a_file_s_numbers_become_part_of_the_spec() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("rules.toml");
        fs::write(&file, "expansion_price = 4\n[joker_awards]\npavilion = 2\n").unwrap();
        let spec = format!("queens-garden:rules={},variant", file.display());
        let game = read_game(&spec).unwrap();
        fs::remove_file(&file).unwrap();
        let printed = r#"queens-garden:variant,rules={"expansion_price":4,"joker_awards":{"pavilion":2}}"#;
        assert_eq!((game.to_string().as_str(), read_game(printed).unwrap()), (printed, game));
        let error = read_game(&spec).unwrap_err().to_string();
        assert!(error.starts_with("the rules file ") && error.contains("No such file"), "{error}");
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("rules.toml");
        let error = |text: &str| {
            fs::write(&file, text).unwrap();
            read_game(&format!("azul:rules={}", file.display())).unwrap_err().to_string()
        };
        assert!(error("column_bonus = 10\ncolumn_bonus = ").contains("line 2: "));
        assert!(error("column_bonus = 101").ends_with("column_bonus: found 101, expected 0 to 100"));
        let two = read_game("azul:rules=a.toml,gray,rules=b.toml").unwrap_err().to_string();
        assert_eq!(two, "'rules=a.toml' and 'rules=b.toml' exclude each other");
        assert!(
            read_game("azul:gray,purple").unwrap_err().to_string().starts_with("unknown option 'purple'")
        );
        assert!(read_game("azul:").is_err());
    }

    /// A record as it was written when records named files.
    fn old_record(file: &Path) -> String {
        let line = r#"{"format":"azulejo-game","version":1,"game":"GAME","players":2,"agents":["random","random"],"seed":1,"index":0,"moves":["DBBYR/KKWW/BYRK/RRRR/BWWW","4R4"],"scores":[0,0],"wins":[0.5,0.5],"end":"truncated"}"#;
        line.replace("GAME", &format!("azul:gray,rules={}", file.display()))
    }

    #[test]
    fn an_old_record_reads_where_its_file_is_there() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("rules.toml");
        let old = old_record(&file);
        fs::write(&file, "column_bonus = 10\n").unwrap();
        let record = read_record(&old).unwrap();
        fs::remove_file(&file).unwrap();
        assert_eq!(record.spec().unwrap().to_string(), r#"azul:gray,rules={"column_bonus":10}"#);
        record.verify().unwrap();
        let again = read_record(&record.to_line()).unwrap();
        assert_eq!(again, record, "what was read needs no file any more");
        let error = read_record(&old).unwrap_err().to_string();
        assert!(error.starts_with("an old record: the rules file "), "{error}");
        let error = Record::from_line(&old).unwrap().verify().unwrap_err().to_string();
        assert!(error.contains("names a file, which is not read here"), "{error}");
    }

    #[test]
    fn the_example_file_holds_the_standard_rules_and_all_keys() {
        let changes: Changes = parse_settings(include_str!("../../docs/queens-garden-rules.toml")).unwrap();
        let standard = QueensGardenRules::default();
        assert_eq!(standard.with_changes(&changes).as_ref(), Ok(&standard));
        let all = serde_json::to_value(&standard).unwrap();
        assert!(changes.keys().eq(all.as_object().unwrap().keys()));
    }
}
