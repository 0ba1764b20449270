//! The program `azulejo`.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    azulejo_cli::main()
}
