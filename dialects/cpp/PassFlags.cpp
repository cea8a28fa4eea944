//===- PassFlags.cpp - a plugin's passes as flags of mlir-opt -------------===//
//
// mlir-opt makes a flag of every registered pass, then parses its command line,
// and loads plugins while it does. A plugin therefore adds the flags of its
// passes itself. Each appends its pass to the value of --pass-pipeline, where
// the flags of several plugins meet.
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/Support.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {
constexpr llvm::StringLiteral root = "builtin.module";

/// The tool's --pass-pipeline, which mlir/Pass/PassRegistry.h declares with this type; null if the
/// tool has none.
cl::opt<std::string> *pipelineOption() {
  return static_cast<cl::opt<std::string> *>(cl::getRegisteredOptions().lookup("pass-pipeline"));
}

/// `--<flag>` or `--<flag>="<options>"`.
class PassFlag : public cl::opt<std::string> {
public:
  PassFlag(StringRef flag, StringRef summary, StringRef anchor)
      : opt(flag, cl::desc(summary), cl::value_desc("options"), cl::ValueOptional, cl::ZeroOrMore),
        anchor(anchor) {}

private:
  /// The pass as an element of a pipeline on modules.
  std::string element(StringRef options) const {
    std::string pass = ArgStr.str();
    if (!options.empty())
      pass += "{" + options.str() + "}";
    return anchor.empty() || anchor == root ? pass : anchor.str() + "(" + pass + ")";
  }

  /// Returns whether there was an error, which is then reported.
  bool handleOccurrence(unsigned position, StringRef, StringRef options) override {
    cl::opt<std::string> &pipeline = *pipelineOption();
    std::string open = (root + "(").str();
    if (!pipeline.getNumOccurrences()) {
      // LLVM's options take their last value: one that came later would drop the passes of flags.
      pipeline.setValueExpectedFlag(cl::ValueDisallowed);
      return pipeline.addOccurrence(position, pipeline.ArgStr, open + element(options) + ")");
    }
    StringRef before = pipeline.getValue();
    if (!before.starts_with(open) || !before.consume_back(")"))
      return error("cannot be appended to the pipeline '" + before + "', which is not on " + root);
    pipeline.setValue(before.str() + "," + element(options) + ")");
    return false;
  }

  StringRef anchor;
};
} // namespace

/// Adds the flag of a pass unless there is one. The strings live as long as the process.
extern "C" void relayAddPassFlag(MlirStringRef flag, MlirStringRef summary, MlirStringRef anchor) {
  static std::vector<std::unique_ptr<PassFlag>> flags;
  if (pipelineOption() && !cl::getRegisteredOptions().contains(unwrap(flag)))
    flags.push_back(std::make_unique<PassFlag>(unwrap(flag), unwrap(summary), unwrap(anchor)));
}
