// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/pages.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/tensors/sizes.h"
#include "core/ir/tensors/tensor_data.h"
#include "views/inspector/links.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/session.h"

#include <QFuture>
#include <QPromise>
#include <QThreadPool>

#include <utility>

namespace cutaway::views {
namespace {

constexpr std::size_t valuesShown = 64;
constexpr int maxShared = 8;
constexpr std::size_t lineLength = 38; ///< characters that fit into one line of the sheet at its default width

using Elements = Result<std::vector<std::string>>;

/// Reads the elements of a tensor as text, on another thread, since reading maps the file and may wait for a disk.
QFuture<std::shared_ptr<Elements>> readElements(std::shared_ptr<const ir::Model> model, ir::TensorId tensor)
{
    QPromise<std::shared_ptr<Elements>> promise;
    auto future = promise.future();
    promise.start();
    QThreadPool::globalInstance()->start([model = std::move(model), tensor, promise = std::move(promise)]() mutable {
        promise.addResult(std::make_shared<Elements>(ir::firstElements(*model, tensor, valuesShown)));
        promise.finish();
    });
    return future;
}

void showElements(PropertySheet &sheet, const Elements &elements, std::int64_t count)
{
    if (!elements)
        return sheet.muted(shown(elements.error().text()));
    QStringList lines;
    qsizetype widest = 1;
    for (const std::string &element : *elements)
        widest = std::max(widest, shown(element).size());
    const std::size_t columns = std::clamp<std::size_t>(lineLength / std::size_t(widest + 2), 1, 8);
    for (std::size_t i = 0; i < elements->size(); i += columns) {
        QString line;
        for (std::size_t j = i; j < std::min(i + columns, elements->size()); ++j)
            line += shown((*elements)[j]).rightJustified(widest + (j > i ? 2 : 0));
        lines << line;
    }
    sheet.code(lines.join('\n'));
    if (std::cmp_greater(count, elements->size()))
        sheet.muted(QObject::tr("First %1 of %2 elements").arg(elements->size()).arg(shown(grouped(count))));
}

QString kindText(const ir::Tensor &tensor)
{
    switch (tensor.kind) {
    case ir::Tensor::Kind::Parameter:
        return QObject::tr("parameter");
    case ir::Tensor::Kind::Buffer:
        return tensor.persistent ? QObject::tr("buffer") : QObject::tr("non-persistent buffer");
    case ir::Tensor::Kind::Packed:
        return QObject::tr("packed parameter");
    case ir::Tensor::Kind::Constant:
        break;
    }
    return QObject::tr("constant");
}

QString placeText(const ir::Model &model, const ir::Storage &storage)
{
    if (const auto *range = std::get_if<ir::FileRange>(&storage.data)) {
        const QString file = shown(model.at(range->file).path.filename().string());
        return QObject::tr("%1, byte offset %2").arg(file, shown(grouped(static_cast<long long>(range->offset))));
    }
    if (const auto *none = std::get_if<ir::NoBytes>(&storage.data))
        return QObject::tr("no data: %1").arg(shown(none->reason));
    return QObject::tr("inline or compressed");
}

void sharedRows(PropertySheet &sheet, const ir::Model &model, ir::TensorId self)
{
    int rows = 0;
    int more = 0;
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i) {
        const ir::Tensor &other = model.tensors[i];
        if (i == self.index || other.storage != model.at(self).storage || other.layout != ir::Layout::Strided)
            continue;
        if (rows == maxShared)
            ++more;
        else
            sheet.row(rows++ == 0 ? QObject::tr("shares storage with") : QString(),
                      shown(model.context->text(other.name)));
    }
    if (more > 0)
        sheet.row({}, QObject::tr("… %1 more").arg(more));
}

} // namespace

void fillWeight(PropertySheet &sheet, Session &session, const ir::ValueRef &value, ir::TensorId id)
{
    const ir::Model &model = session.document().model();
    const ir::Tensor &tensor = model.at(id);
    sheet.title(shown(model.context->text(tensor.name)), kindText(tensor));
    sheet.section(QObject::tr("Tensor"));
    sheet.row(QObject::tr("dtype"), shown(ir::name(tensor.dtype)), PropertySheet::Look::Monospace);
    sheet.row(QObject::tr("shape"), QString::fromStdString(ir::printSizes(tensor.shape)),
              PropertySheet::Look::Monospace);
    if (tensor.strides)
        sheet.row(QObject::tr("strides"), QString::fromStdString(ir::printSizes(*tensor.strides)),
                  PropertySheet::Look::Monospace);
    const auto elements = ir::elementCount(tensor);
    if (elements)
        sheet.row(QObject::tr("elements"), shown(grouped(*elements)));
    if (const auto bytes = ir::byteSize(tensor))
        sheet.row(QObject::tr("size"), shown(byteCount(static_cast<double>(*bytes))), PropertySheet::Look::Plain,
                  counted(*bytes, "byte", "bytes"));
    sheet.row(QObject::tr("stored"), placeText(model, model.at(tensor.storage)));
    sharedRows(sheet, model, id);
    sheet.section(QObject::tr("Uses"));
    userRows(sheet, session, value);
    sheet.section(QObject::tr("Values"));
    sheet.buttonOnce(QObject::tr("Show values"), [&sheet, &session, value = value.id(), elements, id] {
        readElements(session.document().models().shown.model, id)
            .then(&sheet, [&sheet, &session, value, elements](const std::shared_ptr<Elements> &e) {
                if (session.navigation().selection() == Selection(value)) // the selection may have changed meanwhile
                    showElements(sheet, *e, elements.value_or(0));
            });
    });
    sheet.button(QObject::tr("Statistics and all values"), [&session, id] { session.requests().tensor(id); });
}

} // namespace cutaway::views
