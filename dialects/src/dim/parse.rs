//! Reading dimensions: `4`, `n`, `2*n + 1`, `(n + 3) / 2`, `max(n, 1)`.

use super::Dim;

/// How deep parentheses may be nested.
const DEEPEST: usize = 32;

/// Reads a whole text.
pub fn parse(text: &str) -> Result<Dim, String> {
    let mut reader = Reader { text, depth: 0 };
    let dim = reader.sum()?;
    match reader.next() {
        None => Ok(dim),
        Some(_) => Err(reader.wrong()),
    }
}

struct Reader<'a> {
    text: &'a str,
    depth: usize,
}

impl Reader<'_> {
    /// The next character that is no space.
    fn next(&mut self) -> Option<char> {
        self.text = self.text.trim_start();
        self.text.chars().next()
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.next() == Some(wanted);
        if found {
            self.text = &self.text[wanted.len_utf8()..];
        }
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        match self.takes(wanted) {
            true => Ok(()),
            false => Err(self.wrong()),
        }
    }

    fn wrong(&self) -> String {
        match self.text {
            "" => "the expression ends too early".into(),
            rest => format!("the expression is wrong at '{rest}'"),
        }
    }

    fn sum(&mut self) -> Result<Dim, String> {
        let mut sum = match self.takes('-') {
            true => Dim::Known(0).minus(self.product()?)?,
            false => self.product()?,
        };
        loop {
            if self.takes('+') {
                sum = sum.plus(self.product()?)?;
            } else if self.takes('-') {
                sum = sum.minus(self.product()?)?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Dim, String> {
        let mut product = self.factor()?;
        loop {
            if self.takes('*') {
                product = product.times(self.factor()?)?;
            } else if self.takes('/') {
                product = product.floor_div(self.factor()?)?;
            } else {
                return Ok(product);
            }
        }
    }

    fn factor(&mut self) -> Result<Dim, String> {
        match self.next() {
            Some('(') => self.nested(Self::sum),
            Some('0'..='9') => {
                let digits = self.word(|c| c.is_ascii_digit());
                let number = digits.parse();
                number
                    .map(Dim::Known)
                    .map_err(|_| format!("{digits} exceeds 64 bits"))
            }
            Some(first) if first.is_alphabetic() || first == '_' => {
                let name = self.word(is_of_name);
                match (name, self.next()) {
                    ("max", Some('(')) => self.nested(|reader| reader.pair(Dim::max)),
                    ("min", Some('(')) => self.nested(|reader| reader.pair(Dim::min)),
                    _ => Ok(Dim::symbol(name)),
                }
            }
            _ => Err(self.wrong()),
        }
    }

    fn pair(&mut self, combine: fn(Dim, Dim) -> Result<Dim, String>) -> Result<Dim, String> {
        let first = self.sum()?;
        self.expect(',')?;
        combine(first, self.sum()?)
    }

    /// What stands in parentheses.
    fn nested(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<Dim, String>,
    ) -> Result<Dim, String> {
        self.expect('(')?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("more than {DEEPEST} parentheses are open"));
        }
        let dim = inside(self)?;
        self.depth -= 1;
        self.expect(')')?;
        Ok(dim)
    }
}

impl<'a> Reader<'a> {
    /// The characters up to the first that does not belong to a word.
    fn word(&mut self, belongs: fn(char) -> bool) -> &'a str {
        let end = self.text.find(|c| !belongs(c)).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        word
    }
}

/// Whether a character may stand in the name of a symbol.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.')
}
