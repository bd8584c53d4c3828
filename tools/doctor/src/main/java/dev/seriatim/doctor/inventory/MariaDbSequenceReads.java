// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads MariaDB's sequences without drawing. The server does not show how much of its cache is used: a sequence's next value is
 * the first beyond the cache, which is what it deals after a restart. Not thread-safe.
 */
final class MariaDbSequenceReads {

    private static final int BATCH = 100;

    private static final String COLUMNS =
            "d.start_value, d.increment, d.minimum_value, d.maximum_value, d.cycle_option,"
                    + " d.cache_size, d.next_not_cached_value";

    private static final String TYPE =
            "SELECT TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

    private final BatchedReads batches;
    private final Map<ObjectName, BigInteger> drawn;
    private final Map<ObjectName, NativeSequence> found = new HashMap<>();
    private final Set<ObjectName> missing = new HashSet<>();

    /** Prepares to read; {@code drawn} has the highest number of the columns that draw from a sequence. */
    MariaDbSequenceReads(BatchedReads batches, Map<ObjectName, BigInteger> drawn) {
        this.batches = batches;
        this.drawn = drawn;
    }

    /** Returns the sequences that could be read, in the order of their names. */
    List<NativeSequence> found() {
        return found.values().stream()
                .sorted(Comparator.comparing(sequence -> sequence.name().toString()))
                .toList();
    }

    /** Returns the sequences that do not exist. */
    Set<ObjectName> missing() {
        return missing;
    }

    /** Returns whether a name in a default may be read. A view may have replaced the sequence, and would run code. */
    boolean mayBeSequence(ObjectName name) throws SQLException {
        Optional<String> type = Query.first(batches.connection(), TYPE, name.schema(), name.name());
        boolean other = type.filter(kind -> !kind.equals("SEQUENCE")).isPresent();
        if (other) {
            batches.skips().add(name.toString(), "it is not a sequence, although a default draws from it");
        }
        return !other;
    }

    void read(List<ObjectName> names) throws SQLException {
        batches.read(
                BATCH,
                names,
                name -> COLUMNS + " FROM " + MySqlRemedies.quoted(name) + " d",
                ObjectName::toString,
                (name, row) -> found.put(name, sequence(row, name)),
                (name, e) -> {
                    if (MySqlCatalog.isMissing(e)) {
                        missing.add(name);
                    } else {
                        batches.skips().add(name.toString(), MySqlCatalog.reason(e));
                    }
                });
    }

    private NativeSequence sequence(ResultSet row, ObjectName name) throws SQLException {
        BigInteger increment = new BigInteger(row.getString(3));
        ValueRange range = new ValueRange(new BigInteger(row.getString(4)), new BigInteger(row.getString(5)));
        long cache = Math.max(1, row.getLong(7));
        BigInteger next = new BigInteger(row.getString(8));
        boolean beyond = next.compareTo(range.highest()) > 0 || next.compareTo(range.lowest()) < 0;
        boolean cycle = row.getBoolean(6);
        boolean usedUp = beyond && !cycle && (cache == 1 || endIsDrawn(name, increment, range));
        if (beyond && !cycle && !usedUp) {
            batches.skips()
                    .add(
                            name.toString(),
                            "its last values are in the server's cache, which does not show how many are left");
        }
        return new NativeSequence(
                name,
                new BigInteger(row.getString(2)),
                increment,
                range,
                cycle,
                cache,
                beyond ? Optional.empty() : Optional.of(next),
                usedUp,
                Optional.empty(),
                false);
    }

    private boolean endIsDrawn(ObjectName name, BigInteger increment, ValueRange range) {
        BigInteger high = drawn.get(name);
        return increment.signum() >= 0
                && high != null
                && high.add(increment.max(BigInteger.ONE)).compareTo(range.highest()) > 0;
    }
}
