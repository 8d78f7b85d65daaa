// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/named_device.h"

#include <algorithm>
#include <cctype>

namespace cutaway::trace {

namespace {

/// Returns the words of a name, without the version of a socket: "a100", "sxm", "80gb" for "A100-SXM4-80GB".
std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words{""};
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!words.back().empty())
            words.emplace_back();
    for (std::string &word : words)
        if (word.starts_with("sxm"))
            word = "sxm";
    std::erase_if(words, [](const std::string &word) { return word.empty() || word.starts_with("hbm"); });
    return words;
}

} // namespace

const analysis::Device *deviceNamed(const std::vector<analysis::Device> &devices, std::string_view name)
{
    const std::vector<std::string> words = wordsOf(name);
    const auto isNamed = [&](const analysis::Device &device) {
        const std::vector<std::string> all = wordsOf(device.name);
        return std::ranges::all_of(words, [&](const std::string &word) { return std::ranges::contains(all, word); });
    };
    const auto found = std::ranges::find_if(devices, isNamed);
    if (words.empty() || found == devices.end() || std::any_of(std::next(found), devices.end(), isNamed))
        return nullptr;
    return &*found;
}

} // namespace cutaway::trace
