// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/symbolic/evaluate.h"

#include <span>
#include <string>

namespace cutaway::report {

/// Reads what the user fixes by symbol, texts like "s0=8,seq len=224". Errors (Usage): a symbol the model does not
/// have, a value out of its range, no number.
Result<symbolic::Bindings> parseBindings(const ir::Model &model, std::span<const std::string> texts);

/// Reads what the user fixes by input, texts like "x=1x3x224x224:float32" (":float32" alone for a scalar) or "n=3", and
/// writes it into the types of the function's inputs. The result is `bindings` with the symbols that the given sizes
/// decide. Errors (Usage): no such input, another rank or size than the model has, two values for one symbol.
Result<symbolic::Bindings> giveInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> texts,
                                      symbolic::Bindings bindings);

} // namespace cutaway::report
