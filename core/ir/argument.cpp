// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/argument.h"

namespace cutaway::ir {

Operand::Operand() = default;
Operand::Operand(const Operand &) = default;
Operand::Operand(Operand &&) noexcept = default;
Operand &Operand::operator=(const Operand &) = default;
Operand &Operand::operator=(Operand &&) noexcept = default;
Operand::~Operand() = default;

bool Operand::operator==(const Operand &) const = default;
bool List::operator==(const List &) const = default;
bool Dict::operator==(const Dict &) const = default;

void replaceValue(Operand &operand, ValueId from, const Operand &to)
{
    const auto replaceIn = [&](RareList<Operand> &items) {
        for (Operand &item : items)
            replaceValue(item, from, to);
    };
    if (operand == Operand(from))
        operand = to;
    else if (auto *list = std::get_if<List>(&operand.v))
        replaceIn(list->items);
    else if (auto *dict = std::get_if<Dict>(&operand.v))
        replaceIn(dict->items);
}

} // namespace cutaway::ir
