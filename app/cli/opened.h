// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace cutaway::cli {

/// A model and one of its functions.
struct Opened {
    ir::Model model;
    ir::FunctionId function;
};
/// Opens a model; without a name the function is the main one. Errors, with the file: those of trace::open() and
/// request::findFunction().
Result<Opened> openModel(const std::string &file, const std::string &functionName);

/// Opens a model as openModel() does, and divides a graph of which Inductor made code into kernels.
Result<Opened> openInKernels(const std::string &file, const std::string &functionName);

/// Keeps a value that is never freed: when a command has its text the process ends, and freeing the parts of a large
/// model one by one takes a tenth of the time of reading it.
template <class T>
const T &kept(T value)
{
    static auto *const all = new std::deque<T>;
    return all->emplace_back(std::move(value));
}

/// Keeps the value of a Result likewise.
template <class T>
Result<std::reference_wrapper<const T>> kept(Result<T> result)
{
    CUTAWAY_TRY(T value, std::move(result));
    return std::cref(kept(std::move(value)));
}

} // namespace cutaway::cli
