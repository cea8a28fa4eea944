#ifndef TE_SCHEDULE_TD
#define TE_SCHEDULE_TD

include "te/TeDialect.td"

def Te_ScheduleOp : Te_Op<"schedule", [SingleBlock, NoTerminator]> {
  let summary = "how the computes of the enclosing function become loops";
  let description = [{
    Its body is a list of primitives on stage and axis handles, applied in textual order.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

class Te_Primitive<string mnemonic, string doc> : Te_Op<mnemonic, [HasParent<"ScheduleOp">]> {
  let summary = doc;
  let assemblyFormat = "operands attr-dict";
}

class Te_AxisMark<string mnemonic, string doc> : Te_Primitive<mnemonic, doc> {
  let arguments = (ins Te_AxisType:$axis);
}

class Te_StageMark<string mnemonic, string doc> : Te_Primitive<mnemonic, doc> {
  let arguments = (ins Te_StageType:$stage);
}

def Te_StageOp : Te_Op<"stage", [HasParent<"ScheduleOp">]> {
  let summary = "the stage that computes a tensor";
  let arguments = (ins AnyTensor:$tensor);
  let results = (outs Te_StageType:$stage);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def Te_AxesOp : Te_Op<"axes", [HasParent<"ScheduleOp">]> {
  let summary = "the loops of a stage: its data axes, then its reduce axes";
  let arguments = (ins Te_StageType:$stage);
  let results = (outs Variadic<Te_AxisType>:$axes);
  let assemblyFormat = "$stage attr-dict `->` type($axes)";
}

def Te_SplitOp : Te_Primitive<"split", "cuts a loop in two: by the inner extent, or the outer one"> {
  let arguments = (ins Te_AxisType:$axis, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$factor,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$nparts);
  let results = (outs Te_AxisType:$outer, Te_AxisType:$inner);
}

def Te_TileOp : Te_Primitive<"tile", "splits two loops and puts the inner ones innermost"> {
  let arguments = (ins Te_AxisType:$x, Te_AxisType:$y, ConfinedAttr<I64Attr, [IntPositive]>:$x_factor,
                   ConfinedAttr<I64Attr, [IntPositive]>:$y_factor);
  let results = (outs Te_AxisType:$x_outer, Te_AxisType:$y_outer, Te_AxisType:$x_inner,
                 Te_AxisType:$y_inner);
}

def Te_FuseOp : Te_Primitive<"fuse", "makes one loop of two neighbours"> {
  let arguments = (ins Te_AxisType:$outer, Te_AxisType:$inner);
  let results = (outs Te_AxisType:$fused);
}

def Te_ReorderOp : Te_Primitive<"reorder", "puts the loops into the given order, outermost first"> {
  let arguments = (ins Variadic<Te_AxisType>:$axes);
  let assemblyFormat = "$axes attr-dict `:` type($axes)";
}

def Te_VectorizeOp : Te_AxisMark<"vectorize", "runs a loop as vector instructions">;
def Te_ParallelOp : Te_AxisMark<"parallel", "shares a loop among threads">;
def Te_UnrollOp : Te_AxisMark<"unroll", "repeats a loop's body in the code">;

def Te_ComputeAtOp : Te_Primitive<"compute_at", "computes a stage inside a loop of its consumer"> {
  let arguments = (ins Te_StageType:$stage, Te_StageType:$parent, Te_AxisType:$axis);
}

def Te_ComputeInlineOp : Te_StageMark<"compute_inline", "substitutes a stage into its consumers">;
def Te_ComputeRootOp : Te_StageMark<"compute_root", "computes a stage before its consumers' loops">;

def Te_CacheWriteOp : Te_Primitive<"cache_write", "computes into a scope, then copies out"> {
  let description = [{
    The returned stage holds the computation; the original one becomes the copy.
  }];
  let arguments = (ins Te_StageType:$stage, StrAttr:$scope);
  let results = (outs Te_StageType:$cache);
}

def Te_SetScopeOp : Te_Primitive<"set_scope", "says in which memory a stage's buffer lies"> {
  let arguments = (ins Te_StageType:$stage, StrAttr:$scope);
}

#endif // TE_SCHEDULE_TD
