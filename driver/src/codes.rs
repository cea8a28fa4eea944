//! What each error means: the pages under `docs/errors/`.

macro_rules! page {
    ($code:literal) => {
        (
            $code,
            include_str!(concat!("../../docs/errors/", $code, ".md")),
        )
    };
}

/// Every code with its page, as Markdown.
pub const PAGES: &[(&str, &str)] = &[
    page!("R0101"),
    page!("R0102"),
    page!("R0103"),
    page!("R0104"),
    page!("R0105"),
    page!("R0201"),
    page!("R0202"),
    page!("R0203"),
    page!("R0204"),
    page!("R0205"),
    page!("R0206"),
    page!("R0207"),
    page!("R0208"),
    page!("R0209"),
    page!("R0210"),
    page!("R0211"),
    page!("R0212"),
    page!("R0301"),
    page!("R0302"),
    page!("R0303"),
    page!("R0304"),
    page!("R0305"),
    page!("R0306"),
    page!("R0307"),
    page!("R0308"),
    page!("R0309"),
    page!("R0310"),
    page!("R0401"),
    page!("R0402"),
    page!("R0403"),
    page!("R0404"),
    page!("R0405"),
    page!("R0406"),
];

/// The page of a code, which may be written in small letters.
pub fn page(code: &str) -> Option<&'static str> {
    let mut pages = PAGES.iter();
    let page = pages.find(|(known, _)| known.eq_ignore_ascii_case(code));
    page.map(|(_, page)| *page)
}

/// What `relayc explain` prints: the page of a code or, without one, the titles of all.
///
/// # Errors
/// If there is no such code.
pub fn explain(code: Option<&str>) -> Result<String, String> {
    let Some(code) = code else {
        let titles = PAGES.iter().map(|(code, _)| title(code).unwrap_or(code));
        let titles: Vec<&str> = titles.collect();
        return Ok(format!("{}\n", titles.join("\n")));
    };
    let known = page(code).map(str::to_owned);
    known.ok_or_else(|| format!("there is no error '{code}'; relayc explain lists all"))
}

/// The first line of a page: the code, and what the error is.
pub fn title(code: &str) -> Option<&'static str> {
    page(code)?.lines().next()?.strip_prefix("# ")
}
