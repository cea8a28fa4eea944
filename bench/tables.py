"""Numbers as text, and tables in Markdown."""


def threads_of(count):
    """So many threads, as text."""
    return f"{count} thread{'s' * (int(count) > 1)}"


def row(cells):
    """A row of a table in Markdown."""
    return "| " + " | ".join(cells) + " |"


def table(head, rows):
    """A table in Markdown."""
    return "\n".join([row(head), "|" + "---|" * len(head), *map(row, rows)]) + "\n"


def number(value, form="{:.2f}"):
    """A number as text, "-" if there is none."""
    return "-" if value is None else form.format(value)


def times(figures):
    """median (min, p95)."""
    if figures is None:
        return "-"
    form = "{:.3f}" if figures["median_ms"] < 100 else "{:.0f}"
    values = [form.format(figures[key]) for key in ("median_ms", "min_ms", "p95_ms")]
    return f"{values[0]} ({values[1]}, {values[2]})"


def percent(value):
    """A share as text."""
    return "-" if value is None else f"{100 * value:.0f}"
