//! Saved files: the name, and the table of the picture.

use super::*;
use crate::app::checks::ChecksShown;
use crate::csv;

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
        if self.active_view() == View::Checks {
            return self.checks_csv();
        }
        let Some(scene) = self.active_picture() else {
            return String::new();
        };
        let text = |table: &scene::Table| -> String {
            std::iter::once(&table.columns)
                .chain(&table.rows)
                .map(csv::row)
                .collect()
        };
        let further = scene.also.iter().map(|(_, table)| format!("\n{}", text(table)));
        text(&scene.table) + &further.collect::<String>()
    }

    /// The findings, a row for each of their places.
    fn checks_csv(&self) -> String {
        let head = [
            "tool", "severity", "message", "advice", "access", "thread", "lane", "cycle", "place", "line",
        ];
        let mut text = csv::row(head);
        let ChecksShown::Done { groups, .. } = self.checks(self.active_side()) else {
            return text;
        };
        for group in groups {
            for row in group.rows {
                for site in row.sites {
                    let severity = format!("{:?}", row.severity).to_lowercase();
                    let (message, advice) = (row.message.clone(), row.advice.clone());
                    let place = (site.what.to_owned(), site.excerpt.line.to_string());
                    text += &csv::row([
                        group.tool.name().to_owned(),
                        severity,
                        message,
                        advice,
                        place.0,
                        site.thread,
                        site.lane,
                        site.cycle,
                        site.place,
                        place.1,
                    ]);
                }
            }
        }
        text
    }
}
