// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sweep.h"
#include "core/ir/model.h"
#include "core/run/inputs.h"
#include "core/symbolic/evaluate.h"

#include <span>
#include <string>

namespace cutaway::request {

/// Parses the user's values of symbols, texts like "s0=8,seq len=224". Errors (Usage): an unknown symbol, a value out
/// of its range, a malformed number.
Result<symbolic::Bindings> parseBindings(const ir::Model &model, std::span<const std::string> texts);

/// The values that the user fixes for a function, with the elements of the tensors that a backend gets.
struct GivenValues : analysis::Given {
    run::GivenTensors tensors;
    const analysis::Given &withoutTensors() const { return *this; }
};

/// Parses the user's values of inputs: a tensor's sizes "x=1x3x224x224:float32" (":float32" for a scalar; a size may be
/// a name, "x=Nx3:float32", which becomes a symbol), its elements "pads=[0, 0, 1, 1]" or "x=@x.npy", another value as
/// JSON ("n=3", "f=2.5", "flag=false", "k=null", "sizes=[2, 3]"), an element of a list, tuple or dict
/// "xs.0=3x4:float32". Tensor inputs of `model` get the given types, but a size for which the file has a symbol stays
/// that symbol; the returned bindings are `bindings` plus the symbols that the given sizes determine. Sizes that are
/// numbers in the file are replaced (analysis::Given::replaced), and the types that the file records of inner values
/// are forgotten then. Errors: Usage: an unknown input, another kind of dtype or rank, a size that a symbol cannot
/// have, two values for one symbol; Unreadable: those of run::readTensor().
Result<GivenValues> giveInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> texts,
                               symbolic::Bindings bindings);

/// Calls parseBindings() and giveInputs(), and adds new symbols for the sizes that neither the file nor `inputs`
/// determines (analysis::assumeInputs). Errors: those of parseBindings() and giveInputs().
Result<GivenValues> readGiven(ir::Model &model, ir::FunctionId function, std::span<const std::string> bindings,
                              std::span<const std::string> inputs);

/// Returns a state of the model to run: sizes that the file leaves open are open again, and sizes that it fixes are the
/// given ones.
ir::Model withoutGiven(ir::Model model, const ir::Model &file, ir::FunctionId function);

/// Parses the values of a sweep over a symbol: "s0=1:256", "s0=1:256:8" every eighth, "s0=1:256:*2" the powers of two;
/// the last value is included if the steps meet it. Errors (Usage): an unknown or already bound symbol, a value out of
/// its range, a malformed or endless range, more than maxSweepPoints values.
Result<analysis::Variation> parseSweep(const ir::Model &model, const symbolic::Bindings &bindings,
                                       std::string_view text);
inline constexpr std::size_t maxSweepPoints = 1000;

} // namespace cutaway::request
