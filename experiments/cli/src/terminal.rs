//! A full-screen program on a terminal: its loop, and the terminal as it was before, whatever happens.

use std::io::{self, IsTerminal, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, enable_raw_mode, size};
use ratatui::layout::Rect;
use ratatui::{Frame, TerminalOptions, Viewport};

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

/// Brings the terminal back when it is dropped; at a panic the hook does.
struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing.
        _ = ratatui::try_restore();
    }
}

/// The part of the terminal that is drawn on. What a terminal says of its size need not be so: without a size it is the
/// usual one, and one that no screen has would take gigabytes.
fn area() -> Rect {
    const USUAL: (u16, u16) = (80, 24);
    const LARGEST: (u16, u16) = (1000, 500);
    let (columns, rows) = size().unwrap_or(USUAL);
    let side = |found: u16, usual: u16, largest| if found == 0 { usual } else { found.min(largest) };
    Rect::new(0, 0, side(columns, USUAL.0, LARGEST.0), side(rows, USUAL.1, LARGEST.1))
}

/// Takes the terminal over.
fn take_over() -> io::Result<ratatui::Terminal<CrosstermBackend<io::Stdout>>> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        _ = ratatui::try_restore();
        hook(info);
    }));
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen)?;
    let options = TerminalOptions { viewport: Viewport::Fixed(area()) };
    ratatui::Terminal::with_options(CrosstermBackend::new(stdout()), options)
}

/// Runs a program on the whole screen until it ends, Ctrl-C is pressed or `stop` is set.
///
/// # Errors
/// What the program returned, or a terminal that fails.
pub(crate) fn run<A: App>(app: &mut A, stop: &AtomicBool) -> Result<(), A::Error> {
    // Made first: what was taken over in part is brought back, too.
    let _restored = Restored;
    let (mut terminal, mut drawn) = (take_over()?, area());
    let mut drawing = Drawing::Stale;
    while !stop.load(Ordering::Relaxed) {
        if app.tick()? == Drawing::Stale || drawing == Drawing::Stale {
            let area = area();
            if area != std::mem::replace(&mut drawn, area) {
                terminal.resize(area)?;
            }
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
