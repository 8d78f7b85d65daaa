// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// How much a log may ask for. Every step and every record stands for bytes of its file, so most is bounded by the
/// file; these limits hold back what is read at once and what is repeated.
namespace cutaway::sequence::limits {

/// The JSON object of a record, on one line. The sizes of all nodes of a large graph take a megabyte; parsed it takes
/// ten times as much memory.
inline constexpr std::size_t maxEnvelope = 16u << 20;
/// A JSON payload that is parsed as a whole: the provenance of a large graph takes some megabytes.
inline constexpr std::size_t maxJsonPayload = 16u << 20;
/// The text of one graph, which is copied when it is opened.
inline constexpr std::size_t maxGraphText = 256u << 20;
/// Files that a folder is searched for, and the levels of folders in it.
inline constexpr std::size_t maxFilesInFolder = 20'000;
inline constexpr int maxFolderDepth = 8;
/// Pairs of steps that are looked at to align two sequences.
inline constexpr std::size_t maxStepPairs = 4u << 20;
/// Nodes of a graph that is computed to find where its nodes came from although their names tell of most.
inline constexpr std::int64_t maxNodesMappedWithinStage = 1'000;
/// Lines of kernels that are followed, those of a kernel once for each call.
inline constexpr std::size_t maxKernelLines = 1'000'000;
/// Operands, nodes and readers that are looked at to find the nodes of these lines: each statement of a kernel is
/// compared with each of its nodes. The lines of a large model, each once for each node, take a hundredth of it.
inline constexpr std::size_t maxKernelSteps = 16u << 20;
/// Diagnostics of one kind in one file; further ones are counted.
inline constexpr std::size_t maxDiagnosticsPerKind = 20;
/// Lines at the start of a file in which its kind shows; terminals and launchers write some before a log begins.
inline constexpr std::size_t maxLinesToRecognize = 2'000;

} // namespace cutaway::sequence::limits
