// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/unique_names.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::convert {

/// A name as Python takes it for a variable, as near as can be: "layer1.0/out" as "layer1_0_out".
std::string programName(std::string_view wanted);

/// Names for tensors of a module. torch makes each an attribute where the dots say: no part is empty, none has a name
/// that every module has, and no tensor is where others have their module.
class AttributeNames {
public:
    std::string fresh(std::string_view wanted);

private:
    bool take(const std::string &name);

    std::unordered_set<std::string> m_tensors, m_modules;
    std::unordered_map<std::string, int> m_numbers; ///< the last one that was given, by what stands before it
};

} // namespace cutaway::convert
