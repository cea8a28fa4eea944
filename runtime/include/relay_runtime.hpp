/*
 * Compiled models in C++17, over relay_runtime.h. What fails throws relay::Error.
 *
 *   relay::Model model = relay::Model::load("./digits.so");
 *   relay::Session session(model, 2);                         // two threads
 *   std::vector<float> image(64), scores(10);
 *   session.run({image}, {scores});                           // in the model's order
 *   std::vector<relay::Tensor> results = session.run({{"image", image}});   // by name, into new memory
 *   const float *first = results[0].data<float>();
 *
 * A session of a model with open dimensions is prepared for the shapes of its inputs, and again when they change:
 *
 *   auto shapes = session.prepare({{batch, 3, 224, 224}});    // the shapes of the outputs
 *
 * A model that the program is linked with (RELAY_DECLARE_MODEL) is RELAY_LINKED_MODEL(digits). A model may be
 * shared by threads; a session belongs to one thread at a time.
 */
#ifndef RELAY_RUNTIME_HPP
#define RELAY_RUNTIME_HPP

#include "relay_runtime.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace relay {

/** What went wrong, in words. */
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

namespace detail {

/** Whether elements are the low bits of a byte. */
inline bool is_byte(std::string_view dtype) {
  for (std::string_view known :
       {"f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f4E2M1FN", "i4", "ui4", "i2", "ui2"})
    if (dtype == known)
      return true;
  return false;
}

/** The bytes of an element; 0 if there is no such type. */
inline std::size_t element_bytes(std::string_view dtype) {
  if (dtype == "i1")
    return 1;
  std::size_t digits = dtype.find_first_of("0123456789");
  std::string_view bits = digits == std::string_view::npos ? "" : dtype.substr(digits);
  if (is_byte(dtype))
    return 1;
  return bits == "8" ? 1 : bits == "16" ? 2 : bits == "32" ? 4 : bits == "64" ? 8 : 0;
}

/** Whether elements of type T are those of a model's tensor. Floats of 16 bits are given as uint16_t, elements that are the low bits of
    a byte as uint8_t. */
template <class T> bool holds(std::string_view dtype) {
  static_assert(std::is_arithmetic_v<T>, "elements are numbers");
  if (element_bytes(dtype) != sizeof(T))
    return false;
  if (dtype == "i1")
    return std::is_same_v<T, bool> || std::is_same_v<T, std::uint8_t>;
  if (std::is_same_v<T, bool>)
    return false;
  if (dtype == "f16" || dtype == "bf16")
    return std::is_same_v<T, std::uint16_t>;
  if (is_byte(dtype))
    return std::is_same_v<T, std::uint8_t>;
  if (dtype[0] == 'f')
    return std::is_floating_point_v<T>;
  return std::is_integral_v<T> && std::is_unsigned_v<T> == (dtype[0] == 'u');
}

} // namespace detail

/** An input or output of a model; of a session, with the shape that the session was prepared for. */
class Port {
public:
  explicit Port(const relay_tensor_info &info) : info_(&info), shape_(info.shape, info.shape + info.rank) {}
  Port(const Port &port, std::vector<std::int64_t> shape) : info_(port.info_), shape_(std::move(shape)) {}
  std::string_view name() const { return info_->name; }
  /** The element type, as in relay_tensor_info. */
  std::string_view dtype() const { return info_->dtype; }
  /** The dimensions; -1 where one is open, or the run computes it. */
  const std::vector<std::int64_t> &shape() const { return shape_; }
  /** The form of a dimension, such as "n" or "2*n + 1"; empty if the model says its extent. */
  std::string_view form(std::size_t dimension) const {
    const char *text = info_->dims ? info_->dims[dimension] : nullptr;
    return text ? text : "";
  }
  std::size_t elements() const {
    std::size_t count = 1;
    for (std::int64_t extent : shape_) {
      if (extent < 0)
        throw Error("tensor '" + std::string(name()) + "' has open dimensions: prepare the session for shapes first, or, if a run "
                    "computes them, take the tensors that it returns");
      count *= static_cast<std::size_t>(extent);
    }
    return count;
  }
  std::size_t bytes() const { return elements() * detail::element_bytes(dtype()); }

private:
  const relay_tensor_info *info_;
  std::vector<std::int64_t> shape_;
};

/** The elements of an input or output, where the caller has them: any container with data() and size(). */
template <bool is_output> class Elements {
  using Pointer = std::conditional_t<is_output, void *, const void *>;

public:
  template <class T>
  Elements(T *data, std::size_t count) : data_(data), count_(count), holds_(detail::holds<std::remove_cv_t<T>>) {}
  template <class Container, class = decltype(std::declval<Container &>().data())>
  Elements(Container &&container) : Elements(container.data(), container.size()) {
    static_assert(!is_output || std::is_lvalue_reference_v<Container>, "results would be lost");
  }
  template <class T, std::size_t N> Elements(T (&array)[N]) : Elements(array, N) {}

  /** The address, if the elements are those of the port. */
  Pointer at(const Port &port) const {
    if (holds_(port.dtype()) && count_ == port.elements())
      return data_;
    std::string kind = is_output ? "output '" : "input '";
    std::string wanted = std::to_string(port.elements()) + " elements of type " + std::string(port.dtype());
    std::string given = std::to_string(count_) + (holds_(port.dtype()) ? "" : " of another type");
    throw Error(kind + std::string(port.name()) + "': expected " + wanted + ", got " + given);
  }

private:
  Pointer data_;
  std::size_t count_;
  bool (*holds_)(std::string_view);
};

using Input = Elements<false>;
using Output = Elements<true>;

/** A result in memory of its own. */
class Tensor {
public:
  explicit Tensor(const Port &port) : port_(port), lines_((port.bytes() + sizeof(Line) - 1) / sizeof(Line) + 1) {}
  const Port &port() const { return port_; }
  std::size_t size() const { return port_.elements(); }
  /** The elements, row-major; throws if they are of another type. */
  template <class T> T *data() {
    check<T>();
    return static_cast<T *>(address());
  }
  template <class T> const T *data() const {
    check<T>();
    return reinterpret_cast<const T *>(lines_.data());
  }
  void *address() { return lines_.data(); }

private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  template <class T> void check() const {
    if (!detail::holds<T>(port_.dtype()))
      throw Error("tensor '" + std::string(port_.name()) + "' has elements of type " + std::string(port_.dtype()));
  }
  Port port_;
  std::vector<Line> lines_;
};

/** A model: what it is, and its functions. Copies are cheap, and may be used by several threads. */
class Model {
public:
  /** A model that the program is linked with: RELAY_LINKED_MODEL(name). */
  Model(const relay_model_descriptor_t *about, const relay_model_api &api) : about_(about), api_(api) {
    if (about->abi_version != RELAY_ABI_VERSION)
      throw Error("the model has version " + std::to_string(about->abi_version) + " of the interface, the header " +
                  std::to_string(RELAY_ABI_VERSION) + "; compile the model again");
  }

  /** Loads the library at a path. */
  static Model load(const std::string &path) {
    // The system would search its own folders for a name without a slash.
    std::string full = path.find('/') == std::string::npos ? "./" + path : path;
    void *opened = dlopen(full.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!opened)
      throw Error(dlerror());
    std::shared_ptr<void> library(opened, dlclose);
    auto about = static_cast<const relay_model_descriptor_t *>(dlsym(opened, RELAY_DESCRIPTOR_SYMBOL));
    if (!about)
      throw Error(path + " is not a compiled model");
    relay_model_api api;
    if (about->abi_version == RELAY_ABI_VERSION && RELAY_LOOK_UP(api, dlsym, opened, about->name))
      throw Error(path + " lacks functions of a compiled model");
    Model model(about, api);
    model.library_ = std::move(library);
    return model;
  }

  std::string_view name() const { return about_->name; }
  std::string_view target() const { return about_->target; }
  std::vector<Port> inputs() const { return ports(about_->inputs, about_->n_inputs); }
  std::vector<Port> outputs() const { return ports(about_->outputs, about_->n_outputs); }
  /** The number of the output that may lie in the memory of an input: `run` may be given the same elements for both, and the output
      replaces the input there. */
  std::optional<std::size_t> donated(std::size_t input) const {
    if (!about_->donated || input >= about_->n_inputs || about_->donated[input] == RELAY_NOT_DONATED)
      return std::nullopt;
    return about_->donated[input];
  }
  const relay_model_api &api() const { return api_; }

private:
  static std::vector<Port> ports(const relay_tensor_info *infos, std::uint32_t count) {
    return std::vector<Port>(infos, infos + count);
  }
  const relay_model_descriptor_t *about_;
  relay_model_api api_;
  std::shared_ptr<void> library_;
};

#define RELAY_LINKED_MODEL(P)                                                                      \
  ::relay::Model(P##_descriptor(), ::relay_model_api{P##_create, P##_prepare, P##_run, P##_output, P##_destroy, P##_last_error, P##_profile})

/** A model with threads and memory of its own, ready to run. */
class Session {
public:
  /** `threads`: the caller's included; 0 for as many as the process may use. */
  explicit Session(const Model &model, std::int32_t threads = 0)
      : model_(model), inputs_(model.inputs()), outputs_(model.outputs()),
        raw_(model.api().create(threads), model.api().destroy) {
    if (!raw_)
      throw Error(model.api().last_error());
  }

  /** Sets the sizes of runs by the shapes of inputs, in the model's order; the shapes of outputs. A model without open
      dimensions needs none of it. */
  std::vector<std::vector<std::int64_t>> prepare(const std::vector<std::vector<std::int64_t>> &shapes) {
    if (shapes.size() != inputs_.size())
      throw Error(count("inputs", inputs_, shapes.size()));
    std::vector<const std::int64_t *> given;
    for (const auto &shape : shapes) {
      const Port &port = inputs_[given.size()];
      if (shape.size() != port.shape().size())
        throw Error("input '" + std::string(port.name()) + "' has " + std::to_string(port.shape().size()) +
                    " dimensions, but " + std::to_string(shape.size()) + " were given");
      given.push_back(shape.data());
    }
    std::vector<std::vector<std::int64_t>> results;
    for (const Port &port : outputs_)
      results.emplace_back(port.shape().size());
    std::vector<std::int64_t *> filled;
    for (auto &shape : results)
      filled.push_back(shape.data());
    if (model_.api().prepare(raw_.get(), given.data(), filled.data()) != 0)
      throw Error(model_.api().last_error());
    for (std::size_t index = 0; index < inputs_.size(); index++)
      inputs_[index] = Port(inputs_[index], shapes[index]);
    for (std::size_t index = 0; index < outputs_.size(); index++)
      outputs_[index] = Port(outputs_[index], results[index]);
    return results;
  }

  /** Runs the model on inputs and into outputs in its order. */
  void run(std::initializer_list<Input> inputs, std::initializer_list<Output> outputs) {
    std::vector<const void *> sources = addresses<const void *>("inputs", inputs_, inputs);
    std::vector<void *> targets = addresses<void *>("outputs", outputs_, outputs);
    run(sources, targets);
  }

  /** Runs the model on inputs by name; the results are in its order. */
  std::vector<Tensor> run(std::initializer_list<std::pair<std::string_view, Input>> inputs) {
    std::vector<const void *> sources;
    for (const Port &port : inputs_) {
      const Input *found = nullptr;
      for (const auto &[name, elements] : inputs)
        if (name == port.name())
          found = &elements;
      if (!found)
        throw Error("input '" + std::string(port.name()) + "' is missing");
      sources.push_back(found->at(port));
    }
    if (inputs.size() != inputs_.size())
      throw Error(count("inputs", inputs_, inputs.size()));
    std::vector<Tensor> results;
    std::vector<void *> targets;
    for (const Port &port : outputs_) {
      results.emplace_back(is_computed(port) ? Port(port, std::vector<std::int64_t>(1)) : port);
      targets.push_back(results.back().address());
    }
    run(sources, targets);
    for (std::size_t index = 0; index < outputs_.size(); index++)
      if (is_computed(outputs_[index]))
        results[index] = output(index);
    return results;
  }

private:
  /** Whether a run computes the shape of an output. */
  static bool is_computed(const Port &port) {
    const auto &shape = port.shape();
    return std::find(shape.begin(), shape.end(), -1) != shape.end();
  }
  /** A copy of an output whose shape the last run computed. */
  Tensor output(std::size_t index) {
    std::vector<std::int64_t> shape(outputs_[index].shape().size());
    const void *elements = model_.api().output(raw_.get(), static_cast<std::int32_t>(index), shape.data());
    if (!elements)
      throw Error(model_.api().last_error());
    Tensor tensor(Port(outputs_[index], std::move(shape)));
    std::memcpy(tensor.address(), elements, tensor.port().bytes());
    return tensor;
  }
  static std::string count(const char *kind, const std::vector<Port> &ports, std::size_t given) {
    return "the model has " + std::to_string(ports.size()) + " " + kind + ", but " + std::to_string(given) +
           " were given";
  }
  template <class Pointer, class List>
  static std::vector<Pointer> addresses(const char *kind, const std::vector<Port> &ports, const List &list) {
    if (list.size() != ports.size())
      throw Error(count(kind, ports, list.size()));
    std::vector<Pointer> found;
    for (const auto &elements : list)
      found.push_back(elements.at(ports[found.size()]));
    return found;
  }
  void run(const std::vector<const void *> &sources, const std::vector<void *> &targets) {
    if (model_.api().run(raw_.get(), sources.data(), targets.data()) != 0)
      throw Error(model_.api().last_error());
  }

  Model model_; // first, so that its library is closed last
  std::vector<Port> inputs_, outputs_;
  std::unique_ptr<relay_model, void (*)(relay_model *)> raw_;
};

} // namespace relay

#endif /* RELAY_RUNTIME_HPP */
