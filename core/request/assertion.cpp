// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/assertion.h"

#include "core/base/text.h"
#include "core/print/figures.h"

#include <algorithm>
#include <charconv>
#include <fnmatch.h>

namespace cutaway::request {

namespace {

using Relation = Assertion::Relation;

constexpr std::size_t namesShown = 5;

struct Unit {
    std::string_view name;
    double factor;
    FigureUnit unit;
};
constexpr Unit units[] = {
    {"ns", 1e-9, FigureUnit::Seconds},  {"us", 1e-6, FigureUnit::Seconds},   {"ms", 1e-3, FigureUnit::Seconds},
    {"s", 1, FigureUnit::Seconds},      {"B", 1, FigureUnit::Bytes},         {"kB", 1e3, FigureUnit::Bytes},
    {"MB", 1e6, FigureUnit::Bytes},     {"GB", 1e9, FigureUnit::Bytes},      {"TB", 1e12, FigureUnit::Bytes},
    {"KiB", 1024, FigureUnit::Bytes},   {"MiB", 1 << 20, FigureUnit::Bytes}, {"GiB", 1 << 30, FigureUnit::Bytes},
    {"TiB", 0x1p40, FigureUnit::Bytes}, {"", 1, FigureUnit::Count},          {"k", 1e3, FigureUnit::Count},
    {"M", 1e6, FigureUnit::Count},      {"G", 1e9, FigureUnit::Count},       {"T", 1e12, FigureUnit::Count}};

struct Sign {
    std::string_view text;
    Relation relation;
};
constexpr Sign signs[] = {
    {"<=", Relation::LessEqual}, {">=", Relation::GreaterEqual}, {"==", Relation::Equal},  {"!=", Relation::NotEqual},
    {"!~", Relation::HasNot},    {"<", Relation::Less},          {">", Relation::Greater}, {"~", Relation::Has}};

bool isOfNames(Relation relation) { return relation == Relation::Has || relation == Relation::HasNot; }

std::string_view limitsOf(FigureUnit unit)
{
    switch (unit) {
    case FigureUnit::Seconds:
        return "a number and a unit of time, for example 5ms";
    case FigureUnit::Bytes:
        return "a number and a unit of memory, for example 100MB";
    case FigureUnit::Count:
        return "a number, for example 8.2G";
    case FigureUnit::Names:
        break;
    }
    return "a name, in which * stands for any letters";
}

std::string namesOf(std::span<const NamedFigure> known)
{
    std::string names;
    for (const NamedFigure &figure : known)
        names += (names.empty() ? "" : ", ") + std::string(figure.name);
    return names;
}

/// Reads one text from beginning to end; blanks between its parts are skipped.
class AssertionParser {
public:
    AssertionParser(const std::string &text, std::span<const NamedFigure> known) : m_text(text), m_known(known) { }

    Result<std::vector<Assertion>> all()
    {
        std::vector<Assertion> assertions;
        do {
            CUTAWAY_TRY(auto next, one());
            assertions.push_back(std::move(next));
        } while (m_at++ < m_text.size()); // past the comma
        return assertions;
    }

private:
    Result<Assertion> one()
    {
        skipBlanks();
        const std::size_t begin = m_at;
        CUTAWAY_TRY(const auto figure, readFigure());
        CUTAWAY_TRY(const auto relation, readRelation(figure));
        const std::size_t limitBegin = m_at;
        m_at = std::min(m_text.find(',', m_at), m_text.size());
        Assertion assertion{.figure = figure, .relation = relation, .glob = {}, .text = trimmed(begin, m_at)};
        const std::string limit = trimmed(limitBegin, m_at);
        if (isOfNames(relation) ? limit.empty() : !readNumber(limit, assertion)) {
            m_at = limitBegin;
            return wrong("'" + limit + "' is not a limit for " + std::string(figure.name) + "; expected "
                         + std::string(limitsOf(figure.unit)));
        }
        if (isOfNames(relation))
            assertion.glob = limit;
        return assertion;
    }

    Result<NamedFigure> readFigure()
    {
        const std::size_t end = std::min(m_text.find_first_of(" <>=!~,", m_at), m_text.size());
        const std::string name = m_text.substr(m_at, end - m_at);
        if (name.empty())
            return wrong("an assertion is missing; expected FIGURE<LIMIT with one of the figures " + namesOf(m_known));
        const auto figure = std::ranges::find(m_known, name, &NamedFigure::name);
        if (figure == m_known.end())
            return wrong("unknown figure '" + name + "'; there are " + namesOf(m_known));
        m_at = end;
        skipBlanks();
        return *figure;
    }

    Result<Relation> readRelation(const NamedFigure &figure)
    {
        const auto *const sign = std::ranges::find_if(
            signs, [&](const Sign &each) { return std::string_view(m_text).substr(m_at).starts_with(each.text); });
        const bool wantsNames = figure.unit == FigureUnit::Names;
        if (sign == std::end(signs) || isOfNames(sign->relation) != wantsNames)
            return wrong("'" + std::string(figure.name) + "' must be followed by "
                         + (wantsNames ? "~ or !~ and a name" : "<, <=, >, >=, == or != and a limit"));
        m_at += sign->text.size();
        skipBlanks();
        return sign->relation;
    }

    static bool readNumber(const std::string &limit, Assertion &assertion)
    {
        const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), assertion.limit);
        std::string_view unitName(end, limit.data() + limit.size());
        unitName.remove_prefix(std::min(unitName.find_first_not_of(' '), unitName.size()));
        const auto *const unit = std::ranges::find_if(
            units, [&](const Unit &each) { return each.name == unitName && each.unit == assertion.figure.unit; });
        if (error != std::errc{} || unit == std::end(units))
            return false;
        assertion.limit *= unit->factor;
        return true;
    }

    std::string trimmed(std::size_t begin, std::size_t end) const
    {
        while (end > begin && m_text[end - 1] == ' ')
            --end;
        return m_text.substr(begin, end - begin);
    }

    void skipBlanks() { m_at = std::min(m_text.find_first_not_of(' ', m_at), m_text.size()); }

    std::unexpected<Error> wrong(std::string message) const
    {
        return usageError(std::move(message), "character " + std::to_string(m_at + 1) + " of '" + m_text + "'");
    }

    const std::string &m_text;
    std::span<const NamedFigure> m_known;
    std::size_t m_at = 0;
};

std::string figureText(FigureUnit unit, double value)
{
    if (unit == FigureUnit::Seconds)
        return print::secondsText(value);
    return unit == FigureUnit::Bytes ? byteCount(value) : grouped(static_cast<long long>(value));
}

bool holds(const Assertion &assertion, double value)
{
    switch (assertion.relation) {
    case Relation::Less:
        return value < assertion.limit;
    case Relation::LessEqual:
        return value <= assertion.limit;
    case Relation::Greater:
        return value > assertion.limit;
    case Relation::GreaterEqual:
        return value >= assertion.limit;
    case Relation::Equal:
        return value == assertion.limit;
    default:
        return value != assertion.limit;
    }
}

/// Returns the spellings of an operator's name, with and without "aten::" and ".Tensor".
std::vector<std::string> spellingsOf(const std::string &name)
{
    const std::size_t separator = name.find("::");
    if (separator == std::string::npos)
        return {name};
    const std::size_t behind = separator + 2, overload = std::min(name.find('.', behind), name.size());
    return {name, name.substr(behind), name.substr(0, overload), name.substr(behind, overload - behind)};
}

std::vector<std::string> matching(const std::vector<std::string> &names, const std::string &glob)
{
    std::vector<std::string> found;
    std::ranges::copy_if(names, std::back_inserter(found), [&](const std::string &name) {
        return std::ranges::any_of(spellingsOf(name), [&](const std::string &spelling) {
            return fnmatch(glob.c_str(), spelling.c_str(), 0) == 0;
        });
    });
    return found;
}

/// Returns why an assertion on names does not hold; nothing if it does. Sets `isUndecided` if that is not known.
std::optional<std::string> brokenNames(const Assertion &assertion, const Figure &figure, bool &isUndecided)
{
    std::vector<std::string> found = matching(figure.names, assertion.glob);
    isUndecided = found.empty() && !figure.whyUnknown.empty();
    if (found.empty() != (assertion.relation == Relation::Has))
        return std::nullopt;
    if (found.empty())
        return "there is none";
    const std::size_t all = found.size();
    found.resize(std::min(all, namesShown));
    return "there is " + sanitized(joined(found, ", ")) + (all > namesShown ? ", …" : "");
}

/// Returns the message on one assertion; "" if it holds.
std::string lineOn(const Assertion &assertion, const Figure &figure)
{
    bool isUndecided = !figure.value;
    std::optional<std::string> why;
    if (isOfNames(assertion.relation))
        why = brokenNames(assertion, figure, isUndecided);
    else if (figure.value && !holds(assertion, *figure.value))
        why = "it is " + figureText(assertion.figure.unit, *figure.value);
    if (isUndecided)
        return assertion.text + " is not known: " + figure.whyUnknown;
    return why ? assertion.text + " does not hold: " + *why : std::string();
}

} // namespace

Result<std::vector<Assertion>> parseAssertions(std::span<const std::string> texts, std::span<const NamedFigure> known)
{
    std::vector<Assertion> assertions;
    for (const std::string &text : texts) {
        CUTAWAY_TRY(auto some, AssertionParser(text, known).all());
        std::ranges::move(some, std::back_inserter(assertions));
    }
    return assertions;
}

std::vector<std::string> broken(std::span<const Assertion> assertions, const Figures &figures)
{
    std::vector<std::string> lines;
    for (const Assertion &assertion : assertions)
        if (std::string line = lineOn(assertion, figures.at(assertion.figure.name)); !line.empty())
            lines.push_back(std::move(line));
    return lines;
}

} // namespace cutaway::request
