// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/pages/source_page.h"

namespace cutaway::print {

/// Returns the names of the attachments that are code of kernels; see core/sequence/kernel_modules.h.
std::vector<std::string> kernelCodeFiles(const ir::Model &model);

/// Returns the page of the attachment `file`. Errors (Usage): kernelCodeFiles() does not name it.
Result<SourcePage> kernelCodePage(const ir::Model &model, ir::FunctionId function, const std::string &file);

} // namespace cutaway::print
