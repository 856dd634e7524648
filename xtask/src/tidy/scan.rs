//! Splits Rust source into code and comments, line by line.
//!
//! A rule on code must not trip over a comment or a string that mentions the same words. This is
//! no parser: it knows comments, strings and characters, which is what can hide such words.

use std::iter::Peekable;
use std::str::Chars;

/// One line of source, taken apart.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Without comments, and with strings and characters emptied.
    pub(crate) code: String,
    pub(crate) comment: String,
}

impl Line {
    pub(crate) fn has_code(&self) -> bool {
        !self.code.trim().is_empty()
    }
}

/// Takes every line of `source` apart.
pub(crate) fn lines(source: &str) -> Vec<Line> {
    let mut scanner = Scanner { rest: source.chars().peekable(), done: Vec::new(), line: Line::default() };
    while let Some(c) = scanner.rest.next() {
        scanner.step(c);
    }
    let Scanner { mut done, line, .. } = scanner;
    if line != Line::default() {
        done.push(line);
    }
    done
}

struct Scanner<'a> {
    rest: Peekable<Chars<'a>>,
    done: Vec<Line>,
    line: Line,
}

impl Scanner<'_> {
    fn step(&mut self, c: char) {
        match c {
            '\n' => self.end_line(),
            '/' if self.rest.peek() == Some(&'/') => self.line_comment(),
            '/' if self.rest.peek() == Some(&'*') => self.block_comment(),
            '"' => self.string(),
            '\'' => self.character_or_lifetime(),
            'r' if !self.in_word() || self.line.code.ends_with(is_string_prefix) => self.raw(),
            c => self.line.code.push(c),
        }
    }

    fn end_line(&mut self) {
        self.done.push(std::mem::take(&mut self.line));
    }

    /// Whether the code so far ends inside a name.
    fn in_word(&self) -> bool {
        self.line.code.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    }

    fn line_comment(&mut self) {
        self.line.comment.push('/');
        while let Some(c) = self.rest.next_if(|&c| c != '\n') {
            self.line.comment.push(c);
        }
    }

    fn block_comment(&mut self) {
        self.rest.next();
        let mut depth = 1;
        while depth > 0 {
            let Some(c) = self.rest.next() else { return };
            match c {
                '\n' => self.end_line(),
                '/' if self.rest.next_if_eq(&'*').is_some() => depth += 1,
                '*' if self.rest.next_if_eq(&'/').is_some() => depth -= 1,
                c => self.line.comment.push(c),
            }
        }
    }

    /// After the opening quote.
    fn string(&mut self) {
        self.line.code.push('"');
        while let Some(c) = self.rest.next() {
            match c {
                '"' => break,
                '\\' if self.rest.peek() != Some(&'\n') => drop(self.rest.next()),
                '\n' => self.end_line(),
                _ => {}
            }
        }
        self.line.code.push('"');
    }

    /// After an `r` that may begin a raw string (`r"…"`, `r#"…"#`) or a raw name (`r#type`).
    fn raw(&mut self) {
        self.line.code.push('r');
        let mut hashes = 0;
        while self.rest.next_if_eq(&'#').is_some() {
            hashes += 1;
        }
        if self.rest.next_if_eq(&'"').is_none() {
            return;
        }
        let mut seen = None;
        for c in self.rest.by_ref() {
            seen = match (c, seen) {
                ('"', _) => Some(0),
                ('#', Some(n)) => Some(n + 1),
                _ => None,
            };
            if c == '\n' {
                self.done.push(std::mem::take(&mut self.line));
            }
            if seen == Some(hashes) {
                break;
            }
        }
        self.line.code.push_str("\"\"");
    }

    /// After a `'`: `'x'` and `'\n'` are characters, `'a` alone is a lifetime.
    fn character_or_lifetime(&mut self) {
        self.line.code.push('\'');
        let mut ahead = self.rest.clone();
        match (ahead.next(), ahead.next()) {
            (Some('\\'), _) => {
                self.rest.next();
                self.rest.next();
                while self.rest.next().is_some_and(|c| c != '\'') {}
                self.line.code.push('\'');
            }
            (Some(_), Some('\'')) => {
                self.rest.next();
                self.rest.next();
                self.line.code.push('\'');
            }
            _ => {}
        }
    }
}

/// `br"…"` and `cr"…"` are raw strings too.
fn is_string_prefix(c: char) -> bool {
    c == 'b' || c == 'c'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(source: &str) -> Vec<String> {
        lines(source).into_iter().map(|line| line.code).collect()
    }

    #[test]
    fn comments_are_apart() {
        let split = lines("let x = 1; // why\n/* a\nb */ f();\n/// doc");
        assert_eq!(split[0].code, "let x = 1; ");
        assert_eq!(split[0].comment, "// why");
        assert_eq!(split[1].comment, " a");
        assert!(!split[1].has_code());
        assert_eq!(split[2].code, " f();");
        assert_eq!(split[3].comment, "/// doc");
    }

    #[test]
    fn nested_comments_end_where_they_should() {
        assert_eq!(code("a /* b /* c */ d */ e"), ["a  e"]);
    }

    #[test]
    fn strings_are_empty() {
        assert_eq!(code(r#"f("// no", 1)"#), [r#"f("", 1)"#]);
        assert_eq!(code(r#"f("a\"b", c)"#), [r#"f("", c)"#]);
        assert_eq!(code("f(\"a\nb\", c)"), ["f(\"", "\", c)"]);
        assert_eq!(code("f(r#\"a\"b\"#, c)"), ["f(r\"\", c)"]);
        assert_eq!(code("f(br\"\\\", c)"), ["f(br\"\", c)"]);
        assert_eq!(code("f(r##\"a\"#b\"##, c)"), ["f(r\"\", c)"]);
    }

    #[test]
    fn names_that_begin_or_end_with_r_are_names() {
        assert_eq!(code("for r in err(x, \"y\")"), ["for r in err(x, \"\")"]);
        assert_eq!(code("r#type = 1"), ["rtype = 1"]);
    }

    #[test]
    fn characters_and_lifetimes_differ() {
        assert_eq!(code("f('\"', \"x\")"), ["f('', \"\")"]);
        assert_eq!(code(r"f('\'', '\u{1F600}', b'\\', 'a')"), ["f('', '', b'', '')"]);
        assert_eq!(code("fn f<'a>(x: &'a str, y: &'static str)"), ["fn f<'a>(x: &'a str, y: &'static str)"]);
    }

    #[test]
    fn lines_are_counted_through_everything() {
        let source = "a\n\"b\nc\"\nr\"d\ne\"\n/*\n*/\nf\n";
        assert_eq!(lines(source).len(), source.lines().count());
    }
}
