# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later

# cutaway_batches(TARGET): divides its sources evenly among as few batches (see compiler.cmake) as there must be.
function(cutaway_batches target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources count)
  set(most ${CMAKE_UNITY_BUILD_BATCH_SIZE})
  math(EXPR batches "(${count} + ${most} - 1) / ${most}")
  if(batches GREATER 1)
    math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${size})
  endif()
endfunction()

# cutaway_layer(NAME [FOLDERS those below this one that belong to it] [LINKS libraries of the layers below and outside ones])
# A static library of every source in the current folder and those folders. A new source needs no line here.
function(cutaway_layer name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;LINKS" ${ARGN})
  list(TRANSFORM ARG_FOLDERS APPEND "/*.cpp" OUTPUT_VARIABLE sources_below)
  list(TRANSFORM ARG_FOLDERS APPEND "/*.h" OUTPUT_VARIABLE headers_below)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h ${sources_below} ${headers_below})
  add_library(cutaway_${name} STATIC ${sources})
  target_include_directories(cutaway_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(cutaway_${name} PUBLIC ${ARG_LINKS})
  cutaway_batches(cutaway_${name})
endfunction()
