// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/module_call.h"

#include <algorithm>
#include <cctype>
#include <span>

namespace cutaway::formats::graph_text {

namespace {

using Path = std::vector<std::string_view>;

constexpr std::string_view anyItem = "[]"; ///< `[i]`, an item whose number the code does not show

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

Path parted(std::string_view path)
{
    Path parts;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        parts.push_back(path.substr(0, dot));
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return parts;
}

std::string_view takeWord(std::string_view &text)
{
    const auto end = std::ranges::find_if_not(text, isWord);
    const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(word.size());
    return word;
}

/// Takes a path ".attn.heads[0]" from the text.
Path takePath(std::string_view &text)
{
    Path path;
    while (!text.empty() && (text.front() == '.' || text.front() == '[')) {
        const bool isItem = text.front() == '[';
        text.remove_prefix(1);
        const std::string_view word = takeWord(text);
        const bool isNumber =
            !word.empty() && std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c); });
        path.push_back(isItem && !isNumber ? anyItem : word);
        if (isItem)
            text.remove_prefix(text.contains(']') ? text.find(']') + 1 : text.size());
    }
    return path;
}

/// The paths that follow `self` in the code.
struct SelfUses {
    std::vector<Path> called; ///< from `self.attn(`
    std::vector<Path> read;   ///< from `self.weight`
};

SelfUses selfUsesIn(std::string_view code)
{
    constexpr std::string_view self = "self";
    SelfUses uses;
    for (std::size_t at = code.find(self); at != code.npos; at = code.find(self, at + self.size())) {
        if (at > 0 && (isWord(code[at - 1]) || code[at - 1] == '.'))
            continue;
        std::string_view behind = code.substr(at + self.size());
        Path path = takePath(behind);
        if (!path.empty())
            (behind.starts_with('(') ? uses.called : uses.read).push_back(std::move(path));
    }
    return uses;
}

bool matches(const Path &part, const Path &whole, std::size_t at)
{
    return at + part.size() <= whole.size()
        && std::ranges::equal(part, std::span(whole).subspan(at, part.size()),
                              [](std::string_view a, std::string_view b) { return a == b || a == anyItem; });
}

std::string joinedPath(std::span<const std::string_view> parts)
{
    std::string path;
    for (const std::string_view part : parts)
        path.append(path.empty() ? "" : ".").append(part);
    return path;
}

/// Returns the only call through which a module can be reached; nothing if there is none, or there are several.
std::optional<ModuleCall> onlyCall(const std::vector<Path> &called, std::string_view module)
{
    const Path whole = parted(module);
    std::optional<ModuleCall> found;
    for (const Path &call : called)
        for (std::size_t at = 0; at < whole.size(); ++at) {
            if (!matches(call, whole, at))
                continue;
            ModuleCall reached{std::string(module), joinedPath(std::span(whole).first(at)),
                               joinedPath(std::span(whole).first(at + call.size()))};
            if (found && found->self != reached.self)
                return std::nullopt;
            found = std::move(reached);
        }
    return found;
}

bool isOfTorch(std::string_view file)
{
    return file.contains("torch/nn/modules/") || file.contains("torch\\nn\\modules\\");
}

} // namespace

std::string_view moduleOfWeight(std::string_view weight)
{
    const std::size_t dot = weight.rfind('.');
    return weight.substr(0, dot == weight.npos ? 0 : dot);
}

std::optional<ModuleCall> moduleCall(std::string_view file, std::string_view code, std::string_view weight,
                                     bool isShared)
{
    const std::string_view module = moduleOfWeight(weight);
    const std::string_view own = weight.substr(module.empty() ? 0 : module.size() + 1);
    const SelfUses uses = selfUsesIn(code);
    if (auto call = onlyCall(uses.called, module))
        return call;
    if (isShared)
        return std::nullopt;
    const bool isItsOwn = std::ranges::any_of(uses.read, [&](const Path &path) { return path.front() == own; });
    if (isItsOwn || isOfTorch(file))
        return ModuleCall{std::string(module), std::string(module), {}};
    const bool isElsewhere = !uses.called.empty() || !uses.read.empty() || code.contains("." + std::string(own));
    return isElsewhere ? std::nullopt : std::optional(ModuleCall{std::string(module), {}, {}});
}

} // namespace cutaway::formats::graph_text
