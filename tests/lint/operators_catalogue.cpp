// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Writes docs/operators.md from the rows of core/ops, and from what other layers do with these operators.
//
// usage: operators_catalogue PAGE             writes docs/operators.md
//        operators_catalogue --check PAGE     whether what lies there is what would be written
#include "core/base/formatted.h"
#include "core/ops/operator.h"
#include "core/ops/torch/signatures.h"
#include "core/print/operators/operator_columns.h"
#include "tests/lint/written_file.h"

#include "core/ir/graph.h"
#include "core/ops/fact_source.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
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

/// Code in a cell of a table.
std::string code(std::string_view text)
{
    std::string cell;
    for (const char c : text)
        cell.append(c == '|' ? "\\|" : std::string(1, c));
    return formatted("`{}`", cell);
}

/// "core", or "core: `relu`; no: `relu6`" where the names of a row differ.
std::string cell(const ops::Operator &row, std::size_t column)
{
    std::vector<std::pair<std::string, std::string>> texts; // and their names
    for (const ops::OperatorName &name : ops::namesOf(row)) {
        const print::OperatorColumn own = print::operatorColumns(name.dialect, name.name)[column];
        if (own.text.empty())
            continue;
        const std::string text = own.isCode ? code(own.text) : own.text;
        const auto known = std::ranges::find(texts, text, &std::pair<std::string, std::string>::first);
        if (known == texts.end())
            texts.emplace_back(text, code(name.name));
        else if (!known->second.contains(code(name.name)))
            known->second.append(", ").append(code(name.name));
    }
    if (texts.size() == 1)
        return texts.front().first;
    std::string all;
    for (const auto &[text, names] : texts)
        all += formatted("{}{}: {}", all.empty() ? "" : "; ", text, names);
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
           "- **Counts**: *flops* as torch.utils.flop_counter counts them (which knows no operator of PyTorch on "
           "packed or "
           "quantized weights; products\n  of ONNX's QLinearMatMul and its like are flops), *other* operations, or "
           "*moves* "
           "where no tensor is computed.\n"
           "- **Kind**: what operators of all dialects that compute the same are called; empty where that is their "
           "name.\n"
           "- **Autocast**: what torch.autocast makes of their floating tensors.\n"
           "- **Core ATen**: *core* where `decompose-to-core-aten` keeps it, *decomposed* by a rule, *by formula*, or "
           "*no*.\n"
           "- **To ONNX**: *yes*, *from opset N* of those that conversion makes, through its *decomposition* or "
           "*formula*, or *no*.\n"
           "- **From ONNX**: *yes* where `lower-to-aten` makes operators of aten of it. Arguments decide whether a "
           "rule applies.\n"
           "- **Python**: how a printed module calls it; *torch.nn* if some calls are a module's.\n"
           "- **Evaluated**: *yes* where the numbers of the results are computed, for constant folding and tests. "
           "Sizes "
           "and lists of them that the\n  shape rule knows need no such rule.\n"
           "- **Formula**: the operator as others, in the language of `core/ops/formula.h`.\n"
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
    std::string titles, rule = "|---|---|---|---|---|---|---|---|";
    const auto columns = print::operatorColumns("aten", "add");
    for (const print::OperatorColumn &column : columns) {
        titles += formatted(" {} |", column.title);
        rule += "---|";
    }
    out << formatted("| operators | kind | category | pattern | shape | counts | autocast | traits |{}\n{}\n", titles,
                     rule);
    for (const ops::Operator &row : family.rows) {
        out << formatted("| {} | {} | {} | {} | {} | {} | {} | {} |", names(row), row.traits.kind.name(),
                         ops::name(row.category), text(row.pattern), row.shape ? "yes" : "", counted(row),
                         autocast(row.traits), traits(row));
        for (std::size_t column = 0; column < columns.size(); ++column)
            out << formatted(" {} |", cell(row, column));
        out << '\n';
    }
}

std::string catalogue()
{
    std::ostringstream out;
    writeIntroduction(out);
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        writeFamily(out, family);
    return out.str();
}

} // namespace

int main(int argc, char **argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 2 && arguments[0] == "--check")
        return test::checkWritten(arguments[1], catalogue(), "write_operators");
    if (arguments.size() != 1) {
        std::cerr << "usage: operators_catalogue [--check] PAGE\n";
        return 2;
    }
    std::ofstream page(arguments[0]);
    page << catalogue();
    return page.flush() ? 0 : 1;
}
