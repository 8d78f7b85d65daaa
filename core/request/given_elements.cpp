// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/given_elements.h"

#include "core/ops/compute/array.h"
#include "core/run/nested_lists.h"
#include "core/run/tensor_file.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <cmath>

namespace cutaway::request {

namespace {

using protocol::Tensor;

Result<Tensor> readFile(std::string_view path, std::optional<ir::DType> declared)
{
    if (!run::isTensorFile(path))
        return usageError("'" + std::string(path)
                          + "' is not the name of a tensor's file; expected .npy, .pt or .json");
    auto tensor = run::readTensor(path, declared);
    if (!tensor)
        tensor.error().where += (tensor.error().where.empty() ? "" : ", ") + std::string(path);
    return tensor;
}

ir::Dim dimOf(std::int64_t x) { return x; }
ir::Dim dimOf(double x) { return symbolic::Expr::floating(x); }

/// Returns the elements for a fact; nullptr if there are too many of them, or they are no finite numbers.
Cow<std::vector<ir::Dim>> trackedElements(const Tensor &tensor)
{
    const auto count = protocol::elementCount(tensor.shape);
    if (!count || *count > static_cast<std::int64_t>(ops::maxTrackedElements))
        return nullptr;
    const auto array = tensor::arrayOf(tensor);
    if (!array)
        return nullptr;
    std::vector<ir::Dim> elements;
    std::visit(
        [&](const auto &numbers) {
            for (const auto x : numbers)
                if (std::isfinite(static_cast<double>(x)))
                    elements.push_back(dimOf(x));
        },
        array->elements);
    if (std::ssize(elements) != *count)
        return nullptr;
    return elements;
}

} // namespace

bool namesFile(std::string_view text) { return text.starts_with('@') || run::isTensorFile(text); }

Result<Tensor> readElements(std::string_view text, std::optional<ir::DType> declared)
{
    if (namesFile(text))
        return readFile(text.substr(text.starts_with('@')), declared);
    // The end of the brackets; 0 for a number, which has none.
    const std::size_t end = text.rfind(']') + 1;
    const std::string_view dtypeName = end > 0 && text.substr(end).starts_with(':') ? text.substr(end + 1) : "";
    const auto dtype = dtypeName.empty() ? declared : ir::dtypeFromName(dtypeName);
    if (!dtypeName.empty() && !dtype)
        return usageError("unknown dtype '" + std::string(dtypeName) + "'; expected a name such as float32 or int64");
    return run::parseNestedLists(dtypeName.empty() ? text : text.substr(0, end), dtype);
}

ops::TensorFact factOf(const Tensor &tensor)
{
    ops::TensorFact fact = ops::tensorFact(tensor.dtype, ir::Shape(tensor.shape.begin(), tensor.shape.end()));
    fact.elements = trackedElements(tensor);
    return fact;
}

} // namespace cutaway::request
