/* Uses the model `computed`, loaded from the path that is given, through the wrapper for C++. */
#include "relay_runtime.hpp"
#include <cstdio>

int main(int, char **arguments) {
  relay::Session session(relay::Model::load(arguments[1]), 1);
  for (const std::vector<float> &x : {std::vector<float>{1, -1, 2}, {-1}, {4, 5, 6, 7}}) {
    session.prepare({{static_cast<std::int64_t>(x.size())}});
    auto results = session.run({{"x", x}});
    std::printf("%zu:", results[0].size());
    for (std::size_t i = 0; i < results[0].size(); i++)
      std::printf(" %g", results[0].data<float>()[i]);
    std::printf("\n");
  }
}
