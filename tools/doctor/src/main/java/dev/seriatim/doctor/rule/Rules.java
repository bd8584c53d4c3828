// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.doctor.inventory.ColumnPath;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.NumberSource.Kind;
import dev.seriatim.doctor.inventory.NumberedColumn;
import dev.seriatim.doctor.inventory.ObjectName;
import dev.seriatim.doctor.inventory.Remedies;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.doctor.inventory.Share;
import dev.seriatim.report.Value;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Rules about the next number (it is in a column already, it is among the last, or clients round it), and about how sequences are
 * defined: cycles, caches, owners, increments, and two for one column. Adds what they find to {@code found}. Not thread-safe.
 */
record Rules(
        Inventory inventory, CounterCommands commands, Diagnosis.Forecast forecast, List<InspectionFinding> found) {

    private static final String FOREIGN = """
            ; the sequence and the table have different owners, and the owner of the table could so use up the \
            sequence's numbers: raise it only if that column is meant to draw from it""";

    private static final BigInteger SOON = BigInteger.valueOf(1_000);
    private static final BigInteger FAR = BigInteger.valueOf(1_000_000);
    private static final BigInteger EXACT = BigInteger.TWO.pow(53);

    /** A sequence that begins far beyond is meant to. */
    private static final BigInteger NEAR = EXACT.add(EXACT.shiftRight(2));

    private static final String HIBERNATES_SEQUENCE = "hibernate_sequence";
    private static final String HIBERNATES_TABLE = "hibernate_sequences";
    private static final String SUFFIX = "_seq";

    void apply() {
        List<Consumer<NumberSource>> rules = List.of(
                this::behind,
                this::range,
                this::exactDoubles,
                this::cycles,
                this::caches,
                this::hibernatesIncrement,
                this::unowned,
                this::shared);
        rules.forEach(inventory.sources()::forEach);
        twice();
    }

    private Remedies remedies(NumberSource source) {
        return source.kind() == Kind.COUNTER ? commands : inventory.remedies().orElseThrow();
    }

    private String date(NumberSource source, BigInteger last, String what) {
        return forecast.reaches(source, last)
                .map(day -> "; at its pace so far, " + what + " on " + day)
                .orElse("");
    }

    /** Finds columns with a number that draws will meet. Of all columns of a source, it names the one that goes furthest. */
    private void behind(NumberSource source) {
        source.columns().stream()
                .filter(column -> source.notPassed(column).isPresent())
                .sorted(Comparator.comparing((NumberedColumn column) -> draws(source, source.notPassed(column)))
                        .reversed())
                .collect(Collectors.groupingBy(
                        column -> List.of(fault(free(source, column)) == Fault.NOTE, column.foreign())))
                .values()
                .forEach(columns -> found.add(behind(source, columns)));
    }

    /** Returns how many draws come before the one that deals a number; a million at most, also if none does. */
    private static BigInteger draws(NumberSource source, Optional<BigInteger> number) {
        BigInteger step = source.increment().signum() == 0 ? BigInteger.ONE : source.increment();
        return number.map(held -> held.subtract(source.next().orElseThrow()).divide(step))
                .orElse(FAR);
    }

    /** Returns how many draws come before one that meets a number of a column; 0 if that is not known. */
    private BigInteger free(NumberSource source, NumberedColumn column) {
        Optional<BigInteger> met = inventory.met().getOrDefault(List.of(source.name(), column.name()), source.next());
        return draws(source, met.filter(number -> !source.beyond(number, source.last())));
    }

    private static Fault fault(BigInteger free) {
        return free.compareTo(FAR) >= 0 ? Fault.NOTE : free.compareTo(SOON) >= 0 ? Fault.COLLIDES : Fault.BEHIND;
    }

    private InspectionFinding behind(NumberSource source, List<NumberedColumn> columns) {
        NumberedColumn column = columns.get(0);
        BigInteger held = source.notPassed(column).orElseThrow();
        BigInteger free = columns.stream()
                .map(any -> free(source, any))
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Fault fault = fault(free);
        boolean ours = source.kind() == Kind.COUNTER;
        String when = fault == Fault.BEHIND ? "" : "after " + free + " draws, ";
        String others = "; the same holds for " + Value.counted(columns.size() - 1, "other column");
        String next = source.kind() == Kind.BIT_REVERSED
                ? NumberSource.reversed(held) + ", which it has yet to generate: "
                : held + " already, and "
                        + (source.kind() == Kind.SEQUENCE ? source.name() + " deals " : "it generates ")
                        + source.next().orElseThrow() + " next: ";
        String what = (ours ? column.path() + " holds " : "holds ")
                + next
                + (fault == Fault.NOTE
                        ? "the next million draws meet none of its numbers"
                        : when + "inserts will fail or repeat numbers")
                + (columns.size() == 1 ? "" : others);
        Object subject = ours ? source.subject() : column.name();
        if (fault == Fault.NOTE) {
            return InspectionFinding.note(subject, what);
        }
        boolean read = columns.stream()
                .allMatch(any -> any.applied() || inventory.met().containsKey(List.of(source.name(), any.name())));
        String unread = "; which rows draws meet is not known: look first whether another server deals these numbers";
        String doubt = (read ? doubt(source, held) : unread) + (column.foreign() ? FOREIGN : "");
        BigInteger passed = column.applied() && source.steps() ? held.add(source.increment()) : held;
        return fault.of(subject, what + doubt, raise(source, column, passed, fault == Fault.BEHIND && doubt.isEmpty()));
    }

    /** Returns why to ask before a raise beyond {@code held}: a single row, such as one for tests, may be the cause. */
    private static String doubt(NumberSource source, BigInteger held) {
        BigInteger first = source.firstBeyond(held);
        BigInteger skipped = draws(source, Optional.of(first));
        Share share = source.used(first, source.nearest());
        return share.isMost() || skipped.compareTo(FAR) > 0 ? """
                ; a raise skips %s numbers, and then %s of the numbers are used up: look first whether that row is \
                meant""".formatted(skipped, share) : "";
    }

    /**
     * Advises if no number is left beyond what a column holds: of the source's, or of the column's type. What is not {@code unasked}
     * needs a look before it runs.
     */
    private Remedy raise(NumberSource source, NumberedColumn column, BigInteger held, boolean unasked) {
        BigInteger needed = source.firstBeyond(held);
        BigInteger end = source.nearestEnd();
        if (source.beyond(needed, end)) {
            boolean ofType = !end.equals(source.last());
            return Remedy.advice("""
                    %s ends at %s, before %s: give it a wider %s, or remove that number from %s""".formatted(
                            ofType ? "the type of " + column.path() : source.subject(),
                            end,
                            needed,
                            ofType ? "one" : "range",
                            column.path()));
        }
        Remedy raise = remedies(source).raise(source, held);
        return raise.kind() == Remedy.Kind.RAISES && !unasked ? Remedy.changes(raise.text()) : raise;
    }

    /** Finds sources without numbers, or with few: of a sequence's range, or of a column's type if that ends earlier. */
    private void range(NumberSource source) {
        if (!source.isColumn()) {
            ofOwnRange(source);
        }
        for (NumberedColumn column : source.columns()) {
            if (source.isColumn() || source.beyond(source.last(), source.last(column.range()))) {
                ofType(source, column, column);
            }
            column.children().stream()
                    .filter(child -> source.beyond(source.last(column.range()), source.last(child.range()))
                            && source.beyond(source.last(), source.last(child.range())))
                    .forEach(child -> ofType(source, child, column));
        }
    }

    private void ofOwnRange(NumberSource source) {
        if (source.exhausted()) {
            found.add(Fault.EXHAUSTED.of(
                    source.subject(),
                    "has dealt its last number, " + source.last() + ": draws fail",
                    moreRoom(source)));
            return;
        }
        source.usedOf(source.range())
                .filter(share -> isNear(source, source.last(), share) && !source.cycle())
                .ifPresent(share -> found.add(Fault.RUNNING_OUT.of(
                        source.subject(),
                        share + " of its numbers up to " + source.last() + " are used"
                                + date(source, source.last(), "the last one"),
                        moreRoom(source))));
    }

    /** Returns whether most of the numbers up to the last one are used, or the others will be within three months. */
    private boolean isNear(NumberSource source, BigInteger last, Share share) {
        LocalDate soon = LocalDate.now(ZoneOffset.UTC).plusDays(90);
        return share.isMost()
                || forecast.reaches(source, last).filter(soon::isAfter).isPresent();
    }

    private void ofType(NumberSource source, NumberedColumn column, NumberedColumn drawing) {
        BigInteger last = source.last(column.range());
        boolean past = source.next().filter(next -> source.beyond(next, last)).isPresent();
        Remedy wider = remedies(source).widen(source, drawing);
        if (past || (source.isColumn() && source.usedUp())) {
            found.add(Fault.EXHAUSTED.of(column.name(), """
                    its type %s ends at %s, and what is generated next does not fit: inserts \
                    fail""".formatted(column.type(), last), wider));
            return;
        }
        source.usedOf(column.range())
                .filter(share -> isNear(source, last, share))
                .ifPresent(share -> found.add(Fault.TYPE_RUNNING_OUT.of(
                        column.name(),
                        """
                        %s of the numbers that its type %s holds, up to %s, are \
                        used%s""".formatted(share, column.type(), last, date(source, last, "the last one")),
                        wider)));
    }

    private Remedy moreRoom(NumberSource source) {
        return source.columns().stream()
                .filter(column -> source.isSequence() && !source.beyond(source.last(column.range()), source.last()))
                .findFirst()
                .map(tight -> remedies(source).widen(source, tight))
                .orElseGet(() -> remedies(source).extend(source));
    }

    /** Finds sources that deal numbers beyond 2^53, or soon do. */
    private void exactDoubles(NumberSource source) {
        BigInteger next = source.next().orElse(BigInteger.ZERO);
        Share used = Share.before(next.abs(), BigInteger.ZERO, EXACT);
        boolean endsBefore = source.exhausted() || source.nearestEnd().abs().compareTo(EXACT) <= 0;
        if (endsBefore || !used.isMost() || next.abs().compareTo(NEAR) > 0) {
            return;
        }
        boolean past = next.abs().compareTo(EXACT) > 0;
        boolean away = source.ascending() == (next.signum() > 0);
        BigInteger limit = source.ascending() ? EXACT : EXACT.negate();
        String date = past || !away ? "" : date(source, limit, "it gets there");
        String reached = past ? "generates " + next + ", beyond 2^53" : used + " of the numbers up to 2^53 are used";
        found.add(Fault.BEYOND_EXACT_DOUBLES.of(source.subject(), """
                %s: JavaScript and many readers of JSON round larger numbers%s""".formatted(reached, date), """
                pass the numbers to clients as strings, or read them there as 64-bit integers"""));
    }

    /** Finds sequences that begin again at their end. If no column is known to hold the numbers, that is a note. */
    private void cycles(NumberSource source) {
        if (!source.cycle()) {
            return;
        }
        String drawing = source.columns().stream().map(NumberedColumn::path).collect(Collectors.joining(", "));
        String columns =
                drawing.isEmpty() ? source.owner().map(ColumnPath::toString).orElse("") : drawing;
        String again = "begins again after " + source.last();
        if (columns.isEmpty()) {
            found.add(InspectionFinding.note(source.subject(), again + "; no known column gets its numbers again"));
        } else {
            String where = columns.equals(source.subject().toString()) ? "" : " in " + columns;
            found.add(Fault.CYCLES.of(
                    source.subject(),
                    again + ", and then repeats numbers" + where,
                    remedies(source).redefine(source, Fault.CYCLES)));
        }
    }

    /** Finds caches that change the order of numbers, or lose more of them than usual. */
    private void caches(NumberSource source) {
        if (source.isSequence()) {
            Remedies remedies = remedies(source);
            String reorders = """
                    its cache deals %s numbers to each session: later rows get lower numbers, and a session that ends \
                    loses the numbers that it has not used""";
            String loses = "its cache holds %s numbers, and a restart loses those that are left";
            remedies.ofCache(source)
                    .ifPresent(fault -> found.add(fault.of(
                            source.subject(),
                            (fault == Fault.CACHE_REORDERS ? reorders : loses).formatted(source.cache()),
                            remedies.redefine(source, fault))));
        }
    }

    /**
     * Finds columns that draw from a sequence without an owner, unless several do, or the sequence is another role's.
     */
    private void unowned(NumberSource source) {
        if (source.kind() == Kind.SEQUENCE
                && source.owner().isEmpty()
                && source.columns().size() == 1) {
            NumberedColumn column = source.columns().get(0);
            remedies(source)
                    .own(source, column)
                    .filter(own -> !column.foreign() && !column.applied())
                    .ifPresent(own -> found.add(Fault.UNOWNED.of(column.name(), """
                            draws from %s, which no column owns: DROP TABLE leaves it, and TRUNCATE … RESTART IDENTITY \
                            does not restart it""".formatted(source.name()), own)));
        }
    }

    /** Notes sequences from which others than their owners draw. */
    private void shared(NumberSource source) {
        source.owner()
                .ifPresent(owner -> source.columns().stream()
                        .filter(column -> !column.name().equals(owner))
                        .findFirst()
                        .ifPresent(other ->
                                found.add(InspectionFinding.note(source.name(), """
                        if its owner, %s, is dropped with CASCADE, so is the default of %s""".formatted(owner, other.path())))));
    }

    /** Finds sequences of Hibernate's whose increment is not 1, which every entity that draws from it has to know. */
    private void hibernatesIncrement(NumberSource source) {
        Optional<String> why = source.steps() ? whyHibernates(source.name(), inventory.tables()) : Optional.empty();
        if (why.isPresent()) {
            BigInteger increment = source.increment();
            found.add(Fault.INCREMENT_BESIDE_HIBERNATE.of(
                    source.name(), """
                    has increment %s, and is %s: an entity with another allocationSize repeats numbers or leaves \
                    gaps, and so does SQL that adds to them""".formatted(increment, why.get()), """
                    set allocationSize = %s in each entity that draws from it""".formatted(increment)));
        }
    }

    private static Optional<String> whyHibernates(ObjectName sequence, Set<ObjectName> tables) {
        String name = sequence.name();
        if (name.equalsIgnoreCase(HIBERNATES_SEQUENCE)) {
            return Optional.of("Hibernate's shared sequence");
        }
        if (name.endsWith(SUFFIX) || name.endsWith("_SEQ")) {
            ObjectName table = new ObjectName(sequence.schema(), name.substring(0, name.length() - SUFFIX.length()));
            if (tables.contains(table)) {
                return Optional.of("named as Hibernate does for " + table);
            }
        }
        boolean beside = tables.stream()
                .anyMatch(table ->
                        table.schema().equals(sequence.schema()) && table.name().equalsIgnoreCase(HIBERNATES_TABLE));
        return beside ? Optional.of("beside Hibernate's table " + HIBERNATES_TABLE) : Optional.empty();
    }

    /**
     * Finds columns with two generators: sequences that it owns or draws from, or a sequence of this library beside them. The row
     * number that every table of SQLite has does not count.
     */
    private void twice() {
        Map<ColumnPath, Set<String>> generators = new LinkedHashMap<>();
        for (NumberSource source : inventory.sources()) {
            source.owner().ifPresent(owner -> add(generators, owner, source.name()));
            for (NumberedColumn column : source.columns()) {
                boolean counts = source.kind() == Kind.COUNTER
                        ? generators.containsKey(column.name())
                        : source.kind() != Kind.ROWID;
                if (counts) {
                    Object name = switch (source.kind()) {
                        case COUNTER -> "Seriatim's " + source.subject();
                        case AUTO_INCREMENT -> "AUTO_INCREMENT";
                        case UNKNOWN -> "its default";
                        default -> source.name();
                    };
                    add(generators, column.name(), name);
                }
            }
        }
        generators.forEach((path, names) -> {
            if (names.size() > 1) {
                found.add(Fault.DEFINED_TWICE.of(path, """
                        has %s generators, and each can deal numbers that \
                        another has dealt: %s""".formatted(names.size(), String.join(", ", names)), """
                        keep the one that applications draw from, raise it beyond the column, and drop the others"""));
            }
        });
    }

    private static void add(Map<ColumnPath, Set<String>> generators, ColumnPath column, Object name) {
        generators.computeIfAbsent(column, none -> new TreeSet<>()).add(name.toString());
    }
}
