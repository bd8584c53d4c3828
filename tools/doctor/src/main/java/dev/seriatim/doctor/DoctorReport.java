// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.doctor.inventory.Share;
import dev.seriatim.doctor.inventory.Skips;
import dev.seriatim.doctor.rule.Diagnosis;
import dev.seriatim.report.Document;
import dev.seriatim.report.Finding;
import dev.seriatim.report.Finding.Level;
import dev.seriatim.report.Table;
import dev.seriatim.report.Value;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes a diagnosis. Stateless. */
final class DoctorReport {

    private DoctorReport() {}

    private record FindingInJson(
            String fault,
            String level,
            String subject,
            String what,
            @Nullable String remedy,
            @Nullable String remedyKind) {

        static List<FindingInJson> of(List<InspectionFinding> findings) {
            return findings.stream()
                    .map(finding -> new FindingInJson(
                            finding.fault().code(),
                            lower(finding.fault().level()),
                            finding.subject(),
                            finding.what(),
                            finding.remedy().map(Remedy::text).orElse(null),
                            finding.remedy().map(remedy -> lower(remedy.kind())).orElse(null)))
                    .toList();
        }
    }

    /**
     * Returns the report.
     *
     * @param mended what was raised before the database was read
     */
    static Document of(Diagnosis diagnosis, List<InspectionFinding> mended) {
        Inventory inventory = diagnosis.inventory();
        String outcome = outcome(diagnosis);
        String title = outcome.substring(0, 1).toUpperCase(Locale.ROOT) + outcome.substring(1);
        String place = inventory.product()
                + (inventory.product().isEmpty() || inventory.database().isEmpty() ? "" : ", ")
                + inventory.database();
        List<String> skipped = inventory.skipped().stream()
                .map(line -> line.endsWith(Skips.NO_INDEX) ? line + " with --scan" : line)
                .toList();
        Document document = new Document("doctor", title)
                .line(place)
                .line("examined " + extent(inventory) + " in "
                        + String.format(Locale.ROOT, "%.1f s", diagnosis.took().toMillis() / 1000.0))
                .data("product", inventory.product())
                .data("database", inventory.database())
                .data("examined_at", diagnosis.at())
                .data("seconds", diagnosis.took())
                .data("columns", inventory.columns())
                .data("native_sequences", inventory.sequences())
                .data("counters", inventory.counters())
                .data("errors", diagnosis.count(Level.ERROR))
                .data("warnings", diagnosis.count(Level.WARNING))
                .data("findings", FindingInJson.of(diagnosis.findings()))
                .data("notes", FindingInJson.of(diagnosis.notes()))
                .data("mended", FindingInJson.of(mended))
                .data("skipped", skipped);
        if (!skipped.isEmpty()) {
            document.warning("Not everything was examined: see the end.");
        }
        document.section("Errors: inserts fail, numbers repeat, or commits are lost")
                .findings(shown(diagnosis.findings(), Level.ERROR));
        document.section("Warnings: it will go wrong, or surprises")
                .findings(shown(diagnosis.findings(), Level.WARNING));
        document.section("Notes").findings(shown(diagnosis.notes(), Level.NOTE)).list(soonest(diagnosis));
        document.section("Shares used")
                .pageOnly()
                .lead("The largest share first.")
                .table(shares(diagnosis));
        document.section("Not examined").list(skipped);
        document.section("Examination").pageOnly().fact("", "Examined", diagnosis.at());
        return document.outcome(outcome + (skipped.isEmpty() ? "" : "; not all was examined, see above"));
    }

    /** Returns the outcome, such as {@code 2 errors, 1 warning}. */
    static String outcome(Diagnosis diagnosis) {
        List<String> counts = new ArrayList<>();
        for (Level level : List.of(Level.ERROR, Level.WARNING)) {
            if (diagnosis.count(level) > 0) {
                counts.add(Value.counted(diagnosis.count(level), lower(level)));
            }
        }
        return counts.isEmpty() ? "no fault found" : String.join(", ", counts);
    }

    private static String extent(Inventory inventory) {
        return Value.counted(inventory.columns(), "numbered column") + ", "
                + Value.counted(inventory.sequences(), "native sequence") + ", "
                + Value.counted(inventory.counters(), "sequence of Seriatim's", "sequences of Seriatim's");
    }

    private static List<Finding> shown(List<InspectionFinding> findings, Level level) {
        return findings.stream()
                .filter(finding -> finding.fault().level() == level)
                .map(finding -> new Finding(
                        level,
                        finding.subject(),
                        level == Level.NOTE ? "" : finding.fault().code(),
                        List.of(finding.what()),
                        finding.remedy().map(DoctorReport::shown).orElse(null)))
                .toList();
    }

    private static Finding.Remedy shown(Remedy remedy) {
        String name = switch (remedy.kind()) {
            case RAISES, CHANGES -> "mend";
            case COMMAND -> "run";
            case ADVICE -> "do";
        };
        return new Finding.Remedy(name, remedy.text(), remedy.kind() != Remedy.Kind.ADVICE);
    }

    private static List<String> soonest(Diagnosis diagnosis) {
        return diagnosis.inventory().sources().stream()
                .filter(source -> diagnosis.end(source).isPresent())
                .min(Comparator.comparing(source -> diagnosis.end(source).orElseThrow()))
                .map(source -> "%s runs out first, on %s at its pace so far"
                        .formatted(source.subject(), diagnosis.end(source).orElseThrow()))
                .stream()
                .toList();
    }

    /** Returns all sources, the largest share first. In JSON, 64-bit numbers are strings. */
    private static Table<NumberSource> shares(Diagnosis diagnosis) {
        Comparator<NumberSource> byShare = Comparator.comparing(
                source -> source.usedOfNearest().map(Share::percent).orElse(BigDecimal.ONE.negate()));
        List<NumberSource> sources = diagnosis.inventory().sources().stream()
                .sorted(byShare.reversed())
                .toList();
        return new Table<>("generators", "Shares used", sources)
                .column("kind", "", source -> source.kind().code())
                .column("name", "generator", NumberSource::subject)
                .column("next_value", "next", DoctorReport::next)
                .column("increment", "", source -> source.increment().toString())
                .column("last_value", "ends at", source -> source.nearestEnd().toString())
                .column(
                        "used_percent",
                        "",
                        source -> source.usedOfNearest().map(Share::percent).orElse(null))
                .column(
                        "",
                        "used",
                        source -> source.usedOfNearest().map(Share::toString).orElse(null))
                .column(
                        "used_up_on",
                        "used up on",
                        source -> diagnosis.end(source).orElse(null))
                .withoutEmptyColumns();
    }

    private static @Nullable String next(NumberSource source) {
        return source.usedUp() ? null : source.next().map(Object::toString).orElse(null);
    }

    /**
     * Prints a script for the database's client: the statements that only raise, one a line; then a comment for each other
     * finding.
     */
    static void printStatements(Diagnosis diagnosis, PrintWriter out) {
        diagnosis.raising().stream()
                .map(finding -> finding.remedy().orElseThrow().text())
                .filter(DoctorReport::isOneLine)
                .forEach(sql -> out.println(sql.endsWith(";") ? sql : sql + ";"));
        for (InspectionFinding finding : diagnosis.findings()) {
            Optional<Remedy> remedy = finding.remedy();
            boolean printed = remedy.filter(raise -> raise.kind() == Remedy.Kind.RAISES && isOneLine(raise.text()))
                    .isPresent();
            if (!printed) {
                String why = finding.fault().code() + ", " + finding.subject() + " " + finding.what();
                out.println("-- "
                        + OneLine.of(
                                remedy.map(mend -> mend.text() + "  -- " + why).orElse(why)));
            }
        }
    }

    /** A name may contain a line's end; the client would run the rest as another line. */
    private static boolean isOneLine(String sql) {
        return OneLine.of(sql).equals(sql);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
