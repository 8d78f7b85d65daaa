// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/open_inputs.h"

#include "core/analysis/recorded_sizes.h"
#include "core/ir/context.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "views/parts/text.h"

#include <QObject>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace cutaway::views {
namespace {

/// Whether a user may give an input of this type: a tensor, whose sizes can be replaced even if the file fixes them, or
/// a number without a value. A number that the file fixes cannot be replaced, since the program was made for it.
bool isOpen(const ir::Type &type)
{
    const auto *number = std::get_if<ir::NumberType>(&type);
    return number ? !number->value : std::holds_alternative<ir::TensorType>(type);
}

bool isFixed(const analysis::RecordedSizes &sizes, const ir::Type &type)
{
    const auto *tensor = std::get_if<ir::TensorType>(&type);
    return tensor && tensor->dtype && tensor->shape && std::ranges::all_of(sizes.of(*tensor->shape), ops::isKnown);
}

QString wantedText(const analysis::RecordedSizes &sizes, const ir::Type &type)
{
    const auto *tensor = std::get_if<ir::TensorType>(&type);
    if (!tensor)
        return QObject::tr("a number");
    const std::string dtype(tensor->dtype ? ir::name(*tensor->dtype) : "float32");
    if (!tensor->shape)
        return QStringLiteral("1x3x224x224:") + shown(dtype);
    QStringList parts;
    for (const ir::Dim &dim : sizes.of(*tensor->shape))
        parts << shown(ir::print(dim));
    return parts.join('x') + ':' + shown(dtype);
}

QString tensorDType(const ir::Type &type)
{
    const auto *tensor = std::get_if<ir::TensorType>(&type);
    return tensor ? shown(tensor->dtype ? ir::name(*tensor->dtype) : "float32") : QString();
}

/// Returns an example: the sizes of a picture for an unknown shape, else 1 for each unknown size; "" for a number.
QString exampleText(const QString &wanted, const ir::Type &type, bool isItem)
{
    const auto *tensor = std::get_if<ir::TensorType>(&type);
    if (!tensor)
        return {};
    return tensor->shape ? QString(wanted).replace('?', '1')
                         : (isItem ? QStringLiteral("3x224x224:") : QStringLiteral("1x3x224x224:")) + tensorDType(type);
}

/// Appends the dtype to a text that only gives sizes, such as "3x320x320"; returns other texts unchanged.
QString withDType(const QString &text, const QString &dtype)
{
    static const QRegularExpression sizes(QStringLiteral("^\\w+(x\\w+)+$"));
    return !dtype.isEmpty() && sizes.match(text).hasMatch() ? text + ':' + dtype : text;
}

class OpenInputSearch {
public:
    explicit OpenInputSearch(const ir::Model &model) : m_context(*model.context), m_sizes(model, {}) { }

    void visit(const std::string &path, ir::TypeId id)
    {
        const ir::Type &type = m_context.at(id);
        const auto *compound = std::get_if<ir::CompoundType>(&type);
        if (!compound && isOpen(type))
            add({.path = path,
                 .wanted = wantedText(m_sizes, type),
                 .dtype = tensorDType(type),
                 .isTensor = std::holds_alternative<ir::TensorType>(type),
                 .isFixed = isFixed(m_sizes, type)},
                type);
        else if (compound && compound->kind == ir::CompoundType::Kind::Tuple)
            for (std::size_t i = 0; i < compound->elements.size(); ++i)
                visit(path + "." + std::to_string(i), compound->elements[i]);
        else if (compound && compound->kind == ir::CompoundType::Kind::List)
            visitList(path, m_context.at(compound->elements[0]));
    }

    std::vector<OpenInput> take() { return std::move(m_found); }

private:
    void add(OpenInput input, const ir::Type &type)
    {
        if (!input.isFixed)
            input.example = exampleText(input.wanted, type, input.isList);
        if (input.isList)
            input.wanted = (input.example.isEmpty() ? input.wanted : input.example) + QStringLiteral(", …");
        m_found.push_back(std::move(input));
    }

    /// Adds a list of tensors or numbers as one input; the file says nothing about its items.
    void visitList(const std::string &path, const ir::Type &item)
    {
        if (std::holds_alternative<ir::TensorType>(item) || std::holds_alternative<ir::NumberType>(item))
            add({.path = path, .wanted = wantedText(m_sizes, item), .dtype = tensorDType(item), .isList = true}, item);
    }

    const ir::Context &m_context;
    const analysis::RecordedSizes m_sizes;
    std::vector<OpenInput> m_found;
};

} // namespace

/// Splits a text at the commas that are outside of brackets.
static QStringList itemsOf(const QString &text)
{
    QStringList items{QString()};
    int depth = 0;
    for (const QChar c : text) {
        depth += (c == '[') - (c == ']');
        if (c == ',' && depth == 0)
            items << QString();
        else
            items.back() += c;
    }
    return items;
}

std::vector<std::string> OpenInput::given(const QString &text) const
{
    if (!isList || text == "[]")
        return {path + "=" + withDType(text, dtype).toStdString()};
    std::vector<std::string> texts;
    for (const QString &item : itemsOf(text))
        texts.push_back(path + "." + std::to_string(texts.size()) + "="
                        + withDType(item.trimmed(), dtype).toStdString());
    return texts;
}

QString OpenInput::text(const std::vector<std::string> &given) const
{
    const auto valueOf = [&](const std::string &place) {
        const auto found =
            std::ranges::find_if(given, [&](const std::string &each) { return each.starts_with(place + "="); });
        return found == given.end() ? QString() : shown(found->substr(place.size() + 1));
    };
    if (const QString whole = valueOf(path); !isList || !whole.isEmpty())
        return whole;
    QStringList items;
    for (QString item; !(item = valueOf(path + "." + std::to_string(items.size()))).isEmpty();)
        items << item;
    return items.join(", ");
}

std::vector<OpenInput> openInputs(const ir::Model &model, ir::FunctionId id)
{
    const ir::Function &function = model.at(id);
    OpenInputSearch search(model);
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>(); value && input.kind == ir::FunctionInput::Kind::User)
            search.visit(std::string(model.context->text(input.name)), function.graph.at(*value).type);
    return search.take();
}

} // namespace cutaway::views
