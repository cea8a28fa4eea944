// RUN: relay-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'relay.type_def' op holds a func.func, no constructor (C1)}}
relay.type_def @Function {
  func.func private @f()
}

// -----

// expected-error@+1 {{'relay.type_def' op has two type parameters "A" (C2)}}
relay.type_def @Twice ["A", "A"] {
}

// -----

// expected-error@+1 {{'relay.type_def' op a field of @One has the type variable "B", which is no type parameter (C2)}}
relay.type_def @Unknown ["A"] {
  relay.constructor @One [tuple<!relay.type_var<"B">>]
}

// -----

func.func @no_type() {
  // expected-error@+1 {{'relay.construct' op there is no relay.type_def @List (C1)}}
  %0 = relay.construct @List::@Nil() : () -> !relay.adt<@List>
  return
}

// -----

relay.type_def @Bool {
  relay.constructor @Yes []
}
func.func @no_constructor() {
  // expected-error@+1 {{'relay.construct' op @Bool has no constructor @No (C1)}}
  %0 = relay.construct @Bool::@No() : () -> !relay.adt<@Bool>
  return
}

// -----

relay.type_def @Box ["A"] {
  relay.constructor @Of [!relay.type_var<"A">]
}
func.func @count() {
  // expected-error@+1 {{'relay.construct' op has 0 operands, but @Box::@Of has 1 fields (C2)}}
  %0 = relay.construct @Box::@Of() : () -> !relay.adt<@Box, tensor<f32>>
  return
}

// -----

relay.type_def @Box ["A"] {
  relay.constructor @Of [!relay.type_var<"A">]
}
func.func @field(%x: tensor<2xf32>) {
  // expected-error@+1 {{'relay.construct' op operand 0 is tensor<2xf32>, but the field of @Box::@Of is tensor<f32> (C2)}}
  %0 = relay.construct @Box::@Of(%x) : (tensor<2xf32>) -> !relay.adt<@Box, tensor<f32>>
  return
}

// -----

relay.type_def @Box ["A"] {
  relay.constructor @Of [!relay.type_var<"A">]
}
func.func @made(%x: tensor<2xf32>) {
  // expected-error@+1 {{'relay.construct' op gives tensor<2xf32>, but @Box::@Of gives !relay.adt<@Box, !relay.type_var<"A">> (C2)}}
  %0 = relay.construct @Box::@Of(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

relay.type_def @List {
  relay.constructor @Cons [tensor<f32>, !relay.adt<@List>]
  relay.constructor @Nil []
}
func.func @missing(%list: !relay.adt<@List>, %x: tensor<f32>) {
  %pair = relay.tuple %list, %list : (!relay.adt<@List>, !relay.adt<@List>) -> tuple<!relay.adt<@List>, !relay.adt<@List>>
  // expected-error@+1 {{'relay.match' op no arm takes (@List::@Cons(_, @List::@Nil()), @List::@Nil()): add one for it, or let the match be partial: `partial`, in Relay's text `match?` (C4)}}
  %0 = relay.match %pair : tuple<!relay.adt<@List>, !relay.adt<@List>> -> tensor<f32>
  case (@List::@Cons(_, @List::@Cons(_, _)), _) {
    relay.yield %x : tensor<f32>
  }
  case (_, @List::@Cons(_, _)) {
    relay.yield %x : tensor<f32>
  }
  case (@List::@Nil(), _) {
    relay.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @arms(%x: tensor<f32>) {
  // expected-error@+1 {{'relay.match' op no arm takes _}}
  %0 = relay.match %x : tensor<f32> -> tensor<f32>
  return
}

// -----

relay.type_def @Box {
  relay.constructor @Of [tensor<f32>]
}
func.func @name(%box: !relay.adt<@Box>) {
  // expected-error@+1 {{'relay.match' op arm 0: %x is tensor<i32>, but stands for tensor<f32> (C2)}}
  %0 = relay.match %box : !relay.adt<@Box> -> tensor<i32>
  case @Box::@Of(%x: tensor<i32>) {
    relay.yield %x : tensor<i32>
  }
  return
}

// -----

relay.type_def @Box {
  relay.constructor @Of [tensor<f32>]
}
func.func @parts(%box: !relay.adt<@Box>, %x: tensor<f32>) {
  // expected-error@+1 {{'relay.match' op arm 0: @Box::@Of has 1 fields, but the pattern has 2 (C1)}}
  %0 = relay.match %box : !relay.adt<@Box> -> tensor<f32>
  case @Box::@Of(_, _) {
    relay.yield %x : tensor<f32>
  }
  return
}

// -----

relay.type_def @Box {
  relay.constructor @Of [tensor<f32>]
}
func.func @other(%x: tensor<f32>) {
  // expected-error@+1 {{'relay.match' op arm 0: tensor<f32> is not taken apart by @Box::@Of (C1)}}
  %0 = relay.match %x : tensor<f32> -> tensor<f32>
  case @Box::@Of(_) {
    relay.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @yields(%x: tensor<f32>, %y: tensor<i32>) {
  // expected-error@+1 {{'relay.match' op arm 1 yields tensor<i32>, expected tensor<f32> (C3)}}
  %0 = relay.match %x : tensor<f32> -> tensor<f32>
  case %z: tensor<f32> {
    relay.yield %z : tensor<f32>
  }
  case _ {
    relay.yield %y : tensor<i32>
  }
  return
}
