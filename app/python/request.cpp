// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/request.h"

#include "core/analysis/known_devices.h"
#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/request/named_function.h"

#include <nanobind/stl/string.h>

namespace cutaway::python {

namespace {

std::string textOf(const nb::handle &object) { return nb::cast<std::string>(nb::str(object)); }

bool isText(const nb::handle &object) { return nb::isinstance<nb::str>(object); }

/// Returns sizes as on the command line: "8x3x224x224". A size may also be a name or a formula.
std::string shapeText(const nb::handle &sizes)
{
    std::string text;
    for (const nb::handle size : nb::iter(sizes))
        text += (text.empty() ? "" : "x") + textOf(size);
    return text;
}

/// Returns the name of a dtype: "float32" for "float32", torch.float32, numpy.dtype("float32") or numpy.float32.
std::string dtypeText(const nb::handle &dtype)
{
    const std::string text = nb::hasattr(dtype, "__name__") ? textOf(dtype.attr("__name__")) : textOf(dtype);
    return text.substr(text.rfind('.') + 1);
}

const ir::TensorType *declaredTensor(const ir::Model &model, const ir::Function &function, std::string_view name)
{
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto value = ir::valueOf(function.graph, &input.value);
            value && (model.context->text(input.name) == name || value->name() == name))
            return value->tensorType();
    return nullptr;
}

/// Returns the dtype that the file declares for an input, for a shape that is given without one.
std::string declaredDType(const SharedModel &model, const std::string &function, const std::string &name)
{
    const auto found = valueOrRaise(request::findFunction(*model, function), model.file);
    const auto *type = declaredTensor(*model, model->at(found), name);
    if (type && type->dtype)
        return std::string(ir::name(*type->dtype));
    raise({ErrorKind::Usage,
           "input '" + name + "': the file does not say its dtype; give it beside the shape: ((1, 3), 'float32')",
           {}},
          model.file);
}

bool isShapeWithDType(const nb::handle &value)
{
    return nb::isinstance<nb::tuple>(value) && nb::len(value) == 2 && nb::isinstance<nb::tuple>(value[0])
        && !nb::isinstance<nb::int_>(value[1]);
}

/// Returns a dict; an empty one for None. Raises a TypeError with the text `expected` for anything else.
nb::dict entriesOf(const nb::handle &object, const char *expected)
{
    if (object.is_none())
        return {};
    if (!nb::isinstance<nb::dict>(object))
        throw nb::type_error(expected);
    return nb::borrow<nb::dict>(object);
}

class InputText {
public:
    InputText(const SharedModel &model, const std::string &function, std::string name)
        : m_model(model),
          m_function(function),
          m_name(std::move(name))
    {
    }

    std::string of(const nb::handle &value) const
    {
        if (isText(value))
            return textOf(value);
        if (nb::hasattr(value, "shape") && nb::hasattr(value, "dtype"))
            return shapeText(value.attr("shape")) + ":" + dtypeText(value.attr("dtype"));
        if (isShapeWithDType(value))
            return shapeText(value[0]) + ":" + dtypeText(value[1]);
        if (nb::isinstance<nb::tuple>(value))
            return shapeText(value) + ":" + declaredDType(m_model, m_function, m_name);
        return nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(value));
    }

private:
    const SharedModel &m_model;
    const std::string &m_function;
    std::string m_name;
};

} // namespace

RequestTexts requestTexts(const SharedModel &model, const std::string &function, const nb::handle &bind,
                          const nb::handle &inputs)
{
    RequestTexts texts{function, {}, {}};
    const nb::dict sizes = entriesOf(bind, "bind has to be a dict, such as {'s0': 8}");
    for (const auto [symbol, value] : sizes)
        texts.bindings.push_back(textOf(symbol) + "=" + textOf(value));
    const nb::dict given = entriesOf(inputs, "inputs has to be a dict, such as {'x': (8, 3, 224, 224)}");
    for (const auto [name, value] : given)
        texts.inputs.push_back(textOf(name) + "=" + InputText(model, function, textOf(name)).of(value));
    return texts;
}

Result<Prepared> prepare(const SharedModel &model, const RequestTexts &texts)
{
    CUTAWAY_TRY(const auto function, request::findFunction(*model, texts.function));
    Prepared prepared{*model, function, {}};
    CUTAWAY_TRY(prepared.given, request::readGiven(prepared.model, function, texts.bindings, texts.inputs));
    return prepared;
}

Result<std::optional<analysis::Device>> deviceOf(const std::string &id)
{
    if (id.empty())
        return std::nullopt;
    CUTAWAY_TRY(auto found, analysis::findDevice(id));
    return found;
}

} // namespace cutaway::python
