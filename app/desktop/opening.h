// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/module_sums.h"
#include "core/base/result.h"
#include "core/ir/model.h"
#include "views/parts/latest_work.h"

#include <QObject>
#include <QString>
#include <memory>

namespace cutaway::desktop {

/// Reads model files on another thread, one at a time; opening another file cancels the current one.
class Opening : public QObject {
    Q_OBJECT

public:
    explicit Opening(QObject *parent = nullptr);

    void start(const QString &path);
    void cancel() { m_work.cancel(); }
    bool isBusy() const { return m_work.isBusy(); }

signals:
    void busyChanged();
    /// `total` 0: unknown.
    void progress(const QString &what, quint64 done, quint64 total);
    /// `sums`: of the model's first function.
    void opened(const QString &path, const std::shared_ptr<const cutaway::ir::Model> &model,
                const std::shared_ptr<const cutaway::analysis::ModuleSums> &sums);
    void failed(const QString &path, const cutaway::Error &error);

private:
    struct Read {
        std::shared_ptr<const ir::Model> model;
        std::shared_ptr<const analysis::ModuleSums> sums;
    };
    using Opened = Result<Read>;
    void ended();

    QString m_path;                ///< the last requested path
    Opened m_opened = cancelled(); ///< the result of the work; cancelled unless it was completed
    views::LatestWork m_work;      ///< declared last: it is destroyed first
};

/// A format for dialogs and pages: "ONNX (*.onnx)".
struct FormatText {
    QString description;
    QString suffixes;
};
std::vector<FormatText> formatTexts();

} // namespace cutaway::desktop
