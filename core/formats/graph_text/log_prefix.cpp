// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/log_prefix.h"

#include <algorithm>

namespace cutaway::formats::graph_text {

namespace {

/// Consumes a text from its start.
class Taker {
public:
    explicit Taker(std::string_view text) : m_text(text), m_rest(text) { }

    std::string_view rest() const { return m_rest; }
    std::size_t taken() const { return m_text.size() - m_rest.size(); }

    bool accept(std::string_view wanted)
    {
        const bool isThere = m_rest.starts_with(wanted);
        m_rest.remove_prefix(isThere ? wanted.size() : 0);
        return isThere;
    }
    /// Skips characters of a set; returns whether there were at least `least` of them.
    bool takeOf(std::string_view set, std::size_t least)
    {
        const std::size_t length = std::min(m_rest.find_first_not_of(set), m_rest.size());
        m_rest.remove_prefix(length);
        return length >= least;
    }
    /// Takes the text up to `end`, and `end`; takes nothing if the text does not contain it.
    std::optional<std::string_view> takeTo(std::string_view end)
    {
        const std::size_t at = m_rest.find(end);
        if (at == m_rest.npos)
            return std::nullopt;
        const std::string_view before = m_rest.substr(0, at);
        m_rest.remove_prefix(at + end.size());
        return before;
    }
    void skipColours()
    {
        while (m_rest.starts_with("\x1b["))
            m_rest.remove_prefix(std::min(m_rest.find_first_not_of("0123456789;", 2), m_rest.size() - 1) + 1);
    }

private:
    std::string_view m_text;
    std::string_view m_rest;
};

constexpr std::string_view digits = "0123456789";

/// Takes the marks " [0/0]" and " [__graph_code]", if they are there.
void takeMarks(Taker &taker, LogPrefix &prefix)
{
    const auto mark = [&](bool (*isOne)(std::string_view)) -> std::string_view {
        Taker ahead = taker;
        const auto text = ahead.accept(" [") ? ahead.takeTo("]") : std::nullopt;
        if (!text || !isOne(*text))
            return {};
        taker = ahead;
        return *text;
    };
    prefix.compile = mark([](std::string_view text) {
        return !text.empty() && text.find_first_not_of("!0123456789/_-") == text.npos && text.contains('/');
    });
    prefix.artifact = mark([](std::string_view text) { return text.starts_with("__"); });
}

/// Takes "V1127 09:41:53.776000 2 torch/_dynamo/output_graph.py:1353]" and the marks after it.
bool takeNew(Taker &taker, LogPrefix &prefix)
{
    if (taker.rest().empty() || !std::string_view("VIWEC").contains(taker.rest().front()))
        return false;
    taker.takeOf("VIWEC", 1);
    const bool isDated = taker.takeOf(digits, 4) && taker.accept(" ") && taker.takeOf("0123456789:.", 8)
        && taker.takeOf(" ", 1) && taker.takeOf(digits, 1) && taker.takeOf(" ", 1);
    const auto place = isDated ? taker.takeTo("]") : std::nullopt;
    if (!place || !place->contains(':'))
        return false;
    prefix.place = *place;
    takeMarks(taker, prefix);
    return true;
}

/// Takes "[2023-11-27 09:41:53,776] [0/0] torch._dynamo.output_graph: [DEBUG]", the prefix before torch 2.2.
bool takeOld(Taker &taker, LogPrefix &prefix)
{
    if (!taker.accept("[") || !taker.takeOf("0123456789-", 10) || !taker.accept(" ")
        || !taker.takeOf("0123456789:,.", 8) || !taker.accept("]"))
        return false;
    takeMarks(taker, prefix);
    if (!taker.accept(" "))
        return false;
    const auto place = taker.takeTo(": [");
    if (!place || place->contains(' ') || !taker.takeTo("]"))
        return false;
    prefix.place = *place;
    return true;
}

} // namespace

std::optional<LogPrefix> logPrefix(std::string_view line)
{
    Taker taker(line);
    LogPrefix prefix;
    taker.skipColours();
    if (taker.accept("[rank"))
        prefix.rank = taker.takeTo("]:").value_or("");
    const bool isThere = taker.rest().starts_with('[') ? takeOld(taker, prefix) : takeNew(taker, prefix);
    if (!isThere)
        return std::nullopt;
    taker.accept(" ");
    prefix.length = taker.taken();
    return prefix;
}

std::optional<std::string> withoutLogMarks(std::string_view text)
{
    std::string plain;
    bool isMarked = false;
    for (std::size_t at = 0; at < text.size();) {
        std::string_view line = text.substr(at, text.find('\n', at) - at);
        const bool isLast = at + line.size() >= text.size();
        at += line.size() + 1;
        if (const auto prefix = logPrefix(line)) {
            line.remove_prefix(prefix->length);
            isMarked = true;
        }
        for (std::size_t colour = line.find("\x1b["); colour != line.npos; colour = line.find("\x1b[")) {
            plain += line.substr(0, colour);
            Taker rest(line.substr(colour));
            rest.skipColours();
            line = rest.rest();
            isMarked = true;
        }
        plain += line;
        plain += isLast ? "" : "\n";
    }
    return isMarked ? std::optional(std::move(plain)) : std::nullopt;
}

} // namespace cutaway::formats::graph_text
