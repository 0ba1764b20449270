//! Training data and networks for programs outside of this project: [`Export`] and [`write_onnx`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use azulejo::{GameSpec, MAX_PLAYERS, Record, encoding_hash, with_game};
use azulejo_agents::Playable;
use azulejo_agents::neural::{Example, from_bytes, read_about, read_file, to_onnx};
use safetensors::tensor::{Dtype, TensorView, serialize};
use thiserror::Error;

use crate::output_file::{OutputError, OutputFile};
use crate::record_file::open_lines;
use crate::rules_file::read_record;
use crate::train::examples::{ExampleRow, example_rows};
use crate::train::is_held_out;
use crate::train::search_values::{SearchSamples, SearchValues};

/// Why training data could not be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A file could not be read, written or used.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A record cannot be used.
    #[error("{}: line {line}: {problem}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// What is wrong with the record.
        problem: String,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// There is nothing to write.
    #[error("the records have no finished game")]
    Nothing,
}

/// Examples as flat arrays. Rows of different lengths follow each other; `…_starts` has where each begins,
/// and the end.
#[derive(Clone, Debug)]
pub struct Export {
    game: String,
    encoding: String,
    features: Vec<i32>,
    features_starts: Vec<i64>,
    policy_parts: Vec<i32>,
    policy_shares: Vec<f32>,
    policy_starts: Vec<i64>,
    wins: Vec<f32>,
    points_to_come: Vec<f32>,
    players: Vec<i32>,
    /// Where each row comes from: the file among those that were read, the record's index, the ply, the seat from whose
    /// point of view it is, and whether `train` holds the game out.
    file: Vec<i32>,
    game_index: Vec<i64>,
    ply: Vec<i32>,
    seat: Vec<i32>,
    held_out: Vec<bool>,
}

impl Export {
    /// The examples of all finished games in record files, all of one game.
    ///
    /// `search_value` is the weight of the searches' values in the target for the win.
    ///
    /// # Errors
    /// A file that cannot be read, or a record that cannot be used.
    pub fn read(files: &[PathBuf], search_value: f32) -> Result<Self, ExportError> {
        let mut samples = SearchSamples::default();
        each_record(files, |_, record| {
            let game = record.spec().map_err(|error| error.to_string())?;
            with_game!(game, |rules: &'static G::Rules| samples.add::<G>(record, rules))
        })?;
        let search_values = samples.weighted(search_value);
        let mut export: Option<Export> = None;
        each_record(files, |file, record| {
            let game = record.spec().map_err(|error| error.to_string())?;
            let rows =
                with_game!(game, |rules: &'static G::Rules| Rows::derive::<G>(record, rules, search_values))?;
            let all = export.get_or_insert_with(|| Export::new(&rows));
            if all.game != rows.game {
                return Err(format!("found a game of {}, expected {}", rows.game, all.game));
            }
            rows.rows.iter().for_each(|row| all.push(file, record, row));
            Ok(())
        })?;
        export.filter(|export| !export.players.is_empty()).ok_or(ExportError::Nothing)
    }

    fn new(rows: &Rows) -> Self {
        Export {
            game: rows.game.to_owned(),
            encoding: rows.encoding.clone(),
            features: Vec::new(),
            features_starts: vec![0],
            policy_parts: Vec::new(),
            policy_shares: Vec::new(),
            policy_starts: vec![0],
            wins: Vec::new(),
            points_to_come: Vec::new(),
            players: Vec::new(),
            file: Vec::new(),
            game_index: Vec::new(),
            ply: Vec::new(),
            seat: Vec::new(),
            held_out: Vec::new(),
        }
    }

    /// Takes in a row of a record in the file with this number.
    fn push(&mut self, file: usize, record: &Record, row: &ExampleRow) {
        self.push_example(&row.example);
        self.file.push(file as i32);
        self.game_index.push(record.index as i64);
        self.ply.push(row.ply as i32);
        self.seat.push(row.seat.index() as i32);
        self.held_out.push(is_held_out(record));
    }

    fn push_example(&mut self, example: &Example) {
        self.features.extend(example.features.iter().map(|&feature| i32::from(feature)));
        self.features_starts.push(self.features.len() as i64);
        for (parts, share) in &example.policy {
            let mut parts = parts.iter().map(|part| part as i32);
            self.policy_parts.extend([parts.next().unwrap_or(-1), parts.next().unwrap_or(-1)]);
            self.policy_shares.push(*share);
        }
        self.policy_starts.push(self.policy_shares.len() as i64);
        let nothing = [f32::NAN; MAX_PLAYERS];
        self.wins.extend(example.wins.unwrap_or(nothing));
        self.points_to_come.extend(example.points_to_come.unwrap_or(nothing));
        self.players.push(example.players as i32);
    }

    /// The number of examples.
    pub fn rows(&self) -> usize {
        self.players.len()
    }

    /// All arrays by their names, with their dimensions.
    pub fn arrays(&self) -> Vec<(&'static str, Vec<usize>, Column<'_>)> {
        let (rows, policies) = (self.rows(), self.policy_shares.len());
        vec![
            ("features", vec![self.features.len()], Column::I32(&self.features)),
            ("features_starts", vec![rows + 1], Column::I64(&self.features_starts)),
            ("policy_parts", vec![policies, 2], Column::I32(&self.policy_parts)),
            ("policy_shares", vec![policies], Column::F32(&self.policy_shares)),
            ("policy_starts", vec![rows + 1], Column::I64(&self.policy_starts)),
            ("wins", vec![rows, MAX_PLAYERS], Column::F32(&self.wins)),
            ("points_to_come", vec![rows, MAX_PLAYERS], Column::F32(&self.points_to_come)),
            ("players", vec![rows], Column::I32(&self.players)),
            ("file", vec![rows], Column::I32(&self.file)),
            ("game", vec![rows], Column::I64(&self.game_index)),
            ("ply", vec![rows], Column::I32(&self.ply)),
            ("seat", vec![rows], Column::I32(&self.seat)),
            ("held_out", vec![rows], Column::Bool(&self.held_out)),
        ]
    }

    /// Writes a safetensors file; its metadata name game and encoding.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, output: &OutputFile) -> Result<(), ExportError> {
        let arrays: Vec<_> = self
            .arrays()
            .into_iter()
            .map(|(name, dimensions, column)| (name, dimensions, column.kind(), column.bytes()))
            .collect();
        let views = arrays.iter().map(|(name, dimensions, kind, bytes)| {
            (*name, TensorView::new(*kind, dimensions.clone(), bytes).expect("as long as its numbers"))
        });
        let about = serde_json::json!({ "game": self.game, "encoding": self.encoding }).to_string();
        let metadata = HashMap::from([("azulejo".to_owned(), about)]);
        let bytes = serialize(views, Some(metadata)).expect("the arrays are as long as their shapes say");
        Ok(output.write(bytes)?)
    }
}

/// The numbers of an exported array.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// Signed numbers of 32 bits.
    I32(&'a [i32]),
    /// Signed numbers of 64 bits.
    I64(&'a [i64]),
    /// Floating-point numbers of 32 bits.
    F32(&'a [f32]),
    /// Truths.
    Bool(&'a [bool]),
}

impl Column<'_> {
    fn kind(self) -> Dtype {
        match self {
            Column::I32(_) => Dtype::I32,
            Column::I64(_) => Dtype::I64,
            Column::F32(_) => Dtype::F32,
            Column::Bool(_) => Dtype::BOOL,
        }
    }

    fn bytes(self) -> Vec<u8> {
        match self {
            Column::I32(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
            Column::I64(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
            Column::F32(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
            Column::Bool(truths) => truths.iter().map(|&truth| u8::from(truth)).collect(),
        }
    }
}

/// Writes the network of a weights file as an ONNX model, see [`to_onnx`].
///
/// # Errors
/// If the weights file cannot be read or used, or the model cannot be written.
pub fn write_onnx(net: &Path, model: &OutputFile) -> Result<(), ExportError> {
    let unreadable = |problem: String| ExportError::File { path: net.to_owned(), problem };
    let bytes = read_file(net).map_err(|error| unreadable(error.to_string()))?;
    let about = read_about(&bytes).map_err(|error| unreadable(error.to_string()))?;
    let game: GameSpec = about.game.parse().map_err(|error| unreadable(format!("{error}")))?;
    let converted = with_game!(game, |_rules: &'static G::Rules| convert::<G>(&bytes)).map_err(unreadable)?;
    Ok(model.write(converted)?)
}

/// Turns the bytes of a weights file into those of an ONNX model.
fn convert<G: Playable>(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (network, about) = from_bytes::<G>(bytes).map_err(|error| error.to_string())?;
    Ok(to_onnx(&network, &about))
}

/// Reads record files from the first line to the last, each record with its file's number; a record may be refused.
fn each_record(
    files: &[PathBuf],
    mut take: impl FnMut(usize, &Record) -> Result<(), String>,
) -> Result<(), ExportError> {
    for (file, path) in files.iter().enumerate() {
        let unreadable = |error: &dyn std::fmt::Display| ExportError::File {
            path: path.clone(),
            problem: error.to_string(),
        };
        let mut lines = open_lines(path).map_err(|error| unreadable(&error))?;
        let mut number = 0;
        while let Some(line) = lines.read() {
            let (text, _) = line.map_err(|error| unreadable(&error))?;
            number += 1;
            let refuse = |problem: String| ExportError::Record { path: path.clone(), line: number, problem };
            let record = read_record(&text).map_err(|error| refuse(error.to_string()))?;
            take(file, &record).map_err(refuse)?;
        }
    }
    Ok(())
}

/// The rows of one record.
struct Rows {
    game: &'static str,
    encoding: String,
    rows: Vec<ExampleRow>,
}

impl Rows {
    fn derive<G: Playable>(
        record: &Record,
        rules: &'static G::Rules,
        search_values: SearchValues,
    ) -> Result<Self, String> {
        let rows = example_rows::<G>(record, rules, search_values)?;
        Ok(Rows { game: G::ID, encoding: format!("{:016x}", encoding_hash::<G>()), rows })
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::Azul;
    use azulejo::{Encode, Game, Rules, intern};
    use safetensors::tensor::SafeTensors;

    use super::*;
    use crate::game_loop::job_player;
    use crate::output_file::Existing;
    use crate::record_file::{Encoding, WrittenRecords};
    use crate::schedule::{Rotation, Schedule};

    fn records(path: &Path, game: &str) {
        let table = (game, 2);
        let schedule =
            Schedule::selfplay(table, &["greedy".parse().unwrap()], 2, 3, Rotation::Fixed).unwrap();
        let mut player = job_player(&schedule).unwrap();
        let mut writer = WrittenRecords::read(path, Encoding::Plain, |_| Ok(())).unwrap().go_on().unwrap();
        for index in 0..2 {
            writer.push(&player.play(&schedule.job(index)).unwrap().record.to_line()).unwrap();
        }
        writer.finish().unwrap();
    }

    #[test]
    fn exported_rows_are_whole() {
        let directory = tempfile::tempdir().unwrap();
        let (games, rows) = (directory.path().join("games.jsonl"), directory.path().join("rows.safetensors"));
        records(&games, "azul");
        let export = Export::read(std::slice::from_ref(&games), 0.0).unwrap();
        export.write(&OutputFile::new(&rows, Existing::Kept, [&games]).unwrap()).unwrap();
        let bytes = std::fs::read(&rows).unwrap();
        let tensors = SafeTensors::deserialize(&bytes).unwrap();
        let shape = |name: &str| tensors.tensor(name).unwrap().shape().to_vec();
        let count = export.rows();
        assert!(count > 60);
        assert_eq!((shape("wins"), shape("features_starts")), (vec![count, 4], vec![count + 1]));
        assert_eq!(shape("features"), [*export.features_starts.last().unwrap() as usize]);
        assert!(export.wins.chunks(4).all(|wins| (wins.iter().sum::<f32>() - 1.0).abs() < 1e-6));

        let other = directory.path().join("other.jsonl");
        records(&other, "queens-garden");
        let error = Export::read(&[games, other], 0.0).unwrap_err().to_string();
        assert!(error.contains("line 1: found a game of queens-garden, expected azul"), "{error}");
    }

    #[test]
    fn rows_tell_where_they_come_from() {
        let directory = tempfile::tempdir().unwrap();
        let files = ["one.jsonl", "two.jsonl"].map(|name| directory.path().join(name));
        files.iter().for_each(|file| records(file, "azul"));
        let export = Export::read(&files, 0.0).unwrap();
        let lines = std::fs::read_to_string(&files[0]).unwrap();
        let played: Vec<Record> = lines.lines().map(|line| read_record(line).unwrap()).collect();
        let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
        for row in 0..export.rows() {
            let history = played[export.game_index[row] as usize].history::<Azul>(rules).unwrap();
            let before = history.replay().nth(export.ply[row] as usize).unwrap().before;
            let mut features = Vec::new();
            before.encode(&mut features);
            let at = export.features_starts[row] as usize..export.features_starts[row + 1] as usize;
            assert!(
                features.iter().map(|&feature| i32::from(feature)).eq(export.features[at].iter().copied())
            );
            assert_eq!(export.seat[row], before.viewpoint().index() as i32);
        }
        let half = export.rows() / 2;
        assert!(export.file[..half].iter().all(|&file| file == 0) && export.file[half..] == vec![1; half]);
        assert_eq!(export.game_index[..half], export.game_index[half..]);
        assert!(export.game_index.contains(&1) && !export.held_out.contains(&true));
    }
}
