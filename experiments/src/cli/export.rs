//! `azulejo export`

use std::path::PathBuf;

use azulejo_experiments::export::Export as Arrays;
use clap::Args;

/// Write training data as arrays, for programs outside of azulejo
///
/// The examples are those that training derives from the same records, see docs/training.md.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  azulejo export --out rows.safetensors results/train/tiny/games/*.jsonl.zst")]
pub(super) struct Export {
    /// Record files (.jsonl or .jsonl.zst), all of one game
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The safetensors file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The weight of the searches' values in the target for the win, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    search_value: f32,
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let arrays = Arrays::read(&self.files, self.search_value)?;
        arrays.write(&self.out)?;
        println!("{} rows in {}", arrays.rows(), self.out.display());
        Ok(())
    }
}
