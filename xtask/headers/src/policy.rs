//! The Content Security Policies: one for each kind of document.

/// A kind of document that has a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The workbench, and the other pages beside it.
    Page,
    /// A page beside the workbench that shows the workbench in a frame.
    Example,
    /// The workbench as a frame in any other page.
    Embed,
    /// The script of the workers, for which hosts send a policy of its own.
    Worker,
    /// The service worker, `sw.js`.
    Release,
}

impl Kind {
    /// The kind of a file at the top of the page's folder; `None`: it needs no policy.
    pub fn of(file: &str) -> Option<Self> {
        match file.rsplit_once('.')? {
            ("embed", "html") => Some(Self::Embed),
            ("example" | "embed-example", "html") => Some(Self::Example),
            (_, "html") => Some(Self::Page),
            (name, "js") if name.starts_with("worker-") => Some(Self::Worker),
            ("sw", "js") => Some(Self::Release),
            _ => None,
        }
    }

    /// The value of the header that a host sends.
    ///
    /// In `WebKit`, a frame of a sandbox without an origin has no `'self'`: a header with it would block the whole frame. So
    /// the header of `embed.html` has the other directives, and a script of the page adds those of [`Kind::meta`] with the
    /// address of its folder (`www/embed_policy.js`).
    pub fn header(self) -> String {
        self.policy().text(|name, sources| {
            self != Self::Embed || (name != "default-src" && !sources.contains("'self'"))
        })
    }

    /// The content of a meta element, in which browsers do not accept `frame-ancestors`.
    pub fn meta(self) -> String {
        self.policy().text(|name, _| name != "frame-ancestors")
    }

    /// The whole policy.
    fn policy(self) -> Policy {
        if self == Self::Worker {
            // A worker gets the compiled module by message, and starts further workers for parts of a device.
            return Policy(vec![
                ("default-src", "'none'"),
                ("script-src", "'self' 'wasm-unsafe-eval'"),
                ("worker-src", "'self'"),
            ]);
        }
        if self == Self::Release {
            // It requests the files of its release, and runs nothing but itself.
            return Policy(vec![("default-src", "'none'"), ("connect-src", "'self'")]);
        }
        let mut directives = vec![
            ("default-src", "'none'"),
            // The simulator is WebAssembly, which a policy counts as evaluation.
            ("script-src", "'self' 'wasm-unsafe-eval'"),
            ("style-src", "'self'"),
            ("img-src", "'self'"),
            // A lesson or a lecture can be at another address, which the page requests only after the reader agrees.
            ("connect-src", "'self' https:"),
            ("worker-src", "'self'"),
            ("manifest-src", "'self'"),
            ("base-uri", "'none'"),
            ("form-action", "'none'"),
            // The page parses no text as HTML. `www/trusted.js` lets scripts of the page's own folder start workers.
            ("require-trusted-types-for", "'script'"),
            ("trusted-types", "default"),
        ];
        match self {
            Self::Example => {
                directives.push(("frame-src", "'self'"));
                directives.push(("frame-ancestors", "'self'"));
            }
            Self::Embed => directives.push(("frame-ancestors", "*")),
            Self::Page | Self::Worker | Self::Release => directives.push(("frame-ancestors", "'self'")),
        }
        Policy(directives)
    }
}

/// A Content Security Policy: directives with their sources.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Policy(Vec<(&'static str, &'static str)>);

impl Policy {
    /// The text of the directives for which `is_kept` returns true.
    fn text(&self, is_kept: impl Fn(&str, &str) -> bool) -> String {
        let directives = self.0.iter().filter(|(name, sources)| is_kept(name, sources));
        let directives: Vec<String> = directives
            .map(|(name, sources)| format!("{name} {sources}"))
            .collect();
        directives.join("; ")
    }
}
