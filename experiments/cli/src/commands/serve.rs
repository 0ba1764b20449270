//! `azulejo serve`

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use azulejo_server::{ServeSettings, Server, Token};
use clap::Args;

use super::signals::quit_at_signals;
use crate::output::output;

/// Open a board in the browser: play, analyze, review, browse runs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo serve
  azulejo serve --port 8080 --root results

Prints the address to open. It listens to this machine alone and ends with Ctrl-C. Games that are
played are saved in ROOT/played.")]
pub(super) struct ServeArgs {
    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// The folder whose runs and studies are shown, and where games are saved
    #[arg(long, value_name = "DIR", default_value = "results")]
    root: PathBuf,
    /// Listen on this address, for other machines too if it is not 127.0.0.1; then with --token
    #[arg(long, value_name = "ADDR", default_value_t = Ipv4Addr::LOCALHOST.into())]
    bind: IpAddr,
    /// A word of 16 letters or more that browsers have to know; the address that is printed tells them
    #[arg(long, value_name = "TOKEN")]
    token: Option<Token>,
}

impl ServeArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let ServeArgs { port, root, bind: address, token } = self;
        let server = Server::listen(&ServeSettings { address, port, token, root })?;
        quit_at_signals()?;
        let mut out = output();
        writeln!(out, "{}", server.url())?;
        out.flush()?;
        drop(out);
        server.run()
    }
}
