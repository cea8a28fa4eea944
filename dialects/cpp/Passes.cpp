//===- Passes.cpp - Rust's passes and pipelines in MLIR's own registry ----===//
//
// The C API can create a pass from callbacks but register neither passes nor
// pipelines, and such a pass has no textual options. Here are both.
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

extern "C" {
enum HostOptionKind : uint32_t { HostOptionBool, HostOptionInt, HostOptionString };
struct HostOptionSpec {
  MlirStringRef name;
  MlirStringRef summary;
  MlirStringRef defaultValue;
  HostOptionKind kind;
};
/// What Rust says of a pass or a pipeline. All strings live as long as the process.
struct HostSpec {
  MlirStringRef flag;
  MlirStringRef summary;
  /// The name of the op that the pass runs on; empty for any.
  MlirStringRef anchor;
  intptr_t optionCount;
  const HostOptionSpec *options;
  /// Names the Rust side's own record of it.
  const void *host;
};
/// Runs a pass; `options` holds the options' values as text, in order. Does not unwind. As what
/// follows, it is called by its address: of a symbol, the dynamic linker could choose another
/// plugin's.
typedef bool (*RunPass)(const void *host, MlirOperation op, intptr_t optionCount,
                        const MlirStringRef *options);
/// Appends the passes of a pipeline to `text`, or, if there are none for these options, why.
typedef bool (*ExpandPipeline)(const void *host, intptr_t optionCount, const MlirStringRef *options,
                               MlirStringCallback append, void *text);
}

namespace {
/// Options of a pass or pipeline, with the types that the command line and `--help` show.
template <typename Owner> class HostOptions {
public:
  HostOptions(Owner &owner, const HostSpec &spec) {
    for (const HostOptionSpec &option : ArrayRef(spec.options, spec.optionCount)) {
      std::string value = unwrap(option.defaultValue).str();
      if (option.kind == HostOptionBool)
        add(owner, option, value == "true");
      else if (option.kind == HostOptionInt)
        add<int64_t>(owner, option, std::stoll(value));
      else
        add(owner, option, value);
    }
  }
  /// Calls `use` with the values as text.
  bool with(function_ref<bool(intptr_t, const MlirStringRef *)> use) const {
    auto texts = llvm::map_to_vector(options, [](const auto &option) { return option(); });
    auto values = llvm::map_to_vector(texts, [](StringRef text) { return wrap(text); });
    return use(values.size(), values.data());
  }

private:
  template <typename T> void add(Owner &owner, const HostOptionSpec &spec, T value) {
    auto option = std::make_shared<typename Owner::template Option<T>>(
        owner, unwrap(spec.name), llvm::cl::desc(unwrap(spec.summary)), llvm::cl::init(value));
    options.push_back([option] { return llvm::formatv("{0}", option->getValue()).str(); });
  }
  std::vector<std::function<std::string()>> options;
};

class HostPass : public Pass {
public:
  HostPass(const HostSpec &spec, RunPass run, TypeID id)
      : Pass(id, spec.anchor.length ? std::optional<StringRef>(unwrap(spec.anchor)) : std::nullopt),
        spec(spec), run(run), id(id), options(*this, spec) {}

  StringRef getName() const override { return unwrap(spec.flag); }
  StringRef getArgument() const override { return unwrap(spec.flag); }
  StringRef getDescription() const override { return unwrap(spec.summary); }

  bool canScheduleOn(RegisteredOperationName name) const override {
    return !spec.anchor.length || name.getStringRef() == unwrap(spec.anchor);
  }

  // The whole way down from Relay: a pass may create ops of any of these. Our own dialects are
  // those that the tool knows by name: a plugin's copy of their classes would not be the tool's.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.addExtension(+[](MLIRContext *context, BuiltinDialect *) {
      for (StringRef name : {"relay", "te", "tir"})
        context->getOrLoadDialect(name);
    });
    registry.insert<amdgpu::AMDGPUDialect, amx::AMXDialect, arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                    LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, nvgpu::NVGPUDialect,
                    NVVM::NVVMDialect, ROCDL::ROCDLDialect, scf::SCFDialect, tensor::TensorDialect,
                    vector::VectorDialect>();
  }

protected:
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<HostPass>(spec, run, id);
  }

  void runOnOperation() override {
    MlirOperation op = wrap(getOperation());
    if (!options.with([&](auto... values) { return run(spec.host, op, values...); }))
      signalPassFailure();
  }

private:
  const HostSpec &spec;
  RunPass run;
  TypeID id;
  HostOptions<Pass> options;
};
} // namespace

extern "C" void relayRegisterPass(const HostSpec *spec, RunPass run) {
  static TypeIDAllocator ids;
  TypeID id = ids.allocate();
  registerPass([spec, run, id] { return std::make_unique<HostPass>(*spec, run, id); });
}

extern "C" void relayRegisterPipeline(const HostSpec *spec, ExpandPipeline expand) {
  auto build = [=](OpPassManager &manager, StringRef text, auto fail) -> LogicalResult {
    detail::PassOptions owner;
    HostOptions options(owner, *spec);
    if (failed(owner.parseFromString(text)))
      return failure();
    std::string passes;
    auto append = [](MlirStringRef part, void *text) {
      *static_cast<std::string *>(text) += unwrap(part);
    };
    bool valid = options.with(
        [&](auto... values) { return expand(spec->host, values..., append, &passes); });
    return valid ? parsePassPipeline(passes, manager) : fail(passes);
  };
  auto withOptions = [spec](auto show) {
    detail::PassOptions owner;
    HostOptions options(owner, *spec);
    show(owner);
  };
  registerPassPipeline(unwrap(spec->flag), unwrap(spec->summary), build, withOptions);
}
