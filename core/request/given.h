// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sweep.h"
#include "core/ir/model.h"
#include "core/symbolic/evaluate.h"

#include <span>
#include <string>

namespace cutaway::request {

/// Parses the user's values of symbols, texts like "s0=8,seq len=224". Errors (Usage): an unknown symbol, a value out
/// of its range, a malformed number.
Result<symbolic::Bindings> parseBindings(const ir::Model &model, std::span<const std::string> texts);

/// Parses the user's values of inputs: a tensor "x=1x3x224x224:float32" (":float32" for a scalar), another value as
/// JSON ("n=3", "f=2.5", "flag=false", "k=null"), an element of a list, tuple or dict "xs.0=3x4:float32". Tensor inputs
/// of `model` get the given types; the returned bindings are `bindings` plus the symbols that the given sizes
/// determine. Errors (Usage): an unknown input, a rank or size that contradicts the model's, two values for one symbol.
Result<analysis::Given> giveInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> texts,
                                   symbolic::Bindings bindings);

/// parseBindings() and giveInputs(), and new symbols for the sizes that neither the file nor `inputs` determines
/// (analysis::assumeInputs).
Result<analysis::Given> readGiven(ir::Model &model, ir::FunctionId function, std::span<const std::string> bindings,
                                  std::span<const std::string> inputs);

/// The state as it is to be written to a file: its inputs have the types of `file`, not those given or assumed.
ir::Model withoutGiven(ir::Model model, const ir::Model &file, ir::FunctionId function);

/// Parses the values of a sweep over a symbol: "s0=1:256", "s0=1:256:8" every eighth, "s0=1:256:*2" the powers of two;
/// the last value is included if the steps meet it. Errors (Usage): an unknown or already bound symbol, a value out of
/// its range, a malformed or endless range, more than maxSweepPoints values.
Result<analysis::Variation> parseSweep(const ir::Model &model, const symbolic::Bindings &bindings,
                                       std::string_view text);
inline constexpr std::size_t maxSweepPoints = 1000;

} // namespace cutaway::request
