// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/lint/rules/families.h"
#include "core/lint/subject.h"
#include "core/ops/schemas/onnx_operators.h"

#include <algorithm>
#include <initializer_list>

// These rules report diagnostics of the analysis, which have a severity here and can be chosen one by one.

namespace cutaway::lint {

namespace {

void reportDiagnostics(Subject &subject, std::initializer_list<std::string_view> codes)
{
    for (const ir::Diagnostic &diagnostic : analysis::findings(subject.analysis()))
        if (diagnostic.node && std::ranges::contains(codes, diagnostic.code))
            subject.report(ir::NodeRef(subject.graph(), *diagnostic.node), diagnostic.message);
}

void checkContradictions(Subject &subject) { reportDiagnostics(subject, {"shape.contradiction"}); }

void checkTypeMismatches(Subject &subject) { reportDiagnostics(subject, {"type.mismatch"}); }

/// Reports values that cannot have the type that the file records. Mismatches in code that may not run are left out:
/// another run may have recorded them.
void checkMismatches(Subject &subject)
{
    for (const analysis::Mismatch &mismatch : subject.analysis().mismatches)
        if (mismatch.kind == analysis::Mismatch::Kind::Shape)
            subject.report(ir::NodeRef(subject.graph(), mismatch.node), mismatch.message);
}

void checkFixedSizes(Subject &subject) { reportDiagnostics(subject, {"size.fixed"}); }

void checkNeededSizes(Subject &subject) { reportDiagnostics(subject, {"size.needed"}); }

void checkAssumedSizes(Subject &subject) { reportDiagnostics(subject, {"size.assumed"}); }

void checkUnknownShapes(Subject &subject)
{
    reportDiagnostics(subject, {"shapes.unknown", "shapes.recorded", "cost.unknown"});
}

// The codes of diagnostics of the file's reader for which there is a rule.
constexpr std::string_view duplicateName = "onnx.duplicate-name", initializerType = "onnx.initializer-type";

void checkFile(Subject &subject)
{
    for (const ir::Diagnostic &diagnostic : subject.model().diagnostics)
        if (diagnostic.severity != ir::Severity::Info && diagnostic.code != duplicateName
            && diagnostic.code != initializerType)
            subject.report(diagnostic.message);
}

void reportFile(Subject &subject, std::string_view code)
{
    for (const ir::Diagnostic &diagnostic : subject.model().diagnostics)
        if (diagnostic.code == code)
            subject.report(diagnostic.message);
}

void checkNames(Subject &subject) { reportFile(subject, duplicateName); }

void checkInitializers(Subject &subject) { reportFile(subject, initializerType); }

bool callsFunction(const ir::NodeRef &node)
{
    return std::ranges::any_of(node->arguments,
                               [](const ir::Argument &argument) { return argument.value.as<ir::FunctionId>(); });
}

/// Reports operators that neither Cutaway nor torch nor ONNX declares. Declared ones without a rule are left out.
void checkUnknownOperators(Subject &subject)
{
    for (const ir::NodeRef &node : subject.nodes()) {
        const bool isKnown = subject.reader().row(node) || subject.reader().signature(node->op)
            || (node.dialect() == "onnx" && !ops::onnxVersions(node.opName()).empty());
        if (!isKnown && !callsFunction(node))
            subject.report(node, formatted("{} is an operator of no library that is known here", node.fullName()));
    }
}

using enum Rule::Asked;
using enum Rule::Scope;
using enum ir::Severity;

constexpr Rule analysisRows[] = {
    {"shape-contradiction", Error, "Arguments of a node do not fit each other or the operator: it cannot run.",
     ByDefault, Function, checkContradictions, true},
    {"type-mismatch", Error, "The file records another element type of an ONNX value than follows from the inputs.",
     ByDefault, Function, checkTypeMismatches, true},
    {"duplicate-name", Error, "Two values of one ONNX graph have the same name.", ByDefault, File, checkNames, true},
    {"initializer-type", Error, "An initializer of another type or shape than the ONNX graph's inputs say that it has.",
     ByDefault, File, checkInitializers, true},
    {"shape-mismatch", Warning, "The file records another dtype or shape than follows from the inputs.", ByDefault,
     Function, checkMismatches, true},
    {"file-diagnostic", Warning, "Part of the file is damaged, or could not be understood when it was read.", ByDefault,
     File, checkFile, true},
    {"unknown-operator", Warning, "An operator that is neither torch's nor ONNX's nor of another known library.",
     ByDefault, Function, checkUnknownOperators},
    {"fixed-size", Warning, "A node holds back a size that was given with --input in place of the file's.", ByDefault,
     Function, checkFixedSizes, true},
    {"needed-size", Warning, "A size that the file leaves open can have one value alone, or none.", ByDefault, Function,
     checkNeededSizes, true},
    {"assumed-size", Info, "Two sizes are broadcast that are not known to be equal.", WhenChosen, Function,
     checkAssumedSizes, true},
    {"unknown-shape", Info, "Shapes or costs of a node cannot be derived, or are known from the file alone.",
     WhenChosen, Function, checkUnknownShapes, true},
};

} // namespace

std::span<const Rule> analysisRules() { return analysisRows; }

} // namespace cutaway::lint
