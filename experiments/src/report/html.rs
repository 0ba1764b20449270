//! A report as a page: one file with its style and its charts, readable on a phone, in print, in light and
//! dark.

use std::fmt::Write;

use super::repetition::introduction;
use super::table::{Column, ColumnKind};
use super::{Chapter, Report, Section, Table};

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1c1c; --soft: #5a5a5a; --paper: #fff; --line: #d0d0d0; --code: #f1f1f1; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --soft: #a8a8a8; --paper: #16181b; --line: #3c4046; --code: #23262b; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 74rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .3rem; padding-top: .6rem; border-top: 1px solid var(--line); }
section h2, section h3 { font-size: 1.15rem; margin: 0 0 .3rem; padding: 0; border: 0; }
p { margin: .3rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
.answer { font-size: 1.1rem; }
nav ol { padding-left: 1.4rem; margin: .3rem 0; }
.sections { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); margin-top: 1.5rem; }
section { min-width: 0; }
section:first-child, section.wide { grid-column: 1 / -1; }
svg { display: block; width: 100%; max-width: 34rem; height: auto; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem .9rem; padding: 0; margin: .2rem 0; list-style: none; font-size: .85rem; }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .35rem; border-radius: 2px; }
.scroll { overflow-x: auto; margin-top: .5rem; }
.long { max-height: 40rem; overflow-y: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .6rem .15rem 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { vertical-align: bottom; white-space: normal; overflow-wrap: normal; }
.text { text-align: left; white-space: normal; overflow-wrap: normal; }
td.text { min-width: 7rem; }
pre { background: var(--code); padding: .6rem; border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
@media print {
  body { max-width: none; padding: 0; font-size: 11px; }
  .sections { display: block; }
  section { break-inside: avoid; margin-bottom: 1rem; }
  .scroll { overflow: visible; max-height: none; }
  th, td { white-space: normal; padding-right: .3rem; }
}
";

pub(super) fn page(report: &Report) -> String {
    let title = escape(&report.title);
    let paragraphs = |class: &str, texts: &[String]| -> String {
        texts.iter().map(|text| format!("<p class=\"{class}\">{}</p>\n", escape(text))).collect()
    };
    let (lead, notes) = (paragraphs("answer", &report.lead), paragraphs("soft", &report.notes));
    let commands = report.commands.iter().map(|command| escape(command)).collect::<Vec<_>>().join("\n");
    let repeated = if report.commands.is_empty() {
        String::new()
    } else {
        let introduction = escape(&introduction(&report.unrepeated));
        format!("<p class=\"soft\">{introduction}</p>\n<pre>{commands}</pre>\n")
    };
    let sections = sections(&report.sections, "h2");
    let chapters: String = report.chapters.iter().map(chapter).collect();
    let contents = contents(&report.chapters);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n{lead}{contents}{sections}{chapters}{notes}\
         {repeated}</body>\n</html>\n"
    )
}

/// Links to the chapters, if there are some.
fn contents(chapters: &[Chapter]) -> String {
    let item = |chapter: &Chapter| {
        format!("<li><a href=\"#{}\">{}</a></li>\n", escape(&chapter.anchor()), escape(&chapter.heading))
    };
    let items: String = chapters.iter().map(item).collect();
    if items.is_empty() { items } else { format!("<nav><ol>\n{items}</ol></nav>\n") }
}

fn chapter(chapter: &Chapter) -> String {
    let (anchor, heading) = (escape(&chapter.anchor()), escape(&chapter.heading));
    let answer = |text: &String| format!("<p>{}</p>\n", escape(text));
    let answers: String = chapter.answers.iter().map(answer).collect();
    format!("<h2 id=\"{anchor}\">{heading}</h2>\n{answers}{}", sections(&chapter.sections, "h3"))
}

/// The sections side by side, as far as there is room, with headings of this tag.
fn sections(sections: &[Section], heading: &str) -> String {
    if sections.is_empty() {
        return String::new();
    }
    let sections: String = sections.iter().map(|it| section(it, heading)).collect();
    format!("<div class=\"sections\">\n{sections}</div>\n")
}

/// A table with more columns has the page's whole width.
const NARROW: usize = 6;
/// A table with more rows has a height to be scrolled in.
const SHORT: usize = 30;

fn section(section: &Section, heading: &str) -> String {
    let class = if section.table.columns.len() > NARROW { " class=\"wide\"" } else { "" };
    let mut text = format!("<section{class}>\n<{heading}>{}</{heading}>\n", escape(&section.heading));
    if !section.text.is_empty() {
        _ = writeln!(text, "<p class=\"soft\">{}</p>", escape(&section.text));
    }
    if let Some(chart) = &section.chart {
        _ = writeln!(text, "{}", chart.svg);
        if !chart.legend.is_empty() {
            let items = chart.legend.iter().map(|(color, label)| {
                format!("<li><i style=\"background:{color}\"></i>{}</li>", escape(label))
            });
            _ = writeln!(text, "<ul class=\"legend\">{}</ul>", items.collect::<String>());
        }
    }
    text + &table(&section.table) + "</section>\n"
}

fn table(table: &Table) -> String {
    if table.is_empty() {
        return String::new();
    }
    let row = |cells: Vec<&str>, tag: &str| -> String {
        let cell = |(column, cell): (&Column, &str)| {
            let class = if column.kind == ColumnKind::Text { " class=\"text\"" } else { "" };
            // A number and its interval stay on one line.
            let is_broken = tag == "th" || column.kind == ColumnKind::Text;
            let text = if is_broken { breakable(cell) } else { escape(cell) };
            format!("<{tag}{class}>{text}</{tag}>")
        };
        let cells: String = table.columns.iter().zip(cells).map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows().map(|cells| row(cells, "td")).collect();
    let head = row(table.columns.iter().map(|column| column.name.as_str()).collect(), "th");
    // Reached by the keyboard too, as it may have to be scrolled.
    let class = if table.rows().count() > SHORT { "scroll long" } else { "scroll" };
    format!(
        "<div class=\"{class}\" tabindex=\"0\"><table>\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// Text that may be broken after the marks within a spec or a path, and never within a word.
fn breakable(text: &str) -> String {
    let part = |part: &str| escape(part) + if part.ends_with(MARKS) { "<wbr>" } else { "" };
    text.split_inclusive(MARKS).map(part).collect()
}

/// Marks within specs and paths after which a line may end.
const MARKS: [char; 4] = [',', ':', '=', '/'];

/// Text as a page has it, in elements and in attributes.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_report_becomes_markup_or_needs_a_network() {
        let table = Table::of(&["exec:cmd=\"x\" & y"]).text("a<b", |spec| (*spec).to_owned()).build();
        let section = Section { heading: "<h>".to_owned(), table, ..Section::default() };
        let report = Report {
            title: "R & D".to_owned(),
            commands: vec!["azulejo tournament '<a>'".to_owned()],
            sections: vec![section],
            ..Report::default()
        };
        let page = page(&report);
        assert!(
            page.contains("R &amp; D")
                && page.contains("&lt;h&gt;")
                && page.contains("exec:<wbr>cmd=<wbr>&quot;x&quot; &amp; y")
        );
        assert!(page.contains("tournament '&lt;a&gt;'"));
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"));
    }

    #[test]
    fn numbers_stay_on_a_line_and_names_need_not() {
        let cells = Table::of(&["mcts:sims=2"]);
        let cells =
            cells.text("agent", |spec| (*spec).to_owned()).number("95 %", |_| "[45.1, 52.3]".to_owned());
        let page = table(&cells.build());
        assert!(page.contains("<td>[45.1, 52.3]</td>") && page.contains("mcts:<wbr>sims=<wbr>2"), "{page}");
    }

    #[test]
    fn a_page_begins_with_the_answer_and_breaks_no_word() {
        let table = Table::of(&["x"]).text("a is stronger", |spec| (*spec).to_owned()).build();
        let report = Report {
            title: "T".to_owned(),
            lead: vec!["The answer.".to_owned()],
            sections: vec![Section { heading: "Main".to_owned(), table, ..Section::default() }],
            notes: vec!["A note.".to_owned()],
            commands: vec!["azulejo".to_owned()],
            ..Report::default()
        };
        let page = page(&report);
        let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is missing in {page}"));
        let order = ["<h1>", "The answer.", "<h2>Main", "A note.", "reproduced by"].map(place);
        assert!(order.is_sorted(), "{order:?}");
        assert!(
            page.contains("a is stronger")
                && !STYLE.replace("pre-wrap; overflow-wrap: anywhere", "").contains("anywhere")
        );
    }

    #[test]
    fn chapters_are_linked_from_the_top() {
        let section = Section { heading: "A curve".to_owned(), ..Section::default() };
        let chapter = Chapter {
            heading: "What if the rules were others?".to_owned(),
            answers: vec!["Little.".to_owned()],
            sections: vec![section],
        };
        let page = page(&Report { chapters: vec![chapter], ..Report::default() });
        let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is missing in {page}"));
        let order = [
            "<nav>",
            "href=\"#what-if-the-rules-were-others\"",
            "<h2 id=\"what-if-the-rules-were-others\"",
            "<p>Little.",
            "<h3>A curve",
        ];
        assert!(order.map(place).is_sorted());
    }
}
