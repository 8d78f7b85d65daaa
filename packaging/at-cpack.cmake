# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Read by cpack itself, where the packages are made. The plugin loads ONNX Runtime as it runs, so dpkg-shlibdeps does not
# see it; the package that has the library is the one that it was built with.
execute_process(COMMAND dpkg-query -S "*/${CPACK_CUTAWAY_ONNXRUNTIME}" OUTPUT_VARIABLE owner OUTPUT_STRIP_TRAILING_WHITESPACE)
if(CPACK_CUTAWAY_ONNXRUNTIME AND owner MATCHES "^([^:]+):")
  string(APPEND CPACK_DEBIAN_PLUGIN-ONNXRUNTIME_PACKAGE_DEPENDS ", ${CMAKE_MATCH_1}")
elseif(CPACK_CUTAWAY_ONNXRUNTIME)
  message(FATAL_ERROR "no package has ${CPACK_CUTAWAY_ONNXRUNTIME}: it is needed to say what the plugin depends on")
endif()
