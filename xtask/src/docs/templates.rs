//! The page of schedule templates, from their docs.

use super::markdown::{code, table};
use relay_topi::TEMPLATES;

/// The page.
pub fn page() -> String {
    let text = String::from(
        "# Schedule templates\n\nA template schedules the stages of a kernel. Its knobs span a space of legal \
         schedules, and the cost model picks the cheapest. The table lists the loops of each template, outermost first, and \
         the working set at each level of the memory hierarchy. *Parallel* loops are fused and shared among threads, if \
         the cost model expects a speedup. L1 and L2 are the core's own caches. The [glossary](../glossary.md) \
         defines tiles, panels and strips.\n\n",
    );
    let rows = TEMPLATES.iter().flat_map(|template| {
        template.ways.iter().enumerate().map(|(number, way)| {
            let (name, applies) = match number {
                0 => (file(template.name), template.applies.to_owned()),
                _ => Default::default(),
            };
            vec![
                name,
                applies,
                knobs(way.knobs),
                way.loops.into(),
                way.kept.into(),
            ]
        })
    });
    let header = [
        "template",
        "when it applies",
        "knobs",
        "loop order",
        "what stays where",
    ];
    text + &table(&header, rows)
}

/// A template's name, with a link to its file.
fn file(name: &str) -> String {
    let file = name.replace('-', "_");
    format!("[{name}](../../topi/src/schedule/templates/{file}.rs)")
}

/// The knobs of a loop order, each as code.
fn knobs(all: &str) -> String {
    let all = all.split(", ").filter(|knob| !knob.is_empty());
    all.map(code).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_are_code_and_names_are_links() {
        assert_eq!(knobs(""), "");
        assert_eq!(knobs("rows, order=taps"), "`rows`, `order=taps`");
        let link = "[plain-conv](../../topi/src/schedule/templates/plain_conv.rs)";
        assert_eq!(file("plain-conv"), link);
    }
}
