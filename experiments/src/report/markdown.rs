//! A report as Markdown: its text and tables.

use super::repetition::introduction;
use super::table::ColumnKind;
use super::{Chapter, Report, Section, Table};

/// The whole text.
pub(super) fn text(report: &Report) -> String {
    let mut text = format!("# {}\n\n", report.title);
    report.lead.iter().for_each(|lead| text += &format!("{lead}\n\n"));
    text += &contents(&report.chapters);
    report.sections.iter().for_each(|it| text += &section(it, "##"));
    for chapter in &report.chapters {
        text += &format!("## {}\n\n", chapter.heading);
        chapter.answers.iter().for_each(|answer| text += &format!("{answer}\n\n"));
        chapter.sections.iter().for_each(|it| text += &section(it, "###"));
    }
    report.notes.iter().for_each(|note| text += &format!("{note}\n\n"));
    if report.commands.is_empty() {
        return text.trim_end().to_owned() + "\n";
    }
    let introduction = introduction(&report.unrepeated);
    text + &format!("{introduction}\n\n```sh\n{}\n```\n", report.commands.join("\n"))
}

/// Links to the chapters, if there are some.
fn contents(chapters: &[Chapter]) -> String {
    let item = |chapter: &Chapter| format!("- [{}](#{})\n", chapter.heading, chapter.anchor());
    let items: String = chapters.iter().map(item).collect();
    if items.is_empty() { items } else { items + "\n" }
}

fn section(section: &Section, mark: &str) -> String {
    let parts = [format!("{mark} {}", section.heading), section.text.clone(), table(&section.table)];
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty()).collect();
    parts.join("\n\n") + "\n\n"
}

fn table(table: &Table) -> String {
    if table.is_empty() {
        return String::new();
    }
    let row = |cells: Vec<&str>| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let header = table.columns.iter().map(|column| column.name.as_str()).collect();
    let rule = table.columns.iter().map(|column| match column.kind {
        ColumnKind::Text => "---",
        ColumnKind::Number | ColumnKind::Interval => "---:",
    });
    let rows: String = table.rows().map(row).collect();
    row(header) + &row(rule.collect()) + &rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_a_rule_and_escape_bars() {
        let rows = [("x|y", 1)];
        let found =
            Table::of(&rows).text("a", |it| it.0.to_owned()).number("b", |it| it.1.to_string()).build();
        assert_eq!(table(&found), "| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n");
        assert_eq!(table(&Table::default()), "");
    }

    #[test]
    fn sections_stand_below_their_chapters() {
        let part = |heading: &str| Section { heading: heading.to_owned(), ..Section::default() };
        let chapter = Chapter {
            heading: "Is it good to go first?".to_owned(),
            answers: vec!["Yes.".to_owned()],
            sections: vec![part("Seats")],
        };
        let report = Report {
            title: "T".to_owned(),
            sections: vec![part("Main")],
            chapters: vec![chapter],
            ..Report::default()
        };
        let expected = "# T\n\n- [Is it good to go first?](#is-it-good-to-go-first)\n\n## Main\n\n## Is it good to go first?\n\nYes.\n\n\
                        ### Seats\n";
        assert_eq!(text(&report), expected);
    }
}
