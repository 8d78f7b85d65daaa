// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/objects.h"

#include "core/base/text.h"

namespace cutaway::python {

std::string readable(std::string_view text) { return isUtf8(text) ? std::string(text) : sanitized(text, true); }

std::optional<std::string> readableOrNone(std::string_view text)
{
    return text.empty() ? std::nullopt : std::optional(readable(text));
}

nb::object objectOf(const ir::Dim &dim)
{
    if (const auto *n = std::get_if<std::int64_t>(&dim))
        return nb::int_(*n);
    if (std::holds_alternative<ir::UnknownDim>(dim))
        return nb::none();
    const std::string formula = readable(ir::print(dim));
    return nb::str(formula.data(), formula.size());
}

nb::object objectOf(const std::optional<ir::Shape> &shape)
{
    if (!shape)
        return nb::none();
    nb::list sizes;
    for (const ir::Dim &dim : *shape)
        sizes.append(objectOf(dim));
    return nb::tuple(sizes);
}

nb::object parsedJson(const std::string &json)
{
    return nb::module_::import_("json").attr("loads")(nb::str(json.data(), json.size()));
}

} // namespace cutaway::python
