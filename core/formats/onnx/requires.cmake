# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Only protobuf's wire reader is used; the lite library starts faster than the full one.
find_package(PkgConfig REQUIRED)
pkg_check_modules(PROTOBUF_LITE REQUIRED IMPORTED_TARGET GLOBAL protobuf-lite)
set(CUTAWAY_FORMAT_LINKS PkgConfig::PROTOBUF_LITE cutaway_ops cutaway_schemas)
