// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/model.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::ir {

/// Makes unique labels: `name` for the first thing of a name, `name#1` for the second; `#0`, `#1`, … without a name.
template <class Id>
class Labels {
public:
    /// Makes the label of a thing; it must be called once per thing.
    void add(Id id, NameId name)
    {
        if (id.index >= m_entries.size())
            m_entries.resize(id.index + 1);
        m_entries[id.index] = {name, m_counts[name]++};
    }
    NameId nameOf(Id id) const { return id.index < m_entries.size() ? m_entries[id.index].name : NameId{}; }
    std::uint32_t numberOf(Id id) const { return id.index < m_entries.size() ? m_entries[id.index].number : 0; }

private:
    struct Entry {
        NameId name;
        std::uint32_t number = 0;
    };
    std::vector<Entry> m_entries;
    std::unordered_map<NameId, std::uint32_t> m_counts;
};

/// Appends `name`, in quotes if necessary.
void appendName(std::string &out, std::string_view name);
void appendLabel(std::string &out, std::string_view name, std::uint32_t number);
/// Appends "aten::add.Tensor", with parts in quotes if necessary.
void appendOperator(std::string &out, const Context &context, OpId op);

/// Appends operands in the textual form.
class OperandPrinter {
public:
    OperandPrinter(std::string &out, const Model &model);

    /// Sets the labels of the current graph's values.
    void setValues(const Labels<ValueId> *values) { m_values = values; }

    void append(const Operand &operand);
    void appendArguments(const std::vector<Argument> &arguments); ///< "(%x, weight=%w)"
    void append(ValueId id) { appendLabelOf('%', *m_values, id); }
    void append(TensorId id) { appendLabelOf('@', m_tensors, id); }
    void append(FunctionId id) { appendLabelOf('@', m_functions, id); }
    void append(ObjectId id) { appendLabelOf('@', m_objects, id); }

private:
    template <class Id>
    void appendLabelOf(char sigil, const Labels<Id> &labels, Id id)
    {
        m_out += sigil;
        appendLabel(m_out, m_context.text(labels.nameOf(id)), labels.numberOf(id));
    }
    void appendItems(std::span<const Operand> items, std::string_view between, std::string_view pairs);
    void appendDevice(const Device &device);

    std::string &m_out;
    const Context &m_context;
    const Labels<ValueId> *m_values = nullptr;
    Labels<TensorId> m_tensors;
    Labels<FunctionId> m_functions;
    Labels<ObjectId> m_objects;
};

} // namespace cutaway::ir
