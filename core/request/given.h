// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sweep.h"
#include "core/ir/model.h"
#include "core/symbolic/evaluate.h"

#include <span>
#include <string>

namespace cutaway::request {

/// Reads what the user fixes by symbol, texts like "s0=8,seq len=224". Errors (Usage): a symbol the model does not
/// have, a value out of its range, no number.
Result<symbolic::Bindings> parseBindings(const ir::Model &model, std::span<const std::string> texts);

/// Reads what the user fixes by input: a tensor "x=1x3x224x224:float32" (":float32" for a scalar), another value as
/// JSON ("n=3", "f=2.5", "flag=false", "k=null"), an element of a list, tuple or dict "xs.0=3x4:float32". Types of
/// tensor inputs become what is given; the bindings are `bindings` with the symbols that the given sizes decide. Errors
/// (Usage): no such input, another rank or size than the model has, two values for one symbol.
Result<analysis::Given> giveInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> texts,
                                   symbolic::Bindings bindings);

/// Both, with symbols for the sizes that neither the file nor `inputs` tells (analysis::assumeInputs).
Result<analysis::Given> readGiven(ir::Model &model, ir::FunctionId function, std::span<const std::string> bindings,
                                  std::span<const std::string> inputs);

/// A state of a model as it is to be written: its inputs are what the file says of them, not what was given or assumed.
ir::Model withoutGiven(ir::Model model, const ir::Model &file, ir::FunctionId function);

/// Reads which values a symbol takes in turn: "s0=1:256", "s0=1:256:8" every eighth, "s0=1:256:*2" the powers of two;
/// the last value is in it if the steps meet it. Errors (Usage): no such symbol, one that is bound already, a value out
/// of its range, no range or an endless one, more than maxSweepPoints.
Result<analysis::Variation> parseSweep(const ir::Model &model, const symbolic::Bindings &bindings,
                                       std::string_view text);
inline constexpr std::size_t maxSweepPoints = 1000;

} // namespace cutaway::request
