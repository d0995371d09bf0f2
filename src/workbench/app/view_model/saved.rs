//! Saved files: the name, and the table of the picture.

use super::*;

impl Session {
    /// The name of a file saved from the current view.
    pub(in crate::app) fn file_name(&self, extension: &str) -> String {
        if self.shown_playground().is_some() {
            return format!(
                "warpscope-playground-{}-{}.{extension}",
                self.setup().arch.text(),
                self.active_view().id()
            );
        }
        format!(
            "warpscope-{}-{}-{}-cycle-{}.{extension}",
            self.setup().kernel,
            self.setup().arch.text(),
            self.active_view().id(),
            self.cycle()
        )
    }

    /// The picture's table, as comma-separated values.
    pub(in crate::app) fn csv(&self) -> String {
        let Some(scene) = self.active_picture() else {
            return String::new();
        };
        let quoted = |cell: &String| {
            if cell.contains([',', '"', '\n']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        };
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        let text = |table: &scene::Table| -> String {
            std::iter::once(&table.columns)
                .chain(&table.rows)
                .map(line)
                .collect()
        };
        let further = scene.also.iter().map(|(_, table)| format!("\n{}", text(table)));
        text(&scene.table) + &further.collect::<String>()
    }
}
