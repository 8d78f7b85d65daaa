# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# CUTAWAY_RELEASE_DATE: the day of this version, which the top entry of docs/changelog.md tells.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/changelog.md)
file(STRINGS ${PROJECT_SOURCE_DIR}/docs/changelog.md entries REGEX "^## ")
list(GET entries 0 entry)
if(NOT entry MATCHES "^## ([0-9.]+) \\(([0-9-]+)\\)$" OR NOT CMAKE_MATCH_1 STREQUAL PROJECT_VERSION)
  message(FATAL_ERROR "docs/changelog.md starts with '${entry}' and not with the version ${PROJECT_VERSION} and its day")
endif()
string(REGEX REPLACE "^## .* \\((.*)\\)$" "\\1" CUTAWAY_RELEASE_DATE ${entry})
