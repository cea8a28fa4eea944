//! A library's function of extents: the open dimensions of its tensors, the bytes of its arenas, and the sides of its conditions,
//! computed from the values of its symbols. A symbol that the graph computes has the value -1 until then, and so has every extent
//! that depends on it. Conditions do not depend on such a symbol. The function has no branches: it computes all, and says at the end
//! whether anything went wrong.

use crate::{
    CodegenError,
    interface::Interface,
    writer::{Writer, parameter},
};
use inkwell::{
    IntPredicate,
    intrinsics::Intrinsic,
    module::Linkage,
    values::{FunctionValue, IntValue},
};
use relay_dialects::dim::{Dim, Factor, Form};
use relay_runtime::descriptor::OPEN;

/// Writes `i32 relay_extents(symbols*, extents*)`, see [`relay_runtime::descriptor::Extents`].
///
/// # Errors
/// If a form has a symbol that the interface does not have.
pub(crate) fn write<'c>(
    w: &Writer<'_, 'c>,
    interface: &Interface,
    arenas: &[Dim],
) -> Result<FunctionValue<'c>, CodegenError> {
    let ty = w.i32.fn_type(&[w.ptr.into(); 2], false);
    let function = w
        .module
        .add_function("relay_extents", ty, Some(Linkage::Internal));
    w.enter(function);
    let [symbols, extents] = [0, 1].map(|index| parameter(function, index).into_pointer_value());
    let names = interface.symbols.iter().enumerate();
    let symbols = names.map(|(index, open)| {
        let value = w.load_number(symbols, index)?;
        Ok((open.symbol.name.as_str(), value))
    });
    let computed = interface.symbols.iter().filter(|open| open.is_computed());
    let mut arithmetic = Arithmetic {
        w,
        symbols: symbols.collect::<Result<_, CodegenError>>()?,
        computed: computed.map(|open| open.symbol.name.as_str()).collect(),
        wrong: w.context.bool_type().const_zero(),
    };
    let tensors = interface.inputs.iter().chain(&interface.outputs);
    let open = tensors.flat_map(|port| port.dims.iter().filter(|dim| !dim.is_known()));
    let mut places = 0..;
    let mut store = |value| -> Result<(), CodegenError> {
        let place = w.number(extents, places.next().unwrap_or_default())?;
        w.builder.build_store(place, value)?;
        Ok(())
    };
    for dim in open.chain(arenas) {
        store(arithmetic.extent(*dim)?)?;
    }
    for condition in &interface.conditions {
        store(arithmetic.dim(condition.lhs)?)?;
        store(arithmetic.dim(condition.rhs)?)?;
    }
    let status = w
        .builder
        .build_int_z_extend(arithmetic.wrong, w.i32, "status")?;
    w.builder.build_return(Some(&status))?;
    Ok(function)
}

struct Arithmetic<'w, 'm, 'c> {
    w: &'w Writer<'m, 'c>,
    /// The values of symbols.
    symbols: Vec<(&'w str, IntValue<'c>)>,
    /// The names of those that the graph computes.
    computed: Vec<&'w str>,
    /// Whether a number has not fitted, or was not what it must be.
    wrong: IntValue<'c>,
}

impl<'c> Arithmetic<'_, '_, 'c> {
    /// An extent, which is not negative; -1 as long as it depends on a symbol without a value.
    fn extent(&mut self, dim: Dim) -> Result<IntValue<'c>, CodegenError> {
        let before = self.wrong;
        let value = self.dim(dim)?;
        self.refuse_below(value, 0)?;
        let Some(is_early) = self.lacks_value(dim)? else {
            return Ok(value);
        };
        // Arithmetic on a symbol without a value reports nothing.
        let builder = &self.w.builder;
        let wrong = builder.build_select(is_early, before, self.wrong, "wrong")?;
        self.wrong = wrong.into_int_value();
        let value = builder.build_select(is_early, self.number(OPEN), value, "extent")?;
        Ok(value.into_int_value())
    }

    /// Whether a computed symbol of a dimension has no value; `None` if there is no such symbol in it.
    fn lacks_value(&self, dim: Dim) -> Result<Option<IntValue<'c>>, CodegenError> {
        let builder = &self.w.builder;
        let mut lacks = None;
        for name in dim.symbols() {
            if !self.computed.contains(&name) {
                continue;
            }
            let value = self.symbol(name)?;
            let is_none =
                builder.build_int_compare(IntPredicate::SLT, value, self.number(0), "none")?;
            lacks = Some(match lacks {
                None => is_none,
                Some(other) => builder.build_or(other, is_none, "lacks")?,
            });
        }
        Ok(lacks)
    }

    fn symbol(&self, name: &str) -> Result<IntValue<'c>, CodegenError> {
        let mut symbols = self.symbols.iter();
        let found = symbols.find(|(known, _)| *known == name);
        found
            .map(|(_, value)| *value)
            .ok_or_else(|| CodegenError::Lowering(format!("the module has no symbol '{name}'")))
    }

    fn dim(&mut self, dim: Dim) -> Result<IntValue<'c>, CodegenError> {
        match dim {
            Dim::Known(extent) => Ok(self.number(extent)),
            Dim::Open(form) => self.form(form),
            Dim::Unknown => Err(CodegenError::Lowering(
                "an extent of the entry is not known".into(),
            )),
        }
    }

    fn number(&self, value: i64) -> IntValue<'c> {
        self.w.i64.const_int(value as u64, true)
    }

    fn form(&mut self, form: Form) -> Result<IntValue<'c>, CodegenError> {
        let mut sum = None;
        for (coefficient, factors) in form.terms() {
            let mut product = self.number(coefficient);
            for factor in factors {
                let factor = self.factor(*factor)?;
                product = self.checked("llvm.smul.with.overflow", product, factor)?;
            }
            sum = Some(match sum {
                None => product,
                Some(sum) => self.checked("llvm.sadd.with.overflow", sum, product)?,
            });
        }
        Ok(sum.unwrap_or(self.number(0)))
    }

    fn factor(&mut self, factor: Factor) -> Result<IntValue<'c>, CodegenError> {
        match factor {
            Factor::Symbol(name) => self.symbol(name),
            Factor::Quotient(lhs, rhs) => {
                let (lhs, rhs) = (self.form(lhs)?, self.form(rhs)?);
                self.quotient(lhs, rhs)
            }
            Factor::Max(lhs, rhs) => self.choose(IntPredicate::SGT, lhs, rhs),
            Factor::Min(lhs, rhs) => self.choose(IntPredicate::SLT, lhs, rhs),
        }
    }

    /// The one of two that compares so to the other.
    fn choose(
        &mut self,
        predicate: IntPredicate,
        lhs: Form,
        rhs: Form,
    ) -> Result<IntValue<'c>, CodegenError> {
        let (lhs, rhs) = (self.form(lhs)?, self.form(rhs)?);
        let builder = &self.w.builder;
        let is_first = builder.build_int_compare(predicate, lhs, rhs, "first")?;
        let chosen = builder.build_select(is_first, lhs, rhs, "chosen")?;
        Ok(chosen.into_int_value())
    }

    /// The quotient by a number from 1 on, rounded down.
    fn quotient(
        &mut self,
        lhs: IntValue<'c>,
        rhs: IntValue<'c>,
    ) -> Result<IntValue<'c>, CodegenError> {
        let is_wrong = self.refuse_below(rhs, 1)?;
        let builder = &self.w.builder;
        let (zero, one) = (self.number(0), self.number(1));
        // What is wrong is divided, too: by a number that nothing goes wrong with.
        let divisor = builder.build_select(is_wrong, one, rhs, "divisor")?;
        let divisor = divisor.into_int_value();
        let quotient = builder.build_int_signed_div(lhs, divisor, "quotient")?;
        let rest = builder.build_int_signed_rem(lhs, divisor, "rest")?;
        let is_above = builder.build_int_compare(IntPredicate::SLT, rest, zero, "above")?;
        let below = builder.build_int_z_extend(is_above, self.w.i64, "below")?;
        Ok(builder.build_int_sub(quotient, below, "rounded")?)
    }

    /// A result of one of LLVM's functions that say whether 64 bits hold it.
    fn checked(
        &mut self,
        name: &str,
        lhs: IntValue<'c>,
        rhs: IntValue<'c>,
    ) -> Result<IntValue<'c>, CodegenError> {
        let missing = || CodegenError::Llvm(format!("there is no {name}"));
        let intrinsic = Intrinsic::find(name).ok_or_else(missing)?;
        let function = intrinsic.get_declaration(self.w.module, &[self.w.i64.into()]);
        let arguments = [lhs.into(), rhs.into()];
        let builder = &self.w.builder;
        let call = builder.build_call(function.ok_or_else(missing)?, &arguments, "both")?;
        let both = call.try_as_basic_value().basic().ok_or_else(missing)?;
        let both = both.into_struct_value();
        let value = builder.build_extract_value(both, 0, "value")?;
        let overflows = builder.build_extract_value(both, 1, "overflows")?;
        self.note(overflows.into_int_value())?;
        Ok(value.into_int_value())
    }

    /// Takes a number below `least` for wrong; whether it is.
    fn refuse_below(
        &mut self,
        value: IntValue<'c>,
        least: i64,
    ) -> Result<IntValue<'c>, CodegenError> {
        let (builder, least) = (&self.w.builder, self.number(least));
        let is_below = builder.build_int_compare(IntPredicate::SLT, value, least, "below")?;
        self.note(is_below)?;
        Ok(is_below)
    }

    fn note(&mut self, wrong: IntValue<'c>) -> Result<(), CodegenError> {
        self.wrong = self.w.builder.build_or(self.wrong, wrong, "wrong")?;
        Ok(())
    }
}
