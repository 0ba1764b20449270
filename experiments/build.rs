//! Tells runs the commit that they are built from, and with the feature `torch` tests where LibTorch is. The
//! agents' build script has checked it.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    if let (Some(_), Some(folder)) = (env::var_os("CARGO_FEATURE_TORCH"), env::var_os("LIBTORCH")) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", Path::new(&folder).join("lib").display());
    }
    // Whoever develops does not build anew after every commit.
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        name_commit();
    }
}

/// Sets `AZULEJO_COMMIT`, if this is a checkout of the project and not a package, and there is git.
fn name_commit() {
    if !Path::new("../.git").exists() {
        return;
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    if let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) {
        println!("cargo::rustc-env=AZULEJO_COMMIT={commit}");
    }
}

/// The line that git answers; `None` without git.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
