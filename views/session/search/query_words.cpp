// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/search/query_words.h"

#include "core/ir/context.h"
#include "core/ir/dtype.h"
#include "core/ops/category.h"
#include "core/query/property.h"
#include "core/query/query.h"
#include "views/parts/text.h"
#include "views/session/document.h"

#include <set>

namespace cutaway::views {
namespace {

constexpr std::size_t mostWords = 5000; ///< more are neither read nor quickly searched

class Words {
public:
    explicit Words(const Document &document) : m_model(document.model()), m_graph(document.function().graph) { }

    void addOperators(const std::string &before = {})
    {
        std::vector<bool> isSeen(m_graph.context().opCount());
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i)
            if (const ir::NodeRef node(m_graph, {i}); !node->removed && !isSeen[node->op.index]) {
                isSeen[node->op.index] = true;
                add(before + query::quotedName(node.opName()));
            }
    }

    /// Adds the path or class of each module that nodes are in.
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
    const ir::Model &m_model;
    const ir::Graph &m_graph;
    std::set<std::string> m_words;
};

} // namespace

QStringList queryWords(const Document &document, const QString &property)
{
    using enum query::Property;
    Words words(document);
    if (property.isEmpty()) {
        words.addOperators("op:");
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
    case In:
    case Out:
    case Upstream:
    case Downstream:
        words.addNodes();
        break;
    default:
        break;
    }
    return words.take();
}

} // namespace cutaway::views
