// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/ir/dtype.h"
#include "core/ir/ids.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::ir {

struct Device {
    NameId kind; ///< "cpu", "cuda"
    std::optional<int> index;
    bool operator==(const Device &) const = default;
};

struct UnknownType {
    bool operator==(const UnknownType &) const = default;
};

/// A tensor type; unknown properties are empty. Strides are in elements.
struct TensorType {
    std::optional<DType> dtype;
    std::optional<Shape> shape; ///< empty: unknown rank
    std::optional<Shape> strides;
    std::optional<Device> device;
    Layout layout = Layout::Strided;
    bool requiresGrad = false;
    bool operator==(const TensorType &) const = default;
};

/// The type of a number. If the number is known, `value` is its expression, such as a symbolic size.
struct NumberType {
    enum class Kind : std::uint8_t { Int, Float, Bool, Complex, Number };
    Kind kind = Kind::Int;
    std::optional<symbolic::Expr> value;
    bool operator==(const NumberType &) const = default;
};

/// All other types that have no parts.
struct PlainType {
    enum class Kind : std::uint8_t { Any, None, String, Device, Layout, DType, Generator, Stream, Capsule, Token };
    Kind kind = Kind::Any;
    bool operator==(const PlainType &) const = default;
};

/// An instance of a named class: a module, script class, enum, torchbind or Python object, ONNX opaque.
struct ClassType {
    enum class Kind : std::uint8_t { Object, Module, Interface, Enum, Opaque };
    Kind kind = Kind::Object;
    NameId name;
    bool operator==(const ClassType &) const = default;
};

/// A type that is composed of others. The number of elements is 1 for List, Optional, Future, Await and RRef; 2 for
/// Dict (key, value); any for Tuple and Union.
struct CompoundType {
    enum class Kind : std::uint8_t { List, Optional, Dict, Tuple, Union, Future, Await, RRef };
    Kind kind = Kind::List;
    std::vector<TypeId> elements;
    std::vector<NameId> fieldNames; ///< for a named tuple: one name per element; else empty
    NameId name;                    ///< for a named tuple: its class; else ""
    bool operator==(const CompoundType &) const = default;
};

using Type = std::variant<UnknownType, TensorType, NumberType, PlainType, ClassType, CompoundType>;

} // namespace cutaway::ir
