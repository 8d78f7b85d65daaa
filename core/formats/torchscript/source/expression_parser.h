// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/parser.h"
#include "core/formats/torchscript/source/parser.h"

namespace cutaway::formats::torchscript {

/// TorchScript's expressions have no operator but the minus. Complex numbers have two parts; inf and nan are numbers.
class ExpressionParser : public python::Parser {
protected:
    ExpressionParser(python::TokenStream &tokens, ParsedFile &file)
        : python::Parser(tokens, file.tree),
          m_file(file) { }

    /// Reads an expression that may be a type: "Dict[str, __torch__.a.C]".
    ExpressionId type() override;

    ParsedFile &m_file;

private:
    ExpressionId withOperators() override;
    ExpressionId atom() override;
    python::DecodedString decoded(const python::Token &literal) override;
    ExpressionId number();
    double part(bool isNegative);
    void checkCall(ExpressionId id) const override;
    void checkType(ExpressionId id) const;
};

} // namespace cutaway::formats::torchscript
