#ifndef RELAY_ANNOTATION_TD
#define RELAY_ANNOTATION_TD

include "relay/RelayDialect.td"

// An operator whose result is its operand.
class Relay_MarkOp<string mnemonic, string doc, string text> : Relay_Op<mnemonic> {
  let summary = doc;
  let description = "The result is the operand. " # text;
  let results = (outs Relay_Tensor:$result);
}

def Relay_AnnotationStopFusionOp : Relay_MarkOp<"annotation.stop_fusion", "a value that ends a kernel",
    "`fuse-ops` does not put the operators before and behind into one kernel."> {
  let arguments = (ins Relay_Tensor:$data);
}

def Relay_AnnotationCheckpointOp : Relay_MarkOp<"annotation.checkpoint", "a value up to which gradients compute values again",
    "It says something to passes that make gradients."> {
  let arguments = (ins Relay_Tensor:$data);
}

def Relay_AnnotationCastHintOp : Relay_MarkOp<"annotation.cast_hint", "the element type that quantisation gives a value",
    "It says something to passes that quantise."> {
  let arguments = (ins Relay_Tensor:$data, TypeAttr:$dtype);
}

def Relay_AnnotationCompilerBeginOp : Relay_MarkOp<"annotation.compiler_begin", "an input of a part for a code generator",
    "`compiler` names the code generator. `annotate-target` says the same in attributes of the operators."> {
  let arguments = (ins Relay_Tensor:$data, StrAttr:$compiler);
}

def Relay_AnnotationCompilerEndOp : Relay_MarkOp<"annotation.compiler_end", "an output of a part for a code generator",
    "`compiler` names the code generator. `annotate-target` says the same in attributes of the operators."> {
  let arguments = (ins Relay_Tensor:$data, StrAttr:$compiler);
}

def Relay_OpAnnotationSimulatedQuantizeOp : Relay_Op<"op.annotation.simulated_quantize"> {
  let summary = "data with the errors of quantisation";
  let description = [{
    round(max(min(data / dom_scale, clip_max), clip_min)) * dom_scale, rounded away from 0 in the middle between two numbers. With `kind` 0, the
    result is the data. `sign` and `rounding` say something to passes that quantise. `dom_scale` may have one scale for each subscript of
    `axis`. `tensor` is the name by which a table of ranges has the data.

    - C1: the operands are of the data's element type, and all but the data of rank 0; `dom_scale` may also be of rank 1, with the data's
      extent along `axis`.
    - C2: `kind` is 0 (the data), 1 (an input), 2 (a weight) or 3 (a sum).
    - C3: `rounding` is `round`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$dom_scale, Relay_Tensor:$clip_min, Relay_Tensor:$clip_max, I64Attr:$kind,
                   DefaultValuedAttr<BoolAttr, "true">:$sign, DefaultValuedAttr<StrAttr, "\"round\"">:$rounding,
                   DefaultValuedAttr<I64Attr, "0">:$axis, OptionalAttr<StrAttr>:$tensor);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_ANNOTATION_TD
