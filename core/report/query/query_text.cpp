// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/csv.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/query/query_report.h"

#include <algorithm>
#include <iterator>

namespace cutaway::report {

namespace {

using query::Property;

std::string figureText(const FoundNode &node, Property property)
{
    const Property figure = property == Property::Peak ? Property::Memory : property;
    switch (query::rowOf(figure).unit) {
    case query::Unit::Flop:
        return print::flopText(node.sizes.at(figure));
    case query::Unit::Byte:
        return print::bytesText(node.sizes.at(figure));
    case query::Unit::Count:
        return print::exactText(node.sizes.at(figure));
    case query::Unit::Second:
        break;
    }
    return node.seconds ? print::secondsText(*node.seconds) : "?";
}

std::string nodesText(const FoundInFunction &function, const std::vector<Property> &asked,
                      const std::vector<std::string> &askedData)
{
    std::vector<print::TextTable::Column> columns(4);
    columns.resize(4 + asked.size() + askedData.size(), {.align = print::TextTable::Align::Right});
    print::TextTable table(std::move(columns));
    for (const FoundNode &node : function.found) {
        std::vector<std::string> cells{node.name, node.op, node.scope, node.result};
        for (const Property property : asked)
            cells.push_back(figureText(node, property));
        for (std::size_t i = 0; i < function.columns.size(); ++i)
            if (std::ranges::contains(askedData, function.columns[i]))
                cells.push_back(sanitized(node_data::print(node.data[i])));
        cells.resize(4 + asked.size() + askedData.size()); // adds empty cells for columns that the function lacks
        table.addRow(std::move(cells));
    }
    return table.print(2);
}

std::vector<Property> figuresIn(const query::Expression &expression)
{
    std::vector<Property> asked = query::propertiesIn(expression);
    std::erase_if(asked, [](Property property) {
        return query::rowOf(property).form != query::PropertyRow::Form::Figure && property != Property::Peak;
    });
    if (query::uses(expression, Property::Memory))
        std::erase(asked, Property::Peak); // the column of Memory shows the same figure
    return asked;
}

std::string sizeCell(const ir::Dim &size) { return ops::isKnown(size) ? ir::print(size) : ""; }

} // namespace

std::string queryText(const QueryResult &result)
{
    const std::vector<Property> asked = figuresIn(result.query);
    const std::size_t nodes = result.nodes();
    std::string text = formatted("{}: {} of {}", sanitized(result.model.path),
                                 grouped(static_cast<long long>(result.found())), quantity(nodes, "node"));
    if (result.functions.size() > 1)
        text += formatted(" in {} functions", result.functions.size());
    text += "\n";
    for (const FoundInFunction &function : result.functions) {
        if (result.functions.size() > 1 && !function.found.empty())
            text += "function " + function.function + "\n";
        text += nodesText(function, asked, query::columnsIn(result.query));
    }
    for (const query::NotKnown &notKnown : result.notKnown())
        text += query::print(notKnown) + "\n";
    for (const std::string &name : result.unnamed())
        text += formatted("nothing is named {}\n", sanitized(name));
    return text;
}

std::string queryCsv(const QueryResult &result)
{
    std::vector<std::string> head{"function", "id", "name", "op", "category", "scope", "within", "result"};
    for (const query::PropertyRow &row : query::properties())
        if (row.isSize())
            head.emplace_back(row.name);
    head.insert(head.end(), {"seconds", "source"});
    for (const std::string &column : result.columns())
        head.push_back("data." + column);
    std::string text = print::csvRow(head);
    for (const FoundInFunction &function : result.functions)
        for (const FoundNode &node : function.found) {
            std::vector<std::string> row{function.function,
                                         std::to_string(node.id.index),
                                         node.name,
                                         node.op,
                                         std::string(ops::name(node.category)),
                                         node.scope,
                                         node.within ? std::to_string(node.within->index) : "",
                                         node.result};
            std::ranges::transform(node.sizes, std::back_inserter(row),
                                   [](const auto &figure) { return sizeCell(figure.second); });
            row.insert(row.end(), {node.seconds ? formatted("{}", *node.seconds) : "", node.source});
            std::ranges::transform(node.data, std::back_inserter(row), node_data::print);
            text += print::csvRow(row);
        }
    return text;
}

} // namespace cutaway::report
