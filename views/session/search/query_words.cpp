// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/search/query_words.h"

#include "core/ir/context.h"
#include "core/ir/dtype.h"
#include "core/layout/outline.h"
#include "core/node_data/node_data.h"
#include "core/ops/category.h"
#include "core/query/property.h"
#include "core/query/query.h"
#include "views/parts/text.h"
#include "views/session/annotations/annotating.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/session.h"

#include <algorithm>
#include <set>
#include <span>

namespace cutaway::views {
namespace {

constexpr std::size_t mostWords = 5000; ///< a longer list is useless to a reader, and slow to search

class Words {
public:
    explicit Words(const Session &session)
        : m_model(session.document().model()),
          m_graph(session.document().function().graph),
          m_data(session.annotating().data())
    {
    }

    void addOperators(const std::string &before = {})
    {
        std::vector<bool> isSeen(m_graph.context().opCount());
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i)
            if (const ir::NodeRef node(m_graph, {i}); !node->removed && !isSeen[node->op.index]) {
                isSeen[node->op.index] = true;
                add(before + query::quotedName(node.opName()));
            }
    }

    /// Adds the path or the class, as `name` says, of each module that contains nodes.
    void addModules(ir::NameId ir::Scope::*name)
    {
        const ir::Context &context = m_graph.context();
        std::vector<bool> isSeen(context.scopeCount());
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i)
            for (ir::ScopeId s = m_graph.at(ir::NodeId{i}).scope; s != ir::ScopeId{} && !isSeen[s.index];
                 s = context.at(s).parent) {
                isSeen[s.index] = true;
                add(query::quotedName(context.text(context.at(s).*name)));
            }
    }

    void addNodes()
    {
        for (std::uint32_t i = 0; i < m_graph.nodeCount() && m_words.size() < mostWords; ++i)
            if (const ir::NodeRef node(m_graph, {i}); !node->removed && !node.name().empty())
                add(query::quotedName(node.name()));
    }

    void addFunctions()
    {
        for (const ir::Function &function : m_model.functions)
            add(query::quotedName(m_model.context->text(function.name)));
    }

    void addCategories()
    {
        for (int i = 0; i < ops::categoryCount; ++i)
            add(query::quotedName(ops::name(static_cast<ops::Category>(i))));
    }

    /// Adds the columns of node data, with ":" for texts, which are matched, or ">" for numbers, which are compared.
    void addColumns()
    {
        for (const node_data::Column &column : columns())
            add(columnText(column) + (std::ranges::any_of(column.cells, isText) ? ":" : ">"));
    }

    /// Adds the texts of the column that "data.stage" names.
    void addTextsOf(std::string_view wanted)
    {
        for (const node_data::Column &column : columns())
            if (columnText(column) == wanted)
                for (const std::string &text : column.texts())
                    add(query::quotedName(text));
    }

    void addDTypes()
    {
        std::set<std::string_view> names;
        for (const ir::Tensor &tensor : m_model.tensors)
            names.insert(ir::name(tensor.dtype));
        for (const std::string_view common : {"float32", "float16", "bfloat16", "int64", "int32", "int8", "bool"})
            names.insert(common);
        for (const std::string_view name : names)
            add(std::string(name));
    }

    void add(const std::string &word)
    {
        if (!word.empty() && m_words.size() < mostWords)
            m_words.insert(word);
    }

    QStringList take() const
    {
        QStringList list;
        for (const std::string &word : m_words)
            list << shown(word);
        return list;
    }

private:
    std::span<const node_data::Column> columns() const
    {
        return m_data ? std::span<const node_data::Column>(m_data->columns) : std::span<const node_data::Column>();
    }

    static std::string columnText(const node_data::Column &column)
    {
        return std::string(node_data::columnPrefix) + query::quotedName(column.name);
    }

    static bool isText(const node_data::Cell &cell) { return std::holds_alternative<std::string>(cell); }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const std::shared_ptr<const node_data::NodeData> m_data;
    std::set<std::string> m_words;
};

/// Returns the names and paths of all parts that were found, in the order of the outline; there are few of them.
QStringList partsIn(const Session &session)
{
    QStringList parts;
    if (const auto outline = session.drawing().namedOutline())
        for (const layout::FoundName &part : outline->found)
            for (const std::string *name : {&part.name, &part.path})
                if (!name->empty())
                    parts << shown(query::quotedName(*name));
    parts.removeDuplicates();
    return parts;
}

} // namespace

QStringList queryWords(const Session &session, const QString &property)
{
    using enum query::Property;
    Words words(session);
    if (property.isEmpty()) {
        words.addOperators("op:");
        words.addColumns();
        QStringList all;
        for (const query::PropertyRow &row : query::properties())
            all << shown(query::spelling(row));
        return all + words.take();
    }
    const query::PropertyRow *row = query::propertyNamed(property.toStdString());
    switch (row ? row->property : Shape) {
    case Op:
        words.addOperators();
        break;
    case Scope:
        words.addModules(&ir::Scope::path);
        break;
    case Class:
        words.addModules(&ir::Scope::className);
        break;
    case Category:
        words.addCategories();
        break;
    case Function:
        words.addFunctions();
        break;
    case DType:
        words.addDTypes();
        break;
    case Name:
        words.addNodes();
        break;
    case In:
    case Out:
    case Upstream:
    case Downstream:
        words.addNodes();
        return partsIn(session) + words.take();
    default:
        words.addTextsOf(property.toStdString());
        break;
    }
    return words.take();
}

} // namespace cutaway::views
