// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/charttables.h"
#include "ui/charts/growthpicture.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace kv;
using namespace kv::test;

class ChartTablesTest : public QObject {
    Q_OBJECT

private slots:
    void gpus();
    void growth();
    void updatesInPlace();
    void tsv();
    void markdown();

private:
    static QStringList row(const QAbstractItemModel &model, int row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells.append(row < 0 ? model.headerData(column, Qt::Horizontal).toString() : model.index(row, column).data().toString());
        return cells;
    }
};

void ChartTablesTest::gpus() {
    ChartTable table;
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Plan plan = planOf(2, {80, 8, 17.6, 0, 128.9, 54});
    plan.gpus[1].kvReplicated = true;
    table.show(ChartTable::of(gpuBars(plan, SizeUnit::Decimal)));
    QCOMPARE(row(table, -1).join(QLatin1Char('|')), QStringLiteral("GPU|Card|Memory|Weights|KV cache|Reserve|Short|Repeats another's KV"));
    QCOMPARE(table.rowCount(), 2);
    // KV whole, as it is needed, not the part that is drawn inside the card.
    QCOMPARE(row(table, 1).mid(2).join(QLatin1Char('|')), QStringLiteral("80 GB|17.6 GB|128.9 GB|8 GB|74.5 GB|yes"));
    QCOMPARE(table.index(1, 4).data(ChartTable::ExactRole).toLongLong(), 128'900'000'000LL);
    table.show(ChartTable::of(gpuBars(planOf(40), SizeUnit::Binary)));
    QCOMPARE(table.rowCount(), 1);
    QCOMPARE(row(table, 0).first(), QStringLiteral("GPU 0–39 (40 alike)"));
    QCOMPARE(row(table, 0).last(), QStringLiteral("7.5 GiB"));
    table.show(ChartTable::of(gpuBars(Plan{}, SizeUnit::Binary)));
    QCOMPARE(table.rowCount(), 0);
}

void ChartTablesTest::growth() {
    ChartTable table;
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Sweep sweep = sweepOf({.window = 5000});
    table.show(ChartTable::of(growthPicture(sweep, planOf(8), SizeUnit::Decimal)));
    QCOMPARE(row(table, -1).join(QLatin1Char('|')), QStringLiteral("Context|FP8|INT4|BF16|Left for KV"));
    QCOMPARE(table.rowCount(), int(sweep.curves[0].points.size()));
    QCOMPARE(row(table, 0).join(QLatin1Char('|')), QStringLiteral("1,024|1.7 GB|838.9 MB|3.4 GB|434.9 GB"));
    QCOMPARE(table.index(3, 0).data(ChartTable::ExactRole).toLongLong(), 5000LL); // the kink has a row
    QCOMPARE(table.index(3, 3).data(ChartTable::ExactRole).toLongLong(), 3276800LL * 5000);
    table.show(ChartTable::of(growthPicture(Sweep{}, planOf(8), SizeUnit::Decimal)));
    QCOMPARE(table.rowCount(), 0);
}

void ChartTablesTest::updatesInPlace() {
    ChartTable table;
    Plan plan = planOf(3);
    table.show(ChartTable::of(gpuBars(plan, SizeUnit::Decimal)));
    QSignalSpy resets(&table, &QAbstractItemModel::modelReset), changes(&table, &QAbstractItemModel::dataChanged);
    plan.gpus[1].weights += gb(0.5);
    plan.gpus[1].free -= gb(0.5);
    table.show(ChartTable::of(gpuBars(plan, SizeUnit::Decimal)));
    QCOMPARE(resets.size(), 0);
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes[0][0].toModelIndex().row(), 1);
    table.show(ChartTable::of(gpuBars(plan, SizeUnit::Decimal)));
    QCOMPARE(changes.size(), 1);
    table.show(ChartTable::of(gpuBars(planOf(4), SizeUnit::Decimal)));
    QCOMPARE(resets.size(), 1);
}

void ChartTablesTest::tsv() {
    Plan plan = planOf(1);
    plan.gpus[0].gpu = "tab\there\nand <b>";
    ChartTable table;
    table.show(ChartTable::of(gpuBars(plan, SizeUnit::Decimal)));
    QCOMPARE(tableAsTsv(table), QStringLiteral("GPU\tCard\tMemory\tWeights\tKV cache\tFree\tReserve\n"
                                               "GPU 0\ttab here and <b>\t80 GB\t17.6 GB\t53.7 GB\t700 MB\t8 GB\n"));
}

void ChartTablesTest::markdown() {
    Plan plan = planOf(1);
    plan.gpus[0].gpu = "a|b <i>&*";
    ChartTable table;
    table.show(ChartTable::of(gpuBars(plan, SizeUnit::Decimal)));
    QCOMPARE(tableAsMarkdown(table), QStringLiteral("| GPU | Card | Memory | Weights | KV cache | Free | Reserve |\n"
                                                    "|---|---:|---:|---:|---:|---:|---:|\n"
                                                    "| GPU 0 | a\\|b \\<i\\>\\&\\* | 80 GB | 17.6 GB | 53.7 GB | 700 MB | 8 GB |\n"));
}

KV_TEST(ChartTablesTest)
#include "charttablestest.moc"
