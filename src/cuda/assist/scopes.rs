//! Brackets and scopes, computed from tokens alone.

use std::ops::Range;

use crate::lex::{Token, TokenKind, tokens};

/// The code tokens, without comments and directives, and their brackets.
pub(super) struct Marks<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// The index of the matching bracket, for each bracket.
    partner: Vec<Option<usize>>,
    /// The innermost open bracket at each token.
    parent: Vec<Option<usize>>,
}

impl<'a> Marks<'a> {
    /// Tokenizes a text.
    pub(super) fn new(text: &'a str) -> Self {
        let all = tokens(text);
        let mut code = Vec::with_capacity(all.len());
        for line in all.split(|token| token.kind == TokenKind::Newline) {
            let mut line = line.iter().filter(|token| token.kind != TokenKind::Comment);
            let is_directive = line.clone().next().is_some_and(|token| token.text(text) == "#");
            if !is_directive {
                code.extend(line.by_ref().copied());
            }
        }
        let mut partner = vec![None; code.len()];
        let mut parent = vec![None; code.len()];
        let mut open: Vec<usize> = Vec::new();
        for (idx, token) in code.iter().enumerate() {
            parent[idx] = open.last().copied();
            if token.kind != TokenKind::Punct {
                continue;
            }
            let opener = match token.text(text) {
                "(" | "[" | "{" => {
                    open.push(idx);
                    continue;
                }
                ")" => "(",
                "]" => "[",
                "}" => "{",
                _ => continue,
            };
            // A closing bracket of another kind leaves unmatched brackets open. A brace closes them.
            if let Some(depth) = open.iter().rposition(|other| code[*other].text(text) == opener) {
                if opener != "{" && open[depth..].iter().any(|other| code[*other].text(text) == "{") {
                    continue;
                }
                partner[open[depth]] = Some(idx);
                partner[idx] = Some(open[depth]);
                open.truncate(depth);
                parent[idx] = open.last().copied();
            }
        }
        Self {
            text,
            tokens: code,
            partner,
            parent,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn word(&self, idx: usize) -> &'a str {
        self.tokens.get(idx).map_or("", |token| token.text(self.text))
    }

    pub(super) fn is_word(&self, idx: usize) -> bool {
        self.tokens
            .get(idx)
            .is_some_and(|token| token.kind == TokenKind::Ident)
    }

    pub(super) fn range(&self, idx: usize) -> Range<usize> {
        self.tokens
            .get(idx)
            .map_or(self.text.len()..self.text.len(), |token| {
                token.start as usize..token.end as usize
            })
    }

    pub(super) fn partner(&self, idx: usize) -> Option<usize> {
        self.partner.get(idx).copied().flatten()
    }

    /// The word that contains an offset or ends there.
    pub(super) fn word_at(&self, at: usize) -> Option<usize> {
        let holds = |token: &Token| token.start as usize <= at && at <= token.end as usize;
        self.tokens
            .iter()
            .position(|token| token.kind == TokenKind::Ident && holds(token))
    }

    /// The last token that ends at or before an offset.
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        self.tokens
            .partition_point(|token| token.end as usize <= at)
            .checked_sub(1)
    }

    /// The qualifier before a name: `a::b::`.
    pub(super) fn path_before(&self, token: usize) -> String {
        let mut path = String::new();
        let mut idx = token;
        while idx >= 1 && self.word(idx - 1) == "::" {
            path.insert_str(0, "::");
            let Some(mut name) = idx.checked_sub(2) else { break };
            if self.word(name).starts_with('>') {
                match self.angle_start(name) {
                    Some(open) if open > 0 => name = open - 1,
                    _ => break,
                }
            }
            if !self.is_word(name) {
                break;
            }
            path.insert_str(0, self.word(name));
            idx = name;
        }
        path
    }

    /// The end of the scope of a name that is declared at an offset: the end of the enclosing block. For a name
    /// declared in parentheses or angle brackets, the end of the body or statement that follows them.
    pub(super) fn scope_end(&self, at: usize) -> usize {
        let token = self.tokens.partition_point(|token| (token.start as usize) < at);
        let Some(parent) = self.parent.get(token).copied().flatten() else {
            return self.text.len();
        };
        match (self.word(parent), self.partner(parent)) {
            ("{", Some(close)) => self.range(close).start,
            ("{", None) => self.text.len(),
            (_, Some(close)) => self.body_end(close + 1),
            (_, None) => self.text.len(),
        }
    }

    /// The end of the body or statement whose header contains an offset.
    pub(super) fn head_end(&self, at: usize) -> usize {
        self.body_end(self.tokens.partition_point(|token| (token.start as usize) < at))
    }

    /// The end of the next braces, or the next semicolon before them.
    fn body_end(&self, from: usize) -> usize {
        let mut idx = from;
        while idx < self.len() {
            match self.word(idx) {
                "{" => {
                    let end = self.partner(idx).map(|close| self.range(close).end);
                    // More text follows a member initializer such as `: x{1}`.
                    let next = self.partner(idx).map_or("", |close| self.word(close + 1));
                    if matches!(next, "," | "{") && idx > from && self.is_word(idx - 1) {
                        idx = self.partner(idx).unwrap_or(idx) + 1;
                        continue;
                    }
                    return end.unwrap_or(self.text.len());
                }
                ";" | "}" => return self.range(idx).end,
                "(" | "[" => match self.partner(idx) {
                    Some(close) => idx = close + 1,
                    None => return self.text.len(),
                },
                _ => idx += 1,
            }
        }
        self.text.len()
    }

    /// The `<` that matches the `>` of template arguments.
    pub(super) fn angle_start(&self, close: usize) -> Option<usize> {
        let mut depth = 0i32;
        let mut idx = close;
        loop {
            match self.word(idx) {
                ">" => depth += 1,
                ">>" => depth += 2,
                ">>>" => depth += 3,
                "<" => depth -= 1,
                "<<" => depth -= 2,
                ")" | "]" if self.partner(idx).is_some() => idx = self.partner(idx)?,
                ";" | "{" | "}" | "(" | "[" => return None,
                _ => {}
            }
            if depth <= 0 {
                return (self.word(idx) == "<").then_some(idx);
            }
            idx = idx.checked_sub(1)?;
        }
    }

    /// The pair of angle brackets with a bracket at an offset, or else before the offset.
    pub(super) fn angles(
        &self,
        at: usize,
        is_template: impl Fn(&str) -> bool,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let pairs = self.angle_pairs(is_template);
        let of = |at: usize| {
            pairs
                .iter()
                .find(|(open, close)| open.contains(&at) || close.contains(&at))
                .cloned()
        };
        of(at).or_else(|| of(at.checked_sub(1)?))
    }

    /// Angle brackets that enclose template parameters, template arguments, or a launch configuration.
    fn angle_pairs(&self, is_template: impl Fn(&str) -> bool) -> Vec<(Range<usize>, Range<usize>)> {
        let mut pairs = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for idx in 0..self.len() {
            let range = self.range(idx);
            match self.word(idx) {
                "<<<" => open.push(idx),
                "<" if idx > 0 => {
                    let before = self.word(idx - 1);
                    let opens = matches!(
                        before,
                        "template" | "static_cast" | "reinterpret_cast" | "const_cast" | "operator"
                    ) || is_template(before);
                    if opens {
                        open.push(idx);
                    }
                }
                word @ (">" | ">>" | ">>>") => {
                    if word == ">>>" && open.last().is_some_and(|idx| self.word(*idx) == "<<<") {
                        pairs.extend(open.pop().map(|open| (self.range(open), range)));
                        continue;
                    }
                    for start in range {
                        if open.last().is_some_and(|idx| self.word(*idx) == "<<<") {
                            break;
                        }
                        pairs.extend(open.pop().map(|open| (self.range(open), start..start + 1)));
                    }
                }
                ";" | "{" | "}" => open.clear(),
                _ => {}
            }
        }
        pairs
    }
}
