//! A report as Markdown: its text and tables.

use super::repetition::introduction;
use super::table::ColumnKind;
use super::{Report, Table};

/// The whole text.
pub(super) fn text(report: &Report) -> String {
    let mut text = format!("# {}\n\n", report.title);
    report.lead.iter().for_each(|lead| text += &format!("{lead}\n\n"));
    for section in &report.sections {
        text += &format!("## {}\n\n", section.heading);
        if !section.text.is_empty() {
            text += &format!("{}\n\n", section.text);
        }
        text += &format!("{}\n", table(&section.table));
    }
    report.notes.iter().for_each(|note| text += &format!("{note}\n\n"));
    if report.commands.is_empty() {
        return text.trim_end().to_owned() + "\n";
    }
    let introduction = introduction(&report.unrepeated);
    text + &format!("{introduction}\n\n```sh\n{}\n```\n", report.commands.join("\n"))
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
}
