// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <deque>
#include <string>
#include <string_view>

namespace cutaway::cli {

/// A model and the function of the requested name; without a name the main one. Errors: of sequence::open(), or an
/// unknown function, with the names that exist.
struct Opened {
    ir::Model model;
    ir::FunctionId function;
};
Result<Opened> openModel(const std::string &file, const std::string &functionName);

/// Keeps a value that is never freed: when a command has its text the process ends, and freeing the parts of a large
/// model one by one takes a tenth of the time of reading it.
template <class T>
const T &kept(T value)
{
    static auto *const all = new std::deque<T>;
    return all->emplace_back(std::move(value));
}

} // namespace cutaway::cli
