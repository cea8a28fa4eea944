#ifndef RELAY_RANDOM_TD
#define RELAY_RANDOM_TD

include "relay/RelayDialect.td"

// What the descriptions of operators on keys say of them.
class Relay_Key {
  string text = " A key is ten words of 64 bits: a Threefry key of four, the path of splits of two, the counter of two, and the place of "
      "the next step of the path of two (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011; Claessen and Palka, Splittable "
      "pseudorandom number generators using cryptographic hashing, 2013).\n\n- C1: the key is of type tensor<10xui64>.\n";
}

def Relay_RandomThreefryGenerateOp : Relay_Op<"random.threefry_generate"> {
  let summary = "random words of 64 bits, and the next key";
  let description = "Words come in fours: those of the key with its counter, with the next one, and so on." # Relay_Key<>.text
      # "- C2: `out_shape` holds extents that are not negative, and fewer than 2^62 elements.\n";
  let arguments = (ins Relay_Tensor:$key, DenseI64ArrayAttr:$out_shape);
  let results = (outs Relay_Tensor:$new_key, Relay_Tensor:$random);
}

def Relay_RandomThreefrySplitOp : Relay_Op<"random.threefry_split"> {
  let summary = "two keys for one";
  let description = "The random numbers of the two are independent of each other." # Relay_Key<>.text;
  let arguments = (ins Relay_Tensor:$key);
  let results = (outs Relay_Tensor:$left, Relay_Tensor:$right);
}

def Relay_RandomUniformOp : Relay_Op<"random.uniform"> {
  let summary = "random numbers from low to below high, and the next key";
  let description = "The high bits of a random word are the fraction." # Relay_Key<>.text
      # "- C2: `out_shape` holds extents that are not negative, and fewer than 2^62 elements.\n"
      # "- C3: `out_dtype` is f32 or f64, and low and high are of it and of rank 0.\n";
  let arguments = (ins Relay_Tensor:$key, Relay_Tensor:$low, Relay_Tensor:$high, DenseI64ArrayAttr:$out_shape,
                   TypeAttr:$out_dtype);
  let results = (outs Relay_Tensor:$new_key, Relay_Tensor:$random);
}

def Relay_RandomNormalOp : Relay_Op<"random.normal"> {
  let summary = "normally distributed random numbers, and the next key";
  let description = "Box and Muller's transform of two uniform numbers: sqrt(-2 ln(1 - u)) sin(2 pi v) * scale + mean." # Relay_Key<>.text
      # "- C2: `out_shape` holds extents that are not negative, and fewer than 2^61 elements.\n"
      # "- C3: `out_dtype` is f32 or f64, and mean and scale are of it and of rank 0.\n";
  let arguments = (ins Relay_Tensor:$key, Relay_Tensor:$mean, Relay_Tensor:$scale, DenseI64ArrayAttr:$out_shape,
                   TypeAttr:$out_dtype);
  let results = (outs Relay_Tensor:$new_key, Relay_Tensor:$random);
}

def Relay_RandomMultinomialOp : Relay_Op<"random.multinomial"> {
  let summary = "random subscripts by given probabilities, and the next key";
  let description = "Each line of `probs` along the last axis gives `num_samples` subscripts (i32). Negative numbers count as 0, and a line is divided by its "
      "sum. A sample is the first subscript up to which the sum is above a uniform number." # Relay_Key<>.text
      # "- C2: `num_samples` is not negative, and `probs` are of rank 1 or more, with a known last extent of at least 1.\n";
  let arguments = (ins Relay_Tensor:$key, Relay_Tensor:$probs, DefaultValuedAttr<I64Attr, "1">:$num_samples);
  let results = (outs Relay_Tensor:$new_key, Relay_Tensor:$indices);
}

#endif // RELAY_RANDOM_TD
