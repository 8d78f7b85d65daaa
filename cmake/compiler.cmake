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
  # g++ 14 reports these inside its own headers' std::variant and std::expected at -O2; clang checks the same code.
  add_compile_options(-Wshadow=local -Wno-maybe-uninitialized -Wno-dangling-reference)
  # With -O3 it sees writes past the end of variants that are in another alternative there.
  add_compile_options($<$<CONFIG:Release>:-Wno-stringop-overflow> $<$<CONFIG:Release>:-Wno-array-bounds>)
endif()
# Everything is linked into programs; nothing is replaced when they are loaded, so functions may be inlined.
add_compile_options($<$<CONFIG:Release>:-fno-semantic-interposition>)
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

find_program(CUTAWAY_CCACHE ccache)
if(CUTAWAY_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CUTAWAY_CCACHE})
endif()
find_program(CUTAWAY_MOLD mold)
if(CUTAWAY_MOLD)
  set(CMAKE_LINKER_TYPE MOLD)
endif()
