//! What the Share dialog shows of the link.

use super::Session;
use crate::share::{Density, Present, QrPlace, Scenario, encode};

/// Characters of a value that the list of the link's parts shows.
const VALUE_CHARS: usize = 40;

impl Session {
    /// The link of what is on screen, without the dialog itself.
    pub fn shared_link(&self) -> String {
        let mut scenario: Scenario = self.link();
        scenario.layout.panel = None;
        encode(&scenario)
    }

    /// The density of what is shown: the presenter has projector size.
    pub fn density(&self) -> Density {
        match self.ui.lecture.present {
            Present::On => Density::Projector,
            Present::Off | Present::Notes => self.ui.density,
        }
    }

    /// The link of what is on screen, without a dialog and without the presenter: for handouts and QR codes.
    pub fn lecture_link(&self) -> String {
        let mut scenario: Scenario = self.link();
        scenario.layout.panel = None;
        scenario.lecture.present = Present::Off;
        scenario.lecture.qr = QrPlace::Off;
        encode(&scenario)
    }

    /// The pairs of the link, with long values shortened to their length.
    pub fn link_parts(&self) -> Vec<(String, String)> {
        let link = self.shared_link();
        let pairs = link.split(';').filter_map(|pair| pair.split_once('='));
        let parts: Vec<(String, String)> = pairs
            .map(|(key, value)| {
                let length = value.chars().count();
                let shown = if length > VALUE_CHARS {
                    format!("{length} characters")
                } else {
                    value.to_owned()
                };
                (key.to_owned(), shown)
            })
            .collect();
        if parts.is_empty() {
            return vec![("all".to_owned(), "as on a first visit".to_owned())];
        }
        parts
    }

    /// A Markdown link to an address, with the scenario's name and the cycle as its text.
    pub fn markdown_of(&self, address: &str) -> String {
        let name = format!(
            "{} on {}, cycle {}",
            self.name(),
            self.arch().name,
            crate::scene::thousands(self.cycle())
        );
        let text: String = name
            .chars()
            .map(|c| if matches!(c, '[' | ']' | '\\') { ' ' } else { c })
            .collect();
        // Parentheses would end the address.
        let address = address.replace('(', "%28").replace(')', "%29");
        format!("[{text}]({address})")
    }
}

#[cfg(test)]
mod tests {
    use crate::app::{Event, Panel, Session, update};

    #[test]
    fn the_dialog_lists_the_parts_of_the_link_without_itself() {
        let mut session = Session::new();
        update(
            &mut session,
            Event::Open("v1;kernel=saxpy;view=banks;cycle=3;name=a [b] (c)".to_owned()),
        );
        while session.work(10_000) {}
        update(&mut session, Event::Panel(Panel::Share));
        let parts = session.link_parts();
        let keys: Vec<&str> = parts.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["kernel", "view", "cycle", "name"]);
        assert_eq!(parts[1].1, "banks");
        assert_eq!(
            session.markdown_of("https://a.org/#v1;name=(c)"),
            "[a  b  (c) on Turing TU102, cycle 3](https://a.org/#v1;name=%28c%29)"
        );
        let own = format!(
            "__global__ void k(float *out) {{ out[0] = {}f; }}",
            "1.0f + ".repeat(99) + "1.0"
        );
        update(&mut session, Event::Edit(own));
        update(&mut session, Event::Tick(1_000.0));
        let parts = session.link_parts();
        let source = parts.iter().find(|(key, _)| key == "source").unwrap();
        assert!(source.1.ends_with(" characters"), "{source:?}");
        update(&mut session, Event::Open(String::new()));
        assert_eq!(
            session.link_parts(),
            [("all".to_owned(), "as on a first visit".to_owned())]
        );
    }
}
