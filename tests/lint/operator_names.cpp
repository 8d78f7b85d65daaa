// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Writes core/ops/row_names.def from the rows of core/ops. It needs nothing that is compiled with these names.
//
// usage: operator_names NAMES             writes core/ops/row_names.def
//        operator_names --check NAMES     whether what lies there is what would be written
//        operator_names --kinds HEADER…   whether each constant of ops::kind in these headers is the kind of a row
#include "core/base/formatted.h"
#include "core/ops/operator.h"
#include "tests/lint/written_file.h"

#include <algorithm>
#include <regex>
#include <set>
#include <span>
#include <utility>

using namespace cutaway;

namespace {

/// The names of all rows, sorted, in lines of at most 120 characters.
std::string listOfNames()
{
    std::set<std::string> names;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows)
            for (const auto &[dialect, name, plain] : ops::namesOf(row))
                names.insert(formatted("\"{}::{}\",", dialect, name));
    std::string list =
        "// SPDX-FileCopyrightText: The Cutaway authors\n// SPDX-License-Identifier: GPL-3.0-or-later\n"
        "// The names of all rows of core/ops, written from them by the target write_operator_names; see "
        "core/ops/row_names.h.\n";
    constexpr std::size_t width = 120;
    std::string line;
    for (const std::string &name : names) {
        if (!line.empty() && line.size() + 1 + name.size() > width)
            list += std::exchange(line, {}) + "\n";
        line += (line.empty() ? "" : " ") + name;
    }
    return list + line + "\n";
}

std::vector<ops::OperatorKind> kindsOfRows()
{
    std::vector<ops::OperatorKind> kinds;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows)
            for (const auto &[dialect, name, plain] : ops::namesOf(row))
                kinds.push_back(ops::kindOf(dialect, name));
    return kinds;
}

/// Code that asks for a kind that no row has would never find it.
int checkKinds(std::span<const std::string> headers)
{
    const std::vector<ops::OperatorKind> kinds = kindsOfRows();
    const std::regex declaration("OperatorKind (\\w+)\\{\"(\\w+)\"\\}");
    int declared = 0, unknown = 0;
    for (const std::string &path : headers) {
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);)
            if (std::smatch match; std::regex_search(line, match, declaration)) {
                ++declared;
                if (const std::string name = match.str(2); std::ranges::contains(kinds, ops::OperatorKind(name)))
                    continue;
                ++unknown;
                std::cerr << formatted("{}: kind::{} is the kind of no operator's row\n", path, match.str(1));
            }
    }
    if (declared == 0)
        std::cerr << "no constant of ops::kind was found\n";
    return declared == 0 || unknown > 0 ? 1 : 0;
}

} // namespace

int main(int argc, char **argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() > 1 && arguments[0] == "--kinds")
        return checkKinds(std::span(arguments).subspan(1));
    if (arguments.size() == 2 && arguments[0] == "--check")
        return test::checkWritten(arguments[1], listOfNames(), "write_operator_names");
    if (arguments.size() != 1) {
        std::cerr << "usage: operator_names [--check] NAMES | --kinds HEADER...\n";
        return 2;
    }
    std::ofstream names(arguments[0]);
    names << listOfNames();
    return names.flush() ? 0 : 1;
}
