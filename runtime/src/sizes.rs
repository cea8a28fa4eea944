//! The sizes that an instance runs at: the values of a model's symbols, the shapes of its tensors, and its arena.

use crate::{
    arena::Memory,
    descriptor::{COMPUTED, Descriptor, OPEN, SymbolInfo, TensorInfo, list, text},
};
use std::{
    ffi::{c_char, c_void},
    ptr,
};

/// No element has more bytes.
const ELEMENT_BYTES: i64 = 8;

/// What an instance runs at. A model without symbols that are dimensions of inputs has its sizes from the beginning.
pub struct Sizes {
    /// The values of symbols: first those that are dimensions of inputs, then those that the graph computes, which are [`OPEN`]
    /// before.
    symbols: Vec<i64>,
    /// How many are of the first kind.
    given: usize,
    /// How many sides of conditions end the extents.
    sides: usize,
    /// The dimensions of all inputs, one after the other.
    inputs: Vec<i64>,
    /// The dimensions of all outputs.
    outputs: Vec<i64>,
    /// What the model's function of extents fills.
    extents: Vec<i64>,
    /// The memory that a run works in, if that is not a device's.
    arena: Memory,
    is_on_device: bool,
    is_prepared: bool,
    pub(crate) computed: Computed,
}

/// The dimensions of tensors as their infos have them, and how many are open.
fn dimensions(infos: &[TensorInfo]) -> (Vec<i64>, usize) {
    // SAFETY: callers have infos of compiled models.
    let all = infos.iter().flat_map(|info| unsafe { info.shape() });
    let all: Vec<i64> = all.copied().collect();
    let open = all.iter().filter(|extent| **extent == OPEN).count();
    (all, open)
}

/// Each tensor with its dimensions.
fn shaped<'a>(
    infos: &'a [TensorInfo],
    dimensions: &'a [i64],
) -> impl Iterator<Item = (usize, &'a TensorInfo, &'a [i64])> {
    let mut rest = dimensions;
    infos.iter().enumerate().map(move |(index, info)| {
        let (own, others) = rest.split_at(info.rank as usize);
        rest = others;
        (index, info, own)
    })
}

/// The bytes of the tensor of this number; 0 while a dimension is open.
fn tensor_bytes(infos: &[TensorInfo], dimensions: &[i64], index: usize) -> usize {
    let tensor = shaped(infos, dimensions).nth(index);
    tensor.map_or(0, |(_, info, shape)| {
        let extents = shape.iter().map(|extent| *extent.max(&0) as usize);
        // SAFETY: callers have infos of compiled models.
        extents.product::<usize>() * unsafe { info.element_bytes() }
    })
}

/// A C string of a descriptor's.
fn named(name: *const c_char) -> String {
    // SAFETY: callers have names of compiled models.
    unsafe { text(name) }
}

/// Entry `index` of a list that may be null.
///
/// # Safety
/// `list` is null or has that entry.
unsafe fn entry<T>(list: *const *const T, index: usize) -> *const T {
    match list.is_null() {
        true => ptr::null(),
        // SAFETY: as the caller promises.
        false => unsafe { *list.add(index) },
    }
}

impl Sizes {
    /// # Errors
    /// If there is not so much memory.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn new(descriptor: &Descriptor) -> Result<Self, String> {
        // SAFETY: as the caller promises.
        let (inputs, outputs) = unsafe { (descriptor.inputs(), descriptor.outputs()) };
        let ((dimensions_in, taken), (dimensions_out, given)) =
            (dimensions(inputs), dimensions(outputs));
        // SAFETY: as the caller promises.
        let (symbols, known) = unsafe { (descriptor.symbols().len(), descriptor.given_symbols()) };
        let sides = 2 * descriptor.n_conditions as usize;
        let is_on_device = descriptor.device.is_some();
        let mut arena = Memory::default();
        if !is_on_device {
            arena.grow(descriptor.arena_bytes)?;
        }
        Ok(Self {
            symbols: vec![OPEN; symbols],
            given: known,
            sides,
            extents: vec![0; taken + given + 1 + symbols - known + sides],
            arena,
            is_on_device,
            is_prepared: known == 0,
            computed: Computed::new(symbols - known, outputs.len()),
            inputs: dimensions_in,
            outputs: dimensions_out,
        })
    }

    /// Sets the sizes by the shapes of inputs, and fills the shapes of outputs.
    ///
    /// # Errors
    /// If shapes do not fit the model or each other, or there is not so much memory. There are no sizes then, if the model is
    /// open.
    ///
    /// # Safety
    /// The lists are as for [`Instance::prepare`](crate::instance::Instance::prepare).
    pub(crate) unsafe fn prepare(
        &mut self,
        descriptor: &Descriptor,
        inputs: *const *const i64,
        outputs: *const *mut i64,
    ) -> Result<(), String> {
        // SAFETY: as the caller promises.
        unsafe {
            if !(self.is_prepared && self.has_inputs(descriptor, inputs)) {
                self.is_prepared = self.given == 0;
                let symbols = read_symbols(descriptor, inputs)?;
                self.change(descriptor, &symbols)?;
                self.compare(descriptor, inputs)?;
                self.check_conditions(descriptor)?;
                self.grow()?;
                self.is_prepared = true;
            }
            // What the last run computed is not known of the next one.
            self.begin(descriptor)?;
            for (index, info, shape) in shaped(descriptor.outputs(), &self.outputs) {
                let place = entry(outputs.cast::<*const i64>(), index).cast_mut();
                if !place.is_null() {
                    ptr::copy_nonoverlapping(shape.as_ptr(), place, info.rank as usize);
                }
            }
        }
        Ok(())
    }

    /// Whether inputs have the shapes that this was prepared for.
    ///
    /// # Safety
    /// As [`Sizes::prepare`].
    unsafe fn has_inputs(&self, descriptor: &Descriptor, inputs: *const *const i64) -> bool {
        // SAFETY: as the caller promises.
        unsafe {
            let infos = descriptor.inputs();
            shaped(infos, &self.inputs).all(|(index, info, known)| {
                let given = entry(inputs, index);
                match given.is_null() {
                    true => !info.shape().contains(&OPEN),
                    false => list(given, info.rank) == known,
                }
            })
        }
    }

    /// Computes all sizes from the values of symbols.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn change(
        &mut self,
        descriptor: &Descriptor,
        symbols: &[i64],
    ) -> Result<(), String> {
        let Some(extents) = descriptor.extents else {
            return Ok(());
        };
        self.symbols.copy_from_slice(symbols);
        // SAFETY: the function reads and fills as many numbers as there are.
        let status = unsafe { extents(self.symbols.as_ptr(), self.extents.as_mut_ptr()) };
        if status != 0 {
            // SAFETY: as the caller promises.
            let values = unsafe { show_symbols(descriptor, symbols) };
            return Err(format!(
                "{values} make an extent of the model negative, or larger than 64 bits hold"
            ));
        }
        let mut known = self.extents.iter().copied();
        // SAFETY: as the caller promises.
        let lists = unsafe {
            [
                ("input", descriptor.inputs(), &mut self.inputs),
                ("output", descriptor.outputs(), &mut self.outputs),
            ]
        };
        for (kind, infos, dimensions) in lists {
            // SAFETY: as the caller promises.
            let forms = infos.iter().flat_map(|info| unsafe { info.shape() });
            for (dimension, form) in dimensions.iter_mut().zip(forms) {
                *dimension = match *form {
                    OPEN => known.next().unwrap_or(0),
                    extent => extent,
                };
            }
            for (index, info, shape) in shaped(infos, dimensions) {
                if !shape.contains(&OPEN) && !fits_memory(shape) {
                    let name = named(info.name);
                    return Err(format!(
                        "{kind} {index}, '{name}', would have the shape {shape:?}, which exceeds the address space"
                    ));
                }
            }
        }
        Ok(())
    }

    /// What follows the dimensions of tensors in the extents: the bytes of the arena of a run and of those for computed symbols,
    /// and the sides of conditions.
    fn others(&self) -> (&[i64], &[i64]) {
        let arenas = 1 + self.symbols.len() - self.given;
        let tensors = self.extents.len() - arenas - self.sides;
        self.extents[tensors..].split_at(arenas)
    }

    /// Checks that what must be equal is.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    unsafe fn check_conditions(&self, descriptor: &Descriptor) -> Result<(), String> {
        // SAFETY: as the caller promises.
        let conditions = unsafe { descriptor.conditions() };
        let sides = self.others().1.chunks(2);
        let wrong = conditions
            .iter()
            .zip(sides)
            .find(|(_, sides)| sides[0] != sides[1]);
        let Some((condition, sides)) = wrong else {
            return Ok(());
        };
        let [lhs, rhs] =
            [(condition.lhs, sides[0]), (condition.rhs, sides[1])].map(|(form, value)| {
                let form = named(form);
                match form.parse::<i64>() {
                    Ok(_) => form,
                    Err(_) => format!("{form}, which is {value},"),
                }
            });
        let note = match sides.contains(&1) {
            true => "; the library does not broadcast an extent of 1 there",
            false => "",
        };
        Err(format!(
            "node '{}' takes equal extents for {lhs} and {}{note}",
            named(condition.node),
            rhs.trim_end_matches(',')
        ))
    }

    /// Takes a larger arena for runs, if the one that is there is too small.
    fn grow(&mut self) -> Result<(), String> {
        if self.is_on_device {
            return Ok(());
        }
        let bytes = self.others().0[0];
        self.arena.grow(bytes.unsigned_abs())
    }

    /// Forgets the values of symbols that the last run computed. Called before each run, and when it is prepared.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn begin(&mut self, descriptor: &Descriptor) -> Result<(), String> {
        self.computed.begin();
        if self.symbols.len() == self.given {
            return Ok(());
        }
        let mut symbols = self.symbols.clone();
        symbols[self.given..].fill(OPEN);
        // SAFETY: as the caller promises.
        unsafe { self.change(descriptor, &symbols) }
    }

    /// Sets the value of a symbol that the graph computes, and takes memory for what has a size now.
    ///
    /// # Errors
    /// If the value is wrong, or there is not so much memory.
    ///
    /// # Safety
    /// The descriptor is a compiled model's, and has that symbol.
    pub(crate) unsafe fn define(
        &mut self,
        descriptor: &Descriptor,
        index: usize,
        value: i64,
        (bounds, nodes): ((i64, i64), &str),
    ) -> Result<(), String> {
        // SAFETY: as the caller promises.
        let (symbol, outputs) = unsafe { (&descriptor.symbols()[index], descriptor.outputs()) };
        check_value(symbol, value, bounds).map_err(|bounds| {
            let name = named(symbol.name);
            let by = match nodes {
                "" => "the model".into(),
                nodes => format!("'{nodes}'"),
            };
            format!("{by} computes {value} for the extent '{name}', which must be {bounds}")
        })?;
        let before = self.outputs.clone();
        let mut symbols = self.symbols.clone();
        symbols[index] = value;
        // SAFETY: as the caller promises.
        unsafe { self.change(descriptor, &symbols)? };
        let number = index - self.given;
        let bytes = self.others().0[1 + number];
        self.computed.arenas[number].grow(bytes.unsigned_abs())?;
        let shapes = shaped(outputs, &before).zip(shaped(outputs, &self.outputs));
        for ((output, _, before), (_, _, now)) in shapes {
            if before.contains(&OPEN) && !now.contains(&OPEN) {
                // `change` has checked that so many bytes fit. What is not written takes no memory.
                let bytes = now
                    .iter()
                    .fold(ELEMENT_BYTES, |bytes, extent| bytes.saturating_mul(*extent));
                self.computed.outputs[output].grow(bytes.unsigned_abs())?;
            }
        }
        Ok(())
    }

    /// The memory and the dimensions of an output whose shape the last run computed.
    ///
    /// # Errors
    /// If there is no such output, or the last run did not end well.
    ///
    /// # Safety
    /// The descriptor is a compiled model's.
    pub(crate) unsafe fn output<'a>(
        &'a self,
        descriptor: &'a Descriptor,
        index: usize,
    ) -> Result<(*const c_void, &'a [i64]), String> {
        // SAFETY: as the caller promises.
        let infos = unsafe { descriptor.outputs() };
        let Some((_, info, shape)) = shaped(infos, &self.outputs).nth(index) else {
            return Err(format!("the model has no output {index}"));
        };
        let memory = self.computed.outputs[index].data();
        if self.computed.is_done && !memory.is_null() {
            return Ok((memory, shape));
        }
        let name = named(info.name);
        Err(match self.computed.is_done {
            true => format!(
                "output {index}, '{name}', is in the caller's memory: its shape follows from those of the inputs"
            ),
            false => "there are no outputs: the last run failed, or there was none".into(),
        })
    }

    /// Checks that the inputs' shapes are those that the symbols give.
    ///
    /// # Safety
    /// As [`Sizes::prepare`].
    unsafe fn compare(
        &self,
        descriptor: &Descriptor,
        inputs: *const *const i64,
    ) -> Result<(), String> {
        // SAFETY: as the caller promises.
        let infos = unsafe { descriptor.inputs() };
        for (index, info, wanted) in shaped(infos, &self.inputs) {
            // SAFETY: as the caller promises.
            let given = unsafe { entry(inputs, index) };
            if given.is_null() {
                continue;
            }
            // SAFETY: as the caller promises.
            let given = unsafe { list(given, info.rank) };
            let mut both = given.iter().zip(wanted).enumerate();
            if let Some((dimension, (is, must))) = both.find(|(_, (is, must))| is != must) {
                let name = named(info.name);
                // SAFETY: the descriptor is a compiled model's.
                let form = match unsafe { info.form(dimension) } {
                    form if form.is_empty() => String::new(),
                    form => format!("{form}, which is "),
                };
                return Err(format!(
                    "input {index}, '{name}', has the extent {is} in dimension {dimension}; the model takes {form}{must}"
                ));
            }
        }
        Ok(())
    }

    /// Checks that lists of tensors have no null pointer but to one without elements.
    ///
    /// # Errors
    /// Names the first one; or says that there are no sizes.
    ///
    /// # Safety
    /// Both lists have as many entries as the descriptor has inputs and outputs.
    pub(crate) unsafe fn check(
        &self,
        descriptor: &Descriptor,
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
    ) -> Result<(), String> {
        if !self.is_prepared {
            // SAFETY: the descriptor is a compiled model's.
            let symbols = unsafe { descriptor.symbols() }.iter();
            let names: Vec<String> = symbols.map(|symbol| named(symbol.name)).collect();
            let (names, model) = (names.join(", "), named(descriptor.name));
            return Err(format!(
                "the model has open dimensions ({names}): {model}_prepare, with the shapes of the inputs, must succeed before a run"
            ));
        }
        // SAFETY: as the caller promises; a pointer to what is read and one to what is written look the same.
        let lists = unsafe {
            [
                ("input", descriptor.inputs(), &self.inputs, inputs),
                (
                    "output",
                    descriptor.outputs(),
                    &self.outputs,
                    outputs.cast(),
                ),
            ]
        };
        for (kind, infos, dimensions, list) in lists {
            for (index, info, shape) in shaped(infos, dimensions) {
                if shape.contains(&OPEN) {
                    continue;
                }
                // SAFETY: as the caller promises.
                if unsafe { (*list.add(index)).is_null() } && !shape.contains(&0) {
                    let name = named(info.name);
                    return Err(format!("{kind} {index}, '{name}', is a null pointer"));
                }
            }
        }
        Ok(())
    }

    /// The bytes of an input.
    pub(crate) fn input_bytes(&self, descriptor: &Descriptor, input: usize) -> usize {
        // SAFETY: the descriptor is a compiled model's.
        tensor_bytes(unsafe { descriptor.inputs() }, &self.inputs, input)
    }

    /// The bytes of an output; 0 while its shape is not known.
    pub(crate) fn output_bytes(&self, descriptor: &Descriptor, output: usize) -> usize {
        // SAFETY: the descriptor is a compiled model's.
        tensor_bytes(unsafe { descriptor.outputs() }, &self.outputs, output)
    }

    /// The bytes that a run works in.
    pub(crate) fn arena_bytes(&self, descriptor: &Descriptor) -> u64 {
        match descriptor.extents {
            None => descriptor.arena_bytes,
            Some(_) => self.others().0[0].unsigned_abs(),
        }
    }

    /// The bytes of the memory that was taken for the symbol of this number among those that the graph computes.
    pub(crate) fn later_arena_bytes(&self, number: usize) -> i64 {
        self.others().0[1 + number]
    }

    /// The numbers of outputs whose shape the graph has computed.
    pub(crate) fn computed_outputs(&self, descriptor: &Descriptor) -> Vec<usize> {
        // SAFETY: the descriptor is a compiled model's.
        let infos = unsafe { descriptor.outputs() };
        let outputs = 0..infos.len();
        let is_computed = |output: &usize| !self.computed.output(*output).is_null();
        outputs.filter(is_computed).collect()
    }

    /// The memory that a run works in.
    pub(crate) fn arena(&self) -> *mut c_void {
        self.arena.data()
    }

    /// The values of symbols, for compiled code; null if there are none.
    pub(crate) fn symbols(&self) -> *const i64 {
        match self.symbols.is_empty() {
            true => ptr::null(),
            false => self.symbols.as_ptr(),
        }
    }
}

/// What an instance has for symbols whose values its graph computes.
pub(crate) struct Computed {
    /// The memory for buffers that need the value of each symbol.
    arenas: Vec<Memory>,
    /// Of each output the memory, if the graph computes its shape.
    outputs: Vec<Memory>,
    /// Whether the last run ended well.
    pub(crate) is_done: bool,
    /// Whether a value was wrong in this run.
    pub(crate) has_failed: bool,
}

impl Computed {
    fn new(symbols: usize, outputs: usize) -> Self {
        let memories = |count| (0..count).map(|_| Memory::default()).collect();
        Self {
            arenas: memories(symbols),
            outputs: memories(outputs),
            is_done: false,
            has_failed: false,
        }
    }

    fn begin(&mut self) {
        (self.is_done, self.has_failed) = (false, false);
    }

    /// The arena for buffers that need the value of the symbol of this number among those that the graph computes.
    pub(crate) fn arena(&self, number: usize) -> *mut c_void {
        self.arenas[number].data()
    }

    /// The memory of an output.
    pub(crate) fn output(&self, index: usize) -> *mut c_void {
        self.outputs[index].data()
    }
}

/// Whether a tensor of a shape, which has no negative dimension, can be in memory.
fn fits_memory(shape: &[i64]) -> bool {
    let mut extents = shape.iter();
    let bytes = extents.try_fold(ELEMENT_BYTES, |bytes, extent| bytes.checked_mul(*extent));
    shape.contains(&0) || bytes.is_some()
}

/// `n = 3, m = 4`.
///
/// # Safety
/// The descriptor is a compiled model's.
unsafe fn show_symbols(descriptor: &Descriptor, values: &[i64]) -> String {
    // SAFETY: as the caller promises.
    let symbols = unsafe { descriptor.symbols() }.iter().zip(values);
    let symbols: Vec<String> = symbols
        .map(|(symbol, value)| format!("{} = {value}", named(symbol.name)))
        .collect();
    symbols.join(", ")
}

/// The values of symbols by the shapes of inputs.
///
/// # Safety
/// As [`Sizes::prepare`].
unsafe fn read_symbols(
    descriptor: &Descriptor,
    inputs: *const *const i64,
) -> Result<Vec<i64>, String> {
    // SAFETY: as the caller promises.
    let (infos, symbols) = unsafe { (descriptor.inputs(), descriptor.symbols()) };
    for (index, info) in infos.iter().enumerate() {
        // SAFETY: as the caller promises.
        let is_missing = unsafe { entry(inputs, index).is_null() && info.shape().contains(&OPEN) };
        if is_missing {
            let name = named(info.name);
            return Err(format!(
                "input {index}, '{name}', has open dimensions, and no shape was passed to prepare"
            ));
        }
    }
    let value = |symbol: &SymbolInfo| {
        let (input, dimension) = (symbol.input as usize, symbol.dimension as usize);
        // SAFETY: as the caller promises; the dimension is an open one of the input.
        let value = unsafe { *entry(inputs, input).add(dimension) };
        check_value(symbol, value, (0, i64::MAX)).map_err(|bounds| {
            let (name, symbol_name) = (named(infos[input].name), named(symbol.name));
            format!(
                "input {input}, '{name}', has the extent {value} in dimension {dimension}; the model takes {symbol_name} {bounds}"
            )
        })?;
        Ok(value)
    };
    let values = symbols.iter().map(|symbol| match symbol.input {
        COMPUTED => Ok(OPEN),
        _ => value(symbol),
    });
    values.collect()
}

/// Checks that a symbol may have a value, which is in further bounds, too.
///
/// # Errors
/// Which values it may have.
fn check_value(symbol: &SymbolInfo, value: i64, bounds: (i64, i64)) -> Result<(), String> {
    let (least, most) = (symbol.least.max(bounds.0), symbol.most.min(bounds.1));
    let is_multiple = symbol.multiple <= 1 || value % symbol.multiple == 0;
    if (least..=most).contains(&value) && is_multiple {
        return Ok(());
    }
    let bounds = match most {
        i64::MAX => format!("from {least} on"),
        most if most == least => format!("{least}"),
        most => format!("from {least} to {most}"),
    };
    let multiples = match symbol.multiple {
        ..=1 => String::new(),
        multiple => format!(", multiples of {multiple}"),
    };
    Err(format!("{bounds}{multiples}"))
}
