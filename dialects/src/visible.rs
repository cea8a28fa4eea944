//! Text for people's terminals.

use std::{borrow::Cow, fmt::Write};

/// A text whose control characters are written as escapes, `\\u{1b}`: files hold names of any letters, and a terminal obeys
/// some of them. Ends of lines and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| matches!(letter, '\n' | '\t') || !is_command(letter);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_plain(letter) {
            shown.push(letter);
        } else {
            // Writing to a string does not fail.
            let _ = write!(shown, "{}", letter.escape_unicode());
        }
    }
    Cow::Owned(shown)
}

/// Whether a terminal does something else with a character than to show it. Marks of direction change the order of those
/// around them.
fn is_command(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_terminals_obey_is_escaped() {
        assert_eq!(visible("\u{1b}[31mred\u{7}"), "\\u{1b}[31mred\\u{7}");
        assert_eq!(visible("a\rb\u{9b}2J"), "a\\u{d}b\\u{9b}2J");
        assert_eq!(visible("abc\u{202e}def"), "abc\\u{202e}def");
        assert_eq!(visible("Gr\u{f6}\u{df}e\n\t1"), "Gr\u{f6}\u{df}e\n\t1");
    }
}
