//! A full-screen program on a terminal: its loop, and the terminal as it was before, whatever happens.

use std::io::{self, IsTerminal, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// How long a loop waits for a key before it looks after everything else.
const TICK: Duration = Duration::from_millis(30);

/// Whether a full-screen program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// It goes on.
    Stay,
    /// It ends.
    Leave,
}

/// Whether what is on the screen is still right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawing {
    /// Nothing has changed.
    Fresh,
    /// Everything is to be drawn again.
    Stale,
}

/// A full-screen program.
pub(crate) trait App {
    /// Why it can fail.
    type Error: From<io::Error>;

    /// Draws everything.
    fn draw(&mut self, frame: &mut Frame<'_>);

    /// Reacts to a key. Ctrl-C never comes here: it ends the program.
    ///
    /// # Errors
    /// If the program cannot go on.
    fn press(&mut self, key: KeyEvent) -> Result<Flow, Self::Error>;

    /// Does what is due without a key, and says whether that changed anything.
    ///
    /// # Errors
    /// If the program cannot go on.
    fn tick(&mut self) -> Result<Drawing, Self::Error>;
}

/// Whether input and output are a terminal on which a program can draw anywhere.
pub(crate) fn is_capable() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    !dumb && stdin().is_terminal() && stdout().is_terminal()
}

/// Brings the terminal back when it is dropped; at a panic ratatui's hook does.
struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Runs a program on the whole screen until it ends, Ctrl-C is pressed or `stop` is set.
///
/// # Errors
/// What the program returned, or a terminal that fails.
pub(crate) fn run<A: App>(app: &mut A, stop: &AtomicBool) -> Result<(), A::Error> {
    let mut terminal = ratatui::try_init()?;
    let _restored = Restored;
    let mut drawing = Drawing::Stale;
    while !stop.load(Ordering::Relaxed) {
        if app.tick()? == Drawing::Stale || drawing == Drawing::Stale {
            terminal.draw(|frame| app.draw(frame))?;
            drawing = Drawing::Fresh;
        }
        if !event::poll(TICK)? {
            continue;
        }
        // Any event, also another size of the window, may change what is to be seen.
        drawing = Drawing::Stale;
        match event::read()? {
            Event::Key(key) if key.kind == KeyEventKind::Release => {}
            Event::Key(key) if is_interrupt(key) => break,
            Event::Key(key) if app.press(key)? == Flow::Leave => break,
            _ => {}
        }
    }
    Ok(())
}

fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
