//! With the feature `torch`: tells the program where LibTorch is. The agents' build script has checked it.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    if let (Some(_), Some(folder)) = (env::var_os("CARGO_FEATURE_TORCH"), env::var_os("LIBTORCH")) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", Path::new(&folder).join("lib").display());
    }
}
