# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
set(CUTAWAY_FORMAT_LINKS cutaway_torchscript_source cutaway_schemas cutaway_ops)
