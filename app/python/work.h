// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

#include <functional>
#include <optional>
#include <type_traits>

namespace cutaway::python {

/// Runs `work` on a thread of its own, while other Python threads continue; the caller holds the GIL, `work` runs
/// without it. Ctrl+C requests its stop, and KeyboardInterrupt is raised once it has ended. Exceptions are passed on.
void runInterruptibly(const std::function<void(const Task &)> &work);

/// Runs `work` as runInterruptibly() does, and returns its result.
template <class Work>
auto performed(const Work &work)
{
    std::optional<std::invoke_result_t<Work, const Task &>> result;
    runInterruptibly([&](const Task &task) { result.emplace(work(task)); });
    return std::move(*result);
}

} // namespace cutaway::python
