// A product with its bias and activation.
rule layer {
  match nn.relu(nn.dense(_, _) + _)
}
