//! The words of TorchScript's serialised source: those of Python.

use crate::graph::error::Result;

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub enum Word<'s> {
    /// A name or a keyword.
    Name(&'s str),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text, without its quotes.
    Text(String),
    /// A sign: `(`, `->`.
    Sign(&'s str),
    /// The end of a line that holds a statement.
    Newline,
    /// The next line stands further to the right.
    Indent,
    /// The next line stands further to the left.
    Dedent,
    /// The end.
    End,
}

/// A word and its line.
#[derive(Clone, Debug)]
pub struct Token<'s> {
    /// The word.
    pub word: Word<'s>,
    /// The line, from 1 on.
    pub line: u32,
}

/// Splits a file into words.
///
/// # Errors
/// The line, and what is none of the language's words.
pub fn tokens(source: &str) -> Result<Vec<Token<'_>>> {
    let mut lexer = Lexer {
        source,
        at: 0,
        line: 1,
        depth: 0,
        indents: vec![0],
        tokens: Vec::new(),
    };
    match lexer.run() {
        Ok(()) => Ok(lexer.tokens),
        Err(reason) => Err(format!("line {}: {reason}", lexer.line)),
    }
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    line: u32,
    /// How many brackets are open: a line within them does not end a statement.
    depth: usize,
    indents: Vec<usize>,
    tokens: Vec<Token<'s>>,
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn push(&mut self, word: Word<'s>) {
        let line = self.line;
        self.tokens.push(Token { word, line });
    }

    fn run(&mut self) -> Result<()> {
        self.indent()?;
        while let Some(next) = self.rest().chars().next() {
            match next {
                '\n' => {
                    self.at += 1;
                    if self.depth == 0 {
                        self.end_line();
                    }
                    self.line = self.line.saturating_add(1);
                    if self.depth == 0 {
                        self.indent()?;
                    }
                }
                ' ' | '\t' | '\r' => self.at += 1,
                '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                '"' | '\'' => self.text(next)?,
                '0'..='9' => self.number()?,
                next if next.is_alphabetic() || next == '_' => {
                    let is_part = |c: char| c.is_alphanumeric() || c == '_';
                    let rest = self.rest();
                    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                    self.at += end;
                    self.push(Word::Name(&rest[..end]));
                }
                _ => self.sign()?,
            }
        }
        self.end_line();
        while self.indents.len() > 1 {
            self.indents.pop();
            self.push(Word::Dedent);
        }
        self.push(Word::End);
        Ok(())
    }

    fn end_line(&mut self) {
        let last = self.tokens.last().map(|token| &token.word);
        if !matches!(
            last,
            None | Some(Word::Newline | Word::Indent | Word::Dedent)
        ) {
            self.push(Word::Newline);
        }
    }

    /// Says how far to the right a line stands. Lines without words do not matter.
    fn indent(&mut self) -> Result<()> {
        let rest = self.rest();
        let width = rest.len() - rest.trim_start_matches(' ').len();
        if matches!(rest[width..].chars().next(), None | Some('\n' | '\r' | '#')) {
            return Ok(());
        }
        self.at += width;
        let last = |lexer: &Self| lexer.indents.last().copied().unwrap_or(0);
        if width > last(self) {
            self.indents.push(width);
            self.push(Word::Indent);
        }
        while width < last(self) {
            self.indents.pop();
            self.push(Word::Dedent);
        }
        match width == last(self) {
            true => Ok(()),
            false => Err("it stands under no line before it".into()),
        }
    }

    fn sign(&mut self) -> Result<()> {
        const SIGNS: [&str; 13] = [
            "->", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "-", "*",
        ];
        let rest = self.rest();
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let sign = sign.ok_or_else(|| {
            let next: String = rest.chars().take(1).collect();
            format!("'{next}' is no part of TorchScript")
        })?;
        match *sign {
            "(" | "[" | "{" => self.depth += 1,
            ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.at += sign.len();
        self.push(Word::Sign(sign));
        Ok(())
    }

    fn number(&mut self) -> Result<()> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            let is_sign = matches!(byte, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E');
            if !(byte.is_ascii_alphanumeric() || *byte == b'.' || is_sign) {
                break;
            }
            end += 1;
        }
        let text = &rest[..end];
        self.at += end;
        let word = match text.parse::<i64>() {
            Ok(number) => Word::Int(number),
            Err(_) => Word::Float(
                text.parse()
                    .map_err(|_| format!("'{text}' is no number that is supported"))?,
            ),
        };
        self.push(word);
        Ok(())
    }

    fn text(&mut self, quote: char) -> Result<()> {
        let unended = || String::from("a text does not end");
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        loop {
            let (at, next) = chars.next().ok_or_else(unended)?;
            match next {
                next if next == quote => {
                    self.at += at + 1;
                    self.push(Word::Text(text));
                    return Ok(());
                }
                '\n' => return Err(unended()),
                '\\' => match chars.next().ok_or_else(unended)?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    'a' => text.push('\u{7}'),
                    'b' => text.push('\u{8}'),
                    'f' => text.push('\u{c}'),
                    'v' => text.push('\u{b}'),
                    // Three octal digits, as PyTorch writes what cannot be printed.
                    digit @ '0'..='3' => {
                        let mut code = digit as u32 - '0' as u32;
                        for _ in 0..2 {
                            let (_, digit) = chars.next().ok_or_else(unended)?;
                            let digit = digit.to_digit(8).ok_or("an escape has no octal digits")?;
                            code = code * 8 + digit;
                        }
                        text.extend(char::from_u32(code));
                    }
                    other => text.push(other),
                },
                next => text.push(next),
            }
        }
    }
}
