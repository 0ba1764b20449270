//! Writes into a weights file how its network is searched with, as the agent `neural` then does: settings that are left out
//! are the defaults of `NetSettings`.
//!
//! ```sh
//! cargo run -p azulejo-agents --example search-settings -- net.safetensors '{"c":0.9,"evaluate":"leaf","heuristic":0.5}'
//! ```

use std::error::Error;
use std::{env, fs};

use azulejo_agents::neural::with_settings;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, settings] = &arguments[..] else { return Err("expected a weights file and settings".into()) };
    let written = with_settings(&fs::read(file)?, serde_json::from_str(settings)?)?;
    fs::write(file, written)?;
    Ok(())
}
