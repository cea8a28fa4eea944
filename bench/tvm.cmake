# How bench/tvm.sh builds TVM: TVM reads this as its config.cmake.
set(USE_LLVM /usr/bin/llvm-config-16)
set(USE_LIBBACKTRACE OFF)
set(USE_RANDOM ON)

# The headers that most of TVM's files include are compiled once, not with each of 860 files. A file takes 0.6 of the time then (four files,
# clang 16).
# TVM's target for them exists once TVM's own CMakeLists.txt has been read.
function(precompile_headers)
  target_precompile_headers(tvm_objs PRIVATE
    <tvm/relay/attrs/nn.h> <tvm/relay/transform.h> <tvm/relay/op_attr_types.h> <tvm/relay/expr_functor.h> <tvm/relay/dataflow_matcher.h>
    <tvm/tir/stmt_functor.h> <tvm/tir/transform.h> <tvm/tir/op.h> <tvm/te/schedule.h> <tvm/topi/elemwise.h> <tvm/arith/analyzer.h>)
  # These files do not compile with the headers: some find two meanings of a name, those of LLVM have no type information at run time.
  file(GLOB others src/relay/printer/*.cc src/target/llvm/*.cc)
  set_source_files_properties(${others} src/relay/collage/mock_cost_estimator.cc src/te/schedule/schedule_lang.cc
    PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
cmake_language(DEFER CALL precompile_headers)
