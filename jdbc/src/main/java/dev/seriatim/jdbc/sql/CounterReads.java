// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads counters linearizably: from the server that draws, never from a standby.
 *
 * <p>A proxy or a driver may send queries outside transactions to another server. So the query itself reports which server
 * answers, and that is compared with the one that answers in a transaction. Thread-safe.
 */
public final class CounterReads {

    private final CounterRows rows;
    private final Transactions transactions;
    private final String place;

    /** The server that answered last in a transaction; blank where any may. */
    private volatile String primary = "";

    public CounterReads(CounterRows rows, Transactions transactions, String place) {
        this.rows = rows;
        this.transactions = transactions;
        this.place = place;
    }

    /** Reads are known to be linearizable. The opposite is not remembered: a standby can become the primary. */
    private volatile boolean linearizable;

    record Answering(boolean standby, String server) {}

    record Answer(SequenceState counter, Answering by) {}

    public SequenceState read(String name) {
        Answer answer = transactions.readingOften(name, connection -> answer(connection, name));
        fault(answer.by()).ifPresent(why -> {
            throw new Misconfigured(name, why + "; draw with COMBINED, or connect to the primary");
        });
        return answer.counter();
    }

    /** Reads a counter on a caller's thread; empty if no connection is free, or after a timeout. */
    public Optional<SequenceState> readHere(String name, Duration atMost) {
        return transactions
                .readingHere(connection -> answer(connection, name), atMost)
                .filter(answer -> !answer.by().standby() && answer.by().server().equals(primary))
                .map(Answer::counter);
    }

    /**
     * Returns why reads are not linearizable, as a clause. Asks the database until they are known to be. Empty also if it does
     * not answer, since each read checks its server.
     */
    public Optional<String> whyNot() {
        if (linearizable) {
            return Optional.empty();
        }
        if (rows.place().dialect().onStandby().isEmpty()) {
            return Optional.of("its reads may not show every earlier commit");
        }
        try {
            Optional<String> fault = fault(transactions.reading(SqlFailures.UNNAMED, rows::whoAnswers));
            linearizable = fault.isEmpty();
            return fault;
        } catch (SequenceException unreachable) {
            return Optional.empty();
        }
    }

    private Answer answer(Connection connection, String name) throws SQLException {
        return rows.answer(connection, name).orElseThrow(() -> new NotFound(name, place));
    }

    /** Returns why an answer may lag behind. */
    private Optional<String> fault(Answering by) {
        if (by.standby()) {
            return Optional.of("its queries are answered by a standby, which may lag behind");
        }
        if (!by.server().equals(primary)) {
            String inTransaction =
                    transactions.retrying(SqlFailures.UNNAMED, rows::whoAnswers).server();
            primary = inTransaction;
            if (!by.server().equals(inTransaction)) {
                return Optional.of("its queries are answered by another server than its transactions");
            }
        }
        return Optional.empty();
    }
}
