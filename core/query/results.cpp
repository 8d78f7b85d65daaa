// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/results.h"

namespace cutaway::query {

namespace {

/// Whether a value without a derived fact may be a tensor: it may, unless the file declares another type.
bool mayBeTensor(const ir::ValueRef &value)
{
    return std::holds_alternative<ir::UnknownType>(value.type()) || value.tensorType()
        || std::holds_alternative<ir::CompoundType>(value.type());
}

template <class Test>
Match ofSomeTensor(const Known &known, const ir::NodeRef &node, const Test &test)
{
    Match some = Match::No;
    for (const ir::ValueRef output : node.outputs()) {
        const ops::Fact &fact = known.analysis.shapes.of(output);
        ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) { some = either(some, test(tensor)); });
        if (fact.as<ops::AnyFact>() && mayBeTensor(output))
            some = either(some, test(ops::TensorFact{}));
    }
    return some;
}

} // namespace

Match hasDType(const Known &known, const ir::NodeRef &node, const Pattern &dtype)
{
    return ofSomeTensor(known, node, [&](const ops::TensorFact &tensor) {
        return tensor.dtype ? matchIf(dtype.matches(lowerCase(ir::name(*tensor.dtype)))) : Match::Unknown;
    });
}

Match hasShape(const Known &known, const ir::NodeRef &node, const ShapePattern &shape)
{
    return ofSomeTensor(known, node, [&](const ops::TensorFact &tensor) { return shape.matches(tensor.shape); });
}

} // namespace cutaway::query
