// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Writes docs/operators.md and core/ops/row_names.def from the rows of core/ops.
//
// usage: operators_catalogue PAGE NAMES             writes docs/operators.md and core/ops/row_names.def
//        operators_catalogue --check PAGE NAMES     whether what lies there is what would be written
//        operators_catalogue --kinds HEADER…  whether each constant of ops::kind in these headers is the kind of a row
#include "core/base/formatted.h"
#include "core/ops/operator.h"
#include "core/ops/torch/signatures.h"

#include "core/ir/graph.h"
#include "core/ops/fact_source.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>

using namespace cutaway;

namespace {

/// The cost of a call without arguments. A rule that counts flops does not know them then.
ops::Cost costOfNothing(const ops::Operator &row)
{
    ops::FactSource source;
    ir::Graph graph(std::make_shared<ir::Context>());
    ops::Signatures signatures(graph.context());
    const ops::OperatorName name = ops::namesOf(row).front();
    ir::NodeDraft draft;
    draft.op = graph.context().op(name.dialect, name.name);
    const ir::NodeId node = graph.append(ir::Graph::body, std::move(draft));
    return row.cost(ops::Call({graph, node}, signatures, source, 1), {});
}

std::string_view counted(const ops::Operator &row)
{
    if (!row.cost)
        return row.shape ? "moves" : "";
    return ops::isKnown(costOfNothing(row).flops) ? "other" : "flops";
}

std::string_view text(ops::Pattern pattern)
{
    constexpr std::array<std::string_view, 8> texts{"",       "pointwise", "along axis", "combining",
                                                    "moving", "picking",   "creating",   "control"};
    return texts[static_cast<std::size_t>(pattern)];
}

std::string_view text(ops::CastTo to)
{
    constexpr std::array<std::string_view, 6> texts{"",       "lower", "float32", "float32 unless a dtype is given",
                                                    "widest", "?"};
    return texts[static_cast<std::size_t>(to)];
}

/// "lower", "cuda: float32"
std::string autocast(const ops::Traits &traits)
{
    if (traits.cpuAutocast == traits.cudaAutocast)
        return std::string(text(traits.cpuAutocast));
    std::string both;
    if (traits.cpuAutocast != ops::CastTo::Nothing)
        both += formatted("cpu: {}", text(traits.cpuAutocast));
    if (traits.cudaAutocast != ops::CastTo::Nothing)
        both += formatted("{}cuda: {}", both.empty() ? "" : ", ", text(traits.cudaAutocast));
    return both;
}

/// "random, rounds once"
std::string traits(const ops::Operator &row)
{
    const ops::Traits &all = row.traits;
    const std::pair<bool, std::string_view> named[] = {
        {all.effect == ops::Effect::Random, "random"},
        {all.effect == ops::Effect::Acts, "acts"},
        {all.place, "placed"},
        {all.domains != nullptr, "has a domain"},
        {all.uninitialized, "uninitialized"},
        {all.keepsElements, "keeps elements"},
        {all.roundsOnce, "rounds once"},
        {all.keepsDType, "keeps dtype"},
        {all.writesDifferently, "writes differently"},
        {all.commutes, "commutes"},
        {all.reshapesInPlace, "reshapes in place"},
        {all.repeatsRegions, "repeats regions"},
        {all.runsRegionOnce, "runs region once"},
    };
    std::string list;
    for (const auto &[holds, name] : named)
        if (holds)
            list.append(list.empty() ? "" : ", ").append(name);
    return list;
}

/// "**aten** `abs = absolute, relu` **onnx** `Relu`"
std::string names(const ops::Operator &row)
{
    std::vector<std::pair<std::string_view, std::string>> dialects;
    for (const auto &[dialect, name, plain] : ops::namesOf(row)) {
        const auto known = std::ranges::find(dialects, dialect, &std::pair<std::string_view, std::string>::first);
        if (known == dialects.end())
            dialects.emplace_back(dialect, name);
        else
            known->second.append(name == plain ? ", " : " = ").append(name);
    }
    std::string all;
    for (const auto &[dialect, list] : dialects)
        all += formatted("{}**{}** `{}`", all.empty() ? "" : " ", dialect, list);
    return all;
}

struct Counts {
    int rows = 0;
    int names = 0;
    int namesWithShape = 0;
    struct OfDialect {
        int names = 0;
        int withShape = 0;
        int evaluated = 0;
    };
    std::map<std::string_view, OfDialect> dialects;
};

Counts counts()
{
    Counts all;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows) {
            ++all.rows;
            for (const ops::OperatorName &name : ops::namesOf(row)) {
                Counts::OfDialect &dialect = all.dialects[name.dialect];
                ++dialect.names, ++all.names;
                dialect.withShape += row.shape ? 1 : 0, all.namesWithShape += row.shape ? 1 : 0;
                dialect.evaluated += row.traits.compute ? 1 : 0;
            }
        }
    return all;
}

void writeIntroduction(std::ostream &out)
{
    const Counts all = counts();
    out << "# Operators\n\nWhat Cutaway knows of operators, family by family as in the sources of `core/ops`: a line "
           "is a row there, with its names in all\ndialects. This page is written from the rows; `packaging/build test "
           "write_operators` writes it anew. ";
    out << formatted("{} rows have {} names, {} of which\nhave a shape rule.\n\n", all.rows, all.names,
                     all.namesWithShape);
    out << "- **Names.** An operator that ends in `_` or `_copy` and has no row of its own is the plain one; all "
           "overloads are the same.\n"
           "  Names with `=` between them mean one operator with the same arguments.\n"
           "- **Category** gives the colour. Gradients (`tanh_backward`) and operators on lists (`_foreach_add`) "
           "without "
           "a row have the\n  category of what they come from.\n"
           "- **Pattern**: what becomes of elements, see `Pattern` in `core/ops/operator.h`.\n"
           "- **Shape**: *yes* where a rule derives dtypes and shapes of the results. Operators with regions (`If`, "
           "`Loop`, `cond`) need none:\n  propagation walks their regions.\n"
           "- **Evaluated**: *yes* where the numbers of the results are computed, for constant folding and tests. "
           "Sizes "
           "and lists of them that the\n  shape rule knows need no such rule.\n"
           "- **Counts**: *flops* as torch.utils.flop_counter counts them (which knows no operator of PyTorch on "
           "packed or "
           "quantized weights; products\n  of ONNX's QLinearMatMul and its like are flops), *other* operations, or "
           "*moves* "
           "where no tensor is computed.\n"
           "- **Kind**: what operators of all dialects that compute the same are called; empty where that is their "
           "name.\n"
           "- **Autocast**: what torch.autocast makes of their floating tensors.\n"
           "- **Traits**: *random* draws numbers; *acts* prints, raises or synchronises; *placed* says where its "
           "results "
           "lie in memory; the others\n  are explained in `core/ops/operator.h`.\n\n"
           "| dialect | names | with shape rule | evaluated |\n|---|--:|--:|--:|\n";
    for (const auto &[dialect, ofDialect] : all.dialects)
        out << formatted("| `{}` | {} | {} | {} |\n", dialect, ofDialect.names, ofDialect.withShape,
                         ofDialect.evaluated);
}

void writeFamily(std::ostream &out, const ops::OperatorFamily &family)
{
    out << formatted("\n## {}{}\n\n", static_cast<char>(family.name.front() - 'a' + 'A'), family.name.substr(1));
    out << "| operators | kind | category | pattern | shape | evaluated | counts | autocast | traits "
           "|\n|---|---|---|---|---|---|---|---|---|\n";
    for (const ops::Operator &row : family.rows)
        out << formatted("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", names(row), row.traits.kind.name(),
                         ops::name(row.category), text(row.pattern), row.shape ? "yes" : "",
                         row.traits.compute ? "yes" : "", counted(row), autocast(row.traits), traits(row));
}

std::string catalogue()
{
    std::ostringstream out;
    writeIntroduction(out);
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        writeFamily(out, family);
    return out.str();
}

/// The names of all rows, sorted, in lines of at most 120 characters.
std::string listOfNames()
{
    std::set<std::string> names;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows)
            for (const auto &[dialect, name, plain] : ops::namesOf(row))
                names.insert(formatted("\"{}::{}\",", dialect, name));
    std::string list = "// SPDX-FileCopyrightText: The Cutaway authors\n// SPDX-License-Identifier: GPL-3.0-or-later\n"
                       "// The names of all rows of core/ops, written from them by the target write_operators; see "
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

/// Says where the file differs from what it should have, and how to renew it.
int check(const std::string &path, const std::string &content)
{
    std::ifstream file(path);
    std::istringstream wanted(content);
    std::string found, line;
    for (int number = 1;; ++number) {
        const bool isMore = static_cast<bool>(std::getline(file, found));
        if (!std::getline(wanted, line) && !isMore)
            return 0;
        if (isMore && wanted && found == line)
            continue;
        std::cerr << formatted("{}:{}: the rows of core/ops say\n  {}\nnot\n  {}\n", path, number,
                               wanted ? line : "(nothing)", isMore ? found : "(nothing)")
                  << "Write it anew: packaging/build test write_operators\n";
        return 1;
    }
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
    if (arguments.size() == 3 && arguments[0] == "--check")
        return check(arguments[1], catalogue()) | check(arguments[2], listOfNames());
    if (arguments.size() != 2) {
        std::cerr << "usage: operators_catalogue [--check] PAGE NAMES | --kinds HEADER...\n";
        return 2;
    }
    std::ofstream page(arguments[0]), names(arguments[1]);
    page << catalogue();
    names << listOfNames();
    return page.flush() && names.flush() ? 0 : 1;
}
