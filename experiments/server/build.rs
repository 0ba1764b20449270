//! Lists the page's files, so that the program holds them.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let page = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("page");
    println!("cargo::rerun-if-changed={}", page.display());
    let mut files = Vec::new();
    collect(&page, &mut files);
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&page).expect("it lies there").to_str().expect("names are ASCII");
        let name = name.replace('\\', "/");
        list += &format!("    ({name:?}, include_bytes!({:?})),\n", file.to_str().expect("a path is text"));
    }
    list += "]\n";
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("page.rs");
    fs::write(out, list).expect("the output's folder can be written");
}

/// The files in a folder and the folders in it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            collect(&path, files);
        } else if [".html", ".js", ".css", ".svg"].iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
}
