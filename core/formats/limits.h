// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/limits.h"

#include <cstddef>
#include <cstdint>
#include <limits>

/// How much a file may ask for. A file's counts are never trusted for an allocation; these limits hold back what a
/// small file can blow up to by nesting, packing, sharing or repeating. Known models stay far below each of them.
namespace cutaway::formats::limits {

using cutaway::limits::maxNesting;

// Archives.

/// An entry of the directory takes 47 bytes of the file at least and three times that in memory.
inline constexpr std::size_t maxMembers = 1'000'000;
/// Code, graphs and pickles have some megabytes at most; a weight in an archive that was packed again, some ten.
inline constexpr std::uint64_t maxInflatedSize = 64u << 20;
/// Code is deflated 6 to 1. A bomb reaches 1000 to 1; so do weights that are all zeros.
inline constexpr std::uint64_t maxInflationRatio = 200;
inline constexpr std::uint64_t maxFreelyInflatedSize = 1u << 20; ///< up to here any ratio will do
/// The inflated weights of a file are held in memory. PyTorch does not compress them; only a tool that packs an archive
/// again does.
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
/// Parameters in wrappers in parameters.
inline constexpr int maxTensorDepth = 8;

// Messages and texts.

/// protobuf's own parsers refuse messages that are nested deeper.
inline constexpr int maxMessageDepth = 100;
/// protobuf's own parsers refuse longer ones.
inline constexpr std::size_t maxMessageSize = std::numeric_limits<std::int32_t>::max();
/// A JSON text takes about as much memory again while it is read.
inline constexpr std::size_t maxJsonSize = 256u << 20;
/// Longer lists of numbers become constants of the model and are read on demand: an operand per element
/// would take 40 times the file's bytes.
inline constexpr std::size_t maxNumberListLength = 4096;

/// The number of diagnostics of each kind that are kept; the rest is counted.
inline constexpr int maxNotesPerKind = 20;

// TorchScript source.

/// Expressions, types and statements of all files together: some 200 MB of trees. Large models have 100'000.
inline constexpr std::size_t maxSyntaxNodes = 2'000'000;
/// Texts that source ranges refer to; each may be named any number of times.
inline constexpr std::size_t maxRangeTexts = 64 << 20;
/// The inflated size of all source files together. Large models have a megabyte.
inline constexpr std::uint64_t maxCodeSize = 64u << 20;
/// Inlining multiplies: a file of a few kilobytes can ask for any number of nodes. Known models have some ten thousand.
inline constexpr std::size_t maxInlinedNodes = 300'000;
/// Calls, blocks and expressions inside each other; every level is a few frames of the stack.
inline constexpr int maxCallDepth = 1'500;
/// Named tuples may hold each other twice, level upon level: written out, such a type is as large as two to its depth.
inline constexpr std::size_t maxNamedTupleFields = 10'000;
inline constexpr int maxNamedTupleDepth = 100;

// TorchScript objects.

/// Levels of modules, which are walked from a stack. Large models have ten.
inline constexpr int maxModuleDepth = 1000;
/// Paths of all modules together: they grow with the square of the depth.
inline constexpr std::size_t maxModulePaths = 64 << 20;
/// Names of attributes, of classes and of items of lists; a pickle can have one long text in many places.
inline constexpr std::size_t maxObjectNameLength = 1000;
/// Levels of lists in lists in attributes and constants.
inline constexpr int maxConstantDepth = 64;
/// Items of all attributes and constants; an item that the pickle shares counts each time.
inline constexpr std::size_t maxConstants = 1'000'000;

} // namespace cutaway::formats::limits
