// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/unique_names.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::convert {

/// Returns the Python identifier that is nearest to a name: "layer1_0_out" for "layer1.0/out".
std::string programName(std::string_view wanted);

/// Gives names to tensors of a module. torch makes each tensor an attribute of the submodule that the dots of its name
/// lead to: no part of a name may be empty or a name that every module has, and no tensor may have the path of a
/// module.
class AttributeNames {
public:
    std::string fresh(std::string_view wanted);

private:
    std::string moduleFor(const std::string &wanted) const;
    bool take(const std::string &name);

    std::unordered_set<std::string> m_tensors, m_modules;
    std::unordered_map<std::string, int> m_numbers; ///< by base name: the last number appended to it
};

} // namespace cutaway::convert
