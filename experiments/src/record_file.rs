//! Files of game records: one record a line, plain or compressed with Zstandard.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use azulejo::Record;
use azulejo_agents::lines::{LineEnd, LineReader};
use thiserror::Error;

use crate::atomic_file::{self, Durability};
use crate::output_file::{OutputError, OutputFile};
use crate::rules_file::read_record;

/// How records are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Text.
    Plain,
    /// Zstandard frames, each of a fixed number of records: every frame that is complete can be read even if
    /// the writer was killed.
    Zstd,
}

impl Encoding {
    /// The encoding that a file's name tells: `.zst` at the end is compressed.
    pub(crate) fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|ending| ending == "zst") { Encoding::Zstd } else { Encoding::Plain }
    }

    /// The name of a run's record file.
    pub fn file_name(self) -> &'static str {
        match self {
            Encoding::Plain => "games.jsonl",
            Encoding::Zstd => "games.jsonl.zst",
        }
    }

    /// The number of records that are stored together.
    fn batch(self) -> usize {
        match self {
            Encoding::Plain => 1,
            Encoding::Zstd => 32,
        }
    }

    /// A batch of lines as a file holds it.
    fn stored(self, lines: &str) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Encoding::Plain => Ok(Cow::Borrowed(lines.as_bytes())),
            Encoding::Zstd => zstd::bulk::compress(lines.as_bytes(), LEVEL).map(Cow::Owned),
        }
    }
}

/// The longest line that is read from a record file, in bytes, after decompression.
pub const MAX_LINE: usize = 16 << 20;
/// A line without an end within so many further bytes ends the reading.
const MAX_REST: usize = (1 << 30) - MAX_LINE;
/// The most that a compressed frame may hold when a run goes on, in bytes.
const MAX_FRAME: u64 = 128 << 20;
/// How many times as long as the compressed bytes that were read a text may be, unless it is a short one.
const MAX_EXPANSION: u64 = 1000;
/// A text that is no longer, in bytes, may come from any number of compressed bytes.
const SHORT_TEXT: u64 = 64 << 20;

/// Zstandard's level for records: fast, and within a few percent of the best.
const LEVEL: i32 = 9;

/// Records of a batch that is not full are written as well once so much time has passed, so that a writer that is
/// killed loses little, however long a game takes.
const SAVE_AFTER: Duration = Duration::from_secs(10);

/// A record file that cannot be gone on with.
#[derive(Debug, Error)]
pub enum RecordFileError {
    /// Reading or writing failed.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        cause: io::Error,
    },
    /// A line is not the record that belongs there.
    #[error("{}: line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The file exists and may hold something else.
    #[error("{}: the file exists; name a new one", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file has no record, or none with the index that was asked for.
    #[error("{}: {}", path.display(), missing(*index))]
    Missing {
        /// The file.
        path: PathBuf,
        /// The index; none if any record would have done.
        index: Option<u64>,
    },
}

fn missing(index: Option<u64>) -> String {
    index.map_or("no record".to_owned(), |index| format!("no game has index {index}"))
}

/// Reads a file's lines, decompressing it if its name ends in `.zst`.
///
/// # Errors
/// If the file cannot be opened.
pub fn open_lines(path: &Path) -> io::Result<LineReader<Box<dyn BufRead + Send>>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let input: Box<dyn BufRead + Send> = match Encoding::of(path) {
        Encoding::Plain => Box::new(BufReader::new(file)),
        Encoding::Zstd => Box::new(BufReader::new(Expansion::of(file)?)),
    };
    Ok(LineReader::new(input, MAX_LINE).skipping_at_most(MAX_REST))
}

/// The text of a compressed file; one out of all proportion to the file is refused.
struct Expansion {
    text: zstd::Decoder<'static, BufReader<Counted>>,
    length: u64,
}

impl Expansion {
    fn of(file: File) -> io::Result<Self> {
        let compressed = BufReader::new(Counted { file, length: 0 });
        Ok(Expansion { text: zstd::Decoder::with_buffer(compressed)?, length: 0 })
    }
}

impl Read for Expansion {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(buffer);
        let compressed = self.text.get_ref().get_ref().length;
        let read = match read {
            // A run that has just begun has no frame yet.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && compressed == 0 => 0,
            read => read?,
        };
        self.length += read as u64;
        if self.length > SHORT_TEXT.max(compressed.saturating_mul(MAX_EXPANSION)) {
            let problem =
                format!("the text is more than {MAX_EXPANSION} times as long as the compressed file");
            return Err(io::Error::other(problem));
        }
        Ok(read)
    }
}

/// A file, and how much of it was read, in bytes.
struct Counted {
    file: File,
    length: u64,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.length += read as u64;
        Ok(read)
    }
}

/// Writes records in order, batch by batch: a batch goes to the file when it is full, and every [`SAVE_AFTER`] as
/// far as it has come, in the place of what it was before. So no more than a batch is lost, and only by a
/// crash in the moment in which it is written, and the bytes of a finished file depend on its records alone.
#[derive(Debug)]
pub(crate) struct RecordWriter {
    file: File,
    path: PathBuf,
    encoding: Encoding,
    /// The length of the full batches, in bytes.
    len: u64,
    batch: String,
    records: usize,
    /// How much of the batch is in the file, in bytes of text.
    saved: usize,
    /// When the file was last written.
    written: Instant,
}

impl RecordWriter {
    /// Writes after the first `len` bytes of a file, which is at that place. Its path is for messages.
    pub(crate) fn on(file: File, len: u64, path: &Path, encoding: Encoding) -> Self {
        RecordWriter {
            file,
            path: path.to_owned(),
            encoding,
            len,
            batch: String::new(),
            records: 0,
            saved: 0,
            written: Instant::now(),
        }
    }

    /// Writes a record: the line that [`Record::to_line`] returns.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn push(&mut self, line: &str) -> Result<(), RecordFileError> {
        self.batch.push_str(line);
        self.batch.push('\n');
        self.records += 1;
        if self.records == self.encoding.batch() {
            self.complete()
        } else if self.written.elapsed() >= SAVE_AFTER {
            self.save()
        } else {
            Ok(())
        }
    }

    /// Writes what is still held back; everything is on the disk afterwards.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn finish(mut self) -> Result<(), RecordFileError> {
        if self.saved < self.batch.len() {
            self.save()?;
        }
        self.file.sync_all().map_err(io_error(&self.path))
    }

    /// Writes a full batch and begins the next one.
    fn complete(&mut self) -> Result<(), RecordFileError> {
        self.save()?;
        self.len = self.file.stream_position().map_err(io_error(&self.path))?;
        self.batch.clear();
        self.records = 0;
        self.saved = 0;
        Ok(())
    }

    /// Writes the batch as far as it has come.
    fn save(&mut self) -> Result<(), RecordFileError> {
        if let Err(cause) = self.store(self.batch.len(), self.saved > 0) {
            // The file ends with the last record that it had.
            _ = self.store(self.saved, true).or_else(|_| self.store(0, true));
            return Err(io_error(&self.path)(cause));
        }
        self.saved = self.batch.len();
        self.written = Instant::now();
        Ok(())
    }

    /// Puts so much of the batch, in bytes of text, where the file is, or in the place of all that comes after
    /// the full ones.
    fn store(&mut self, text: usize, in_place: bool) -> io::Result<()> {
        let stored = if text == 0 { Cow::default() } else { self.encoding.stored(&self.batch[..text])? };
        if in_place {
            self.file.set_len(self.len)?;
            self.file.seek(io::SeekFrom::Start(self.len))?;
        }
        self.file.write_all(&stored)
    }
}

/// The records that a run has written before it goes on.
#[derive(Debug)]
pub(crate) struct WrittenRecords {
    path: PathBuf,
    encoding: Encoding,
    /// The length of the full batches, in bytes.
    full: u64,
    /// The last batch, if it has fewer records than others.
    rest: String,
    /// The length of all of them, in bytes.
    len: u64,
}

impl WrittenRecords {
    /// Hands every complete record of a file to `seen`. A file that does not exist has none. Nothing is changed.
    ///
    /// # Errors
    /// If the file cannot be read, a line that is not torn is no record, or `seen` refuses one.
    pub(crate) fn read(
        path: &Path,
        encoding: Encoding,
        mut seen: impl FnMut(Record) -> Result<(), String>,
    ) -> Result<Self, RecordFileError> {
        let mut written =
            WrittenRecords { path: path.to_owned(), encoding, full: 0, rest: String::new(), len: 0 };
        // Before it is opened: a pipe that nobody writes into would be waited for.
        match fs::metadata(path) {
            Ok(about) if about.is_file() => {}
            Ok(_) => return Err(io_error(path)(io::Error::other("not a regular file"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(written),
            Err(error) => return Err(io_error(path)(error)),
        }
        let mut input = BufReader::new(File::open(path).map_err(io_error(path))?);
        let mut line = 0;
        while let Some(batch) = read_batch(&mut input, encoding).map_err(io_error(path))? {
            for text in batch.lines() {
                line += 1;
                let record = read_record(text).map_err(|error| error.to_string());
                record.and_then(&mut seen).map_err(|problem| RecordFileError::Line {
                    path: path.to_owned(),
                    line,
                    problem,
                })?;
            }
            written.len = input.stream_position().map_err(io_error(path))?;
            if batch.lines().count() < encoding.batch() {
                written.rest = batch;
                break;
            }
            written.full = written.len;
        }
        Ok(written)
    }

    /// Drops what is torn at the file's end, and writes after that. A file that does not exist is made.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn go_on(self) -> Result<RecordWriter, RecordFileError> {
        let WrittenRecords { path, encoding, full, rest, len } = self;
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let mut file = file.map_err(io_error(&path))?;
        file.set_len(len).and_then(|()| file.seek(io::SeekFrom::End(0))).map_err(io_error(&path))?;
        let mut writer = RecordWriter::on(file, full, &path, encoding);
        writer.records = rest.lines().count();
        writer.saved = rest.len();
        writer.batch = rest;
        Ok(writer)
    }
}

/// Puts a record, as a line, in the place of a file, which is never seen half written.
///
/// # Errors
/// If the file cannot be written; it is then as before.
pub fn replace(path: &Path, line: &str) -> Result<(), RecordFileError> {
    let text = line.to_owned() + "\n";
    let stored = Encoding::of(path).stored(&text).map_err(io_error(path))?;
    atomic_file::replace(path, stored, Durability::Disk).map_err(io_error(path))
}

/// Writes a record, as a line, where a command puts it out.
///
/// # Errors
/// If it cannot be written there.
pub fn write_record(output: &OutputFile, line: &str) -> Result<(), OutputError> {
    let text = line.to_owned() + "\n";
    match Encoding::of(output.path()).stored(&text) {
        Ok(stored) => output.write(stored),
        Err(cause) => Err(OutputError::Io { path: output.path().to_owned(), cause }),
    }
}

/// Whether a file has a single line.
///
/// # Errors
/// If it cannot be opened.
pub fn has_one_line(path: &Path) -> Result<bool, RecordFileError> {
    let mut lines = open_lines(path).map_err(io_error(path))?;
    Ok(lines.read().is_some() && lines.read().is_none())
}

/// The records of a file, each with the line that it stands in.
///
/// # Errors
/// If the file cannot be opened; then for each line that is no record.
pub fn records(
    path: &Path,
) -> Result<impl Iterator<Item = Result<(Record, String), RecordFileError>> + Send + use<>, RecordFileError> {
    let mut lines = open_lines(path).map_err(io_error(path))?;
    let path = path.to_owned();
    let at = move |line, problem| RecordFileError::Line { path: path.clone(), line, problem };
    let mut number = 0;
    Ok(std::iter::from_fn(move || {
        number += 1;
        let (text, _) = match lines.read()? {
            Ok(line) => line,
            Err(error) => return Some(Err(at(number, error.to_string()))),
        };
        let record = read_record(&text).map_err(|error| at(number, error.to_string()));
        Some(record.map(|record| (record, text)))
    }))
}

/// The first record of a file, or the one with this index, with the line that it stands in.
///
/// # Errors
/// If the file cannot be read, a line before it is no record, or there is none.
pub fn find(path: &Path, index: Option<u64>) -> Result<(Record, String), RecordFileError> {
    let is_meant = |(record, _): &(Record, String)| index.is_none_or(|index| index == record.index);
    let mut found = records(path)?.filter(|found| found.as_ref().map_or(true, is_meant));
    found.next().unwrap_or_else(|| Err(RecordFileError::Missing { path: path.to_owned(), index }))
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> RecordFileError {
    let path = path.to_owned();
    move |cause| RecordFileError::Io { path, cause }
}

/// The next complete batch of lines; `None` at the end and where the rest is torn.
fn read_batch<R: BufRead>(input: &mut R, encoding: Encoding) -> io::Result<Option<String>> {
    match encoding {
        Encoding::Plain => match LineReader::new(input, MAX_LINE).skipping_at_most(MAX_REST).read() {
            Some(Ok((text, LineEnd::Newline))) => Ok(Some(text + "\n")),
            Some(Err(error)) => Err(io::Error::other(error)),
            Some(Ok((_, LineEnd::Input))) | None => Ok(None),
        },
        Encoding::Zstd => {
            if input.fill_buf()?.is_empty() {
                return Ok(None);
            }
            let frame = zstd::Decoder::with_buffer(input)?.single_frame();
            match read_in_steps(frame.take(MAX_FRAME + 1)) {
                Ok(bytes) if bytes.len() as u64 > MAX_FRAME => {
                    Err(io::Error::other(format!("a compressed frame holds more than {MAX_FRAME} bytes")))
                }
                Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(io::Error::other),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
                Err(error) => Err(error),
            }
        }
    }
}

/// Everything that comes, in memory that is never much more.
fn read_in_steps(mut input: impl Read) -> io::Result<Vec<u8>> {
    const STEP: usize = 4 << 20;
    let mut bytes = Vec::new();
    loop {
        bytes.reserve_exact(STEP);
        if input.by_ref().take(STEP as u64).read_to_end(&mut bytes)? < STEP {
            return Ok(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use azulejo::record::{End, FORMAT, VERSION};

    use super::*;

    fn record(index: u64) -> Record {
        Record {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: "azul".to_owned(),
            rules: None,
            players: 2,
            agents: vec!["random".to_owned(); 2],
            names: None,
            seed: 1,
            index,
            moves: vec!["DBBYR".to_owned(); 9],
            scores: vec![0, 0],
            wins: vec![0.5, 0.5],
            end: End::Truncated,
            reason: None,
            analysis: None,
        }
    }

    fn resume(
        path: &Path,
        encoding: Encoding,
        seen: impl FnMut(Record) -> Result<(), String>,
    ) -> Result<RecordWriter, RecordFileError> {
        WrittenRecords::read(path, encoding, seen)?.go_on()
    }

    fn written(directory: &Path, encoding: Encoding, games: std::ops::Range<u64>) -> PathBuf {
        let path = directory.join(encoding.file_name());
        let mut writer = resume(&path, encoding, |_| Err("no record yet".to_owned())).unwrap();
        games.for_each(|index| writer.push(&record(index).to_line()).unwrap());
        writer.finish().unwrap();
        path
    }

    fn resumed(path: &Path, encoding: Encoding, games: u64) -> Vec<u64> {
        let mut seen = Vec::new();
        let mut writer = resume(path, encoding, |record| {
            seen.push(record.index);
            Ok(())
        })
        .unwrap();
        (seen.len() as u64..games).for_each(|index| writer.push(&record(index).to_line()).unwrap());
        writer.finish().unwrap();
        seen
    }

    #[test]
    fn a_file_cut_anywhere_resumes_to_the_same_bytes() {
        for encoding in [Encoding::Plain, Encoding::Zstd] {
            let directory = tempfile::tempdir().unwrap();
            let path = written(directory.path(), encoding, 0..70);
            let whole = std::fs::read(&path).unwrap();
            for cut in (0..=whole.len()).step_by(97).chain([whole.len()]) {
                std::fs::write(&path, &whole[..cut]).unwrap();
                let seen = resumed(&path, encoding, 70);
                assert_eq!(seen, (0..seen.len() as u64).collect::<Vec<_>>());
                assert!(std::fs::read(&path).unwrap() == whole, "{encoding:?} cut at {cut}");
            }
            assert_eq!(resumed(&path, encoding, 70).len(), 70);
        }
    }

    #[test]
    fn an_interrupted_file_resumes_to_the_bytes_of_an_uninterrupted_one() {
        for encoding in [Encoding::Plain, Encoding::Zstd] {
            let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let whole = written(one.path(), encoding, 0..70);
            let parts = written(two.path(), encoding, 0..40);
            assert_eq!(resumed(&parts, encoding, 70).len(), 40);
            assert!(std::fs::read(whole).unwrap() == std::fs::read(parts).unwrap());
        }
    }

    #[test]
    fn records_of_a_batch_that_is_not_full_are_saved() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let whole = written(one.path(), Encoding::Zstd, 0..70);
        let path = two.path().join(Encoding::Zstd.file_name());
        let mut writer = resume(&path, Encoding::Zstd, |_| Ok(())).unwrap();
        for index in 0..70 {
            writer.push(&record(index).to_line()).unwrap();
            if index % 3 == 0 {
                writer.save().unwrap();
                // As if the writer were killed here.
                let left = records(&path).unwrap().map(|record| record.unwrap().0.index);
                assert_eq!(left.collect::<Vec<_>>(), (0..=index).collect::<Vec<_>>());
            }
        }
        writer.finish().unwrap();
        assert!(std::fs::read(path).unwrap() == std::fs::read(whole).unwrap());
    }

    #[test]
    fn a_batch_is_saved_once_it_is_old() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(Encoding::Zstd.file_name());
        let saved = || records(&path).unwrap().map(Result::unwrap).count();
        let mut writer = resume(&path, Encoding::Zstd, |_| Ok(())).unwrap();
        writer.push(&record(0).to_line()).unwrap();
        assert_eq!(saved(), 0);
        writer.written = writer.written.checked_sub(SAVE_AFTER).unwrap();
        writer.push(&record(1).to_line()).unwrap();
        assert_eq!(saved(), 2);
        writer.push(&record(2).to_line()).unwrap();
        assert_eq!(saved(), 2);
    }

    /// A compressed file whose text is this many zeros.
    fn bomb(path: &Path, zeros: u64) {
        let mut encoder = zstd::Encoder::new(std::fs::File::create(path).unwrap(), 1).unwrap();
        io::copy(&mut io::repeat(b'0').take(zeros), &mut encoder).unwrap();
        encoder.finish().unwrap();
    }

    #[test]
    fn a_small_file_with_a_huge_text_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("games.jsonl.zst");
        bomb(&path, MAX_FRAME + 100);
        assert!(std::fs::metadata(&path).unwrap().len() < 100_000);
        let mut lines = open_lines(&path).unwrap();
        let mut problem = || lines.read().map(|line| line.unwrap_err().to_string());
        assert_eq!(problem().unwrap(), "line longer than 16777216 bytes");
        let expected = "the text is more than 1000 times as long as the compressed file";
        assert_eq!(problem().unwrap(), expected);
        assert_eq!(problem(), None, "nothing else is read");
        let problem = resume(&path, Encoding::Zstd, |_| Ok(())).unwrap_err().to_string();
        assert!(problem.ends_with("a compressed frame holds more than 134217728 bytes"), "{problem}");
    }

    #[test]
    fn a_bad_line_in_the_middle_is_not_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let path = written(directory.path(), Encoding::Plain, 0..3);
        let text = std::fs::read_to_string(&path).unwrap().replacen("azulejo-game", "other", 2);
        std::fs::write(&path, &text).unwrap();
        let error = resume(&path, Encoding::Plain, |_| Ok(())).unwrap_err().to_string();
        assert!(error.contains("line 1: found format 'other'"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "nothing is lost");
    }
}
