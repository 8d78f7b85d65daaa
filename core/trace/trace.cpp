// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"

#include <array>
#include <utility>

namespace cutaway::trace {

std::string_view name(Kind kind)
{
    constexpr std::array<std::string_view, 3> names{"kineto", "onnxruntime", "chrome"};
    return names[std::to_underlying(kind)];
}

} // namespace cutaway::trace
