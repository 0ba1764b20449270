//! The program `azulejo`.
#![forbid(unsafe_code)]

mod commands;

fn main() -> std::process::ExitCode {
    commands::main()
}
