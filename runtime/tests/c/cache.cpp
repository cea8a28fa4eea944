/* Updates a cache in place, and in another place, through the wrapper for C++. */
#include "relay_runtime.hpp"
#include <cstdio>

static void show(const char *what, const std::vector<float> &numbers) {
  std::printf("%s%g %g %g %g", what, numbers[0], numbers[1], numbers[2], numbers[3]);
}

int main(int, char **arguments) {
  relay::Model model = relay::Model::load(arguments[1]);
  if (model.donated(0) != 0 || model.donated(1) || model.donated(9))
    return 1;
  relay::Session session(model, 1);
  std::vector<float> past = {1, 2, 3, 4}, next(4), kept = {1, 2, 3, 4}, x = {9};
  std::vector<std::int64_t> at = {2}, behind = {4};
  session.run({past, x, at}, {past});
  show("one place: ", past);
  session.run({kept, x, at}, {next});
  show("\ntwo places: ", next);
  show(" of ", kept);
  try {
    session.run({kept, x, behind}, {kept});
    return 2;
  } catch (const relay::Error &error) {
    std::printf("\nwrong: %s\n", error.what());
  }
  show("kept: ", kept);
  std::printf("\n");
}
