//! With the feature `torch`: checks that LibTorch is there in the version that tch needs, and tells tests
//! where.
//!
//! torch-sys is no dependency of this package itself, so that this script need not wait until that has
//! compiled its C++. Where torch-sys is quicker to find nothing, scripts/libtorch-missing says what to do.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The version of LibTorch that fits the version of tch.
const VERSION: &str = "2.11.0";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_TORCH").is_none() {
        return;
    }
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    let folder = env::var_os("LIBTORCH").map(PathBuf::from).unwrap_or_default();
    println!("cargo::rerun-if-changed={}", folder.join(HEADER).display());
    match version(&folder) {
        Ok(found) if found == VERSION => {
            println!("cargo::rustc-link-arg=-Wl,-rpath,{}/lib", folder.display())
        }
        Ok(found) => refuse(&folder, &format!("LibTorch {found}")),
        Err(fault) => refuse(&folder, &fault),
    }
}

/// The header that names the version.
const HEADER: &str = "include/torch/headeronly/version.h";

fn version(folder: &Path) -> Result<String, String> {
    let text = fs::read_to_string(folder.join(HEADER)).map_err(|_| "no LibTorch".to_owned())?;
    let number = |name: &str| {
        let prefix = format!("#define TORCH_VERSION_{name} ");
        text.lines().find_map(|line| line.strip_prefix(&prefix)).map(str::trim)
    };
    let numbers = ["MAJOR", "MINOR", "PATCH"].map(number).into_iter().collect::<Option<Vec<&str>>>();
    Ok(numbers.ok_or("a LibTorch without a version")?.join("."))
}

fn refuse(folder: &Path, found: &str) {
    println!(
        "cargo::error=the feature torch needs LibTorch {VERSION}, found {found} in '{}': run scripts/setup-torch, or set \
         LIBTORCH to the folder of a LibTorch {VERSION}",
        folder.display()
    );
}
