// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The source with which .ci/compiling compares the time of a build. It includes about as much, and does about as much,
// as a source of Cutaway, but uses nothing of Cutaway. A change of it also changes the limit in .ci/run.
#include <algorithm>
#include <expected>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

template <int N>
struct Kind {
    std::vector<std::string> names;
    std::map<std::string, std::variant<std::int64_t, double, std::string, std::vector<Kind<N - 1>>>, std::less<>> parts;
};

template <>
struct Kind<0> {
    std::vector<std::string> names;
    std::map<std::string, std::variant<std::int64_t, double, std::string>, std::less<>> parts;
};

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

template <int N>
std::expected<Kind<N>, std::string> read(const nlohmann::json &json)
{
    if (!json.is_object())
        return std::unexpected("level " + std::to_string(N) + ": an object is wanted, found " + json.type_name());
    Kind<N> kind;
    for (const auto &[key, value] : json.items()) {
        kind.names.push_back(key);
        if (value.is_number_integer())
            kind.parts.emplace(key, value.template get<std::int64_t>());
        else if (value.is_number())
            kind.parts.emplace(key, value.template get<double>());
        else if (value.is_string())
            kind.parts.emplace(key, value.template get<std::string>());
        else if constexpr (N > 0) {
            std::vector<Kind<N - 1>> inner;
            for (const auto &each : value) {
                auto part = read<N - 1>(each);
                if (!part)
                    return std::unexpected(key + ": " + part.error());
                inner.push_back(std::move(*part));
            }
            kind.parts.emplace(key, std::move(inner));
        }
    }
    std::ranges::sort(kind.names);
    return kind;
}

template <int N>
void write(const Kind<N> &kind, nlohmann::json &json)
{
    for (const std::string &name : kind.names)
        std::visit(Overloaded{[&](const auto &plain) { json[name] = plain; },
                              [&]<class Part>(const std::vector<Part> &inner)
                                  requires(N > 0)
                              {
                                  for (const Part &part : inner)
                                      write(part, json[name].emplace_back());
                              }},
                              kind.parts.at(name));
}

template <int N>
std::size_t counted(const Kind<N> &kind, std::unordered_map<std::string, std::set<std::size_t>> &places,
                    const std::function<bool(std::string_view)> &isWanted)
{
    auto wanted = kind.names | std::views::filter(isWanted);
    std::size_t count = 0;
    for (const auto &[place, name] : std::views::enumerate(wanted) | std::views::take(1000)) {
        places[name].insert(static_cast<std::size_t>(place));
        ++count;
    }
    for (const auto &[name, part] : kind.parts)
        if constexpr (N > 0)
            if (const auto *inner = std::get_if<std::vector<Kind<N - 1>>>(&part))
                count = std::accumulate(inner->begin(), inner->end(), count, [&](std::size_t sum, const auto &each) {
                    return sum + counted<N - 1>(each, places, isWanted);
                });
    return count;
}

} // namespace

std::string answer(const std::string &text)
{
    const auto kind = read<2>(nlohmann::json::parse(text, nullptr, false));
    if (!kind)
        return kind.error();
    std::unordered_map<std::string, std::set<std::size_t>> places;
    nlohmann::json json;
    write(*kind, json);
    const std::size_t count = counted(*kind, places, [](std::string_view name) { return name.size() < 40; });
    return std::to_string(count) + " in " + std::to_string(places.size()) + ": " + json.dump(2);
}
