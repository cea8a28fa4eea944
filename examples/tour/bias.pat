// What is added to each row of a product is its bias.
rule bias {
  match %y = (%d = nn.dense(_, _)) + %b
  where shape(%b) == [dim(%y, 1)]
  with  nn.bias_add(%d, %b) {axis = 1}
}
