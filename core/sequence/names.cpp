// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/sequence.h"

#include <array>
#include <utility>

namespace cutaway::sequence {

std::string_view name(Kind kind)
{
    constexpr std::array<std::string_view, 10> names{
        "dynamo", "compiled_autograd", "pre_grad", "joint", "aot", "post_grad", "pass", "export", "file", "text"};
    return names[std::to_underlying(kind)];
}

std::string_view name(Direction direction)
{
    constexpr std::array<std::string_view, 4> names{"joint", "forward", "backward", "inference"};
    return names[std::to_underlying(direction)];
}

std::string_view name(Part part) { return part == Part::Forward ? "forward" : "backward"; }

std::string_view name(Status status)
{
    constexpr std::array<std::string_view, 5> names{"ok", "empty", "restarted", "failed", "cut"};
    return names[std::to_underlying(status)];
}

} // namespace cutaway::sequence
