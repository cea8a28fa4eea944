// What the external code generator `c` takes: operators on f32, one by one, as loops in C.

rule c.binary {
  match %o = (_ + _ | _ - _ | _ * _ | _ / _ | maximum(_, _) | minimum(_, _))
  where element(%o) == f32 and static(%o)
}

rule c.unary {
  match %o = (abs(_) | exp(_) | log(_) | negative(_) | nn.relu(_) | rsqrt(_) | sigmoid(_) | sqrt(_) | tanh(_))
  where element(%o) == f32 and static(%o)
}

rule c.dense {
  match %o = nn.dense(_, _)
  where element(%o) == f32 and static(%o)
}

// A reshape has the bytes of what it reads.
rule c.view {
  match %o = operator(_)
  where view(%o) and element(%o) == f32 and static(%o)
}
