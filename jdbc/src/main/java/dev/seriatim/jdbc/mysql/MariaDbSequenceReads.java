// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Skips;
import dev.seriatim.jdbc.inspect.ValueRange;
import dev.seriatim.jdbc.sql.Fault;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads MariaDB's sequences without drawing. The server does not show how much of its cache is used: a sequence's next value is
 * the first beyond the cache, which is what it deals after a restart.
 */
final class MariaDbSequenceReads {

    private static final int BATCH = 100;

    private static final String TYPE =
            "SELECT TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

    private final Connection connection;
    private final long end;
    private final Skips skips;

    MariaDbSequenceReads(Connection connection, long end, Skips skips) {
        this.connection = connection;
        this.end = end;
        this.skips = skips;
    }

    /**
     * Returns those that could be read.
     *
     * @param drawn the highest number of the columns that draw from a sequence
     * @param missing receives those that do not exist
     */
    Map<ObjectName, NativeSequence> of(
            List<ObjectName> names, Map<ObjectName, BigInteger> drawn, Set<ObjectName> missing) throws SQLException {
        Map<ObjectName, NativeSequence> read = new HashMap<>();
        for (int from = 0; from < names.size(); from += BATCH) {
            List<ObjectName> batch = names.subList(from, Math.min(names.size(), from + BATCH));
            if (System.nanoTime() - end > 0) {
                batch.forEach(name -> skips.add(name.toString(), Skips.TIME_IS_OVER));
                continue;
            }
            try {
                together(batch, drawn, read);
            } catch (SQLException e) {
                if (connection.isClosed()) {
                    throw e;
                }
                oneByOne(batch, drawn, missing, read);
            }
        }
        return read;
    }

    /** Returns whether a name in a default may be read. A view may have replaced the sequence, and would run code. */
    boolean mayBeSequence(ObjectName name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TYPE)) {
            statement.setString(1, name.schema());
            statement.setString(2, name.name());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next() || row.getString(1).equals("SEQUENCE")) {
                    return true; // one that is missing is reported
                }
                skips.add(name.toString(), "it is not a sequence, although a default draws from it");
                return false;
            }
        }
    }

    private void oneByOne(
            List<ObjectName> names,
            Map<ObjectName, BigInteger> drawn,
            Set<ObjectName> missing,
            Map<ObjectName, NativeSequence> read)
            throws SQLException {
        for (ObjectName name : names) {
            if (System.nanoTime() - end > 0) {
                skips.add(name.toString(), Skips.TIME_IS_OVER);
                continue;
            }
            try {
                together(List.of(name), drawn, read);
            } catch (SQLException e) {
                if (connection.isClosed()) {
                    throw e;
                }
                if (MySqlErrors.fault(e) == Fault.MISSING_TABLE) {
                    missing.add(name);
                } else {
                    skips.add(name.toString(), MySqlErrors.reason(e));
                }
            }
        }
    }

    private void together(
            List<ObjectName> names, Map<ObjectName, BigInteger> drawn, Map<ObjectName, NativeSequence> read)
            throws SQLException {
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            sql.append(i == 0 ? "SELECT " : " UNION ALL SELECT ")
                    .append(i)
                    .append(", ")
                    .append(MariaDbSequences.COLUMNS)
                    .append(", d.next_not_cached_value FROM ")
                    .append(QuotedNames.quoted(names.get(i)))
                    .append(" d");
        }
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false); // a name may contain braces
            try (ResultSet row = statement.executeQuery(sql.toString())) {
                while (row.next()) {
                    ObjectName name = names.get(row.getInt(1));
                    read.put(name, sequence(row, name, Optional.ofNullable(drawn.get(name))));
                }
            }
        }
    }

    private NativeSequence sequence(ResultSet row, ObjectName name, Optional<BigInteger> drawn) throws SQLException {
        BigInteger increment = new BigInteger(row.getString(3));
        ValueRange range = new ValueRange(new BigInteger(row.getString(4)), new BigInteger(row.getString(5)));
        long cache = Math.max(1, row.getLong(7));
        BigInteger next = new BigInteger(row.getString(8));
        boolean beyond = next.compareTo(range.highest()) > 0 || next.compareTo(range.lowest()) < 0;
        boolean cycle = row.getBoolean(6);
        boolean usedUp = beyond && !cycle && (cache == 1 || endIsDrawn(drawn, increment, range));
        if (beyond && !cycle && !usedUp) {
            skips.add(
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

    private static boolean endIsDrawn(Optional<BigInteger> drawn, BigInteger increment, ValueRange range) {
        return increment.signum() >= 0
                && drawn.filter(high -> high.add(increment.max(BigInteger.ONE)).compareTo(range.highest()) > 0)
                        .isPresent();
    }
}
