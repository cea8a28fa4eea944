//! How `relay-reduce` makes programs shorter: patterns that MLIR's reducer applies to functions. Each changes one thing,
//! asks whether the program is still interesting, and takes the change back if not. MLIR's reducer would try all
//! changes at once, and stop where those together are too many.

use super::guard;
use crate::{
    ffi,
    ir::{Attr, Loc, Op, Type, Value, string_ref},
    ops::{builtin, func},
    relay::{is_operator, ops},
};
use mlir_sys::{
    MlirContext, MlirLogicalResult, MlirOperation, MlirPatternRewriter, MlirRewritePattern,
    MlirRewritePatternCallbacks, MlirRewritePatternSet, MlirRewriterBase, MlirValue,
    mlirBlockInsertArgument, mlirBlockInsertOwnedOperationBefore, mlirModuleFromOperation,
    mlirOpRewritePatternCreate, mlirPatternRewriterAsBase, mlirRewritePatternSetAdd,
    mlirRewriterBaseEraseOp, mlirRewriterBaseReplaceOpWithValues,
};
use std::{ffi::c_void, ptr::null_mut};

/// The end of a function.
const RETURN: &str = func::Return::NAME;

/// Adds a pattern for each operator and for the end of functions to a set; the bridge calls it. The tester lives as long as
/// the set.
#[unsafe(no_mangle)]
unsafe extern "C" fn relayHostReductions(
    context: MlirContext,
    patterns: MlirRewritePatternSet,
    tester: *const c_void,
) {
    let callbacks = MlirRewritePatternCallbacks {
        construct: None,
        destruct: None,
        matchAndRewrite: Some(rewrite),
    };
    let operators = ops::rows().map(|row| format!("relay.{}", row.name));
    for name in operators.chain([RETURN.into()]) {
        let (name, tester) = (string_ref(&name), tester.cast_mut());
        // SAFETY: the bridge passes a live context and set; the set owns the pattern from here on.
        unsafe {
            let pattern =
                mlirOpRewritePatternCreate(name, 1, context, callbacks, tester, 0, null_mut());
            mlirRewritePatternSetAdd(patterns, pattern);
        }
    }
}

/// Rewrites an op, which the rewriter knows.
unsafe extern "C" fn rewrite(
    _pattern: MlirRewritePattern,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    tester: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: MLIR passes the op that matches, and a rewriter that lives through the call.
    let (op, rewriter) = unsafe { (Op::from_raw(op), mlirPatternRewriterAsBase(rewriter)) };
    let (Some(function), Some(module)) = (op.parent(), op.ancestor(builtin::Module::NAME)) else {
        return MlirLogicalResult { value: 0 };
    };
    let reducer = Reducer {
        rewriter,
        tester,
        function,
        module,
    };
    let changed = guard(|| {
        Ok(if op.is(RETURN) {
            reducer.tidy(op)
        } else {
            reducer.shorten(op)
        })
    });
    let changed = changed.unwrap_or_else(|message| {
        op.emit_error(&message);
        false
    });
    MlirLogicalResult {
        value: i8::from(changed),
    }
}

/// What changes a function.
struct Reducer {
    rewriter: MlirRewriterBase,
    tester: *const c_void,
    function: Op,
    module: Op,
}

impl Reducer {
    /// Whether the program is valid, and still what somebody looks for.
    fn is_interesting(&self) -> bool {
        // SAFETY: the op is a module, and alive; the tester is MLIR's.
        unsafe {
            ffi::relayIsInteresting(self.tester, mlirModuleFromOperation(self.module.to_raw()))
        }
    }

    /// Leaves an operator out: its users read an operand of the same type instead, or a new parameter of the function.
    fn shorten(&self, op: Op) -> bool {
        let results = op.results();
        if !op.is_used() {
            return self.without(op, &[]);
        }
        let operands = op.operands().into_iter();
        let mut same = operands.filter(|operand| results.iter().all(|it| it.ty() == operand.ty()));
        if same.any(|operand| self.without(op, &vec![operand; results.len()])) {
            return true;
        }
        if !self.can_change_type() {
            return false;
        }
        let before = self.function.body().args().len();
        let types = results.iter().map(|result| result.ty());
        let parameters: Vec<Value> = types.map(|ty| self.function.add_parameter(ty)).collect();
        let shorter = self.without(op, &parameters);
        for index in (before..before + results.len()).rev().filter(|_| !shorter) {
            self.remove_input(index);
        }
        shorter
    }

    /// Takes an op away, and puts values in the place of its results, if the program stays interesting.
    fn without(&self, op: Op, values: &[Value]) -> bool {
        let Some((block, next)) = op.block().zip(op.next()) else {
            return false;
        };
        let uses: Vec<(Value, (Op, usize))> = op
            .results()
            .into_iter()
            .flat_map(|result| result.uses().into_iter().map(move |user| (result, user)))
            .collect();
        for (result, value) in op.results().iter().zip(values) {
            result.replace_all_uses_with(*value);
        }
        op.detach();
        let interesting = self.is_interesting();
        // SAFETY: the op is detached, and goes back to where it was.
        unsafe { mlirBlockInsertOwnedOperationBefore(block.0, next.to_raw(), op.to_raw()) };
        for (result, (user, index)) in uses {
            user.set_operand(index, result);
        }
        if interesting {
            self.replace(op, values);
        }
        interesting
    }

    /// Tells MLIR's driver, too, that values are in the place of an op's results.
    fn replace(&self, op: Op, values: &[Value]) {
        let values: Vec<MlirValue> = values.iter().map(|value| value.to_raw()).collect();
        let count = values.len() as isize;
        // SAFETY: the op is alive, and there is a value for each of its results if anybody reads them.
        unsafe {
            if values.is_empty() {
                mlirRewriterBaseEraseOp(self.rewriter, op.to_raw());
            } else {
                let values = values.as_ptr();
                mlirRewriterBaseReplaceOpWithValues(self.rewriter, op.to_raw(), count, values);
            }
        }
    }

    /// Leaves out outputs, then operators that nobody reads, then inputs.
    fn tidy(&self, end: Op) -> bool {
        let free = self.can_change_type();
        let mut changed = false;
        // Those that are inputs first: what is computed may be what is interesting.
        for computed in [false, true] {
            for index in (0..end.operand_count()).rev().filter(|_| free) {
                let is_next =
                    end.operand_count() > 1 && end.operand(index).def().is_some() == computed;
                changed |= is_next && self.without_output(end, index);
            }
        }
        for op in self.function.body().ops().into_iter().rev() {
            let is_ours = is_operator(op) && !op.is_used();
            changed |= is_ours && self.without(op, &[]);
        }
        let inputs = self.function.body().args();
        for index in (0..inputs.len()).rev().filter(|_| free) {
            changed |= !inputs[index].is_used() && self.without_input(index);
        }
        changed
    }

    /// Whether no call depends on the function's type.
    fn can_change_type(&self) -> bool {
        let calls = self.module.find_all(func::Call::NAME);
        let mut callees = calls
            .iter()
            .filter_map(|call| call.attr("callee")?.as_symbol());
        let name = self.function.symbol();
        self.function.is(func::Func::NAME) && !callees.any(|callee| Some(callee) == name)
    }

    fn without_output(&self, end: Op, index: usize) -> bool {
        let outputs = end.operands();
        let attrs = self.function.attr("res_attrs");
        let mut fewer = outputs.clone();
        fewer.remove(index);
        end.set_operands(&fewer);
        self.remove_attrs("res_attrs", index);
        self.set_type(&fewer);
        if self.is_interesting() {
            return true;
        }
        end.set_operands(&outputs);
        if let Some(attrs) = attrs {
            self.function.set_attr("res_attrs", attrs);
        }
        self.set_type(&outputs);
        false
    }

    fn without_input(&self, index: usize) -> bool {
        let body = self.function.body();
        let (ty, attrs) = (body.arg(index).ty(), self.function.attr("arg_attrs"));
        self.remove_input(index);
        if self.is_interesting() {
            return true;
        }
        let loc = Loc::unknown(ty.ctx());
        // SAFETY: there was an input at this place.
        unsafe {
            mlirBlockInsertArgument(body.0, index as isize, ty.to_raw(), loc.0);
        }
        if let Some(attrs) = attrs {
            self.function.set_attr("arg_attrs", attrs);
        }
        self.set_type(&self.outputs());
        false
    }

    /// Removes an input that nobody reads.
    fn remove_input(&self, index: usize) {
        self.function.body().erase_arg(index);
        self.remove_attrs("arg_attrs", index);
        self.set_type(&self.outputs());
    }

    fn outputs(&self) -> Vec<Value> {
        let end = self.function.body().terminator();
        end.map(Op::operands).unwrap_or_default()
    }

    /// Removes the dictionary of an input or output.
    fn remove_attrs(&self, name: &str, index: usize) {
        if let Some(mut attrs) = self.function.attr(name).and_then(Attr::as_array) {
            attrs.remove(index);
            let attrs = Attr::array(self.function.ctx(), &attrs);
            self.function.set_attr(name, attrs);
        }
    }

    /// Makes the function's type that of its inputs and these outputs.
    fn set_type(&self, outputs: &[Value]) {
        let types = |values: &[Value]| -> Vec<Type> { values.iter().map(|it| it.ty()).collect() };
        let inputs = types(&self.function.body().args());
        let ty = Type::function(self.function.ctx(), &inputs, &types(outputs));
        self.function.set_attr("function_type", Attr::ty(ty));
    }
}
