//===- Passes.cpp - passes written in Rust, in MLIR's own registry --------===//
//
// The C API can create a pass from callbacks but not register one, and such a
// pass has no textual options. This class can do both.
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

extern "C" {
enum HostOptionKind : uint32_t { HostOptionBool, HostOptionInt, HostOptionString };
struct HostOptionSpec {
  MlirStringRef name;
  MlirStringRef summary;
  MlirStringRef defaultValue;
  HostOptionKind kind;
};
/// What Rust says of a pass. All strings live as long as the process.
struct HostPassSpec {
  MlirStringRef flag;
  MlirStringRef summary;
  /// The name of the op that the pass runs on; empty for any.
  MlirStringRef anchor;
  intptr_t optionCount;
  const HostOptionSpec *options;
  /// Names the Rust side's own record of this pass.
  const void *host;
  /// Runs the pass; `options` holds the options' values as text, in order. Does not unwind. It is
  /// called by its address: of a symbol, the dynamic linker could choose another plugin's.
  bool (*run)(const void *host, MlirOperation op, intptr_t optionCount,
              const MlirStringRef *options);
};
}

namespace {
/// One option, with the type that the command line and `--help` show.
struct HostOption {
  HostOption(Pass &pass, const HostOptionSpec &spec) {
    StringRef name = unwrap(spec.name), value = unwrap(spec.defaultValue);
    auto summary = llvm::cl::desc(unwrap(spec.summary));
    if (spec.kind == HostOptionBool)
      flag = std::make_unique<Pass::Option<bool>>(pass, name, summary,
                                                  llvm::cl::init(value == "true"));
    else if (spec.kind == HostOptionInt)
      number = std::make_unique<Pass::Option<int64_t>>(pass, name, summary,
                                                       llvm::cl::init(std::stoll(value.str())));
    else
      text = std::make_unique<Pass::Option<std::string>>(pass, name, summary,
                                                         llvm::cl::init(value.str()));
  }
  std::string value() const {
    if (flag)
      return flag->getValue() ? "true" : "false";
    return number ? std::to_string(number->getValue()) : text->getValue();
  }
  std::unique_ptr<Pass::Option<bool>> flag;
  std::unique_ptr<Pass::Option<int64_t>> number;
  std::unique_ptr<Pass::Option<std::string>> text;
};

class HostPass : public Pass {
public:
  HostPass(const HostPassSpec &spec, TypeID id)
      : Pass(id, spec.anchor.length ? std::optional<StringRef>(unwrap(spec.anchor)) : std::nullopt),
        spec(spec), id(id) {
    for (const HostOptionSpec &option : ArrayRef(spec.options, spec.optionCount))
      options.emplace_back(*this, option);
  }

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
    registry.insert<amx::AMXDialect, arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect,
                    vector::VectorDialect>();
  }

protected:
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<HostPass>(spec, id); }

  void runOnOperation() override {
    std::vector<std::string> values;
    std::vector<MlirStringRef> references;
    for (const HostOption &option : options)
      values.push_back(option.value());
    for (const std::string &value : values)
      references.push_back(wrap(StringRef(value)));
    if (!spec.run(spec.host, wrap(getOperation()), references.size(), references.data()))
      signalPassFailure();
  }

private:
  const HostPassSpec &spec;
  TypeID id;
  std::vector<HostOption> options;
};
} // namespace

extern "C" void relayRegisterPass(const HostPassSpec *spec) {
  static TypeIDAllocator ids;
  TypeID id = ids.allocate();
  registerPass([spec, id] { return std::make_unique<HostPass>(*spec, id); });
}
