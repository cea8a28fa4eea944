# find_package(relay-mlir) gives
#
#   relay-mlir::relayc       the compiler
#   relay-mlir::headers      relay_runtime.h
#   relay-mlir::runtime      the runtime, for programs with compiled models in them
#
#   relay_add_model(NAME MODEL FILE [OPTIONS ...])
#       a library with the model NAME compiled into it: target_link_libraries(program NAME), and
#       RELAY_DECLARE_MODEL(NAME) in the program. OPTIONS are those of relayc compile.
#
#   relay_compile_model(OUTPUT MODEL FILE [OPTIONS ...])
#       a rule that writes OUTPUT, such as a library that a program loads.

get_filename_component(_relay_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET relay-mlir::relayc)
  add_executable(relay-mlir::relayc IMPORTED)
  set_target_properties(relay-mlir::relayc PROPERTIES IMPORTED_LOCATION "${_relay_prefix}/bin/relayc")

  add_library(relay-mlir::headers INTERFACE IMPORTED)
  set_target_properties(relay-mlir::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_relay_prefix}/include")

  find_package(Threads REQUIRED)
  add_library(relay-mlir::runtime STATIC IMPORTED)
  set_target_properties(relay-mlir::runtime PROPERTIES
    IMPORTED_LOCATION "${_relay_prefix}/lib/librelay_runtime.a"
    INTERFACE_LINK_LIBRARIES "relay-mlir::headers;Threads::Threads;${CMAKE_DL_LIBS};m")
endif()

function(relay_compile_model output)
  cmake_parse_arguments(PARSE_ARGV 1 RELAY "" "MODEL" "OPTIONS")
  if(NOT RELAY_MODEL)
    message(FATAL_ERROR "relay_compile_model(${output}): name the model, MODEL FILE")
  endif()
  get_filename_component(model "${RELAY_MODEL}" ABSOLUTE)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND relay-mlir::relayc compile "${model}" -o "${output}" ${RELAY_OPTIONS}
    DEPENDS "${model}" relay-mlir::relayc
    COMMENT "Compiling ${RELAY_MODEL}"
    VERBATIM)
endfunction()

function(relay_add_model name)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  cmake_parse_arguments(PARSE_ARGV 1 RELAY "" "MODEL" "OPTIONS")
  relay_compile_model("${object}" MODEL "${RELAY_MODEL}" OPTIONS --emit object ${RELAY_OPTIONS})
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  add_library(${name} STATIC "${object}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_link_libraries(${name} PUBLIC relay-mlir::runtime)
endfunction()
