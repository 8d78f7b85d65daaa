# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
find_package(simdjson REQUIRED)
set(CUTAWAY_FORMAT_LINKS simdjson::simdjson cutaway_ops cutaway_schemas)
