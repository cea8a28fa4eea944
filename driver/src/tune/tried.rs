//! What was tried: nothing is proposed twice.

use super::propose::Proposal;
use relay_tune::ScheduleText;
use std::collections::HashSet;

/// What was tried, by who proposed it and by what it is: two proposals may be the same schedule.
#[derive(Debug, Default)]
pub struct Tried {
    from: HashSet<String>,
    schedules: HashSet<ScheduleText>,
}

impl Tried {
    /// Takes in what proposes a schedule; whether it is new.
    pub fn add(&mut self, from: &str) -> bool {
        self.from.insert(from.to_owned())
    }

    /// Takes in a schedule; whether it is new.
    pub fn add_schedule(&mut self, schedule: &ScheduleText) -> bool {
        self.schedules.insert(schedule.clone())
    }

    /// Whether something proposed a schedule.
    pub fn has(&self, from: &str) -> bool {
        self.from.contains(from)
    }

    /// Forgets proposals, which may be made again.
    pub fn forget(&mut self, proposals: &[Proposal]) {
        for proposal in proposals {
            self.from.remove(&proposal.from);
            self.schedules.remove(&proposal.schedule);
        }
    }
}

/// Draws until there are so many proposals, but no more often than `most` times and twice for each: what is drawn may be known, or no
/// schedule.
pub fn draw_up_to(
    count: usize,
    most: usize,
    mut draw: impl FnMut() -> Option<Proposal>,
) -> Vec<Proposal> {
    let mut drawn = Vec::new();
    for _ in 0..most.max(2 * count) {
        if drawn.len() >= count {
            break;
        }
        drawn.extend(draw());
    }
    drawn
}
