// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/writing/saving.h"

#include "app/desktop/pages.h"
#include "app/desktop/problem.h"
#include "app/desktop/status.h"
#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "core/convert/to_pt2.h"
#include "core/formats/format.h"
#include "core/ir/model_format.h"
#include "core/ir/scope_tree.h"
#include "core/layout/found/found_parts.h"
#include "core/passes/cutting/border.h"
#include "core/passes/cutting/extraction.h"
#include "core/request/written_model.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::desktop {

Saving::Saving(QWidget &window, Pages &pages, Writing &writing, Status &status)
    : m_window(window),
      m_pages(pages),
      m_writing(writing),
      m_status(status)
{
}

void Saving::saveAsOnnx() { saveConverted(tr("Save as ONNX"), tr("ONNX models (*.onnx)"), false); }

void Saving::saveAsPt2() { saveConverted(tr("Save as .pt2"), tr("PyTorch exported programs (*.pt2)"), true); }

/// Converts and writes the shown model. If the format cannot express some nodes, they are listed and nothing is
/// written. Notes of the conversion are shown after the file is written.
void Saving::saveConverted(const QString &title, const QString &filter, bool isPt2)
{
    const QPointer<ModelPage> page = m_pages.current(); // another page may come to the front while the dialog is open
    const QString path = QFileDialog::getSaveFileName(&m_window, title, {}, filter);
    if (path.isEmpty() || !page || !page->session())
        return;
    const views::Document &document = page->session()->document();
    const bool isFile = document.isFileShown() && document.givenValues().replaced.empty();
    const auto notes = std::make_shared<std::string>();
    const QString what = tr("Converting to %1").arg(QFileInfo(path).fileName());
    m_writing.start(
        what,
        [path = path.toStdString(), function = document.functionId(), given = document.givenValues(), notes, isPt2,
         model = isFile ? document.models().file : document.withGiven()](const std::stop_token &stop) -> Result<void> {
            const Task task{stop, {}};
            const analysis::Given &known = given.withoutTensors();
            CUTAWAY_TRY(const auto converted,
                        isPt2 ? convert::toPt2(*model, function, known, task)
                              : convert::toOnnx(*model, function, known, {}, task));
            if (!converted.missing.empty())
                return usageError(convert::print(converted.missing));
            for (const std::string &note : converted.notes)
                *notes += note + "\n";
            return formats::write(converted.model, path, task);
        },
        [this, what, path, notes] {
            m_status.saved(path);
            if (!notes->empty())
                QMessageBox::information(&m_window, what, views::shown(*notes));
        });
}

void Saving::saveSession()
{
    const QPointer<ModelPage> page = m_pages.current();
    const QString suffix = QString::fromUtf8(sessionSuffix);
    const QString name = page->name().replace('/', '_') + suffix; // the name of an address has slashes
    const QString path = QFileDialog::getSaveFileName(&m_window, tr("Save session"),
                                                      QFileInfo(page->file()).absoluteDir().filePath(name),
                                                      tr("Sessions (*%1)").arg(suffix));
    if (path.isEmpty() || !page || !page->session())
        return;
    if (const auto saved = m_pages.kept().save(*page, path); !saved)
        tellProblem(m_window, tr("Save session"), views::sentence(views::shown(saved.error().text())));
    else
        m_status.saved(path);
}

namespace {

/// The part of a model to write: a module, or nodes.
using Wanted = std::variant<layout::ScopeSubject, std::vector<ir::NodeId>>;

Wanted wantedBy(const views::Selection &selection, const views::Drawing &drawing)
{
    if (const auto *module = std::get_if<layout::ScopeSubject>(&selection))
        return *module;
    if (const auto *node = std::get_if<ir::NodeId>(&selection))
        return std::vector{*node};
    const auto *part = std::get_if<layout::FoundSubject>(&selection);
    const auto &outline = drawing.drawnOutline();
    return part && outline ? layout::nodesInPart(*outline, *part) : std::vector<ir::NodeId>();
}

passes::Border borderOf(const ir::Function &function, const Wanted &wanted)
{
    return std::visit(
        Overloaded{[&](const layout::ScopeSubject &module) {
                       return passes::borderOf(function, [&](const ir::NodeRef &node) {
                           return ir::isWithin(function.graph.context(), node->scope, module.scope);
                       });
                   },
                   [&](const std::vector<ir::NodeId> &nodes) { return passes::borderOf(function, nodes); }},
        wanted);
}

/// Returns a part of a function as a model of its own, in the format that the suffix of `path` names.
Result<ir::Model> partOf(const ir::Model &model, ir::FunctionId function, const Wanted &wanted,
                         const analysis::Given &given, const std::filesystem::path &path, const Task &task)
{
    CUTAWAY_TRY(auto whole, passes::withoutWrites(model, function));
    const passes::Border border = borderOf(whole.at(function), wanted);
    if (border.to.empty())
        return usageError("nothing in this function reads what it computes");
    const analysis::Shapes shapes = analysis::inferShapes(whole, function, given, task);
    CUTAWAY_TRY(auto extracted, passes::extracted(whole, function, border.from, border.to, shapes));
    if (path.extension() != ".onnx" || ir::isOnnx(extracted.model))
        return std::move(extracted.model);
    CUTAWAY_TRY(auto converted, convert::toOnnx(extracted.model, function, {}, {}, task));
    if (!converted.missing.empty())
        return usageError(convert::print(converted.missing));
    return std::move(converted.model);
}

} // namespace

void Saving::extractSelection()
{
    const QPointer<ModelPage> page = m_pages.current();
    const Wanted wanted = wantedBy(page->session()->navigation().selection(), page->session()->drawing());
    const QString path =
        QFileDialog::getSaveFileName(&m_window, tr("Extract as model"), {}, tr("Models (*.onnx *.pt2 *.json)"));
    if (path.isEmpty() || !page || !page->session())
        return;
    const views::Document &document = page->session()->document();
    m_writing.start(
        tr("Extracting %1").arg(QFileInfo(path).fileName()),
        [path = path.toStdString(), model = document.withGiven(), function = document.functionId(),
         given = document.givenValues(), wanted](const std::stop_token &stop) -> Result<void> {
            const Task task{stop, {}};
            CUTAWAY_TRY(const auto extracted, partOf(*model, function, wanted, given.withoutTensors(), path, task));
            return formats::write(extracted, path, task);
        },
        [this, path] { m_status.saved(path); });
}

void Saving::saveShown(ModelPage &of, const std::function<void()> &then)
{
    const QPointer<ModelPage> page = &of;
    const QString path =
        QFileDialog::getSaveFileName(&m_window, tr("Save model as"), {}, tr("Models (*.onnx *.pt2 *.json)"));
    if (path.isEmpty() || !page || !page->session())
        return;
    const views::Document &document = page->session()->document();
    const bool isFile = document.isFileShown() && document.givenValues().replaced.empty();
    const std::shared_ptr<const ir::Model> shown = document.models().shown.model;
    m_writing.start(
        tr("Writing %1").arg(QFileInfo(path).fileName()),
        [path = path.toStdString(), models = document.models(), function = document.functionId(),
         given = document.givenValues(),
         last = isFile ? document.models().file : document.withGiven()](const std::stop_token &stop) -> Result<void> {
            CUTAWAY_TRY(const auto model,
                        request::modelToWrite({*models.file, *models.given, *last}, function, given, path));
            return formats::write(model, path, Task{stop, {}});
        },
        [this, page, path, shown, then] {
            m_status.saved(path);
            if (page)
                page->written = shown;
            if (then)
                then();
        });
}

} // namespace cutaway::desktop
