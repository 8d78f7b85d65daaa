// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::rewrite {
class Rewriter;
}

namespace cutaway::passes {

/// The value of an option: a flag, an integer, a number or a word.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

struct Option {
    std::string_view name;                      ///< "elements"
    std::string_view description;               ///< "largest tensor that is computed, in elements"
    OptionValue defaultValue;                   ///< used if the option is not set; determines its type
    std::vector<std::string_view> choices = {}; ///< the allowed words; empty: any word
    bool isText = false;                        ///< whether the option is a text that may have several lines
};

/// The values of all options of a pass, by name.
class Settings {
public:
    explicit Settings(std::span<const Option> options = {});

    bool flag(std::string_view option) const { return std::get<bool>(at(option)); }
    std::int64_t count(std::string_view option) const { return std::get<std::int64_t>(at(option)); }
    double number(std::string_view option) const { return std::get<double>(at(option)); }
    const std::string &word(std::string_view option) const { return std::get<std::string>(at(option)); }

    const OptionValue &at(std::string_view option) const { return m_values.find(option)->second; }
    const std::map<std::string, OptionValue, std::less<>> &values() const { return m_values; }
    /// Sets an option, which the pass must have, to a value of its type.
    void set(std::string_view option, OptionValue value)
    {
        m_values.find(option)->second = std::move(value);
        std::erase_if(m_files, [&](const auto &file) { return file.first == option; });
    }
    bool operator==(const Settings &other) const { return m_values == other.m_values; }

    /// Returns the name of the file that the text of an option was read from, which stands for the text in lists and
    /// tables; "" if it was not read from a file.
    std::string_view file(std::string_view option) const
    {
        const auto found = m_files.find(option);
        return found == m_files.end() ? std::string_view() : found->second;
    }
    void setFile(std::string_view option, std::string name)
    {
        m_files.insert_or_assign(std::string(option), std::move(name));
    }

private:
    std::map<std::string, OptionValue, std::less<>> m_values;
    std::map<std::string, std::string, std::less<>> m_files; ///< by option: the file that its text was read from
};

/// A change of a graph that keeps what it computes. A pass reads and writes only through the rewriter, skips what it
/// does not understand, and need not report whether it changed anything.
struct Pass {
    std::string_view name;        ///< "dead-code"
    std::string_view description; ///< one sentence
    std::vector<Option> options;
    /// Errors: why the pass cannot do its work; the graph is then as before.
    std::function<Result<void>(rewrite::Rewriter &rewriter, const Settings &settings)> run;
    /// Whether the pass is in the default pipeline: it keeps results exactly and benefits every model.
    bool isDefault = true;
    std::vector<std::string_view> needs = {};    ///< passes that have to run before it; see withNeeds()
    std::vector<std::string_view> tidiedBy = {}; ///< passes that remove the leftovers of this pass
    /// Checks the options when a pipeline is read, and reads the files that they name; nullptr: all values are good.
    /// Errors (Usage): options that the pass cannot run with.
    std::function<Result<Settings>(Settings settings)> prepare = nullptr;
};

/// Returns "needs functionalize before and unused-parameters after"; "" for a pass without needs.
std::string needsText(const Pass &pass);

/// Returns all of Cutaway's own passes; those of the default pipeline are in its order.
std::span<const Pass *const> passes();

/// Finds a pass among passes() and `others`. Errors (Usage): no such pass, with similar names.
Result<const Pass *> findPass(std::string_view name, std::span<const Pass *const> others = {});

} // namespace cutaway::passes
