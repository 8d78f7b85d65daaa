// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cutaway::passes {

class Rewriter;

/// What an option may be: a flag, a count, a number, a word.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

struct Option {
    std::string_view name;                      ///< "elements"
    std::string_view description;               ///< "largest tensor that is computed, in elements"
    OptionValue defaultValue;                   ///< its value where nobody gives one; its type too
    std::vector<std::string_view> choices = {}; ///< the words it may be; empty: any
};

/// Values of a pass's options, all of them, by name.
class Settings {
public:
    explicit Settings(std::span<const Option> options = {});

    bool flag(std::string_view option) const { return std::get<bool>(at(option)); }
    std::int64_t count(std::string_view option) const { return std::get<std::int64_t>(at(option)); }
    double number(std::string_view option) const { return std::get<double>(at(option)); }
    const std::string &word(std::string_view option) const { return std::get<std::string>(at(option)); }

    const OptionValue &at(std::string_view option) const { return m_values.find(option)->second; }
    const std::map<std::string, OptionValue, std::less<>> &values() const { return m_values; }
    /// The option must be one of the pass, the value of its type.
    void set(std::string_view option, OptionValue value) { m_values.find(option)->second = std::move(value); }
    bool operator==(const Settings &) const = default;

private:
    std::map<std::string, OptionValue, std::less<>> m_values;
};

/// One change of a graph that keeps what it computes. It reads and writes through the rewriter only, leaves alone what
/// it does not understand, and need not say whether it changed anything: that is seen.
struct Pass {
    std::string_view name;        ///< "dead-code"
    std::string_view description; ///< one sentence
    std::vector<Option> options;
    /// Errors: why the pass cannot do what it is for; the graph is then as it was before.
    std::function<Result<void>(Rewriter &rewriter, const Settings &settings)> run;
    bool isUsual = true; ///< a part of the default pipeline: keeps the numbers, and every model is better for it
};

/// All passes of Cutaway's own, in the order in which the default pipeline has those that it has.
std::span<const Pass *const> passes();

/// One of these or of `others`. Errors (usage): there is no such pass, and which are called alike.
Result<const Pass *> findPass(std::string_view name, std::span<const Pass *const> others = {});

} // namespace cutaway::passes
