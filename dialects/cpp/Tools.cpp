//===- Tools.cpp - the mains of MLIR's tools, with our dialects -----------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"

#include <new>
#include <unistd.h>

using namespace mlir;

extern "C" {
void relayInsertDialects(MlirDialectRegistry registry);
void relayHostReductions(MlirContext context, MlirRewritePatternSet patterns, const Tester *tester);
}

extern "C" void relayInsertAllDialects(MlirDialectRegistry registry) {
  registerAllDialects(*unwrap(registry));
  registerAllExtensions(*unwrap(registry));
  registerAllToLLVMIRTranslations(*unwrap(registry));
  relayInsertDialects(registry);
}

/// Ends the process where there is no memory: MLIR and LLVM do not go on without.
extern "C" void relayEndWithoutMemory() {
  // Streams and destructors may want memory.
  StringRef said = "error: out of memory: the system, or a limit such as ulimit -v, gives no more\n";
  (void)!write(STDERR_FILENO, said.data(), said.size());
  _exit(1);
}

/// Has allocations that fail end the process with an error, those of C++ and those that LLVM makes itself. A thread that cannot be
/// started is one, too: its stack is memory.
extern "C" void relayReportNoMemory() {
  std::set_new_handler(relayEndWithoutMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { relayEndWithoutMemory(); });
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
    if (StringRef(reason).contains("pthread_create"))
      relayEndWithoutMemory();
    // Of others, LLVM ends the process as it does without a handler, which says so.
    llvm::errs() << "LLVM ERROR: " << reason << '\n';
  });
}

extern "C" int relayOptMain(int argc, char **argv, MlirDialectRegistry registry) {
  return asMainReturnCode(
      MlirOptMain(argc, argv, "relay-opt: mlir-opt with our dialects\n", *unwrap(registry)));
}

extern "C" int relayLspServerMain(int argc, char **argv, MlirDialectRegistry registry) {
  return asMainReturnCode(MlirLspServerMain(argc, argv, *unwrap(registry)));
}

namespace {
/// What mlir-reduce tries on functions, of any dialect.
struct Reductions : public DialectReductionPatternInterface {
  Reductions(Dialect *dialect) : DialectReductionPatternInterface(dialect) {}
  void populateReductionPatterns(RewritePatternSet &) const override {}
  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    relayHostReductions(wrap(patterns.getContext()), wrap(&patterns), &tester);
  }
};
} // namespace

extern "C" bool relayIsInteresting(const Tester *tester, MlirModule module) {
  return tester->isInteresting(unwrap(module)).first == Tester::Interestingness::True;
}

extern "C" int relayReduceMain(int argc, char **argv, MlirDialectRegistry registry) {
  unwrap(registry)->addExtension(+[](MLIRContext *, BuiltinDialect *dialect) {
    dialect->addInterfaces<Reductions>();
  });
  MLIRContext context(*unwrap(registry));
  return asMainReturnCode(mlirReduceMain(argc, argv, context));
}

extern "C" {
/// A translation written in Rust: text in, bytes out through `write`. Does not unwind.
typedef void (*WriteBytes)(void *sink, MlirStringRef bytes);
bool relayHostImport(const void *host, MlirContext context, MlirStringRef source,
                     MlirStringRef fileName, MlirModule *module);
bool relayHostExport(const void *host, MlirOperation op, void *sink, WriteBytes write);
}

/// Registers `--<flag>`: file -> module.
extern "C" void relayRegisterImport(MlirStringRef flag, MlirStringRef summary, const void *host) {
  static std::vector<std::unique_ptr<TranslateToMLIRRegistration>> registrations;
  registrations.push_back(std::make_unique<TranslateToMLIRRegistration>(
      unwrap(flag), unwrap(summary),
      [host](llvm::SourceMgr &sources, MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
        MlirModule module{nullptr};
        if (!relayHostImport(host, wrap(context), wrap(buffer->getBuffer()),
                             wrap(buffer->getBufferIdentifier()), &module))
          return nullptr;
        return OwningOpRef<Operation *>(unwrap(module).getOperation());
      }));
}

/// Registers `--<flag>`: module -> bytes.
extern "C" void relayRegisterExport(MlirStringRef flag, MlirStringRef summary, const void *host) {
  static std::vector<std::unique_ptr<TranslateFromMLIRRegistration>> registrations;
  registrations.push_back(std::make_unique<TranslateFromMLIRRegistration>(
      unwrap(flag), unwrap(summary),
      [host](Operation *op, raw_ostream &output) {
        return success(relayHostExport(host, wrap(op), &output,
                                       [](void *sink, MlirStringRef bytes) {
                                         *static_cast<raw_ostream *>(sink) << unwrap(bytes);
                                       }));
      },
      [](DialectRegistry &registry) { relayInsertAllDialects(wrap(&registry)); }));
}

extern "C" int relayTranslateMain(int argc, char **argv) {
  registerAllTranslations();
  return asMainReturnCode(mlirTranslateMain(argc, argv, "relay-translate: between our IR and "
                                                        "other formats\n"));
}
