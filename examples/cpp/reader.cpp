/*
 * Reads digits with a network that the program loads: `reader digits.so`. Each line of the input is an image, 64 numbers
 * from 0 to 1, and each line of the output the digit that it is read as.
 *
 *   relayc compile ../digits/digits.onnx
 *   c++ -std=c++17 reader.cpp $(pkg-config --cflags relay-mlir) -o reader
 */
#include "relay_runtime.hpp"
#include <algorithm>
#include <iostream>

static int read_digits(const char *path) {
  relay::Model model = relay::Model::load(path);
  relay::Session session(model, 1);
  std::vector<float> image(model.inputs().at(0).elements()), probabilities(model.outputs().at(0).elements());
  const auto next = [&] { return std::all_of(image.begin(), image.end(), [](float &dot) { return bool(std::cin >> dot); }); };
  while (next()) {
    session.run({image}, {probabilities});
    std::cout << std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin() << "\n";
  }
  return 0;
}

int main(int count, char **arguments) try {
  if (count != 2)
    throw relay::Error("usage: reader MODEL.so < IMAGES");
  return read_digits(arguments[1]);
} catch (const relay::Error &error) {
  std::cerr << "error: " << error.what() << "\n";
  return 1;
}
