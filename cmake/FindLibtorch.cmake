# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Libtorch::Libtorch and Libtorch_VERSION: torch's C++ library, Debian's or that of a Python package (Libtorch_ROOT, the
# folder that has include/ and lib/). torch's own TorchConfig.cmake wants the compiler of CUDA and all that torch itself
# was built with; a program that links it needs neither.
find_path(Libtorch_INCLUDE_DIR torch/csrc/jit/runtime/operator.h)
foreach(part torch torch_cpu c10)
  find_library(Libtorch_${part}_LIBRARY ${part})
endforeach()
# with CUDA; its operators register themselves when it is loaded, so it must be linked though nothing names it
find_library(Libtorch_torch_cuda_LIBRARY torch_cuda)

if(Libtorch_INCLUDE_DIR AND EXISTS ${Libtorch_INCLUDE_DIR}/torch/csrc/api/include/torch/version.h)
  file(READ ${Libtorch_INCLUDE_DIR}/torch/csrc/api/include/torch/version.h text)
  string(REGEX MATCH "\"([0-9.]+)[^\n]*\"" quoted "${text}")
  set(Libtorch_VERSION ${CMAKE_MATCH_1})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libtorch VERSION_VAR Libtorch_VERSION REQUIRED_VARS
  Libtorch_INCLUDE_DIR Libtorch_torch_LIBRARY Libtorch_torch_cpu_LIBRARY Libtorch_c10_LIBRARY)

if(Libtorch_FOUND AND NOT TARGET Libtorch::Libtorch)
  add_library(Libtorch::Libtorch INTERFACE IMPORTED)
  target_include_directories(Libtorch::Libtorch SYSTEM INTERFACE
    ${Libtorch_INCLUDE_DIR} ${Libtorch_INCLUDE_DIR}/torch/csrc/api/include)
  target_link_libraries(Libtorch::Libtorch INTERFACE
    ${Libtorch_torch_cpu_LIBRARY} ${Libtorch_torch_LIBRARY} ${Libtorch_c10_LIBRARY})
  if(Libtorch_torch_cuda_LIBRARY)
    target_link_libraries(Libtorch::Libtorch INTERFACE "-Wl,--no-as-needed" ${Libtorch_torch_cuda_LIBRARY} "-Wl,--as-needed")
  endif()
endif()
