// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/schema_table.h"

#include <cassert>
#include <compare>

// The file becomes read-only data, of which nothing is read before the first lookup.
asm(".pushsection .rodata\n"
    ".global cutawaySchemas, cutawaySchemasEnd\n"
    "cutawaySchemas: .incbin \"" CUTAWAY_SCHEMAS "\"\n"
    "cutawaySchemasEnd: .byte 0\n"
    ".popsection\n");
extern "C" const char cutawaySchemas[];
extern "C" const char cutawaySchemasEnd[];

namespace cutaway::ops {

namespace {

/// The line that holds the byte `at`.
std::string_view lineAround(std::string_view table, std::size_t at)
{
    const std::size_t before = at == 0 ? std::string_view::npos : table.rfind('\n', at - 1);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    return table.substr(start, table.find('\n', at) - start);
}

/// The line's operator without its overload: "aten::add".
std::string_view operatorOf(std::string_view line) { return line.substr(0, line.find_first_of(".(")); }

/// Returns the table from the first line whose operator is not less than `op`.
std::string_view tableFrom(std::string_view op)
{
    const std::string_view table = schemaTable();
    std::size_t low = 0;
    std::size_t high = table.size(); // `low` and `high` are always starts of lines
    while (low < high) {
        const std::string_view line = lineAround(table, low + (high - low) / 2);
        const std::size_t start = line.data() - table.data();
        if (operatorOf(line) < op)
            low = start + line.size() + 1;
        else
            high = start;
    }
    return table.substr(low);
}

} // namespace

std::string_view schemaTable() { return {cutawaySchemas, cutawaySchemasEnd}; }

std::vector<Schema> schemasOf(std::string_view dialect, std::string_view name)
{
    const std::string op = std::string(dialect).append("::").append(name);
    std::vector<Schema> schemas;
    std::string_view rest = tableFrom(op);
    while (!rest.empty() && operatorOf(rest) == op) {
        const std::size_t end = rest.find('\n');
        auto schema = parseSchema(rest.substr(0, end));
        assert(schema && "a line of the table is no schema");
        schemas.push_back(*std::move(schema));
        rest.remove_prefix(end + 1);
    }
    return schemas;
}

std::optional<Schema> findSchema(std::string_view dialect, std::string_view name, std::string_view overload)
{
    for (Schema &schema : schemasOf(dialect, name))
        if (schema.overload == overload)
            return std::move(schema);
    return std::nullopt;
}

} // namespace cutaway::ops
