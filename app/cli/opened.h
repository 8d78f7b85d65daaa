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
/// Opens a model and finds the function of this name; "" is the main one. Errors, with the file: those of trace::open()
/// and request::findFunction().
Result<Opened> openModel(const std::string &file, const std::string &functionName);

/// Opens a model as openModel() does. A graph that Inductor has compiled is divided into its kernels.
Result<Opened> openInKernels(const std::string &file, const std::string &functionName);

/// Keeps a value that is never freed: the process ends once a command has its text, and freeing the parts of a large
/// model one by one would take a tenth of the time of reading it.
template <class T>
const T &kept(T value)
{
    static auto *const all = new std::deque<T>;
    return all->emplace_back(std::move(value));
}

/// Keeps the value of a Result in the same way.
template <class T>
Result<std::reference_wrapper<const T>> kept(Result<T> result)
{
    CUTAWAY_TRY(T value, std::move(result));
    return std::cref(kept(std::move(value)));
}

} // namespace cutaway::cli
