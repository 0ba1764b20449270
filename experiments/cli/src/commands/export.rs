//! `azulejo export`

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use azulejo_experiments::export::{Export, write_onnx};
use azulejo_experiments::output_file::OutputFile;
use clap::Args;

use super::options::existing;
use crate::output::output;

/// Write training data as arrays, or a network as ONNX, for programs outside of azulejo
///
/// The examples are those that training derives from the same records, see docs/training.md.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo export --out rows.safetensors results/train/tiny/games/*.jsonl.zst
  azulejo export --onnx net.onnx results/train/tiny/net.safetensors")]
pub(super) struct ExportArgs {
    /// Record files (.jsonl or .jsonl.zst), all of one game; with --onnx a network's weights file
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The safetensors file to write
    #[arg(long, value_name = "FILE", required_unless_present = "onnx")]
    out: Option<PathBuf>,
    /// The ONNX model to write
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "search_value"])]
    onnx: Option<PathBuf>,
    /// The weight of the searches' values in the target for the win, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    search_value: f32,
    /// Replace what is in the place of the output, unless it is an input
    #[arg(long)]
    force: bool,
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl ExportArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let place = |path: &PathBuf| OutputFile::new(path, existing(self.force), &self.files);
        if let Some(model) = &self.onnx {
            let [net] = &self.files[..] else {
                bail!("--onnx: found {} files, expected one weights file", self.files.len());
            };
            write_onnx(net, &place(model)?)?;
            writeln!(output(), "{}", model.display())?;
        }
        if let Some(out) = &self.out {
            let file = place(out)?;
            let arrays = Export::read(&self.files, self.search_value)?;
            arrays.write(&file)?;
            writeln!(output(), "{} rows in {}", arrays.rows(), out.display())?;
        }
        Ok(())
    }
}
