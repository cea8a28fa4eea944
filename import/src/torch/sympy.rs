//! Arithmetic on symbols as sympy writes it: `Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(1))`.

/// How deep calls may lie in each other.
const DEEPEST: usize = 64;

/// The same in infix notation, `2*s0 + 1`; none where there is no such.
pub fn arithmetic(text: &str) -> Option<String> {
    let mut reader = Reader { rest: text };
    let sum = reader.term(0)?;
    reader.rest.trim().is_empty().then_some(sum.text)
}

/// What was read, and whether it is a sum, which a product needs parentheses around.
struct Infix {
    text: String,
    is_sum: bool,
}

impl Infix {
    fn factor(&self) -> String {
        match self.is_sum {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn term(&mut self, depth: usize) -> Option<Infix> {
        if depth > DEEPEST {
            return None;
        }
        let name = self.word()?;
        self.eat('(')?;
        let read = match name {
            "Symbol" => {
                let name = self.quoted()?;
                self.skip_keywords()?;
                plain(name.into())
            }
            "Integer" => {
                let number = self.word()?;
                number.parse::<i64>().ok()?;
                plain(number.into())
            }
            "Add" => {
                let terms = self.terms(depth)?;
                let texts: Vec<&str> = terms.iter().map(|term| &*term.text).collect();
                Infix {
                    text: texts.join(" + "),
                    is_sum: true,
                }
            }
            "Mul" => {
                let terms = self.terms(depth)?;
                let factors: Vec<String> = terms.iter().map(Infix::factor).collect();
                plain(factors.join("*"))
            }
            _ => return None,
        };
        self.eat(')')?;
        Some(read)
    }

    fn terms(&mut self, depth: usize) -> Option<Vec<Infix>> {
        let mut terms = vec![self.term(depth + 1)?];
        while self.eat(',').is_some() {
            terms.push(self.term(depth + 1)?);
        }
        Some(terms)
    }

    fn word(&mut self) -> Option<&'t str> {
        self.rest = self.rest.trim_start();
        let is_of_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
        let end = self.rest.find(|letter| !is_of_word(letter));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn quoted(&mut self) -> Option<&'t str> {
        let (text, rest) = self
            .rest
            .trim_start()
            .strip_prefix('\'')?
            .split_once('\'')?;
        self.rest = rest;
        let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        text.chars().all(is_of_name).then_some(text)
    }

    /// Facts about a symbol: `, positive=True, integer=True`.
    fn skip_keywords(&mut self) -> Option<()> {
        while self.eat(',').is_some() {
            self.word()?;
            self.eat('=')?;
            self.word()?;
        }
        Some(())
    }

    fn eat(&mut self, letter: char) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(letter)?;
        Some(())
    }
}

fn plain(text: String) -> Infix {
    Infix {
        text,
        is_sum: false,
    }
}

#[cfg(test)]
mod tests {
    use super::arithmetic;

    #[test]
    fn sums_and_products_are_read() {
        let symbol = "Symbol('s7', positive=True, integer=True)";
        let text = format!("Mul(Integer(2), Add({symbol}, Integer(-1)))");
        assert_eq!(arithmetic(&text).as_deref(), Some("2*(s7 + -1)"));
        assert_eq!(arithmetic(symbol).as_deref(), Some("s7"));
    }

    #[test]
    fn what_is_unknown_is_left_open() {
        for text in [
            "",
            "Symbol('s7'",
            "FloorDiv(Symbol('s7'), Integer(2))",
            "Integer(x)",
            "Symbol('a b')",
        ] {
            assert_eq!(arithmetic(text), None, "{text}");
        }
        let deep = "Add(".repeat(10_000);
        assert_eq!(arithmetic(&deep), None);
    }
}
