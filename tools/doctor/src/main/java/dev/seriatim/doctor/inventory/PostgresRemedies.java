// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import java.math.BigInteger;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The statements that mend PostgreSQL's sequences and columns. Each is one line that psql takes as it is. */
record PostgresRemedies() implements Remedies {

    /**
     * Compares and raises under a lock that draws wait for: otherwise a number drawn in between would be dealt again. The first ALTER
     * SEQUENCE only takes that lock. It waits briefly, since draws queue behind it.
     */
    @Override
    public Remedy raise(NumberSource sequence, BigInteger held) {
        BigInteger target = sequence.firstBeyond(held);
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
                        sequence.ascending() ? "<" : ">",
                        number(target.subtract(sequence.increment())),
                        number(target),
                        target);
        return Remedy.raises("DO " + dollarQuoted(body));
    }

    @Override
    public Optional<Remedy> own(NumberSource sequence, NumberedColumn by) {
        ObjectName name = sequence.name();
        ObjectName there = new ObjectName(by.table().schema(), name.name());
        String move = name.equals(there)
                ? ""
                : "ALTER SEQUENCE " + quoted(name) + " SET SCHEMA " + quoted(there.schema()) + "; ";
        return Optional.of(Remedy.changes(move + "ALTER SEQUENCE " + quoted(there) + " OWNED BY " + quoted(by.name())));
    }

    @Override
    public Remedy redefine(NumberSource sequence, Fault fault) {
        String change = fault == Fault.CYCLES ? " NO CYCLE" : " CACHE 1";
        return Remedy.changes("ALTER SEQUENCE " + quoted(sequence.name()) + change);
    }

    /** {@inheritDoc} If a column is widened, its sequence stays as narrow as it was. */
    @Override
    public Remedy extend(NumberSource source) {
        return Stream.of(15, 31).map(ValueRange::ofBits).map(source::last).anyMatch(source.last()::equals)
                ? Remedy.changes("ALTER SEQUENCE " + quoted(source.name()) + " AS bigint NO "
                        + (source.ascending() ? "MAXVALUE" : "MINVALUE"))
                : Remedies.super.extend(source);
    }

    /** {@inheritDoc} Each session deals from a cache of its own. */
    @Override
    public Optional<Fault> ofCache(NumberSource sequence) {
        return sequence.cache() > 1 ? Optional.of(Fault.CACHE_REORDERS) : Optional.empty();
    }

    /** {@inheritDoc} The sequence of an identity column follows its column. */
    @Override
    public Remedy widen(NumberSource source, NumberedColumn column) {
        String alter = Stream.concat(column.children().stream(), Stream.of(column))
                .map(one -> "ALTER TABLE " + quoted(one.table()) + " ALTER COLUMN "
                        + quoted(one.name().column()) + " TYPE ")
                .collect(Collectors.joining("bigint; "));
        return switch (column.type()) {
            case "smallint", "integer", "real", "double precision" ->
                Remedy.changes(alter + "bigint"
                        + (source.kind() == NumberSource.Kind.SEQUENCE
                                ? "; ALTER SEQUENCE " + quoted(source.name()) + " AS bigint"
                                : ""));
            case "bigint", "numeric" ->
                column.children().isEmpty()
                        ? Remedy.advice("""
                    %s is the widest type that a sequence fills: renumber the rows from the lowest unused \
                    value""".formatted(column.type()))
                        : Remedy.changes(alter + column.type());
            default ->
                column.type().startsWith("numeric(")
                        ? Remedy.changes(alter + "numeric")
                        : Remedy.advice("""
                                %s is a type of this database: change its definition, or give the column the type \
                                bigint""".formatted(column.type()));
        };
    }

    /** Returns the statement that puts a sequence behind the rows that a subscriber has received. */
    static Remedy onSubscriber(NumberSource sequence, ColumnPath column) {
        return Remedy.advice("""
                on the subscriber, before it takes over: SELECT pg_catalog.setval(%s, pg_catalog.%s(%s)) FROM \
                %s""".formatted(
                        literal(quoted(sequence.name())),
                        sequence.ascending() ? "max" : "min",
                        quoted(column.column()),
                        quoted(column.table())));
    }

    static String quoted(ObjectName name) {
        return quoted(name.schema()) + "." + quoted(name.name());
    }

    private static String quoted(ColumnPath column) {
        return quoted(column.table()) + "." + quoted(column.column());
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

    /** The lowest 64-bit number cannot be written without quotes. */
    private static String number(BigInteger value) {
        BigInteger clamped = value.max(BigInteger.valueOf(Long.MIN_VALUE)).min(BigInteger.valueOf(Long.MAX_VALUE));
        return "pg_catalog.int8 '" + clamped + "'";
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
