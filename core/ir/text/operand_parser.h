// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"
#include "core/ir/context.h"
#include "core/ir/text/text_lexer.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::ir {

/// Labels of one kind; each gets a slot when it first occurs, before or at its definition.
class LabelTable {
public:
    struct Entry {
        NameId name;
        std::uint32_t number = 0;
        std::size_t position = 0;            ///< the position of the label's first occurrence
        std::optional<std::uint32_t> target; ///< the id or index; nothing until it is defined
    };

    std::uint32_t slotOf(NameId name, std::uint32_t number, std::size_t position);
    /// Defines a label. Returns false if it was defined before.
    bool define(std::uint32_t slot, std::uint32_t target);
    const std::vector<Entry> &entries() const { return m_entries; }
    std::uint32_t targetOf(std::uint32_t slot) const { return *m_entries[slot].target; }

private:
    std::unordered_map<std::uint64_t, std::uint32_t> m_slots;
    std::vector<Entry> m_entries;
};

/// The tables for labels that begin with "@"; the context of a label decides which table it belongs to.
struct ModelLabels {
    LabelTable tensors;
    LabelTable functions;
    LabelTable objects;
};

/// Parses operands. The ids of values, tensors, functions and objects in them are slots of the label tables.
class OperandParser {
public:
    OperandParser(TextLexer &lexer, Context &context, ModelLabels &labels)
        : m_lexer(lexer),
          m_context(context),
          m_labels(labels)
    {
    }

    /// Sets the values of the current function.
    void setValues(LabelTable *values) { m_values = values; }

    Operand take();
    std::vector<Argument> takeArguments();
    OpId takeOperator();
    /// Takes a label that begins with `sigil` (0: no sigil) and returns its slot.
    std::uint32_t takeSlot(LabelTable &table, char sigil);
    ValueId takeValue() { return {takeSlot(*m_values, '%')}; }
    TensorId takeTensor() { return {takeSlot(m_labels.tensors, '@')}; }
    FunctionId takeFunction() { return {takeSlot(m_labels.functions, '@')}; }
    ObjectId takeObject() { return {takeSlot(m_labels.objects, '@')}; }

private:
    Operand takeOne();
    Operand takeNumber();
    Operand takeWord();
    std::vector<Operand> takeItems(std::string_view end);
    std::vector<Operand> takePairs();
    double takeFloat();
    template <class Take>
    auto takeBracketed(Take take);

    TextLexer &m_lexer;
    Context &m_context;
    ModelLabels &m_labels;
    LabelTable *m_values = nullptr;
    int m_depth = 0;
};

} // namespace cutaway::ir
