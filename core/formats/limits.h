// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/limits.h"

#include <cstddef>
#include <cstdint>
#include <limits>

/// Limits of what a file may ask for. Counts in a file are never trusted for an allocation; these limits restrict what
/// a small file can expand to by nesting, packing, sharing or repeating. Known models are far below each of them.
namespace cutaway::formats::limits {

using cutaway::limits::maxNesting;

// Archives.

/// An entry of the directory takes at least 47 bytes of the file, and three times as many in memory.
inline constexpr std::size_t maxMembers = 1'000'000;
/// Code, graphs and pickles have at most a few megabytes; a weight in an archive that was compressed later, some ten.
inline constexpr std::uint64_t maxInflatedSize = 64u << 20;
/// Code is deflated 6 to 1. A zip bomb reaches 1000 to 1; but so do weights that are all zeros.
inline constexpr std::uint64_t maxInflationRatio = 200;
inline constexpr std::uint64_t maxFreelyInflatedSize = 1u << 20; ///< up to this size any ratio is accepted
/// The inflated weights of a file are held in memory. PyTorch does not compress them; other tools may.
inline constexpr std::uint64_t maxInflatedWeights = 256u << 20;

// Pickles.

/// A value takes at least one byte of the pickle and 72 bytes of memory: at most some 300 MB while values are
/// collected.
inline constexpr std::size_t maxPickledValues = 3'000'000;
/// Every tensor of a file may name the same list or text, so what each tensor copies must be short. PyTorch itself
/// stops at 64 dimensions; keys of storages are numbers; a quantized or sparse tensor has up to 5 parts.
inline constexpr std::size_t maxRank = 64;
inline constexpr std::size_t maxStorageKeyLength = 100;
inline constexpr std::size_t maxTensorParts = 8;
/// The nesting of pickled tensors, such as a parameter in a wrapper in a parameter.
inline constexpr int maxTensorDepth = 8;

// Messages and texts.

/// protobuf's own parsers refuse messages that are nested deeper.
inline constexpr int maxMessageDepth = 100;
/// protobuf's own parsers refuse longer messages.
inline constexpr std::size_t maxMessageSize = std::numeric_limits<std::int32_t>::max();
/// A parsed JSON document takes about as much memory as its text.
inline constexpr std::size_t maxJsonSize = 256u << 20;
/// Longer lists of numbers become constants, which are read on demand: operands would take 40 times the file's bytes.
inline constexpr std::size_t maxNumberListLength = 4096;

/// The number of diagnostics of each kind that are kept; the rest is counted.
inline constexpr int maxNotesPerKind = 20;

// TorchScript source.

/// Expressions, types and statements of all files together: some 200 MB of trees. Large models have 100'000.
inline constexpr std::size_t maxSyntaxNodes = 2'000'000;
/// The size of all texts that source ranges refer to; each text may be named any number of times.
inline constexpr std::size_t maxRangeTexts = 64 << 20;
/// The inflated size of all source files together. Large models have a megabyte.
inline constexpr std::uint64_t maxCodeSize = 64u << 20;
/// Inlining multiplies: a file of a few kilobytes can ask for any number of nodes. Known models have some ten thousand.
inline constexpr std::size_t maxInlinedNodes = 300'000;
/// The nesting of calls, blocks and expressions; every level takes a few frames of the stack.
inline constexpr int maxCallDepth = 1'500;
/// A named tuple may contain another one twice at each level, so that the type grows exponentially with its depth.
inline constexpr std::size_t maxNamedTupleFields = 10'000;
inline constexpr int maxNamedTupleDepth = 100;

// TorchScript objects.

/// The nesting of modules, which are visited from a stack. Large models have ten levels.
inline constexpr int maxModuleDepth = 1000;
/// The size of the paths of all modules together: it grows with the square of the depth.
inline constexpr std::size_t maxModulePaths = 64 << 20;
/// The length of names of attributes, classes and list items; a pickle may use one long text in many places.
inline constexpr std::size_t maxObjectNameLength = 1000;
/// The nesting of lists in attributes and constants.
inline constexpr int maxConstantDepth = 64;
/// The number of items of all attributes and constants; an item that a pickle shares counts at each place.
inline constexpr std::size_t maxConstants = 1'000'000;

} // namespace cutaway::formats::limits
