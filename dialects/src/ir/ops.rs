//! Operations, values, blocks and regions.

use super::{Attr, Ctx, Loc, Type, collect_text, is_text, string_ref, to_string};
use crate::visible;
use mlir_sys::*;
use std::{borrow::Cow, ffi::c_void, fmt};

/// An operation.
#[derive(Clone, Copy, Debug)]
pub struct Op(pub(crate) MlirOperation);
identity!(Op);

/// The result of an op or the argument of a block.
#[derive(Clone, Copy, Debug)]
pub struct Value(pub(crate) MlirValue);
identity!(Value);

/// A list of ops with arguments.
#[derive(Clone, Copy, Debug)]
pub struct Block(pub(crate) MlirBlock);
identity!(Block);

/// A list of blocks inside an op.
#[derive(Clone, Copy, Debug)]
pub struct Region(pub(crate) MlirRegion);
identity!(Region);

impl fmt::Display for Op {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        unsafe { mlirOperationPrint(self.0, Some(collect_text), (&raw mut text).cast()) };
        formatter.write_str(&text)
    }
}

/// Reading.
impl Op {
    /// Names a raw op.
    ///
    /// # Safety
    /// `raw` is a live operation.
    pub unsafe fn from_raw(raw: MlirOperation) -> Self {
        Self(raw)
    }

    /// Parses one op into a detached op; the caller inserts it. `None` if the text is wrong; the reason has been
    /// emitted as a diagnostic.
    pub fn parse(ctx: Ctx, text: &str) -> Option<Self> {
        let source = string_ref(text);
        let raw = unsafe { mlirOperationCreateParse(ctx.0, source, string_ref("text")) };
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    /// The `builtin.module` of melior's owning object.
    pub fn of_module(module: &melior::ir::Module<'_>) -> Self {
        Self(unsafe { mlirModuleGetOperation(module.to_raw()) })
    }

    /// The C API's handle.
    pub fn to_raw(self) -> MlirOperation {
        self.0
    }

    /// The context.
    pub fn ctx(self) -> Ctx {
        Ctx(unsafe { mlirOperationGetContext(self.0) })
    }

    /// The source location.
    pub fn loc(self) -> Loc {
        Loc(unsafe { mlirOperationGetLocation(self.0) })
    }

    /// The full name, such as `relay.nn.conv2d`.
    pub fn name(self) -> String {
        unsafe { to_string(mlirIdentifierStr(mlirOperationGetName(self.0))) }
    }

    /// Whether this op is a `name`.
    pub fn is(self, name: &str) -> bool {
        unsafe { is_text(mlirIdentifierStr(mlirOperationGetName(self.0)), name) }
    }

    /// All operands.
    pub fn operands(self) -> Vec<Value> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }

    /// The number of operands.
    pub fn operand_count(self) -> usize {
        unsafe { mlirOperationGetNumOperands(self.0) as usize }
    }

    /// Operand number `index`, which must exist.
    pub fn operand(self, index: usize) -> Value {
        assert!(
            index < self.operand_count(),
            "{} has no operand {index}",
            self.name()
        );
        Value(unsafe { mlirOperationGetOperand(self.0, index as isize) })
    }

    /// All results.
    pub fn results(self) -> Vec<Value> {
        (0..self.result_count()).map(|i| self.result(i)).collect()
    }

    /// The number of results.
    pub fn result_count(self) -> usize {
        unsafe { mlirOperationGetNumResults(self.0) as usize }
    }

    /// Result number `index`, which must exist.
    pub fn result(self, index: usize) -> Value {
        assert!(
            index < self.result_count(),
            "{} has no result {index}",
            self.name()
        );
        Value(unsafe { mlirOperationGetResult(self.0, index as isize) })
    }

    /// The attribute called `name`.
    pub fn attr(self, name: &str) -> Option<Attr> {
        let raw = unsafe { mlirOperationGetAttributeByName(self.0, string_ref(name)) };
        (!raw.ptr.is_null()).then_some(Attr(raw))
    }

    /// Whether there is an attribute called `name`.
    pub fn has_attr(self, name: &str) -> bool {
        self.attr(name).is_some()
    }

    /// All attributes with their names.
    pub fn attrs(self) -> Vec<(String, Attr)> {
        unsafe {
            (0..mlirOperationGetNumAttributes(self.0))
                .map(|i| {
                    let named = mlirOperationGetAttribute(self.0, i);
                    (
                        to_string(mlirIdentifierStr(named.name)),
                        Attr(named.attribute),
                    )
                })
                .collect()
        }
    }

    /// The names of the attributes that the op itself does not define.
    pub fn foreign_attrs(self) -> Vec<String> {
        unsafe {
            (0..mlirOperationGetNumDiscardableAttributes(self.0))
                .map(|i| {
                    let named = mlirOperationGetDiscardableAttribute(self.0, i);
                    to_string(mlirIdentifierStr(named.name))
                })
                .collect()
        }
    }

    /// The name that a symbol op (a function, a global) defines.
    pub fn symbol(self) -> Option<String> {
        self.attr("sym_name")?.as_str()
    }

    /// All regions.
    pub fn regions(self) -> Vec<Region> {
        let count = unsafe { mlirOperationGetNumRegions(self.0) };
        (0..count)
            .map(|i| Region(unsafe { mlirOperationGetRegion(self.0, i) }))
            .collect()
    }

    /// The first block of region `index`, if that region has one.
    pub fn block_in(self, index: usize) -> Option<Block> {
        self.regions().get(index)?.first_block()
    }

    /// The first block of the first region, for ops that always have one.
    pub fn body(self) -> Block {
        self.block_in(0)
            .unwrap_or_else(|| panic!("{} has no body", self.name()))
    }

    /// The block that this op stands in.
    pub fn block(self) -> Option<Block> {
        let raw = unsafe { mlirOperationGetBlock(self.0) };
        (!raw.ptr.is_null()).then_some(Block(raw))
    }

    /// The op around this one.
    pub fn parent(self) -> Option<Op> {
        let raw = unsafe { mlirOperationGetParentOperation(self.0) };
        (!raw.ptr.is_null()).then_some(Op(raw))
    }

    /// The nearest op called `name` around this one.
    pub fn ancestor(self, name: &str) -> Option<Op> {
        std::iter::successors(self.parent(), |op| op.parent()).find(|op| op.is(name))
    }

    /// The next op of the block.
    pub fn next(self) -> Option<Op> {
        let raw = unsafe { mlirOperationGetNextInBlock(self.0) };
        (!raw.ptr.is_null()).then_some(Op(raw))
    }

    /// Whether this op stands before `other` in their common block.
    pub fn is_before(self, other: Op) -> bool {
        unsafe { mlirOperationIsBeforeInBlock(self.0, other.0) }
    }

    /// Whether the op could be erased if nobody read its results, by its memory effects and those of the ops
    /// inside it. Terminators and symbols could not.
    pub fn would_be_dead(self) -> bool {
        unsafe { crate::ffi::relayWouldBeDead(self.0) }
    }

    /// Whether the op has the effects of the ops inside it, and no others.
    pub fn has_recursive_effects(self) -> bool {
        unsafe { crate::ffi::relayHasRecursiveEffects(self.0) }
    }

    /// Whether any result is used.
    pub fn is_used(self) -> bool {
        (0..self.result_count()).any(|index| self.result(index).is_used())
    }

    /// Calls `visit` for this op and all ops inside it, inner ones first. `visit` may erase the op
    /// that it is given.
    pub fn walk(self, mut visit: impl FnMut(Op)) {
        self.walk_dyn(&mut visit);
    }

    fn walk_dyn(self, visit: &mut dyn FnMut(Op)) {
        // Most ops have no region, and whole models are walked.
        if unsafe { mlirOperationGetNumRegions(self.0) } > 0 {
            for region in self.regions() {
                for block in region.blocks() {
                    for op in block.ops() {
                        op.walk_dyn(visit);
                    }
                }
            }
        }
        visit(self);
    }

    /// The first op for which `holds` is true, of those that [`walk`](Self::walk) visits.
    pub fn find(self, mut holds: impl FnMut(Op) -> bool) -> Option<Op> {
        let mut found = None;
        self.walk(|op| {
            if found.is_none() && holds(op) {
                found = Some(op);
            }
        });
        found
    }

    /// All ops called `name` inside this one, in textual order.
    pub fn find_all(self, name: &str) -> Vec<Op> {
        let mut found = Vec::new();
        self.walk(|op| {
            if op != self && op.is(name) {
                found.push(op);
            }
        });
        found
    }

    /// The symbol op called `name` directly inside this module.
    pub fn lookup(self, name: &str) -> Option<Op> {
        self.body().ops().into_iter().find(|op| {
            op.attr("sym_name")
                .is_some_and(|symbol| symbol.is_str(name))
        })
    }

    /// Reports an error at this op's location.
    pub fn emit_error(self, message: &str) {
        self.loc()
            .emit_error(&format!("'{}' op {message}", self.name()));
    }

    /// Reports an error at the op and, at other places, what it does not go together with.
    pub fn emit_error_with_notes(self, message: &str, notes: &[(Loc, String)]) {
        let message = format!("'{}' op {message}", self.name());
        let message = visible(&message);
        let notes: Vec<(Loc, Cow<'_, str>)> = notes
            .iter()
            .map(|(place, text)| (*place, visible(text)))
            .collect();
        let places: Vec<MlirLocation> = notes.iter().map(|(place, _)| place.0).collect();
        let texts: Vec<_> = notes.iter().map(|(_, text)| string_ref(text)).collect();
        unsafe {
            crate::ffi::relayEmit(
                true,
                self.loc().0,
                string_ref(&message),
                notes.len() as isize,
                places.as_ptr(),
                texts.as_ptr(),
            );
        }
    }

    /// Warns at this op's location.
    pub fn emit_warning(self, message: &str) {
        let message = format!("'{}' op {message}", self.name());
        let message = visible(&message);
        let (places, notes) = (std::ptr::null(), std::ptr::null());
        unsafe {
            crate::ffi::relayEmit(false, self.loc().0, string_ref(&message), 0, places, notes);
        }
    }

    /// Reports what a pass did at this op's location, if somebody has asked for remarks of this category
    /// (`relay-opt --remarks-filter=CATEGORY`). `name` is what was done, in a word.
    pub fn emit_remark(self, category: &str, name: &str, message: &str) {
        unsafe {
            crate::ffi::relayEmitRemark(
                self.loc().0,
                string_ref(category),
                string_ref(name),
                string_ref(message),
            );
        }
    }

    /// Runs the verifiers of this op and all inside.
    pub fn verify(self) -> bool {
        unsafe { mlirOperationVerify(self.0) }
    }

    /// The op as MLIR bytecode, constants included.
    pub fn to_bytecode(self) -> Vec<u8> {
        unsafe extern "C" fn collect(part: MlirStringRef, sink: *mut c_void) {
            unsafe {
                let part = std::slice::from_raw_parts(part.data.cast::<u8>(), part.length);
                (*sink.cast::<Vec<u8>>()).extend_from_slice(part);
            }
        }
        let mut bytes: Vec<u8> = Vec::new();
        unsafe { mlirOperationWriteBytecode(self.0, Some(collect), (&raw mut bytes).cast()) };
        bytes
    }

    /// The text with constants longer than 16 elements elided, locations on request.
    pub fn to_text(self, locations: bool) -> String {
        let mut text = String::new();
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            mlirOpPrintingFlagsElideLargeElementsAttrs(flags, 16);
            mlirOpPrintingFlagsElideLargeResourceString(flags, 64);
            mlirOpPrintingFlagsEnableDebugInfo(flags, locations, false);
            if self.parent().is_some() {
                // Without this flag, everything around the op is numbered, too.
                mlirOpPrintingFlagsUseLocalScope(flags);
            }
            mlirOperationPrintWithFlags(
                self.0,
                flags,
                Some(collect_text),
                (&raw mut text).cast::<c_void>(),
            );
            mlirOpPrintingFlagsDestroy(flags);
        }
        text
    }
}

/// Changing.
impl Op {
    /// Sets or replaces an attribute.
    pub fn set_attr(self, name: &str, value: Attr) {
        unsafe { mlirOperationSetAttributeByName(self.0, string_ref(name), value.0) }
    }

    /// Removes an attribute if it is there.
    pub fn remove_attr(self, name: &str) {
        unsafe { mlirOperationRemoveAttributeByName(self.0, string_ref(name)) };
    }

    /// Replaces operand number `index`.
    pub fn set_operand(self, index: usize, value: Value) {
        unsafe { mlirOperationSetOperand(self.0, index as isize, value.0) }
    }

    /// Replaces all operands; their number may change.
    pub fn set_operands(self, values: &[Value]) {
        let raw: Vec<MlirValue> = values.iter().map(|value| value.0).collect();
        unsafe { mlirOperationSetOperands(self.0, raw.len() as isize, raw.as_ptr()) }
    }

    /// Replaces the location.
    pub fn set_loc(self, loc: Loc) {
        unsafe { mlirOperationSetLocation(self.0, loc.0) }
    }

    /// Moves this op to before `other`.
    pub fn move_before(self, other: Op) {
        unsafe { mlirOperationMoveBefore(self.0, other.0) }
    }

    /// Moves this op to after `other`.
    pub fn move_after(self, other: Op) {
        unsafe { mlirOperationMoveAfter(self.0, other.0) }
    }

    /// Replaces all uses of the results by `values` and erases the op.
    pub fn replace_with(self, values: &[Value]) {
        for (result, value) in self.results().into_iter().zip(values) {
            result.replace_all_uses_with(*value);
        }
        self.erase();
    }

    /// Removes the op from its block and frees it. Its results must have no uses.
    pub fn erase(self) {
        assert!(
            !self.is_used(),
            "erasing {} whose result is used",
            self.name()
        );
        unsafe { mlirOperationDestroy(self.0) }
    }

    /// Detaches the op from its block; insert it somewhere else with a `Builder`.
    pub fn detach(self) {
        unsafe { mlirOperationRemoveFromParent(self.0) }
    }

    /// A detached deep copy with the same operands; insert it somewhere with a `Builder`.
    pub fn clone_detached(self) -> Op {
        Op(unsafe { mlirOperationClone(self.0) })
    }
}

impl Value {
    /// Names a raw value.
    ///
    /// # Safety
    /// `raw` is a live value.
    pub unsafe fn from_raw(raw: MlirValue) -> Self {
        Self(raw)
    }

    /// The C API's handle.
    pub fn to_raw(self) -> MlirValue {
        self.0
    }

    /// The type.
    pub fn ty(self) -> Type {
        Type(unsafe { mlirValueGetType(self.0) })
    }

    /// Changes the type in place; the caller is responsible for the types around it.
    pub fn set_ty(self, ty: Type) {
        unsafe { mlirValueSetType(self.0, ty.0) }
    }

    /// The context.
    pub fn ctx(self) -> Ctx {
        Ctx(unsafe { mlirValueGetContext(self.0) })
    }

    /// The op that makes this value; `None` for a block argument.
    pub fn def(self) -> Option<Op> {
        unsafe { mlirValueIsAOpResult(self.0).then(|| Op(mlirOpResultGetOwner(self.0))) }
    }

    /// The source location: that of the op, or of the argument itself.
    pub fn loc(self) -> Loc {
        Loc(unsafe { mlirValueGetLocation(self.0) })
    }

    /// The op that makes this value, if that op is called `name`.
    pub fn def_of(self, name: &str) -> Option<Op> {
        self.def().filter(|op| op.is(name))
    }

    /// The number of this value among its op's results or its block's arguments.
    pub fn number(self) -> usize {
        unsafe {
            if mlirValueIsAOpResult(self.0) {
                mlirOpResultGetResultNumber(self.0) as usize
            } else {
                mlirBlockArgumentGetArgNumber(self.0) as usize
            }
        }
    }

    /// The block whose argument this is.
    pub fn owner_block(self) -> Option<Block> {
        unsafe {
            mlirValueIsABlockArgument(self.0).then(|| Block(mlirBlockArgumentGetOwner(self.0)))
        }
    }

    /// All uses: the using op and which of its operands.
    pub fn uses(self) -> Vec<(Op, usize)> {
        let mut uses = Vec::new();
        unsafe {
            let mut operand = mlirValueGetFirstUse(self.0);
            while !mlirOpOperandIsNull(operand) {
                uses.push((
                    Op(mlirOpOperandGetOwner(operand)),
                    mlirOpOperandGetOperandNumber(operand) as usize,
                ));
                operand = mlirOpOperandGetNextUse(operand);
            }
        }
        uses
    }

    /// The using ops, each once.
    pub fn users(self) -> Vec<Op> {
        let mut users: Vec<Op> = Vec::new();
        for (op, _) in self.uses() {
            if !users.contains(&op) {
                users.push(op);
            }
        }
        users
    }

    /// Whether anything uses this value.
    pub fn is_used(self) -> bool {
        unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(self.0)) }
    }

    /// Makes all users use `other`.
    pub fn replace_all_uses_with(self, other: Value) {
        unsafe { mlirValueReplaceAllUsesOfWith(self.0, other.0) }
    }
}

impl Block {
    /// A new block, to be put into a region.
    pub fn new(ctx: Ctx, arguments: &[Type]) -> Self {
        Self::at(Loc::unknown(ctx), arguments)
    }

    /// A new block whose arguments come from a place.
    pub fn at(loc: Loc, arguments: &[Type]) -> Self {
        let types: Vec<MlirType> = arguments.iter().map(|ty| ty.0).collect();
        let locations = vec![loc.0; types.len()];
        Self(unsafe { mlirBlockCreate(types.len() as isize, types.as_ptr(), locations.as_ptr()) })
    }

    /// All arguments.
    pub fn args(self) -> Vec<Value> {
        let count = unsafe { mlirBlockGetNumArguments(self.0) };
        (0..count)
            .map(|i| Value(unsafe { mlirBlockGetArgument(self.0, i) }))
            .collect()
    }

    /// Argument number `index`, which must exist.
    pub fn arg(self, index: usize) -> Value {
        self.args()[index]
    }

    /// Adds an argument at the end.
    pub fn add_arg(self, ty: Type) -> Value {
        let loc = Loc::unknown(ty.ctx());
        Value(unsafe { mlirBlockAddArgument(self.0, ty.0, loc.0) })
    }

    /// Removes an argument that has no uses.
    pub fn erase_arg(self, index: usize) {
        unsafe { mlirBlockEraseArgument(self.0, index as u32) }
    }

    /// All ops at this moment: the list stays valid when ops are added or erased.
    pub fn ops(self) -> Vec<Op> {
        let first = unsafe { mlirBlockGetFirstOperation(self.0) };
        let first = (!first.ptr.is_null()).then_some(Op(first));
        std::iter::successors(first, |op| op.next()).collect()
    }

    /// The first op.
    pub fn first(self) -> Option<Op> {
        let raw = unsafe { mlirBlockGetFirstOperation(self.0) };
        (!raw.ptr.is_null()).then_some(Op(raw))
    }

    /// The last op if it is a terminator.
    pub fn terminator(self) -> Option<Op> {
        let raw = unsafe { mlirBlockGetTerminator(self.0) };
        (!raw.ptr.is_null()).then_some(Op(raw))
    }

    /// The op around this block.
    pub fn parent(self) -> Option<Op> {
        let raw = unsafe { mlirBlockGetParentOperation(self.0) };
        (!raw.ptr.is_null()).then_some(Op(raw))
    }

    /// Puts a detached op at the end.
    pub fn append(self, op: Op) {
        unsafe { mlirBlockAppendOwnedOperation(self.0, op.0) }
    }
}

impl Region {
    /// All blocks.
    pub fn blocks(self) -> Vec<Block> {
        std::iter::successors(self.first_block(), |block| {
            let raw = unsafe { mlirBlockGetNextInRegion(block.0) };
            (!raw.ptr.is_null()).then_some(Block(raw))
        })
        .collect()
    }

    /// The entry block.
    pub fn first_block(self) -> Option<Block> {
        let raw = unsafe { mlirRegionGetFirstBlock(self.0) };
        (!raw.ptr.is_null()).then_some(Block(raw))
    }

    /// Puts a block at the end.
    pub fn append(self, block: Block) {
        unsafe { mlirRegionAppendOwnedBlock(self.0, block.0) }
    }
}

/// Replaces the functions of f32 inside `op` that are named, such as `math.tanh`, by upstream's polynomials. False if the rewriting did not
/// come to an end.
pub fn approximate_math(op: Op, names: &[&str]) -> bool {
    let names: Vec<MlirStringRef> = names.iter().map(|name| string_ref(name)).collect();
    unsafe { crate::ffi::relayApproximateMath(op.0, names.as_ptr(), names.len() as isize) }
}
