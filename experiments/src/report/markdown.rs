//! A report as Markdown: its text and tables.

use super::{Report, Table};

/// The whole text.
pub(super) fn text(report: &Report) -> String {
    let mut text = format!("# {}\n\n", report.title);
    report.lead.iter().for_each(|lead| text += &format!("{lead}\n\n"));
    text += &format!("Everything here is reproduced by\n\n```sh\n{}\n```\n", report.commands.join("\n"));
    for section in &report.sections {
        text += &format!("\n## {}\n\n", section.heading);
        if !section.text.is_empty() {
            text += &format!("{}\n\n", section.text);
        }
        text += &table(&section.table);
    }
    text
}

fn table(table: &Table) -> String {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    if table.rows.is_empty() {
        return String::new();
    }
    let mut rule: Vec<String> = vec!["---:".to_owned(); table.header.len()];
    rule.iter_mut().take(1).for_each(|first| *first = "---".to_owned());
    let rows: String = table.rows.iter().map(|cells| row(cells)).collect();
    row(&table.header) + &row(&rule) + &rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_a_rule_and_escape_bars() {
        let mut found = Table::new(&["a", "b"]);
        found.push(["x|y".to_owned(), "1".to_owned()]);
        assert_eq!(table(&found), "| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n");
        assert_eq!(table(&Table::default()), "");
    }
}
