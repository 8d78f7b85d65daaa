// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cutaway::convert {

/// Names the argument from which an attribute gets its value. Every other AttributeSource is a constant.
struct ArgumentName {
    std::string name;
    bool operator==(const ArgumentName &) const = default;
};
using AttributeSource = std::variant<ArgumentName, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                     std::vector<double>, std::vector<std::string>>;

/// An operator of the user's own in ONNX.
struct CustomOperator {
    std::string domain, name;
    std::int64_t domainVersion = 1;
    std::vector<std::pair<std::string, AttributeSource>> attributes;
    bool operator==(const CustomOperator &) const = default;
};

/// The custom operators that operators become, by their names in the source: "mylib::gelu2".
using OperatorTable = std::map<std::string, CustomOperator, std::less<>>;

/// Reads {"mylib::gelu2": {"op": "com.mylib::Gelu2", "attributes": {"alpha": "$alpha", "mode": 2}, "domain_version":
/// 1}}; "$alpha" is the argument of that name. Errors (Usage) name the line.
Result<OperatorTable> readOperatorTable(std::string_view text);

} // namespace cutaway::convert
