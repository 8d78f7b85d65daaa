// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/dotted_path.h"

#include <algorithm>

namespace cutaway::print {

std::string_view parentPath(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return path.substr(0, dot == path.npos ? 0 : dot);
}

std::string_view lastName(std::string_view path) { return path.substr(path.rfind('.') + 1); }

bool isWithinPath(std::string_view path, std::string_view ancestor)
{
    return ancestor.empty() || path == ancestor
        || (path.starts_with(ancestor) && path.size() > ancestor.size() && path[ancestor.size()] == '.');
}

std::string_view pathFrom(std::string_view ancestor, std::string_view path)
{
    if (ancestor.empty())
        return path;
    return path.substr(std::min(path.size(), ancestor.size() + 1));
}

} // namespace cutaway::print
