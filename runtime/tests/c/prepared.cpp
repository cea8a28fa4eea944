/* Uses the model `open`, loaded from the path that is given, through the wrapper for C++. */
#include "relay_runtime.hpp"
#include <cstdio>

template <class Action> static void says(const char *what, Action action) {
  try {
    action();
    std::printf("%s: no error\n", what);
  } catch (const relay::Error &error) {
    std::printf("%s: %s\n", what, error.what());
  }
}

int main(int, char **arguments) {
  relay::Model model = relay::Model::load(arguments[1]);
  relay::Port x = model.inputs()[0];
  std::printf("%s: %.*s, %.*s, %ld\n", x.name().data(), (int)x.form(0).size(), x.form(0).data(), (int)x.form(1).size(),
              x.form(1).data(), (long)x.shape()[2]);
  relay::Session session(model, 1);
  std::vector<float> ones(12, 1);
  std::vector<std::uint8_t> mask(9);
  says("unprepared", [&] { session.run({{"x", ones}, {"mask", mask}}); });
  auto shapes = session.prepare({{4, 3, 1}, {9}});
  std::printf("shapes: %ld, %ld\n", (long)shapes[0][0], (long)shapes[1][0]);
  auto results = session.run({{"x", ones}, {"mask", mask}});
  std::printf("results: %zu of %g\n", results[0].size(), results[0].data<float>()[3]);
  says("size", [&] { session.run({{"x", mask}, {"mask", mask}}); });
  says("count", [&] { session.prepare({{4, 3, 1}}); });
  says("rank", [&] { session.prepare({{4, 3}, {9}}); });
  says("mask", [&] { session.prepare({{4, 3, 1}, {7}}); });
  says("bounds", [&] { session.prepare({{66, 3, 1}, {9}}); });
}
