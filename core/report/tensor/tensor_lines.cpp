// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tensor/tensor_lines.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/tensors/sizes.h"
#include "core/tensor/slice.h"

#include <algorithm>

namespace cutaway::report {

std::string indexText(const std::vector<std::int64_t> &shape, std::uint64_t position)
{
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(shape[d], 1));
        index[d] = static_cast<std::int64_t>(position % size);
        position /= size;
    }
    return ir::printSizes(index);
}

std::string placeText(const ir::Model &model, const ir::Tensor &tensor)
{
    if (tensor.layout != ir::Layout::Strided && !tensor.parts.empty()) {
        std::string parts;
        for (const ir::TensorId part : tensor.parts)
            parts += (parts.empty() ? "" : ", ") + sanitized(model.context->text(model.at(part).name));
        return formatted("as {}: {}", ir::name(tensor.layout), parts);
    }
    const ir::Storage &storage = model.at(tensor.storage);
    if (const auto *range = std::get_if<ir::FileRange>(&storage.data)) {
        const auto first = ir::byteSize(tensor.dtype, std::max<std::int64_t>(tensor.offset, 0)).value_or(0);
        return formatted("{}, byte {}", sanitized(model.at(range->file).path.filename().string()),
                         grouped(static_cast<long long>(range->offset) + first));
    }
    if (const auto *none = std::get_if<ir::NoBytes>(&storage.data))
        return "no data: " + sanitized(none->reason);
    return "inline or compressed";
}

std::string quantizationText(const tensor::Quantization &quantization)
{
    if (quantization.scales.size() == 1)
        return formatted("scale {}, zero point {}", numberText(quantization.scales.front()),
                         numberText(quantization.zeroPoints.front()));
    return formatted("{} scales along dimension {}", quantization.scales.size(), quantization.axis);
}

std::string numberText(double x) { return formatted("{:.6g}", x); }

} // namespace cutaway::report
