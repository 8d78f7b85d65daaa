// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::ir {

/// The dtypes of all three formats. Names are PyTorch's ("float32"); dtypes that PyTorch lacks have names of the same
/// pattern.
enum class DType : std::uint8_t {
    Bool,
    UInt8,
    Int8,
    UInt16,
    Int16,
    UInt32,
    Int32,
    UInt64,
    Int64,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Complex32,
    Complex64,
    Complex128,
    BComplex32,
    Float8E5M2,
    Float8E4M3FN,
    Float8E5M2FNUZ,
    Float8E4M3FNUZ,
    Float8E8M0FNU,
    Float4E2M1FN,
    Float4E2M1FNx2,
    UInt1,
    UInt2,
    UInt3,
    UInt4,
    UInt5,
    UInt6,
    UInt7,
    Int1,
    Int2,
    Int3,
    Int4,
    Int5,
    Int6,
    Int7,
    QInt8,
    QUInt8,
    QInt32,
    QUInt4x2,
    QUInt2x4,
    Bits1x8,
    Bits2x4,
    Bits4x2,
    Bits8,
    Bits16,
    String,
};

inline constexpr int dtypeCount = static_cast<int>(DType::String) + 1;

// The properties of a dtype are a row of the table in dtype.cpp.

std::string_view name(DType dtype);
std::optional<DType> dtypeFromName(std::string_view name);

/// The kind of a dtype's elements.
enum class ElementKind : std::uint8_t {
    Boolean,
    Unsigned,
    Signed,
    Floating,
    Complex,
    QuantizedUnsigned, ///< an integer that stands for a real number, by the tensor's scale and zero point
    QuantizedSigned,
    Bits, ///< packed elements of less than a byte, or elements without a numeric meaning
    Text,
};
ElementKind elementKind(DType dtype);
/// Whether torch does integer arithmetic in this dtype: its elements are integers of whole bytes, not bools.
bool isInteger(DType dtype);
bool isFloating(DType dtype);
bool isComplex(DType dtype);

/// Returns the bits per element; nullopt for strings.
std::optional<int> bitWidth(DType dtype);

/// Returns the bytes of `elements` elements, packed if they are below a byte; nullopt for strings or on overflow.
std::optional<std::int64_t> byteSize(DType dtype, std::int64_t elements);

/// Returns the prefix of torch's storage class for a dtype: "Float" for torch.FloatStorage; "" if there is none.
std::string_view storageName(DType dtype);
std::optional<DType> dtypeFromStorageName(std::string_view name);

enum class Layout : std::uint8_t { Strided, SparseCoo, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc, Jagged };
std::string_view name(Layout layout);
std::optional<Layout> layoutFromName(std::string_view name);

enum class MemoryFormat : std::uint8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
std::string_view name(MemoryFormat format);
std::optional<MemoryFormat> memoryFormatFromName(std::string_view name);

/// The formats that number the enumerations above, each differently.
enum class Numbering : std::uint8_t {
    C10,  ///< ScalarType.h, Layout.h and MemoryFormat.h of c10: in TorchScript and in calls of torch's operators
    Onnx, ///< TensorProto.DataType; ONNX Runtime's element types are the same
    ExportedProgram, ///< the schema of torch.export (torch/_export/serde/schema.py)
};
/// Returns the enumerator that has this number in a format. Nullopt for numbers that mean unknown or have no meaning
/// yet. ONNX numbers only dtypes.
std::optional<DType> dtypeFromNumber(std::int64_t number, Numbering numbering);
std::optional<Layout> layoutFromNumber(std::int64_t number, Numbering numbering);
std::optional<MemoryFormat> memoryFormatFromNumber(std::int64_t number, Numbering numbering);
/// Returns the number of an enumerator; nullopt if the format does not number it.
std::optional<std::int64_t> numberOf(DType dtype, Numbering numbering);
std::optional<std::int64_t> numberOf(Layout layout, Numbering numbering);
std::optional<std::int64_t> numberOf(MemoryFormat format, Numbering numbering);

} // namespace cutaway::ir
