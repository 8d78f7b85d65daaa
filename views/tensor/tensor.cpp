// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensor/tensor.h"

#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ir/weights_only.h"
#include "views/parts/clear_button.h"
#include "views/parts/row_delegate.h"
#include "views/parts/when_seen.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/running.h"
#include "views/session/session.h"
#include "views/tensor/counterpart.h"
#include "views/tensor/tensor_model.h"
#include "views/tensor/tensor_page.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

namespace cutaway::views {
namespace {

/// The list of tensors. A narrow list hides the sizes in bytes to leave room for names; the type shows how large a
/// tensor is as well.
class TensorList : public QTreeView {
public:
    using QTreeView::QTreeView;

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        constexpr int roomForSizes = 400;
        setColumnHidden(TensorModel::BytesColumn, width() < roomForSizes);
        QTreeView::resizeEvent(event);
    }
};

class TensorView : public QWidget {
public:
    TensorView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_session(session),
          m_model(new TensorModel(this)),
          m_list(new TensorList(this)),
          m_page(new TensorPage(this)),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        auto *split = new QSplitter(Qt::Horizontal, this);
        split->setChildrenCollapsible(false);
        split->addWidget(makeList());
        split->addWidget(m_page);
        const bool isWholeFile = ir::isWeightsOnly(session.document().file()); // the page has the window to itself
        split->setSizes({isWholeFile ? 620 : 550, 1000});
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(split);
        const Navigation &navigation = session.navigation();
        connect(&navigation, &Navigation::selectionChanged, this, [this] { follow(); });
        connect(&session.requests(), &Requests::tensorRequested, this,
                [this](ir::TensorId tensor) { showWeight(tensor); });
        connect(&session.requests(), &Requests::outputRequested, this,
                [this](ir::TensorId tensor) { showResult(tensor); });
        connect(&session.running(), &Running::resultChanged, m_content, &WhenSeen::refresh);
        for (const auto change : {&Document::functionChanged, &Document::stateChanged})
            connect(&session.document(), change, m_content, &WhenSeen::refresh);
        for (const auto change : {&Comparing::otherChanged, &Comparing::differenceChanged})
            connect(&session.comparing(), change, this, [this] {
                if (m_current)
                    show(*m_current);
            });
    }

private:
    QWidget *makeList()
    {
        auto *side = new QWidget(this);
        side->setMinimumWidth(180);
        auto *filter = new QLineEdit(side);
        filter->setPlaceholderText(tr("Filter by name"));
        filter->setAccessibleName(filter->placeholderText());
        addClearButton(*filter);
        connect(filter, &QLineEdit::textChanged, this, [this](const QString &text) {
            m_model->setFilter(text);
            markCurrent();
        });
        m_list->setModel(m_model);
        m_list->setAccessibleName(tr("Tensors"));
        m_list->setRootIsDecorated(false);
        m_list->setUniformRowHeights(true);
        m_list->setAllColumnsShowFocus(true);
        m_list->setTextElideMode(Qt::ElideMiddle);
        m_list->setItemDelegate(new RowDelegate(m_list));
        m_list->header()->setStretchLastSection(false);
        m_list->header()->setSectionResizeMode(TensorModel::NameColumn, QHeaderView::Stretch);
        connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
            if (!m_following && index.isValid())
                show(m_model->tensor(index.row()));
        });
        auto *row = new QHBoxLayout;
        row->setContentsMargins(8, 6, 8, 6);
        row->addWidget(filter);
        auto *column = new QVBoxLayout(side);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(row);
        column->addWidget(m_list, 1);
        setFocusProxy(filter);
        return side;
    }

    /// Makes the columns of types and sizes as wide as their longest text, so that no shape or number is cut.
    void widenColumns()
    {
        constexpr int aroundText = 20;
        for (const int column : {TensorModel::TypeColumn, TensorModel::BytesColumn}) {
            QString longest = m_model->headerData(column, Qt::Horizontal).toString();
            for (int row = 0; row < m_model->rowCount(); ++row)
                if (const QString text = m_model->index(row, column).data().toString(); text.size() > longest.size())
                    longest = text;
            m_list->header()->resizeSection(column, m_list->fontMetrics().horizontalAdvance(longest) + aroundText);
        }
    }

    SharedModel results() const
    {
        const auto &result = m_session.running().result();
        return result ? result->outputs.tensors : nullptr;
    }

    bool isUpToDate() const { return m_shown == m_session.document().models().shown.model && m_results == results(); }

    void setModels()
    {
        m_shown = m_session.document().models().shown.model;
        m_results = results();
        m_model->setModels(m_results, m_shown);
        widenColumns();
    }

    /// Fills the list again if the models have changed, by a pass or a run, and selects the tensor of the same name.
    void fill()
    {
        if (isUpToDate())
            return follow();
        const bool wasResult = m_current && m_current->model == m_results;
        const std::string name = m_current ? std::string(nameOf(*m_current)) : std::string();
        setModels();
        m_current.reset();
        m_page->clear();
        const SharedModel &model = wasResult ? m_results : m_shown;
        for (ir::TensorId id{0}; model && id.index < model->tensors.size() && !name.empty(); ++id.index)
            if (nameOf({model, id}) == name)
                return show({model, id});
        follow();
        if (!m_current && m_model->rowCount() > 0)
            show(m_model->tensor(0));
    }

    static std::string_view nameOf(const TensorPlace &place) { return place.model->context->text(place.get().name); }

    void showWeight(ir::TensorId tensor)
    {
        if (!isUpToDate())
            setModels();
        show({m_shown, tensor});
    }

    void showResult(ir::TensorId tensor)
    {
        if (!isUpToDate())
            setModels();
        show({m_results, tensor});
    }

    void show(const TensorPlace &tensor)
    {
        if (!tensor.model || tensor.tensor.index >= tensor.model->tensors.size())
            return;
        m_current = tensor;
        markCurrent();
        m_page->show(tensor, counterpart(tensor));
    }

    std::optional<Counterpart> counterpart(const TensorPlace &tensor) const
    {
        return tensor.model == m_shown ? counterpartOf(m_session, tensor.tensor) : earlierResult(m_session, tensor);
    }

    void markCurrent()
    {
        const auto row = m_current ? m_model->rowOf(*m_current) : std::nullopt;
        m_following = true;
        m_list->setCurrentIndex(row ? m_model->index(*row, 0) : QModelIndex());
        m_following = false;
    }

    /// Selects the weight that is selected in the session, or else the largest weight that the selected node reads.
    void follow()
    {
        if (!isVisible())
            return;
        const ir::Graph &graph = m_session.navigation().selectedFunction().graph;
        std::optional<ir::TensorId> found;
        if (const auto *value = std::get_if<ir::ValueId>(&m_session.navigation().selection()))
            found = ir::ValueRef(graph, *value).weight();
        else if (const auto *node = std::get_if<ir::NodeId>(&m_session.navigation().selection()))
            found = largestWeight(m_session.document().model(), {graph, *node});
        if (found)
            showWeight(*found);
    }

    Session &m_session;
    TensorModel *m_model;
    QTreeView *m_list;
    TensorPage *m_page;
    WhenSeen *m_content;
    SharedModel m_shown, m_results;
    std::optional<TensorPlace> m_current;
    bool m_following = false; ///< whether the program is setting the current row, rather than the user
};

} // namespace

QWidget *makeTensorView(Session &session, QWidget *parent) { return new TensorView(session, parent); }

} // namespace cutaway::views
