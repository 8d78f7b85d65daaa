# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Language level, warnings, sanitizers, ccache and mold where present: the same for every target.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_compile_options(-Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 14 reports these inside its own headers' std::variant and std::expected, where functions were inlined; clang
  # checks the same code.
  add_compile_options(-Wshadow=local -Wno-maybe-uninitialized -Wno-dangling-reference -Wno-stringop-overflow -Wno-array-bounds)
  # It does not collect its garbage below a GiB (default: 128 MiB), which takes a tenth of its time. A job may take two.
  add_compile_options("SHELL:--param ggc-min-heapsize=1048576")
  add_compile_options(-Wno-subobject-linkage) # takes a source that is compiled with others for a header
endif()
# Everything is linked into programs; nothing is replaced when they are loaded, so functions may be inlined.
add_compile_options(-fno-semantic-interposition)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  # It fuses a product and a sum unasked where the processor can, as arm64 always and x86-64 not always can: what is
  # computed of a model is the same on each.
  add_compile_options(-ffp-contract=off)
endif()
if(CUTAWAY_WERROR)
  add_compile_options(-Werror)
endif()
if(CUTAWAY_SANITIZE)
  add_compile_options(-fsanitize=${CUTAWAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${CUTAWAY_SANITIZE})
endif()
if(CUTAWAY_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Several sources of a target are compiled as one, so that what they include is read once and what they share compiled
# once. So no two sources of a target may give one name to two things, not even in anonymous namespaces.
# CMAKE_UNITY_BUILD_BATCH_SIZE: how many at most; the default keeps a change of one source a matter of seconds.
set(CMAKE_UNITY_BUILD ON)
if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)
endif()

# What __FILE__ says in tests and in torch's macros is relative to the sources, so that another clone of them finds its
# objects in the compiler cache.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

find_program(CUTAWAY_CCACHE ccache)
if(CUTAWAY_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CUTAWAY_CCACHE})
endif()
find_program(CUTAWAY_MOLD mold)
if(CUTAWAY_MOLD)
  set(CMAKE_LINKER_TYPE MOLD)
endif()
