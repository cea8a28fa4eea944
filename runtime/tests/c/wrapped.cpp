/* Uses the model `alpha` through the wrapper for C++: linked, and loaded from the path that is given. */
#include "relay_runtime.hpp"
#include <array>
#include <cstdio>

RELAY_DECLARE_MODEL(alpha)

template <class Action> static void says(const char *what, Action action) {
  try {
    action();
    std::printf("%s: no error\n", what);
  } catch (const relay::Error &error) {
    std::printf("%s: %s\n", what, error.what());
  }
}

int main(int, char **arguments) {
  std::array<float, 6> data = {1, 2, 3, 4, 5, 6};
  const std::int64_t bias[] = {10};
  std::vector<float> scaled(6);
  std::vector<std::int64_t> counts(1001), workers(1001);

  relay::Session linked(RELAY_LINKED_MODEL(alpha), 2);
  linked.run({data, bias}, {scaled, counts, workers});
  std::printf("linked: %g ... %g\n", scaled[0], scaled[5]);

  relay::Model model = relay::Model::load(arguments[1]);
  for (const relay::Port &port : model.inputs())
    std::printf("%s: %s of rank %zu\n", port.name().data(), port.dtype().data(), port.shape().size());
  relay::Session session(model);
  relay::Session moved = std::move(session);
  auto results = moved.run({{"bias", bias}, {"data", std::vector<float>{2, 4, 6, 8, 10, 12}}});
  const relay::Tensor &first = results[0];
  std::printf("loaded: %g ... %g\n", first.data<float>()[0], first.data<float>()[5]);

  says("type of a result", [&] { first.data<std::int32_t>(); });
  says("type of an input", [&] { moved.run({bias, bias}, {scaled, counts, workers}); });
  says("size", [&] { moved.run({data, bias}, {counts, counts, workers}); });
  says("number", [&] { moved.run({data}, {scaled, counts, workers}); });
  says("name", [&] { moved.run({{"data", data}, {"basis", bias}}); });
  const std::int64_t failing[] = {-1};
  says("run", [&] { moved.run({data, failing}, {scaled, counts, workers}); });
  says("threads", [&] { relay::Session(model, -3); });
  says("no model", [] { relay::Model::load("/dev/null"); });
}
