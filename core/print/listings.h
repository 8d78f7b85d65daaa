// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <string>
#include <vector>

/// Lists of a file's contents, as PyTorch shows them.
namespace cutaway::print {

/// Lists a function's inputs and outputs: name, kind, the parameter, buffer or object that it is bound to, and type or
/// constant; as torch.export's graph signature names them. Then the modules whose calling convention the file keeps.
std::string signatureListing(const ir::Model &model, ir::FunctionId function);

/// Returns a constant that a program takes or returns unchanged as Python: 1, "fast", None.
std::string constantText(const ir::Model &model, const ir::Operand &constant);

/// Lists the state dict: name, dtype, shape and bytes of all parameters and persistent buffers, under each name that
/// they have in the module tree. If the modules have no tensors, lists all tensors of the file.
std::string stateListing(const ir::Model &model);

/// Lists the other contents of the file by name, with their bytes: texts and source code, extra files, example inputs.
std::string fileListing(const ir::Model &model);
/// Lists the files of fileListing() that are no source code.
std::string otherFiles(const ir::Model &model, std::size_t indent);

/// Returns the names of the attachments that are source code.
std::vector<std::string> codeFiles(const ir::Model &model);

/// Returns the file's own source code, all files of it. Errors (Usage): there is none.
Result<std::string> sourceText(const ir::Model &model);
/// Returns the file's own source code of one function. Errors (Usage): there is none.
Result<std::string> sourceText(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::print
