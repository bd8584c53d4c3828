// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.doctor.inventory.Remedy.Kind;
import java.math.BigInteger;
import java.util.Optional;

/** The statements that mend PostgreSQL's sequences and columns. Each is one line that psql takes as it is. */
record PostgresRemedies() implements Remedies {

    @Override
    public Remedy raise(NativeSequence sequence, BigInteger held) {
        boolean up = sequence.increment().signum() > 0;
        BigInteger target = sequence.firstBeyond(held);
        BigInteger end = up ? sequence.range().highest() : sequence.range().lowest();
        if (up ? target.compareTo(end) > 0 : target.compareTo(end) < 0) {
            String bound = up ? "MAXVALUE" : "MINVALUE";
            return new Remedy("""
                    no value is left beyond %1$s, since its %2$s is %3$s; give it another \
                    %2$s (ALTER SEQUENCE %4$s AS bigint NO %2$s), widen the column if it \
                    must be, and look again""".formatted(held, bound, end, quoted(sequence.name())), Kind.ADVICE);
        }
        return new Remedy(raise(sequence, target, up), Kind.RAISES);
    }

    /**
     * Compares and raises under a lock that draws wait for: otherwise a number drawn in between would be dealt again. The first ALTER
     * SEQUENCE only takes that lock. It waits briefly, since draws queue behind it.
     */
    private static String raise(NativeSequence sequence, BigInteger target, boolean up) {
        String name = quoted(sequence.name());
        String body = """
                BEGIN \
                PERFORM pg_catalog.set_config('lock_timeout', '1s', true); \
                ALTER SEQUENCE %1$s CACHE %2$s; \
                IF (SELECT last_value OPERATOR(pg_catalog.%3$s) CASE WHEN is_called THEN %4$s ELSE %5$s END FROM %1$s) \
                THEN ALTER SEQUENCE %1$s RESTART WITH %6$s; END IF; \
                END""".formatted(
                        name,
                        sequence.cache(),
                        up ? "<" : ">",
                        number(clamped(target.subtract(sequence.increment()))),
                        number(target),
                        target);
        return "DO " + dollarQuoted(body);
    }

    @Override
    public Remedy raise(NumberedColumn column, BigInteger held) {
        return new Remedy("""
                no sequence is known for %s: name its sequence in \
                its default, with ::regclass""".formatted(column.path()), Kind.ADVICE);
    }

    @Override
    public Optional<Remedy> own(NativeSequence sequence, NumberedColumn by) {
        ObjectName name = sequence.name();
        ObjectName there = new ObjectName(by.table().schema(), name.name());
        String move = name.equals(there)
                ? ""
                : "ALTER SEQUENCE " + quoted(name) + " SET SCHEMA " + quoted(there.schema()) + "; ";
        return Optional.of(new Remedy(
                move + "ALTER SEQUENCE " + quoted(there) + " OWNED BY " + quoted(by.table()) + "."
                        + quoted(by.name().column()),
                Kind.CHANGES));
    }

    @Override
    public Remedy noCycle(NativeSequence sequence) {
        return new Remedy("ALTER SEQUENCE " + quoted(sequence.name()) + " NO CYCLE", Kind.CHANGES);
    }

    @Override
    public Remedy noCache(NativeSequence sequence) {
        return new Remedy("ALTER SEQUENCE " + quoted(sequence.name()) + " CACHE 1", Kind.CHANGES);
    }

    @Override
    public Remedy widen(NumberedColumn column) {
        String type = column.type();
        boolean whole = type.equals("smallint") || type.equals("integer");
        String alter = "ALTER TABLE " + quoted(column.table()) + " ALTER COLUMN "
                + quoted(column.name().column()) + " TYPE ";
        if (whole || type.equals("real") || type.equals("double precision")) {
            // The sequence of an identity column follows its column.
            String sequence = column.generator() == NumberedColumn.Generator.DEFAULT
                    ? column.sequence()
                            .map(name -> "; ALTER SEQUENCE " + quoted(name) + " AS bigint")
                            .orElse("")
                    : "";
            return new Remedy(alter + "bigint" + sequence, Kind.CHANGES);
        }
        if (type.startsWith("numeric(")) {
            return new Remedy(alter + "numeric(38,0)", Kind.CHANGES);
        }
        return new Remedy(
                type.equals("bigint") || type.equals("numeric") ? """
                                %s is the widest type that a sequence fills: renumber the rows from the lowest unused \
                                value""".formatted(type) : """
                                %s is a type of this database: change its definition, or give the column the type \
                                bigint""".formatted(type),
                Kind.ADVICE);
    }

    /** {@inheritDoc} Each session deals from a cache of its own. */
    @Override
    public Optional<InspectionFault> ofCache(long size) {
        return size > 1 ? Optional.of(InspectionFault.CACHE_REORDERS) : Optional.empty();
    }

    static Remedy logged(String kind, ObjectName name) {
        return new Remedy("ALTER " + kind + " " + quoted(name) + " SET LOGGED", Kind.CHANGES);
    }

    /** Returns the statement that puts a sequence behind the rows that a subscriber has received. */
    static Remedy onSubscriber(ObjectName sequence, ColumnPath column, boolean up) {
        return new Remedy(
                "on the subscriber, before it takes over: SELECT pg_catalog.setval(" + literal(quoted(sequence))
                        + ", pg_catalog."
                        + (up ? "max" : "min") + "(" + quoted(column.column()) + ")) FROM "
                        + quoted(column.table()),
                Kind.ADVICE);
    }

    /** Quotes a name on one line. */
    static String quoted(ObjectName name) {
        return quoted(name.schema()) + "." + quoted(name.name());
    }

    /** Quotes a name for a parameter. */
    static String name(ObjectName name) {
        return (name.schema().isEmpty() ? "" : quoteAny(name.schema()) + ".") + quoteAny(name.name());
    }

    static String quoteAny(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** Quotes any text as an identifier, on one line. */
    static String quoted(String identifier) {
        if (identifier.chars().noneMatch(OneLine::isHidden)) {
            return quoteAny(identifier);
        }
        StringBuilder escaped = new StringBuilder();
        identifier
                .replace("\\", "\\\\")
                .chars()
                .forEach(c -> escaped.append(OneLine.isHidden(c) ? String.format("\\%04x", c) : (char) c));
        return "U&" + quoteAny(escaped.toString());
    }

    private static BigInteger clamped(BigInteger value) {
        return value.max(BigInteger.valueOf(Long.MIN_VALUE)).min(BigInteger.valueOf(Long.MAX_VALUE));
    }

    /** The lowest 64-bit number cannot be written without quotes. */
    private static String number(BigInteger value) {
        return "pg_catalog.int8 '" + value + "'";
    }

    private static String literal(String text) {
        String quoted = "'" + text.replace("'", "''") + "'";
        return text.contains("\\") ? "E" + quoted.replace("\\", "\\\\") : quoted;
    }

    private static String dollarQuoted(String body) {
        String tag = "$seriatim$";
        for (int i = 1; body.contains(tag); i++) {
            tag = "$seriatim" + i + "$";
        }
        return tag + " " + body + " " + tag;
    }
}
