// Powers against double precision, in units in the last place, over all magnitudes; at infinities, NaN and zeros of both signs; of
// negative numbers; with exponents that are known.
// RUN: %python %S/Inputs/power.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/power.py check %t.in.npz %t.out.npz | FileCheck %s
// CHECK-COUNT-6: units in the last place

!numbers = tensor<400009xf32>
func.func @main(%x: !numbers {relay.name = "x"}, %y: !numbers {relay.name = "y"})
    -> (!numbers {relay.name = "y"}, !numbers {relay.name = "3"}, !numbers {relay.name = "-2"}, !numbers {relay.name = "0.75"},
        !numbers {relay.name = "0.5"}, !numbers {relay.name = "5"}) {
  %three = relay.constant dense<3.0> : tensor<f32>
  %less_two = relay.constant dense<-2.0> : tensor<f32>
  %three_quarters = relay.constant dense<0.75> : tensor<f32>
  %half = relay.constant dense<0.5> : tensor<f32>
  %five = relay.constant dense<5.0> : tensor<f32>
  %0 = relay.power %x, %y : (!numbers, !numbers) -> !numbers
  %1 = relay.power %x, %three : (!numbers, tensor<f32>) -> !numbers
  %2 = relay.power %x, %less_two : (!numbers, tensor<f32>) -> !numbers
  %3 = relay.power %x, %three_quarters : (!numbers, tensor<f32>) -> !numbers
  %4 = relay.power %x, %half : (!numbers, tensor<f32>) -> !numbers
  %5 = relay.power %x, %five : (!numbers, tensor<f32>) -> !numbers
  return %0, %1, %2, %3, %4, %5 : !numbers, !numbers, !numbers, !numbers, !numbers, !numbers
}
