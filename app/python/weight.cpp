// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/weight.h"

#include "app/python/elements.h"
#include "app/python/objects.h"
#include "app/python/work.h"
#include "core/ir/context.h"
#include "core/ir/names.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace cutaway::python {

namespace {

using Bytes = std::span<const std::byte>;

std::string nameOf(const WeightHandle &weight) { return readable(weight.shared->context->text(weight->name)); }

/// Returns the code that Python's module struct has for a dtype; nullptr if it has none.
const char *structCode(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Bool:
        return "?";
    case ir::DType::UInt8:
        return "B";
    case ir::DType::Int8:
        return "b";
    case ir::DType::UInt16:
        return "H";
    case ir::DType::Int16:
        return "h";
    case ir::DType::UInt32:
        return "I";
    case ir::DType::Int32:
        return "i";
    case ir::DType::UInt64:
        return "Q";
    case ir::DType::Int64:
        return "q";
    case ir::DType::Float16:
        return "e";
    case ir::DType::Float32:
        return "f";
    case ir::DType::Float64:
        return "d";
    case ir::DType::Complex64:
        return "Zf";
    case ir::DType::Complex128:
        return "Zd";
    default:
        return nullptr;
    }
}

/// Returns DLPack's description of a dtype; nothing for dtypes whose elements are not whole bytes.
std::optional<nb::dlpack::dtype> dlpackType(ir::DType dtype)
{
    using enum nb::dlpack::dtype_code;
    const auto of = [&](nb::dlpack::dtype_code code) {
        return nb::dlpack::dtype{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(*ir::bitWidth(dtype)), 1};
    };
    if (dtype == ir::DType::BFloat16)
        return of(Bfloat);
    if (!structCode(dtype))
        return std::nullopt;
    switch (ir::elementKind(dtype)) {
    case ir::ElementKind::Boolean:
        return of(nb::dlpack::dtype_code::Bool);
    case ir::ElementKind::Unsigned:
        return of(UInt);
    case ir::ElementKind::Signed:
        return of(Int);
    case ir::ElementKind::Floating:
        return of(Float);
    case ir::ElementKind::Complex:
        return of(Complex);
    default:
        return std::nullopt;
    }
}

Error noCode(const WeightHandle &weight, std::string_view lacking, std::string_view instead)
{
    return {ErrorKind::Usage,
            "weight '" + nameOf(weight) + "': " + std::string(lacking) + " no " + std::string(ir::name(weight->dtype))
                + "; " + std::string(instead),
            {}};
}

Elements requireElements(const WeightHandle &weight)
{
    auto elements = elementsOf(weight);
    if (!elements)
        elements.error().message.insert(0, "weight '" + nameOf(weight) + "': ");
    return valueOrRaise(std::move(elements), weight.shared.file);
}

// ---------------------------------------------------------------- the buffer protocol

/// The data that a Py_buffer points to, which lives as long as the buffer.
struct BufferParts {
    Elements elements;
    std::vector<Py_ssize_t> shape, strides;
};

void describeBuffer(Py_buffer &view, const WeightHandle &weight, BufferParts &parts, int flags)
{
    const Py_ssize_t width = *ir::bitWidth(weight->dtype) / 8;
    parts.shape.assign(weight->shape.begin(), weight->shape.end());
    parts.strides.resize(parts.shape.size());
    Py_ssize_t stride = width;
    for (std::size_t d = parts.shape.size(); d-- > 0; stride *= parts.shape[d])
        parts.strides[d] = stride;
    static constexpr std::byte nothing{};
    const Bytes bytes = parts.elements.bytes;
    view.buf = const_cast<std::byte *>(bytes.empty() ? &nothing : bytes.data());
    view.len = static_cast<Py_ssize_t>(bytes.size());
    view.readonly = 1;
    view.itemsize = width;
    view.format = (flags & PyBUF_FORMAT) ? const_cast<char *>(structCode(weight->dtype)) : nullptr;
    view.ndim = static_cast<int>(parts.shape.size());
    view.shape = (flags & PyBUF_ND) ? parts.shape.data() : nullptr;
    view.strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? parts.strides.data() : nullptr;
    view.suboffsets = nullptr;
}

int getBuffer(PyObject *self, Py_buffer *view, int flags)
try {
    const auto &weight = *nb::inst_ptr<WeightHandle>(self);
    view->obj = nullptr;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "weights of a file are read-only");
        return -1;
    }
    if (!structCode(weight->dtype)) {
        const std::string text = noCode(weight, "Python's buffers have", "tobytes() gives its bytes").text();
        PyErr_SetString(PyExc_BufferError, text.c_str());
        return -1;
    }
    auto parts = std::make_unique<BufferParts>(BufferParts{requireElements(weight), {}, {}});
    describeBuffer(*view, weight, *parts, flags);
    view->internal = parts.release();
    view->obj = Py_NewRef(self);
    return 0;
} catch (nb::python_error &error) {
    error.restore();
    return -1;
} catch (const std::bad_alloc &) {
    PyErr_NoMemory();
    return -1;
}

void releaseBuffer(PyObject *, Py_buffer *view) { delete static_cast<BufferParts *>(view->internal); }

const PyType_Slot bufferSlots[] = {{Py_bf_getbuffer, reinterpret_cast<void *>(getBuffer)},
                                   {Py_bf_releasebuffer, reinterpret_cast<void *>(releaseBuffer)},
                                   {0, nullptr}};

// ---------------------------------------------------------------- arrays

nb::object weightNumpy(const nb::handle &self)
{
    const auto &weight = nb::cast<const WeightHandle &>(self);
    if (!structCode(weight->dtype))
        raise(noCode(weight, "numpy has", "tobytes() gives its bytes, and torch.from_dlpack() takes bfloat16"),
              weight.shared.file);
    try {
        return nb::module_::import_("numpy").attr("asarray")(self);
    } catch (const nb::python_error &error) {
        if (!error.matches(PyExc_ImportError))
            throw;
    }
    raise({ErrorKind::Usage, "numpy is not installed; memoryview(weight) needs nothing", {}}, weight.shared.file);
}

nb::bytes weightBytes(const WeightHandle &weight)
{
    const auto copy = requireElements(weight);
    return nb::bytes(copy.bytes.data(), copy.bytes.size());
}

/// Exports a copy, since the consumer may write to it.
nb::object weightDlpack(const WeightHandle &weight, const nb::kwargs &)
{
    const auto type = dlpackType(weight->dtype);
    if (!type)
        raise(noCode(weight, "DLPack has", "tobytes() gives its bytes"), weight.shared.file);
    auto copy = valueOrRaise(copiedElements(weight), weight.shared.file);
    auto *kept = new std::shared_ptr<std::vector<std::byte>>(std::move(copy));
    const nb::capsule owner(kept,
                            [](void *p) noexcept { delete static_cast<std::shared_ptr<std::vector<std::byte>> *>(p); });
    const std::vector<std::size_t> shape(weight->shape.begin(), weight->shape.end());
    const nb::ndarray<nb::device::cpu> array((*kept)->data(), shape.size(), shape.data(), owner, nullptr, *type);
    return nb::cast(array); // a DLPack capsule, not an array of some framework
}

nb::tuple weightShape(const WeightHandle &weight)
{
    nb::list sizes;
    for (const std::int64_t size : weight->shape)
        sizes.append(size);
    return nb::tuple(sizes);
}

std::string weightText(const WeightHandle &weight)
{
    const ir::Shape shape(weight->shape.begin(), weight->shape.end());
    return "<Weight " + nameOf(weight) + ": " + std::string(ir::name(weight->dtype)) + ir::print(shape) + ">";
}

} // namespace

void bindWeight(nb::module_ &module)
{
    nb::class_<WeightHandle>(module, "Weight",
                             "A parameter, buffer or constant of the file. Its elements are read when they are asked\n"
                             "for: memoryview(weight), numpy.asarray(weight) and bytes(weight) look at the file where\n"
                             "they lie in it in row-major order, and copy where they do not.",
                             nb::type_slots(bufferSlots))
        .def_prop_ro("name", nameOf, "The file's name: 'layer1.0.conv1.weight'.")
        .def_prop_ro(
            "kind", [](const WeightHandle &weight) { return std::string(ir::name(weight->kind)); },
            "'parameter', 'buffer' or 'constant'.")
        .def_prop_ro("dtype", [](const WeightHandle &weight) { return std::string(ir::name(weight->dtype)); })
        .def_prop_ro("shape", weightShape, nb::sig("def shape(self) -> tuple[int, ...]"), "Sizes in elements.")
        .def_prop_ro(
            "nbytes", [](const WeightHandle &weight) { return ir::byteSize(*weight); },
            "Bytes of its elements one behind the other; None for texts.")
        .def("numpy", weightNumpy, nb::sig("def numpy(self) -> typing.Any"),
             "A read-only numpy array of the elements. Raises Error without numpy, and for dtypes that it lacks.")
        .def("tobytes", weightBytes, "A copy of the elements: little-endian, in row-major order.")
        .def("__dlpack__", weightDlpack, nb::sig("def __dlpack__(self, **kwargs: object) -> object"),
             "A copy for torch.from_dlpack(), numpy.from_dlpack() and such; also bfloat16.")
        .def(
            "__dlpack_device__", [](const WeightHandle &) { return nb::make_tuple(nb::device::cpu::value, 0); },
            nb::sig("def __dlpack_device__(self) -> tuple[int, int]"))
        .def("__repr__", weightText);
}

} // namespace cutaway::python
