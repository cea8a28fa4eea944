//! Axes of charts.

use maud::{Markup, html};

/// The size of a chart, in its own units.
pub const WIDTH: f64 = 440.0;
/// As [`WIDTH`].
pub const HEIGHT: f64 = 260.0;
/// Where the chart's area begins and ends, inside of its labels.
pub const LEFT: f64 = 52.0;
/// As [`LEFT`].
pub const RIGHT: f64 = WIDTH - 12.0;
/// As [`LEFT`].
pub const TOP: f64 = 14.0;
/// As [`LEFT`].
pub const BOTTOM: f64 = HEIGHT - 36.0;

/// An axis: from numbers to places.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
    logarithmic: bool,
}

impl Axis {
    /// A horizontal axis.
    pub fn horizontal(from: f64, to: f64) -> Self {
        Self::new((from, to), (LEFT, RIGHT))
    }

    /// A vertical axis, upwards.
    pub fn vertical(from: f64, to: f64) -> Self {
        Self::new((from, to), (BOTTOM, TOP))
    }

    fn new((from, to): (f64, f64), (start, end): (f64, f64)) -> Self {
        Self {
            from,
            to: if to > from { to } else { from + 1.0 },
            start,
            end,
            logarithmic: false,
        }
    }

    /// The same with powers of ten at even distances; its numbers are above 0.
    pub fn logarithmic(self) -> Self {
        Self {
            logarithmic: true,
            ..self
        }
    }

    /// The place of a number.
    pub fn at(&self, number: f64) -> f64 {
        let share = if self.logarithmic {
            (number / self.from).ln() / (self.to / self.from).ln()
        } else {
            (number - self.from) / (self.to - self.from)
        };
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// Some round numbers of the axis.
    fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            let (low, high) = (
                self.from.log10().ceil() as i32,
                self.to.log10().floor() as i32,
            );
            return (low..=high).map(|power| 10_f64.powi(power)).collect();
        }
        // 1, 2 or 5 times a power of ten, so that there are four to nine.
        let rough = (self.to - self.from) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough)
            .unwrap_or(power);
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|number| number as f64 * step).collect()
    }
}

/// A number in few digits.
pub fn short(number: f64) -> String {
    let size = number.abs();
    if size >= 1e4 || (size > 0.0 && size < 1e-2) {
        return format!("{number:.0e}");
    }
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A chart: axes with their titles, and what is drawn between them.
pub fn chart(
    label: &str,
    (x, x_title): (Axis, &str),
    (y, y_title): (Axis, &str),
    content: Markup,
) -> Markup {
    let size = format!("0 0 {WIDTH} {HEIGHT}");
    html! {
        svg viewBox=(size) role="img" aria-label=(label) {
            @for tick in y.ticks() {
                line class="grid" x1=(LEFT) x2=(RIGHT) y1=(y.at(tick)) y2=(y.at(tick)) {}
                text x=(LEFT - 5.0) y=(y.at(tick) + 4.0) text-anchor="end" { (short(tick)) }
            }
            @for tick in x.ticks() {
                line class="axis" x1=(x.at(tick)) x2=(x.at(tick)) y1=(BOTTOM) y2=(BOTTOM + 4.0) {}
                text x=(x.at(tick)) y=(BOTTOM + 16.0) text-anchor="middle" { (short(tick)) }
            }
            (content)
            line class="axis" x1=(LEFT) x2=(RIGHT) y1=(BOTTOM) y2=(BOTTOM) {}
            text x=((LEFT + RIGHT) / 2.0) y=(HEIGHT - 5.0) text-anchor="middle" { (x_title) }
            text x="11" y=((TOP + BOTTOM) / 2.0) text-anchor="middle" transform=(format!("rotate(-90 11 {})", (TOP + BOTTOM) / 2.0)) { (y_title) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(
            Axis::horizontal(0.0, 10.0).ticks(),
            [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
        );
        assert_eq!(
            Axis::horizontal(0.5, 3000.0).logarithmic().ticks(),
            [1.0, 10.0, 100.0, 1000.0]
        );
        assert_eq!(Axis::vertical(0.0, 10.0).at(5.0), (TOP + BOTTOM) / 2.0);
        assert_eq!(
            [short(0.25), short(20.0), short(20000.0)],
            ["0.25", "20", "2e4"]
        );
    }
}
