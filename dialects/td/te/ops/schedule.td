#ifndef TE_SCHEDULE_TD
#define TE_SCHEDULE_TD

include "te/TeDialect.td"

def Te_ScheduleOp : Te_Op<"schedule", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "how the computes of the enclosing function become loops";
  let description = [{
    Its body is a list of primitives on stage and axis handles, applied in textual order. Primitives change the
    loops of stages, handles read them: passes that know nothing of schedules keep the former, and may drop the latter
    where nobody uses them.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

/// Handles are named after what they stand for: `%y.outer`.
class Te_Handle<string mnemonic, string doc = "", Trait effects = Te_ChangesLoops>
    : Te_Op<mnemonic, [HasParent<"ScheduleOp">, effects,
                       DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = doc;
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {
      ::relay_mlir::te::nameHandles(getOperation(), setName);
    }
  }];
}

class Te_Primitive<string mnemonic, string doc> : Te_Handle<mnemonic> {
  let summary = doc;
  let assemblyFormat = "operands attr-dict";
}

class Te_AxisMark<string mnemonic, string doc> : Te_Primitive<mnemonic, doc> {
  let arguments = (ins Te_AxisType:$axis);
}

class Te_StageMark<string mnemonic, string doc> : Te_Primitive<mnemonic, doc> {
  let arguments = (ins Te_StageType:$stage);
}

def Te_StageOp : Te_Handle<"stage", "", Te_ReadsLoops> {
  let summary = "the stage that computes a tensor";
  let arguments = (ins AnyTensor:$tensor);
  let results = (outs Te_StageType:$stage);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def Te_AxesOp : Te_Handle<"axes", "", Te_ReadsLoops> {
  let summary = "the loops of a stage: its data axes, then its reduce axes";
  let arguments = (ins Te_StageType:$stage);
  let results = (outs Variadic<Te_AxisType>:$axes);
  let assemblyFormat = "$stage attr-dict `` custom<AsManyAsNamed>(type($axes))";
}

def Te_SplitOp : Te_Primitive<"split", "cuts a loop in two: by the inner extent, or the outer one"> {
  let description = [{
    Where the parts do not divide the loop, what lies beyond its end is guarded, or the last part is
    moved inwards: then it begins earlier, and the elements that two parts have are computed twice. With
    `shift_inwards` it is moved also where threads that share the loop meet in such an element, as they may
    in a stage that does not reduce: both write its value, and nothing else.
    With `disable_predication` neither is wanted: a split that needs it is an error.
  }];
  let arguments = (ins Te_AxisType:$axis, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$factor,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$nparts,
                   UnitAttr:$shift_inwards, UnitAttr:$disable_predication);
  let results = (outs Te_AxisType:$outer, Te_AxisType:$inner);
}

def Te_TileOp : Te_Primitive<"tile", "splits two loops and puts the inner ones innermost"> {
  let arguments = (ins Te_AxisType:$x, Te_AxisType:$y, ConfinedAttr<I64Attr, [IntPositive]>:$x_factor,
                   ConfinedAttr<I64Attr, [IntPositive]>:$y_factor);
  let results = (outs Te_AxisType:$x_outer, Te_AxisType:$y_outer, Te_AxisType:$x_inner,
                 Te_AxisType:$y_inner);
}

def Te_FuseOp : Te_Primitive<"fuse", "makes one loop of neighbours, given outermost first"> {
  let arguments = (ins Variadic<Te_AxisType>:$axes);
  let results = (outs Te_AxisType:$fused);
  let assemblyFormat = "$axes attr-dict";
}

def Te_ReorderOp : Te_Primitive<"reorder", "puts the loops into the given order, outermost first"> {
  let arguments = (ins Variadic<Te_AxisType>:$axes);
  let assemblyFormat = "$axes attr-dict";
}

def Te_VectorizeOp : Te_AxisMark<"vectorize", "runs a loop as vector instructions">;
def Te_ParallelOp : Te_AxisMark<"parallel", "shares a loop among threads">;
def Te_UnrollOp : Te_AxisMark<"unroll", "repeats a loop's body in the code"> {
  let description = [{
    Unrolled loops that stand in one another repeat what they stand around at most 1024 times: more
    code takes minutes to compile. A loop whose unrolling is left to LLVM (`te.pragma` with
    `unroll_explicit`, 0) does not count.
  }];
}

def Te_ComputeAtOp : Te_Primitive<"compute_at", "computes a stage inside a loop of its consumer"> {
  let arguments = (ins Te_StageType:$stage, Te_StageType:$parent, Te_AxisType:$axis);
}

def Te_CreateGroupOp : Te_Handle<"create_group", "", Te_ReadsLoops> {
  let summary = "takes together the stages that a tensor is made by";
  let description = [{
    The group holds the output and all stages that it is computed from, up to the inputs: these are in
    it with `include_inputs` only. `te.compute_at` of a group computes in a loop all its stages that
    are computed before their readers' loops until then; what was placed otherwise stays where it is.
  }];
  let arguments = (ins Te_StageType:$output, Variadic<Te_StageType>:$inputs, UnitAttr:$include_inputs);
  let results = (outs Te_StageType:$group);
  let assemblyFormat = "$output (`from` $inputs^)? attr-dict";
}

def Te_SetStorePredicateOp : Te_Primitive<"set_store_predicate", "stores where a condition holds only"> {
  let description = [{
    TVM's primitive for threads of a grid that all compute the same element, of which one is to store
    it. On a CPU each element is stored once: lowering refuses it.
  }];
  let arguments = (ins Te_StageType:$stage, AnyAttr:$condition);
}

def Te_EnvThreadsOp : Te_Primitive<"env_threads", "shares threads of a grid among the steps of a scan"> {
  let description = [{
    TVM's primitive for threads of a grid that run through all steps of a scan together, and wait for
    each other at each. The threads of a CPU wait for each other at the end of a loop only: lowering
    refuses it.
  }];
  let arguments = (ins Te_StageType:$stage, StrArrayAttr:$threads);
}

def Te_ComputeInlineOp : Te_Primitive<"compute_inline", "substitutes a stage into its consumers"> {
  let description = [{
    With `guards`, the condition outside of which the stage is zero, as padding is, guards its readers: sums of
    products with it. Where it does not hold nothing is added, whatever the other factor is, infinities and NaNs
    included; `loop-partition` then leaves the condition out where it always holds, and the sum where it never does.
  }];
  let arguments = (ins Te_StageType:$stage, UnitAttr:$guards);
}
def Te_ComputeRootOp : Te_StageMark<"compute_root", "computes a stage before its consumers' loops">;

def Te_CacheReadOp : Te_Handle<"cache_read"> {
  let summary = "copies a tensor into a scope, for some of its readers";
  let description = [{
    The returned stage is the copy; the given stages read it in place of the tensor, which is an
    argument or the result of a stage. Computed inside a loop, it copies only what is read there.
  }];
  let arguments = (ins AnyTensor:$tensor, Variadic<Te_StageType>:$readers, Tir_Scope:$scope);
  let results = (outs Te_StageType:$cache);
  let assemblyFormat = "$tensor `for` $readers `in` $scope attr-dict `:` type($tensor)";
}

def Te_CacheWriteOp : Te_Primitive<"cache_write", "computes into a scope, then copies out"> {
  let description = [{
    The returned stage holds the computation, of all results if there are several; the original one
    becomes the copy.
  }];
  let arguments = (ins Te_StageType:$stage, Tir_Scope:$scope);
  let results = (outs Te_StageType:$cache);
  let assemblyFormat = "$stage `in` $scope attr-dict";
}

def Te_RfactorOp : Te_Primitive<"rfactor", "makes a data axis of a reduce loop"> {
  let description = [{
    The returned stage reduces over the other loops, once for each iteration of `axis`; the original
    one reduces what that gives over one axis in its place. `axis` is dimension `factor_axis` of the
    partial results: it can be vectorized with an accumulator for each lane, and shared among threads.
    Floats are summed in another order.
  }];
  let arguments = (ins Te_StageType:$stage, Te_AxisType:$axis,
                   DefaultValuedAttr<I64Attr, "0">:$factor_axis);
  let results = (outs Te_StageType:$partial);
}

def Te_SetScopeOp : Te_Primitive<"set_scope", "says in which memory a stage's buffer lies"> {
  let description = [{
    `scope` is `global` or `local`. A result of the function lies in memory of the caller: it is
    global.
  }];
  let arguments = (ins Te_StageType:$stage, Tir_Scope:$scope);
  let assemblyFormat = "$stage $scope attr-dict";
}

def Te_TransformLayoutOp : Te_Primitive<"transform_layout", "lays a stage's buffer out anew"> {
  let description = [{
    The element at the indices of `map`'s dimensions lies at its results. The map must take each index
    to a place of its own; places that no index is taken to stay empty. Loops stay as they are. The
    layout of a result of the function is that of its type, and no business of a schedule. With the
    places that stay empty, the buffer takes at most 2^47 bytes.

    ```mlir
    // Rows of 8 columns each, one block of columns after the other.
    te.transform_layout %s {map = affine_map<(i, j) -> (j floordiv 8, i, j mod 8)>}
    ```
  }];
  let arguments = (ins Te_StageType:$stage, AffineMapAttr:$map);
}

def Te_StorageAlignOp : Te_Primitive<"storage_align", "rounds a stride of a stage's buffer up"> {
  let description = [{
    One step along `axis`, one of the stage's dimensions, is a number of elements that leaves `offset`
    when divided by `factor`: rows can start at cache lines, or in different banks. With what that
    leaves empty, the buffer takes at most 2^47 bytes.
  }];
  let arguments = (ins Te_StageType:$stage, Te_AxisType:$axis,
                   ConfinedAttr<I64Attr, [IntPositive]>:$factor,
                   ConfinedAttr<I64Attr, [IntNonNegative]>:$offset);
}

def Te_DoubleBufferOp : Te_StageMark<"double_buffer",
    "computes a stage one iteration ahead, into the other of two buffers"> {
  let description = [{
    For a stage that is computed inside a loop: its first part is computed before the loop, and each
    iteration computes the next one before it reads its own. What else is computed in that loop and
    read by the stage goes with it, an iteration ahead; it may be double, and may not be rolling. The
    loop's iterations run in order: it is serial or unrolled.
  }];
}

def Te_RollingBufferOp : Te_StageMark<"rolling_buffer",
    "keeps what the next iteration needs again, in a circular buffer"> {
  let description = [{
    For a stage that is computed inside a loop whose iterations read windows that overlap: each
    iteration computes only what the ones before it have not. The windows have one shape and move
    forwards, in one dimension and by as much in each iteration. The loop's iterations run in order:
    it is serial or unrolled. No stage that the same loop computes an iteration ahead may read it.
  }];
}

def Te_PrefetchOp : Te_Op<"prefetch", [HasParent<"ScheduleOp">, Te_ChangesLoops]> {
  let summary = "asks for what a later iteration reads or writes of a tensor";
  let description = [{
    At the start of each iteration of `axis`, asks for the lines that the iteration `offset` later, stages computed in it
    included, reads of an argument or of a stage computed before the loop, or writes of the stage's own result: into the
    first cache, or the second with `into l2`. Each line is asked for once, however many vectors share it. What follows a row
    is the next one, and a request beyond the tensor does nothing.

    With `over`, a loop inside, of this stage or of one computed in it, the requests are spread evenly over the iterations of
    all loops from `axis` down to it: all at once keep other loads waiting. If `every` iterations of `axis`, from a multiple
    of it on, read the same, they share the requests, too; `offset` then counts from the first of them.
  }];
  let arguments = (ins AnyTensor:$tensor, Te_AxisType:$axis, Optional<Te_AxisType>:$over,
                   DefaultValuedAttr<Te_Cache, "::relay_mlir::te::Cache::First">:$cache,
                   ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                   DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$every);
  let assemblyFormat = "$tensor `,` $axis (`into` $cache^)? (`over` $over^)? attr-dict `:` type($tensor)";
}

def Te_BindOp : Te_Primitive<"bind", "gives a loop to the threads of a grid"> {
  let description = [{
    `thread` is `blockIdx.x`, `.y` or `.z`, `threadIdx.x`, `.y` or `.z`, or `vthread`: `te.bind %x blockIdx.x`.
    On a CPU, blocks
    are shared among threads as `te.parallel` does it, and the threads of a block run one after the
    other (`lower-thread-binding`). A stage binds one loop to an axis of the grid, and any number to
    `vthread`.
  }];
  let arguments = (ins Te_AxisType:$axis, Tir_Thread:$thread);
  let assemblyFormat = "$axis $thread attr-dict";
}

def Te_PragmaOp : Te_Primitive<"pragma", "tells the passes on loops what to do with one"> {
  let description = [{
    - `auto_unroll_max_step`: loops inside with at most so many steps in all, from 0 to 1024, are
      unrolled
    - `unroll_explicit`: with 0, unrolling inside is left to LLVM
    - `loop_partition_hint`: any condition on the loop's variable splits it, not only those of splits

    ```mlir
    te.pragma %y unroll_explicit = 0
    ```
  }];
  let arguments = (ins Te_AxisType:$axis, Te_Pragma:$name, I64Attr:$value);
  let assemblyFormat = "$axis $name `=` $value attr-dict";
}

def Te_KnobOp : Te_Op<"knob", [HasParent<"ScheduleOp">, Te_ChangesLoops]> {
  let summary = "a choice that a tuner makes: the schedule is a template";
  let description = [{
    `of %y`, of one loop, chooses among the divisors of its extent (`policy` is `factors`, `power2` for powers of two, or `verbose`
    for both; `max` is the largest), `of %i, %j` among their orders, `from [0, 16]` among numbers. Primitives name their knob in
    `te.by`: it gives them a number or an order, or leaves a mark out where it is 0. Without a tuner, what is written holds.
  }];
  let arguments = (ins StrAttr:$name, Variadic<Te_AxisType>:$axes, OptionalAttr<DenseI64ArrayAttr>:$values,
                   OptionalAttr<StrAttr>:$policy, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$max);
  let assemblyFormat = "$name (`of` $axes^)? (`from` $values^)? attr-dict";
}

def Te_TensorizeOp : Te_Primitive<"tensorize", "has an intrinsic do the loops from one inwards"> {
  let description = [{
    The loops must be those of the intrinsic's description, of the same extents and in its order, and
    the stage's expression the same one: ops, constants and reducer. What the loops outside add to
    subscripts is where the intrinsic's operands start.
  }];
  let arguments = (ins Te_AxisType:$axis, FlatSymbolRefAttr:$intrin);
}

#endif // TE_SCHEDULE_TD
