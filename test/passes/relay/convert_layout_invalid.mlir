// RUN: not relay-opt %s --convert-layout 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relay-opt %s --convert-layout=desired-layouts=nn.conv2d 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not relay-opt %s --convert-layout=desired-layouts=nn.conv9d:NHWC,default 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-opt %s --convert-layout=desired-layouts=nn.conv2d:NHWC 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not relay-opt %s --convert-layout=desired-layouts=nn.conv2d:NDHWC,default 2>&1 | FileCheck %s --check-prefix=VOLUME
// RUN: not relay-opt %s --convert-layout=desired-layouts=nn.conv2d:NCHW16c,OIHW16i16o 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not relay-opt %s --convert-layout=desired-layouts=nn.conv2d:default,default 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: not relay-opt %s --convert-layout=desired-layouts=nn.relu:NHWC 2>&1 | FileCheck %s --check-prefix=RELU
// RUN: not relay-opt %s --convert-layout='desired-layouts=nn.conv2d:NHWC,default skip-layers=1,-2' 2>&1 | FileCheck %s --check-prefix=SKIP
// NONE: error: 'func.func' op desired-layouts names no operator
// NOTHING: error: 'func.func' op desired-layouts has no layout for 'nn.conv2d'
// UNKNOWN: error: 'func.func' op desired-layouts names 'nn.conv9d', which is no operator
// ONE: [[@LINE+8]]:8: error: 'relay.nn.conv2d' op has 2 layouts, and 1 are wanted for it
// VOLUME: error: 'relay.nn.conv2d' op has the data_layout NCHW, which cannot become NDHWC
// BLOCKS: error: 'relay.nn.conv2d' op has blocks in its data_layout NCHW16c; blocks are made by alter-op-layout
// DEFAULT: error: 'relay.nn.conv2d' op cannot be converted: layout 'default' is wrong at 'd'
// RELU: error: 'relay.nn.relu' op works in any layout, so that none can be wanted for it
// SKIP: error: 'func.func' op skip-layers holds '-2', which is no number of a layer

func.func @main(%x: tensor<1x4x8x9xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x7xf32> {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x4x8x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x7xf32>
  %1 = relay.nn.relu %0 : (tensor<1x6x6x7xf32>) -> tensor<1x6x6x7xf32>
  return %1 : tensor<1x6x6x7xf32>
}
