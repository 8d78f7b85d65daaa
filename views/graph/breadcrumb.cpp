// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/breadcrumb.h"

#include "core/ir/context.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/session.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QToolButton>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr std::size_t maxCrumbs = 8;
constexpr int maxCrumbWidth = 220;
constexpr int leastCrumb = 48; ///< the least width in pixels at which a name can be recognized
constexpr int border = 16;     ///< pixels around a button's text
constexpr int mark = 12;       ///< pixels between two buttons

class Breadcrumb : public QWidget {
public:
    Breadcrumb(Session &session, QWidget *parent)
        : QWidget(parent),
          m_document(session.document()),
          m_drawing(session.drawing()),
          m_navigation(session.navigation()),
          m_requests(session.requests()),
          m_row(new QHBoxLayout(this))
    {
        m_row->setContentsMargins(8, 2, 8, 2);
        m_row->setSpacing(0);
        if (session.document().model().functions.size() > 1)
            m_row->addWidget(functionChoice());
        m_fixed = m_row->count();
        connect(&session.navigation(), &Navigation::selectionChanged, this, [this] { rebuild(); });
        connect(&session.document(), &Document::functionChanged, this, [this] { rebuild(); });
        rebuild();
    }

    /// Returns the width of the choice of functions alone: the path gives way, so that two panes keep their widths.
    QSize minimumSizeHint() const override
    {
        const QMargins around = m_row->contentsMargins();
        const int choice = m_fixed > 0 ? m_row->itemAt(0)->minimumSize().width() + around.left() + around.right() : 0;
        return {choice, QWidget::minimumSizeHint().height()};
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        if (event->oldSize().width() != event->size().width())
            rebuild();
    }

private:
    QWidget *functionChoice()
    {
        auto *choice = new QComboBox(this);
        choice->setToolTip(tr("Displayed function"));
        choice->setAccessibleName(tr("Function"));
        for (const ir::Function &function : m_document.model().functions)
            choice->addItem(shown(m_document.model().context->text(function.name)));
        choice->setMaximumWidth(maxCrumbWidth);
        choice->setMinimumWidth(std::min(choice->sizeHint().width(), maxCrumbWidth / 2));
        connect(choice, &QComboBox::activated, this,
                [this](int i) { m_document.setFunction({static_cast<std::uint32_t>(i)}); });
        connect(&m_document, &Document::functionChanged, choice,
                [this, choice] { choice->setCurrentIndex(int(m_document.functionId().index)); });
        return choice;
    }

    void rebuild()
    {
        while (m_row->count() > m_fixed) {
            const std::unique_ptr<QLayoutItem> item(m_row->takeAt(m_fixed));
            if (item->widget())
                item->widget()->deleteLater();
        }
        const std::vector<ir::ScopeId> path = scopes();
        int room = this->room();
        const bool hasRoot = path.empty() || room >= widthOf(rootName()) + mark + leastCrumb;
        if (hasRoot && room >= leastCrumb) {
            addCrumb(rootName(), {}, path.empty(), room);
            room -= widthOf(rootName());
        }
        const std::size_t first = path.size() - crumbsWithRoom(path, room);
        if (first > 0 && first < path.size()) {
            if (hasRoot)
                addText(QStringLiteral("›"));
            addText(QStringLiteral(" … "));
        }
        const std::vector<layout::ScopeSubject> boxes = modulesAround();
        for (std::size_t i = first; i < path.size(); ++i) {
            addText(QStringLiteral("›"));
            addCrumb(nameOf(path[i]), subject(path[i], boxes), i + 1 == path.size(), room);
        }
        m_row->addStretch();
    }

    /// Returns the width in pixels that is left for the path beside the choice of functions.
    int room() const
    {
        const QMargins around = m_row->contentsMargins();
        const int choice = m_fixed > 0 ? m_row->itemAt(0)->sizeHint().width() : 0;
        return width() - around.left() - around.right() - choice;
    }

    /// Returns the width of a button with its border.
    int widthOf(const QString &name) const
    {
        return std::min(fontMetrics().horizontalAdvance(name), maxCrumbWidth) + border;
    }

    QString nameOf(ir::ScopeId scope) const
    {
        const ir::Context &context = *m_document.model().context;
        return shown(context.text(context.at(scope).name));
    }

    /// Returns how many of the innermost modules fit into `room`. The innermost one counts even if its name has to be
    /// truncated, unless less than leastCrumb pixels are left.
    std::size_t crumbsWithRoom(const std::vector<ir::ScopeId> &path, int room) const
    {
        room -= mark;
        if (room < leastCrumb)
            return 0;
        std::size_t count = 0;
        while (count < std::min(path.size(), maxCrumbs)) {
            room -= widthOf(nameOf(path[path.size() - 1 - count])) + mark;
            if (room < 0 && count > 0)
                break;
            ++count;
        }
        return count;
    }

    std::vector<ir::ScopeId> scopes() const
    {
        std::vector<ir::ScopeId> path;
        for (ir::ScopeId s = scopeOf(m_drawing.function(), m_navigation.selection()); s != ir::ScopeId{};
             s = m_document.model().context->at(s).parent)
            path.push_back(s);
        std::ranges::reverse(path);
        return path;
    }

    /// Returns the modules around the selection, outermost first, and the selected module itself.
    std::vector<layout::ScopeSubject> modulesAround() const
    {
        std::vector<layout::ScopeSubject> modules;
        const auto selected = subjectOf(m_drawing.function(), m_navigation.selection());
        if (!selected)
            return modules;
        std::vector<layout::Subject> boxes = m_drawing.enclosing(*selected);
        boxes.push_back(*selected);
        for (const layout::Subject &box : boxes)
            if (const auto *module = std::get_if<layout::ScopeSubject>(&box))
                modules.push_back(*module);
        return modules;
    }

    layout::ScopeSubject subject(ir::ScopeId scope, const std::vector<layout::ScopeSubject> &boxes) const
    {
        const auto it = std::ranges::find(boxes, scope, &layout::ScopeSubject::scope);
        return it == boxes.end() ? layout::ScopeSubject{scope, {}} : *it;
    }

    QString rootName() const
    {
        const ir::Model &model = m_document.model();
        const std::string path = model.path.substr(model.path.find_last_of('/') + 1);
        return shown(model.name.empty() ? path : model.name);
    }

    /// Adds a button for a part of the path, its name truncated to `room` pixels, or to maxCrumbWidth if that is less.
    void addCrumb(const QString &name, const Selection &selection, bool last, int room)
    {
        auto *crumb = new QToolButton(this);
        const int most = std::clamp(room - border - mark, 0, maxCrumbWidth);
        crumb->setText(crumb->fontMetrics().elidedText(name, Qt::ElideMiddle, most).replace('&', "&&"));
        crumb->setToolTip(toolTipText(name));
        crumb->setAutoRaise(true);
        if (!last) {
            QPalette muted = palette();
            muted.setColor(QPalette::ButtonText, mutedText(palette()));
            crumb->setPalette(muted);
        }
        connect(crumb, &QToolButton::clicked, this, [this, selection] {
            if (selection == Selection{})
                m_requests.zoom(Requests::Zoom::Fit);
            m_navigation.reveal(selection);
        });
        m_row->addWidget(crumb);
    }

    void addText(const QString &text)
    {
        auto *label = new QLabel(text, this);
        label->setForegroundRole(QPalette::PlaceholderText);
        m_row->addWidget(label);
    }

    Document &m_document;
    Drawing &m_drawing;
    Navigation &m_navigation;
    Requests &m_requests;
    QHBoxLayout *m_row;
    int m_fixed = 0; ///< how many widgets at the beginning of the row stay when the path changes
};

} // namespace

QWidget *makeBreadcrumb(Session &session, QWidget *parent) { return new Breadcrumb(session, parent); }

} // namespace cutaway::views
