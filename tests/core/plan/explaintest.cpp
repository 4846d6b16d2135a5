// SPDX-License-Identifier: GPL-3.0-or-later
//
// The derivation is true: what is substituted, worked out here by itself, is what stands below it; and the parts of a sequence add up.
#include "core/plan/explain.h"

#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "tests/testmain.h"

#include <QTest>

#include <cctype>
#include <cmath>

using namespace kv;

namespace {

/// "21 × (512 × 2 + (512 + 128) × 1/2 ÷ 4)" worked out: signs of one letter, fractions bind as numbers.
class Sum {
public:
    explicit Sum(std::string_view text) : m_rest(text) {}
    double value() {
        double total = product();
        while (takes("+"))
            total += product();
        return total;
    }
    bool atEnd() {
        blanks();
        return m_rest.empty();
    }

private:
    void blanks() {
        while (m_rest.starts_with(' '))
            m_rest.remove_prefix(1);
    }
    bool takes(std::string_view sign) {
        blanks();
        if (!m_rest.starts_with(sign))
            return false;
        m_rest.remove_prefix(sign.size());
        return true;
    }
    double product() {
        double result = term();
        while (true) {
            if (takes("×"))
                result *= term();
            else if (takes("÷"))
                result /= term();
            else
                return result;
        }
    }
    double term() {
        if (takes("(")) {
            const double inside = value();
            takes(")");
            return inside;
        }
        const double number = digits();
        return takes("/") ? number / digits() : number;
    }
    double digits() {
        blanks();
        std::string text;
        while (!m_rest.empty() && (std::isdigit(static_cast<unsigned char>(m_rest.front())) || m_rest.front() == ',')) {
            if (m_rest.front() != ',')
                text += m_rest.front();
            m_rest.remove_prefix(1);
        }
        return text.empty() ? std::nan("") : std::stod(text);
    }

    std::string_view m_rest;
};

std::optional<double> workedOut(std::string_view text) {
    Sum sum(text);
    const double value = sum.value();
    return sum.atEnd() && !std::isnan(value) ? std::optional(value) : std::nullopt;
}

} // namespace

class ExplainTest : public QObject {
    Q_OBJECT

private slots:
    void sums_data();
    void sums();
    void products_data();
    void products();
    void compressedLayers();
};

void ExplainTest::sums_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<double>("value");
    QTest::newRow("a product") << QByteArray("2 × 80 × 8 × 128 × 2") << 327'680.0;
    QTest::newRow("a fraction") << QByteArray("2 × 8 × 1/2") << 8.0;
    QTest::newRow("brackets") << QByteArray("21 × (512 × 2 + (512 + 128) × 2 ÷ 4)") << 28'224.0;
    QTest::newRow("thousands") << QByteArray("1,024 + 8") << 1'032.0;
}

void ExplainTest::sums() {
    QFETCH(QByteArray, text);
    QTEST(workedOut(text.constData()).value_or(-1), "value");
}

void ExplainTest::products_data() {
    QTest::addColumn<QString>("id");
    for (const Preset &preset : presets())
        QTest::newRow(preset.id.c_str()) << QString::fromStdString(preset.id);
}

void ExplainTest::products() {
    QFETCH(QString, id);
    Scenario s = firstScenario();
    s.model = {id.toStdString(), {}, {}, *presetModel(id.toStdString())};
    s.workload.context = Tokens(4096);
    const Plan plan = evaluate(s);
    if (!plan.ok())
        return; // keeps no cache, or needs another split
    for (const ExplainSection &section : explain(s, plan, SizeUnit::Decimal)) {
        for (std::size_t i = 0; i + 1 < section.lines.size(); ++i) {
            const std::string &line = section.lines[i], &below = section.lines[i + 1];
            const std::size_t end = below.find(" B");
            const std::optional<double> product = workedOut(line.starts_with("= ") ? std::string_view(line).substr(2) : std::string_view(line));
            if (!product || !below.starts_with("= ") || end == std::string::npos)
                continue;
            const std::optional<double> bytes = workedOut(std::string_view(below).substr(2, end - 2));
            QVERIFY2(bytes && std::abs(*product - *bytes) <= static_cast<double>(plan.model->layerCount()), (section.title + ": " + line + " " + below).c_str());
        }
    }
}

// DeepSeek V4: a vector for the token, its share of an entry (with an index key where layers choose among them), and a state.
void ExplainTest::compressedLayers() {
    Scenario s = firstScenario();
    s.model = {"deepseek-v4-flash", {}, {}, *presetModel("deepseek-v4-flash")};
    const Plan plan = evaluate(s);
    QVERIFY(plan.ok());
    const std::string text = explainText(explain(s, plan, SizeUnit::Decimal));
    for (const char *line : {"21 compressed attention layers keep an entry for every 4 tokens beside the last 128 tokens",
                             "= 21 × (512 × 2 + (512 + 128) × 2 ÷ 4)\n  = 28,224 B", "and a state: 21 × 20,480 × 4 = 1,720,320 B",
                             "20 compressed attention layers keep an entry for every 128 tokens beside the last 128 tokens",
                             "= 20 × (512 × 2 + 512 × 2 ÷ 128)\n  = 20,640 B", "and a state: 20 × 131,072 × 4 = 10,485,760 B", "128  ratio: compress_ratios, on 20 layers"})
        QVERIFY2(text.find(line) != std::string::npos, (std::string(line) + "\n in: " + text).c_str());
}

KV_TEST(ExplainTest)
#include "explaintest.moc"
