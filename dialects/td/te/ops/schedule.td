#ifndef TE_SCHEDULE_TD
#define TE_SCHEDULE_TD

include "te/TeDialect.td"

def Te_ScheduleOp : Te_Op<"schedule", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "the loops for the computes of the enclosing function";
  let description = [{
    Its body is a list of primitives on stage and axis handles, applied in textual order. Passes that know nothing of
    schedules keep all primitives, also unused handles: `lower-te` checks each.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

/// Handles are named after what they stand for: `%y.outer`.
class Te_Handle<string mnemonic, string doc = "">
    : Te_Op<mnemonic, [HasParent<"ScheduleOp">, Te_ChangesLoops,
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

def Te_StageOp : Te_Handle<"stage"> {
  let summary = "the stage that computes a tensor";
  let arguments = (ins AnyTensor:$tensor);
  let results = (outs Te_StageType:$stage);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def Te_AxesOp : Te_Handle<"axes"> {
  let summary = "the loops of a stage: its data axes, then its reduce axes";
  let arguments = (ins Te_StageType:$stage);
  let results = (outs Variadic<Te_AxisType>:$axes);
  let assemblyFormat = "$stage attr-dict `` custom<AsManyAsNamed>(type($axes))";
}

def Te_SplitOp : Te_Primitive<"split", "cuts a loop in two: by the inner extent, or the outer one"> {
  let description = [{
    If the parts do not divide the loop, the elements beyond its end are guarded, or the last part moves inwards: it
    begins earlier, and two parts compute their common elements twice. With `shift_inwards`, the last part also moves if
    threads that share the loop meet in such an element. The stage must not reduce: both threads write the same value.
    With `disable_predication`, a split that needs either method is an error.
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
    Nested unrolled loops repeat their body at most 1024 times, because more code takes minutes to compile. A loop with
    unrolling by LLVM (`te.pragma` with `unroll_explicit`, 0) does not count.
  }];
}

def Te_ComputeAtOp : Te_Primitive<"compute_at", "computes a stage inside a loop of its consumer"> {
  let arguments = (ins Te_StageType:$stage, Te_StageType:$parent, Te_AxisType:$axis);
}

def Te_CreateGroupOp : Te_Handle<"create_group"> {
  let summary = "groups the stages that produce a tensor";
  let description = [{
    The group contains the output and all its producers, up to the inputs; `include_inputs` adds the inputs.
    `te.compute_at` of a group moves into a loop all its stages that are computed before their readers' loops until
    then. Stages with another place do not move.
  }];
  let arguments = (ins Te_StageType:$output, Variadic<Te_StageType>:$inputs, UnitAttr:$include_inputs);
  let results = (outs Te_StageType:$group);
  let assemblyFormat = "$output (`from` $inputs^)? attr-dict";
}

def Te_SetStorePredicateOp : Te_Primitive<"set_store_predicate", "stores where a condition holds only"> {
  let description = [{
    TVM's primitive for threads of a grid that all compute the same element, so that one of them stores it. On a CPU
    each element is stored once, and lowering rejects the primitive.
  }];
  let arguments = (ins Te_StageType:$stage, AnyAttr:$condition);
}

def Te_EnvThreadsOp : Te_Primitive<"env_threads", "shares threads of a grid among the steps of a scan"> {
  let description = [{
    TVM's primitive for threads of a grid that run through all steps of a scan together, and synchronise at each step.
    Threads of a CPU synchronise at the end of a loop only, and lowering rejects the primitive.
  }];
  let arguments = (ins Te_StageType:$stage, StrArrayAttr:$threads);
}

def Te_ComputeInlineOp : Te_Primitive<"compute_inline", "substitutes a stage into its consumers"> {
  let description = [{
    With `guards`, the stage's condition guards its readers. The stage is zero outside of the condition, like padding,
    and its readers are sums of products with it. If the condition does not hold, nothing is added, whatever the other
    factor is, including infinities and NaNs. `loop-partition` then removes a condition that always holds, and a sum
    with a condition that never holds.
  }];
  let arguments = (ins Te_StageType:$stage, UnitAttr:$guards);
}
def Te_SkipOp : Te_Primitive<"skip", "leaves out iterations of a reduction that change nothing"> {
  let description = [{
    The expression of the stage is the reducer's identity where a flag is zero. It is an `scf.if` of `flag != 0` with the identities
    in its other branch, and the flag is an element of another stage, which is computed in the loop of `axis`. An iteration of that
    loop computes the flags that it reads first. If all are zero, it computes nothing else: neither the elements, nor the other
    stages that are computed in the loop. An attention leaves out blocks of keys that a mask hides from all queries at hand.
  }];
  let arguments = (ins Te_StageType:$stage, Te_AxisType:$axis);
}

def Te_ComputeRootOp : Te_StageMark<"compute_root", "computes a stage before its consumers' loops">;

def Te_CacheReadOp : Te_Handle<"cache_read"> {
  let summary = "copies a tensor into a scope, for some of its readers";
  let description = [{
    The returned stage is the copy. The given stages read it instead of the tensor, which is an argument or the result
    of a stage. Inside a loop, it copies only the elements that the loop reads.
  }];
  let arguments = (ins AnyTensor:$tensor, Variadic<Te_StageType>:$readers, Tir_Scope:$scope);
  let results = (outs Te_StageType:$cache);
  let assemblyFormat = "$tensor `for` $readers `in` $scope attr-dict `:` type($tensor)";
}

def Te_CacheWriteOp : Te_Primitive<"cache_write", "computes into a scope, then copies out"> {
  let description = [{
    The returned stage has the computation of all results. The original stage becomes the copy.
  }];
  let arguments = (ins Te_StageType:$stage, Tir_Scope:$scope);
  let results = (outs Te_StageType:$cache);
  let assemblyFormat = "$stage `in` $scope attr-dict";
}

def Te_RfactorOp : Te_Primitive<"rfactor", "turns a reduce loop into a data axis"> {
  let description = [{
    The returned stage reduces over the other loops, once for each iteration of `axis`. The original stage reduces the
    partial results over one axis in its place. `axis` is dimension `factor_axis` of the partial results. It can be
    vectorized with an accumulator for each lane, and threads can share it. The order of float summation changes.
  }];
  let arguments = (ins Te_StageType:$stage, Te_AxisType:$axis,
                   DefaultValuedAttr<I64Attr, "0">:$factor_axis);
  let results = (outs Te_StageType:$partial);
}

def Te_SetScopeOp : Te_Primitive<"set_scope", "sets the memory of a stage's buffer"> {
  let description = [{
    `scope` is `global`, `local`, `shared` or `fragment`. A result of the function is in the caller's memory, so it is
    global. The lanes of a warp share the elements of a fragment: the last dimension but one of the buffer, in the
    layout that `te.transform_layout` gives it, numbers the lanes, and the last one the registers of a lane.
  }];
  let arguments = (ins Te_StageType:$stage, Tir_Scope:$scope);
  let assemblyFormat = "$stage $scope attr-dict";
}

def Te_TransformLayoutOp : Te_Primitive<"transform_layout", "changes the layout of a stage's buffer"> {
  let description = [{
    The element at the indices of `map`'s dimensions moves to the map's results. The map must be injective; unused
    places stay empty. Loops do not change. A result of the function has the layout of its type, so a schedule cannot
    change it. Including empty places, the buffer takes at most 2^47 bytes.

    ```mlir
    // Rows of 8 columns each, one block of columns after the other.
    te.transform_layout %s {map = affine_map<(i, j) -> (j floordiv 8, i, j mod 8)>}
    ```
  }];
  let arguments = (ins Te_StageType:$stage, AffineMapAttr:$map);
}

def Te_StorageAlignOp : Te_Primitive<"storage_align", "rounds a stride of a stage's buffer up"> {
  let description = [{
    The stride of `axis`, one of the stage's dimensions, becomes a number of elements with the remainder `offset` modulo
    `factor`. So rows can start at cache lines, or in different banks. Including empty places, the buffer takes at most
    2^47 bytes.
  }];
  let arguments = (ins Te_StageType:$stage, Te_AxisType:$axis,
                   ConfinedAttr<I64Attr, [IntPositive]>:$factor,
                   ConfinedAttr<I64Attr, [IntNonNegative]>:$offset);
}

def Te_DoubleBufferOp : Te_StageMark<"double_buffer",
    "computes a stage one iteration ahead, into the other of two buffers"> {
  let description = [{
    For a stage that is computed inside a loop. Its first part is computed before the loop, and each iteration computes
    the next part before it reads its own. Producers of the stage in the same loop also run an iteration ahead; they may
    be double-buffered, but not rolling. The loop's iterations run in order: it is serial or unrolled.
  }];
}

def Te_RollingBufferOp : Te_StageMark<"rolling_buffer",
    "keeps elements for the next iteration in a circular buffer"> {
  let description = [{
    For a stage that is computed inside a loop with overlapping windows. Each iteration computes only the elements that
    earlier iterations have not computed. The windows have one shape and move forwards in one dimension, by the same
    distance in each iteration. The loop's iterations run in order: it is serial or unrolled. No stage that the same
    loop computes an iteration ahead may read it.
  }];
}

def Te_PrefetchOp : Te_Op<"prefetch", [HasParent<"ScheduleOp">, Te_ChangesLoops]> {
  let summary = "prefetches the elements of a tensor that a later iteration accesses";
  let description = [{
    At the start of each iteration of `axis`, requests the cache lines that the iteration `offset` later accesses: reads
    of an argument, or of a stage computed before the loop, or writes of the stage's own result. Accesses of stages
    inside the loop count. The lines go into the L1 cache, or, with `into l2`, into the L2 cache. Each line is requested
    once, even if several vectors share it. The next row follows a row, and a request beyond the tensor does nothing.

    `over` is an inner loop, of this stage or of one computed in it. The requests are spread evenly over the iterations
    of all loops from `axis` down to it, because many requests at once delay other loads. If `every` iterations of
    `axis`, from a multiple of it on, read the same elements, they share the requests; `offset` then counts from the
    first of them.
  }];
  let arguments = (ins AnyTensor:$tensor, Te_AxisType:$axis, Optional<Te_AxisType>:$over,
                   DefaultValuedAttr<Te_Cache, "::relay_mlir::te::Cache::First">:$cache,
                   ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                   DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$every);
  let assemblyFormat = "$tensor `,` $axis (`into` $cache^)? (`over` $over^)? attr-dict `:` type($tensor)";
}

def Te_BindOp : Te_Primitive<"bind", "gives a loop to the threads of a grid"> {
  let description = [{
    `thread` is `blockIdx.x`, `.y` or `.z`, `threadIdx.x`, `.y` or `.z`, or `vthread`: `te.bind %x blockIdx.x`. On a
    CPU, threads share blocks as for `te.parallel`, and the threads of a block run one after the other
    (`lower-thread-binding`). A stage binds one loop to an axis of the grid, and any number to `vthread`.
  }];
  let arguments = (ins Te_AxisType:$axis, Tir_Thread:$thread);
  let assemblyFormat = "$axis $thread attr-dict";
}

def Te_PragmaOp : Te_Primitive<"pragma", "tells the passes on loops what to do with one"> {
  let description = [{
    - `auto_unroll_max_step`: inner loops with at most this many steps in total, from 0 to 1024, are unrolled
    - `unroll_explicit`: with 0, LLVM decides about unrolling inside
    - `loop_partition_hint`: every condition on the loop's variable splits it, not only conditions of splits

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
    `of %y`, with one loop, is a choice among the divisors of its extent (`policy` is `factors`, `power2` for powers of
    two, or `verbose` for both; `max` is the largest). `of %i, %j` is a choice among the orders of the loops, and
    `from [0, 16]` among numbers. A primitive names its knob in `te.by` and gets a number or an order from it; a mark is
    omitted if the number is 0. Without a tuner, the written numbers hold.
  }];
  let arguments = (ins StrAttr:$name, Variadic<Te_AxisType>:$axes, OptionalAttr<DenseI64ArrayAttr>:$values,
                   OptionalAttr<StrAttr>:$policy, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$max);
  let assemblyFormat = "$name (`of` $axes^)? (`from` $values^)? attr-dict";
}

def Te_TensorizeOp : Te_Primitive<"tensorize", "replaces a loop and its inner loops by an intrinsic"> {
  let description = [{
    The loops must be those of the intrinsic's description, with the same extents and order. The stage's expression must
    be the same: ops, constants and reducer. The outer loops' parts of the subscripts are the start of the intrinsic's
    operands.
  }];
  let arguments = (ins Te_AxisType:$axis, FlatSymbolRefAttr:$intrin);
}

#endif // TE_SCHEDULE_TD
