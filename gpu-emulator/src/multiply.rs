//! Matrix instructions, by what the makers' manuals say of their fragments.
//!
//! A lane gives its elements of both matrices and of the sums in memory of its own: those of the first matrix from byte 0 on, of the
//! second one from byte 64 on, of the sums from byte 128 on, where it finds the new sums.

use half::{bf16, f16};

/// Where a lane's elements begin.
const PLACES: [usize; 3] = [0, 64, 128];

/// What a lane asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Multiply {
    /// The number of the instruction.
    pub(crate) unit: i32,
    /// The lane's elements.
    pub(crate) memory: *mut u8,
}

/// An instruction.
struct Unit {
    shape: [usize; 3],
    lanes: usize,
    /// The elements of a lane: of the first matrix, the second one, the sums.
    elements: [usize; 3],
    /// The row and the column of an element of the first matrix, by its lane and number.
    first: fn(usize, usize) -> (usize, usize),
    second: fn(usize, usize) -> (usize, usize),
    sums: fn(usize, usize) -> (usize, usize),
    /// The value of 16 bits.
    value: fn(u16) -> f32,
}

/// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type".
const fn mma(value: fn(u16) -> f32) -> Unit {
    Unit {
        shape: [16, 8, 16],
        lanes: 32,
        elements: [8, 4, 4],
        first: |lane, i| {
            let (group, of_group) = (lane / 4, lane % 4);
            let row = if matches!(i, 0 | 1 | 4 | 5) {
                group
            } else {
                group + 8
            };
            let column = of_group * 2 + (i & 1) + if i >= 4 { 8 } else { 0 };
            (row, column)
        },
        second: |lane, i| {
            let (group, of_group) = (lane / 4, lane % 4);
            (of_group * 2 + (i & 1) + if i >= 2 { 8 } else { 0 }, group)
        },
        sums: |lane, i| {
            let (group, of_group) = (lane / 4, lane % 4);
            (
                if i < 2 { group } else { group + 8 },
                of_group * 2 + (i & 1),
            )
        },
        value,
    }
}

/// `v_mfma_f32_16x16x16`: AMD's matrix instruction calculator prints these places.
const fn mfma(value: fn(u16) -> f32) -> Unit {
    Unit {
        shape: [16, 16, 16],
        lanes: 64,
        elements: [4, 4, 4],
        first: |lane, i| (lane % 16, 4 * (lane / 16) + i),
        second: |lane, i| (4 * (lane / 16) + i, lane % 16),
        sums: |lane, i| (4 * (lane / 16) + i, lane % 16),
        value,
    }
}

/// The instructions, by the numbers that kernels use.
static UNITS: [Unit; 4] = [mma(of_f16), mma(of_bf16), mfma(of_f16), mfma(of_bf16)];

fn of_f16(bits: u16) -> f32 {
    f16::from_bits(bits).to_f32()
}

fn of_bf16(bits: u16) -> f32 {
    bf16::from_bits(bits).to_f32()
}

/// Runs the instruction that all lanes of a warp ask for.
///
/// # Errors
/// If there is no such instruction, if lanes ask for several, or if the warp has other lanes than the instruction.
///
/// # Safety
/// Each lane's memory is valid for 192 bytes, and no other lane's.
pub(crate) unsafe fn run(lanes: &[Multiply]) -> Result<(), String> {
    let number = lanes.first().map_or(-1, |lane| lane.unit);
    if lanes.iter().any(|lane| lane.unit != number) {
        return Err("the lanes of a warp run different matrix instructions".into());
    }
    let unit = usize::try_from(number)
        .ok()
        .and_then(|number| UNITS.get(number));
    let Some(unit) = unit else {
        return Err(format!("there is no matrix instruction {number}"));
    };
    if lanes.len() != unit.lanes {
        return Err(format!(
            "a warp of {} lanes runs a matrix instruction of {} lanes",
            lanes.len(),
            unit.lanes
        ));
    }
    let [rows, columns, depth] = unit.shape;
    let mut first = vec![0.0; rows * depth];
    let mut second = vec![0.0; depth * columns];
    for (lane, asked) in lanes.iter().enumerate() {
        for i in 0..unit.elements[0] {
            let (row, column) = (unit.first)(lane, i);
            // SAFETY: as the caller promises.
            first[row * depth + column] =
                (unit.value)(unsafe { read_half(asked.memory, PLACES[0], i) });
        }
        for i in 0..unit.elements[1] {
            let (row, column) = (unit.second)(lane, i);
            // SAFETY: as the caller promises.
            second[row * columns + column] =
                (unit.value)(unsafe { read_half(asked.memory, PLACES[1], i) });
        }
    }
    for (lane, asked) in lanes.iter().enumerate() {
        for i in 0..unit.elements[2] {
            let (row, column) = (unit.sums)(lane, i);
            let terms = (0..depth).map(|k| first[row * depth + k] * second[k * columns + column]);
            // SAFETY: as the caller promises.
            let place = unsafe { asked.memory.add(PLACES[2]).cast::<f32>().add(i) };
            // SAFETY: as the caller promises.
            unsafe { place.write_unaligned(place.read_unaligned() + terms.sum::<f32>()) };
        }
    }
    Ok(())
}

/// An element of 16 bits.
///
/// # Safety
/// The memory has it.
unsafe fn read_half(memory: *const u8, place: usize, index: usize) -> u16 {
    // SAFETY: as the caller promises.
    unsafe { memory.add(place).cast::<u16>().add(index).read_unaligned() }
}
