// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.doctor.inventory.ColumnPath;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.NumberedColumn;
import dev.seriatim.doctor.inventory.ObjectName;
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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes a diagnosis. Stateless. */
final class DoctorReport {

    private DoctorReport() {}

    /** In JSON, 64-bit numbers are strings. */
    private static List<Map<String, Optional<?>>> json(Collection<InspectionFinding> findings, Diagnosis diagnosis) {
        Map<Object, NumberSource> sources = new HashMap<>();
        for (NumberSource source : diagnosis.inventory().sources()) {
            source.columns().forEach(column -> sources.putIfAbsent(column.name(), source));
            sources.putIfAbsent(source.subject(), source);
        }
        List<Map<String, Optional<?>>> all = new ArrayList<>();
        for (InspectionFinding finding : findings) {
            Optional<NumberSource> source = Optional.ofNullable(sources.get(finding.about()));
            List<NumberedColumn> columns = source.map(NumberSource::columns).orElse(List.of());
            Optional<NumberedColumn> column = columns.stream()
                    .filter(any -> columns.size() == 1 || any.name().equals(finding.about()))
                    .findFirst();
            ColumnPath place = column.map(NumberedColumn::name).orElse(finding.place());
            Optional<ObjectName> sequence =
                    source.filter(from -> !from.isColumn()).map(NumberSource::name);
            Optional<Finding.Remedy> remedy = finding.remedy().map(DoctorReport::shown);
            Map<String, Optional<?>> one = new LinkedHashMap<>();
            one.put("fault", Optional.of(finding.fault().toString()));
            one.put("level", Optional.of(lower(finding.fault().level())));
            one.put("subject", Optional.of(finding.subject()));
            one.put("schema", named(place.table().schema()));
            one.put("table", named(place.table().name()).filter(table -> !sequence.equals(Optional.of(place.table()))));
            one.put("column", named(place.column()));
            one.put("sequence", sequence.map(ObjectName::name));
            one.put(
                    "held",
                    column.flatMap(NumberedColumn::held)
                            .map(ends -> source.orElseThrow().last(ends).toString()));
            one.put("next", source.map(DoctorReport::next));
            one.put("what", Optional.of(finding.what()));
            one.put("remedy", remedy.map(Finding.Remedy::text));
            one.put("remedy_kind", finding.remedy().map(Remedy::kind).map(DoctorReport::lower));
            one.put("mend", remedy.filter(shown -> shown.name().equals("mend")).map(Finding.Remedy::text));
            one.put("reason", Optional.ofNullable(diagnosis.accepted().get(finding)));
            all.add(one);
        }
        return all;
    }

    private static Optional<String> named(String name) {
        return Optional.of(name).filter(any -> !any.isEmpty());
    }

    /** Returns the report; {@code mended} is what was raised before the database was read. */
    static Document of(Diagnosis diagnosis, List<InspectionFinding> mended) {
        Inventory inventory = diagnosis.inventory();
        String outcome = outcome(diagnosis);
        String title = outcome.substring(0, 1).toUpperCase(Locale.ROOT) + outcome.substring(1);
        String place = Stream.of(inventory.product(), inventory.database())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
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
                .data("findings", json(diagnosis.findings(), diagnosis))
                .data("notes", json(diagnosis.notes(), diagnosis))
                .data("mended", json(mended, diagnosis))
                .data("accepted", json(diagnosis.accepted().keySet(), diagnosis))
                .data("skipped", skipped);
        if (!skipped.isEmpty()) {
            document.warning("Not everything was examined: see the end.");
        }
        document.section("Errors: inserts fail, numbers repeat, or commits are lost")
                .findings(shown(diagnosis.findings(), Level.ERROR));
        document.section("Warnings: it will go wrong, or surprises")
                .findings(shown(diagnosis.findings(), Level.WARNING));
        List<InspectionFinding> notes = diagnosis.notes().stream()
                .filter(note -> note.fault() != Fault.MAYBE_BEHIND) // all of them are under 'Not examined'
                .toList();
        document.section("Notes").findings(shown(notes, Level.NOTE)).list(soonest(diagnosis));
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
        int accepted = diagnosis.accepted().size();
        return (counts.isEmpty() ? "no fault found" : String.join(", ", counts))
                + (accepted == 0 ? "" : "; " + accepted + " accepted");
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
                        level == Level.NOTE ? "" : finding.fault().toString(),
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
                .column("kind", "", NumberSource::kindOf)
                .column("name", "generator", source -> source.subject().toString())
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

    /** Prints a script for the database's client: the statements that only raise, then the other findings as comments. */
    static void printStatements(Diagnosis diagnosis, PrintWriter out) {
        diagnosis
                .raising()
                .forEach(finding -> out.println(finding.remedy().orElseThrow().text() + ";"));
        for (InspectionFinding finding : diagnosis.findings()) {
            Remedy remedy = finding.remedy().orElseThrow();
            if (remedy.kind() != Remedy.Kind.RAISES) {
                String why = "  -- " + finding.fault() + ", " + finding.subject() + " " + finding.what();
                out.println("-- " + OneLine.of(remedy.text() + why));
            }
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
