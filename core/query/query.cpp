// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/query.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/base/text.h"

#include <algorithm>

namespace cutaway::query {

namespace {

/// Returns the number of code points of a UTF-8 text.
std::size_t lengthOf(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::optional<Property> propertyOf(const Term &term)
{
    return std::visit(Overloaded{[](const Word &) { return std::optional<Property>(); },
                                 [](const TextMatch &text) { return std::optional(text.property); },
                                 [](const ShapePattern &) { return std::optional(Property::Shape); },
                                 [](const Comparison &comparison) { return std::optional(comparison.figure); },
                                 [](const DataMatch &) { return std::optional(Property::Data); },
                                 [](const Relation &relation) { return std::optional(relation.relation); },
                                 [](const Flag &flag) { return std::optional(flag.property); }},
                      term);
}

} // namespace

std::string printMistake(std::string_view text, const Mistake &mistake)
{
    return formatted("{} (column {})", mistake.message, lengthOf(text.substr(0, mistake.at)) + 1);
}

std::string markedText(std::string_view text, const Mistake &mistake)
{
    const std::string_view wrong = mistake.at < text.size() ? text.substr(mistake.at, mistake.length) : " ";
    const std::size_t before = lengthOf(sanitized(text.substr(0, mistake.at)));
    return "  " + sanitized(text) + "\n  " + std::string(before, ' ')
        + std::string(std::max<std::size_t>(lengthOf(sanitized(wrong)), 1), '^') + "\n";
}

std::string quotedName(std::string_view name)
{
    const bool isPlain =
        !name.empty() && name.find_first_of(" \t\n\"\\()<>=!*") == std::string_view::npos && !name.contains("..");
    if (isPlain)
        return std::string(name);
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return text + '"';
}

bool uses(const Expression &expression, Property property)
{
    if (expression.kind == Expression::Kind::Term)
        return propertyOf(expression.term) == property;
    return std::ranges::any_of(expression.operands, [=](const Expression &each) { return uses(each, property); });
}

std::vector<Property> propertiesIn(const Expression &expression)
{
    std::vector<Property> all;
    for (const PropertyRow &row : properties())
        if (uses(expression, row.property))
            all.push_back(row.property);
    return all;
}

std::vector<std::string> columnsIn(const Expression &expression)
{
    std::vector<std::string> columns;
    if (const auto *data = std::get_if<DataMatch>(&expression.term); data && expression.operands.empty())
        columns.push_back(data->column);
    for (const Expression &operand : expression.operands)
        for (std::string &column : columnsIn(operand))
            if (!std::ranges::contains(columns, column))
                columns.push_back(std::move(column));
    return columns;
}

std::optional<std::vector<Pattern>> plainWords(const Expression &expression)
{
    if (expression.kind == Expression::Kind::Term) {
        const auto *word = std::get_if<Word>(&expression.term);
        return word ? std::optional(std::vector{word->pattern}) : std::nullopt;
    }
    if (expression.kind != Expression::Kind::And)
        return std::nullopt;
    std::vector<Pattern> all;
    for (const Expression &operand : expression.operands) {
        const auto words = plainWords(operand);
        if (!words)
            return std::nullopt;
        all.insert(all.end(), words->begin(), words->end());
    }
    return all;
}

} // namespace cutaway::query
