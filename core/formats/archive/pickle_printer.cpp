// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/pickle_printer.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/archive/torch_save.h"

namespace cutaway::formats::archive {

namespace {

constexpr int maximumDepth = 12;
constexpr std::size_t maximumLength = 4096;

/// Prints a pickled value; shared and cyclic values are bounded by the depth and the length of the text.
class Printer {
public:
    explicit Printer(const Pickle &pickle) : m_pickle(pickle) { }

    std::string print(Pickle::ValueId root)
    {
        value(root, 0);
        return std::move(m_text);
    }

private:
    void value(Pickle::ValueId tagged, int depth)
    {
        const Pickle::ValueId id = withoutTag(m_pickle, tagged);
        if (depth > maximumDepth || m_text.size() > maximumLength)
            m_text += "…";
        else if (const auto tensor = pickledTensor(m_pickle, id))
            this->tensor(*tensor);
        else if (const auto entries = m_pickle.entries(id))
            dict(*entries, depth);
        else if (const auto *items = m_pickle.as<Pickle::Items>(id))
            list(*items, depth);
        else
            plain(id);
    }

    void tensor(const PickledTensor &tensor)
    {
        m_text += ir::name(tensor.dtype);
        for (std::size_t i = 0; i < tensor.shape.size(); ++i)
            m_text += formatted("{}{}", i ? ", " : "[", tensor.shape[i]);
        m_text += tensor.shape.empty() ? "[]" : "]";
    }

    void list(const Pickle::Items &list, int depth)
    {
        const bool isTuple = list.kind == Pickle::Items::Kind::Tuple;
        m_text += isTuple ? '(' : '[';
        for (std::size_t i = 0; i < list.items.size() && m_text.size() <= maximumLength; ++i) {
            m_text += i ? ", " : "";
            value(list.items[i], depth + 1);
        }
        m_text += isTuple ? ')' : ']';
    }

    void dict(std::span<const std::pair<Pickle::ValueId, Pickle::ValueId>> entries, int depth)
    {
        m_text += '{';
        for (std::size_t i = 0; i < entries.size() && m_text.size() <= maximumLength; ++i) {
            m_text += i ? ", " : "";
            value(entries[i].first, depth + 1);
            m_text += ": ";
            value(entries[i].second, depth + 1);
        }
        m_text += '}';
    }

    void plain(Pickle::ValueId id)
    {
        if (const auto text = m_pickle.text(id))
            m_text += sanitized(text->substr(0, 200));
        else if (const auto n = m_pickle.integer(id))
            m_text += std::to_string(*n);
        else if (const auto *x = m_pickle.as<double>(id))
            m_text += formatted("{}", *x);
        else if (const auto *b = m_pickle.as<bool>(id))
            m_text += *b ? "True" : "False";
        else if (m_pickle.as<Pickle::None>(id))
            m_text += "None";
        else
            m_text += "object";
    }

    const Pickle &m_pickle;
    std::string m_text;
};

} // namespace

std::string printBriefly(const Pickle &pickle) { return Printer(pickle).print(pickle.root()); }

} // namespace cutaway::formats::archive
