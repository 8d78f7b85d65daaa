// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Writes docs/operators.md from the rows of core/ops.
//
// usage: operators_catalogue FILE             writes the file
//        operators_catalogue --check FILE     whether what lies there is what would be written
#include "core/base/formatted.h"
#include "core/ops/operator.h"
#include "core/ops/torch/signatures.h"

#include "core/ir/graph.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

using namespace cutaway;

namespace {

struct Name {
    std::string_view dialect;
    std::string_view name;
};

Name split(std::string_view full)
{
    const std::size_t colons = full.rfind("::");
    return {full.substr(0, colons), full.substr(colons + 2)};
}

/// The cost of a call without arguments. A rule that counts flops does not know them then.
ops::Cost costOfNothing(const ops::Operator &row)
{
    static const ops::Fact nothing;
    const ops::Call::Source source{.fact = [](ir::ValueId) -> const ops::Fact & { return nothing; },
                                   .freshSize = [](std::string_view) { return ir::Dim(ir::UnknownDim{}); },
                                   .tensor = [](ir::TensorId) { return ops::Fact(); },
                                   .size = [](const symbolic::Expr &expr) { return ir::Dim(expr); }};
    ir::Graph graph(std::make_shared<ir::Context>());
    ops::Signatures signatures(graph.context());
    const auto [dialect, name] = split(ops::namesOf(row).front());
    ir::NodeDraft draft;
    draft.op = graph.context().op(dialect, name);
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
        {all.keepsElements, "keeps elements"},
        {all.roundsOnce, "rounds once"},
        {all.keepsDType, "keeps dtype"},
        {all.writesOtherwise, "writes otherwise"},
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

/// "**aten** `relu, relu6` **onnx** `Relu`"
std::string names(const ops::Operator &row)
{
    std::vector<std::pair<std::string_view, std::string>> dialects;
    for (const std::string_view full : ops::namesOf(row)) {
        const auto [dialect, name] = split(full);
        const auto known = std::ranges::find(dialects, dialect, &std::pair<std::string_view, std::string>::first);
        if (known == dialects.end())
            dialects.emplace_back(dialect, name);
        else
            known->second.append(", ").append(name);
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
    };
    std::map<std::string_view, OfDialect> dialects;
};

Counts counts()
{
    Counts all;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows) {
            ++all.rows;
            for (const std::string_view name : ops::namesOf(row)) {
                Counts::OfDialect &dialect = all.dialects[split(name).dialect];
                ++dialect.names, ++all.names;
                dialect.withShape += row.shape ? 1 : 0, all.namesWithShape += row.shape ? 1 : 0;
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
           "- **Category** gives the colour. Gradients (`tanh_backward`) and operators on lists (`_foreach_add`) "
           "without "
           "a row have the\n  category of what they come from.\n"
           "- **Pattern**: what becomes of elements, see `Pattern` in `core/ops/operator.h`.\n"
           "- **Shape**: *yes* where a rule derives dtypes and shapes of the results. Operators with regions (`If`, "
           "`Loop`, `cond`) need none:\n  propagation walks their regions.\n"
           "- **Counts**: *flops* as torch.utils.flop_counter counts them, *other* operations, or *moves* where "
           "no tensor is computed.\n"
           "- **Kind**: what operators of all dialects that compute the same are called; empty where that is their "
           "name.\n"
           "- **Autocast**: what torch.autocast makes of their floating tensors.\n"
           "- **Traits**: *random* draws numbers; *acts* prints, raises or synchronises; *placed* says where its "
           "results "
           "lie in memory; the others\n  are explained in `core/ops/operator.h`.\n\n"
           "| dialect | names | with shape rule |\n|---|--:|--:|\n";
    for (const auto &[dialect, ofDialect] : all.dialects)
        out << formatted("| `{}` | {} | {} |\n", dialect, ofDialect.names, ofDialect.withShape);
}

void writeFamily(std::ostream &out, const ops::OperatorFamily &family)
{
    out << formatted("\n## {}{}\n\n", static_cast<char>(family.name.front() - 'a' + 'A'), family.name.substr(1));
    out << "| operators | kind | category | pattern | shape | counts | autocast | traits "
           "|\n|---|---|---|---|---|---|---|---|\n";
    for (const ops::Operator &row : family.rows)
        out << formatted("| {} | {} | {} | {} | {} | {} | {} | {} |\n", names(row), row.traits.kind.name(),
                         ops::name(row.category), text(row.pattern), row.shape ? "yes" : "", counted(row),
                         autocast(row.traits), traits(row));
}

std::string catalogue()
{
    std::ostringstream out;
    writeIntroduction(out);
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        writeFamily(out, family);
    return out.str();
}

/// Says where the file differs, and how to renew it.
int check(const std::string &path)
{
    std::ifstream file(path);
    std::istringstream wanted(catalogue());
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

} // namespace

int main(int argc, char **argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 2 && arguments[0] == "--check")
        return check(arguments[1]);
    if (arguments.size() != 1) {
        std::cerr << "usage: operators_catalogue [--check] FILE\n";
        return 2;
    }
    std::ofstream file(arguments[0]);
    file << catalogue();
    return file.flush() ? 0 : 1;
}
