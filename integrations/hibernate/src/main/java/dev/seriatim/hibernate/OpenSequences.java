// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.Block;
import dev.seriatim.GaplessSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.OpenSequence;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.store.TransactionalSequence;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.transaction.spi.TransactionObserver;

/** The open sequences of one database or schema. Calls the database under no lock. Thread-safe. */
final class OpenSequences implements AutoCloseable {

    /** The wait for a counter that this thread seems to hold itself; after a savepoint, only the database knows. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final JdbcSequences sequences;
    private final boolean owned;
    private final boolean creates;
    private final ConcurrentMap<String, Source> open = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Hold> holds = new ConcurrentHashMap<>();

    /**
     * An open sequence. Thread-safe.
     *
     * @param name the sequence's name in its store
     * @param numbers draws a number for a session
     */
    record Source(String name, ToLongFunction<SharedSessionContractImplementor> numbers) {
        long next(SharedSessionContractImplementor session) {
            return numbers.applyAsLong(session);
        }
    }

    /** The session that drew last, which holds the counter until its transaction ends. */
    private final class Hold extends WeakReference<SharedSessionContractImplementor> implements TransactionObserver {

        private final String name;
        private final Thread thread = Thread.currentThread();

        Hold(String name, SharedSessionContractImplementor session) {
            super(session);
            this.name = name;
        }

        /** Returns whether this thread has to end another session's transaction before the given one can draw. */
        boolean blocks(SharedSessionContractImplementor drawing) {
            SharedSessionContractImplementor holder = get();
            return thread == Thread.currentThread()
                    && holder != null
                    && holder != drawing
                    && holder.isOpenOrWaitingForAutoClose()
                    && holder.isTransactionInProgress();
        }

        @Override
        public void afterBegin() {}

        @Override
        public void beforeCompletion() {}

        @Override
        public void afterCompletion(boolean successful, boolean delayed) {
            holds.remove(name, this);
            SharedSessionContractImplementor ended = get();
            if (ended != null) {
                ended.getTransactionCoordinator().removeObserver(this);
            }
        }
    }

    /** If {@code creates}, missing sequences are created; otherwise they are refused. */
    OpenSequences(JdbcSequences sequences, boolean owned, boolean creates) {
        this.sequences = sequences;
        this.owned = owned;
        this.creates = creates;
    }

    /** Returns whether one transaction at a time writes to the database. */
    boolean hasOneWriter() {
        return sequences.store().hasOneWriter();
    }

    /** Returns a sequence. The first time, creates it or checks that it exists. */
    Source source(SequenceRequest request) {
        return source(request.name(), () -> {
            prepare(List.of(request));
            return opened(request, request.name());
        });
    }

    /** Returns a tenant's sequence. The first time, creates it if it is missing. */
    Source source(SequenceRequest request, Object tenant) {
        String name = request.of(tenant);
        return source(name, () -> hasOneWriter() ? withOneWriter(request, name) : defined(request, name));
    }

    private Source source(String name, Supplier<Source> opening) {
        Source known = open.get(name);
        if (known != null) {
            return known;
        }
        Source source = opening.get();
        open.putIfAbsent(name, source); // opening twice returns the same sequence, so a race is harmless
        return source;
    }

    /**
     * Returns a tenant's sequence where one transaction at a time writes. In a session's transaction, the first draw also
     * creates the sequence there: from outside, it would wait for that transaction to end.
     */
    private Source withOneWriter(SequenceRequest request, String name) {
        TransactionalSequence<Connection> transactional = TransactionalSequence.of(sequences.store(), name);
        Source within = within(name, (connection, atMost) -> {
            try {
                return transactional.next(connection, 1, atMost);
            } catch (SequenceException.NotFound missing) {
                sequences.store().create(connection, name, request.name());
                return transactional.next(connection, 1, atMost);
            }
        });
        return new Source(
                name,
                session -> session.isTransactionInProgress() || request.guarantee() == Guarantee.GAPLESS
                        ? within.next(session)
                        : defined(request, name).next(session));
    }

    private Source defined(SequenceRequest request, String name) {
        prepare(List.of(request));
        SequenceDefinition like = sequences.store().describe(request.name()).definition();
        sequences.define(new SequenceDefinition(
                name, like.start(), like.increment(), like.min(), like.max(), like.cycle(), like.cache()));
        return opened(request, name);
    }

    /** Opens a sequence as requested, under its own name or a tenant's. */
    private Source opened(SequenceRequest request, String name) {
        if (request.guarantee() == Guarantee.GAPLESS) {
            GaplessSequence<Connection> gapless = sequences.gapless(name);
            return within(name, (connection, atMost) -> gapless.next(connection, 1, atMost));
        }
        Sequence sequence = outside(request, name);
        if (!hasOneWriter()) {
            return new Source(name, session -> sequence.next());
        }
        // Outside, a draw would wait for the transaction to end, whose thread waits for the draw.
        TransactionalSequence<Connection> transactional = TransactionalSequence.of(sequences.store(), name);
        Source within = within(name, (connection, atMost) -> transactional.next(connection, 1, atMost));
        return new Source(name, session -> session.isTransactionInProgress() ? within.next(session) : sequence.next());
    }

    private Sequence outside(SequenceRequest request, String name) {
        if (request.mode() != null) {
            return sequences.open(name, request.mode());
        }
        return request.guarantee() == Guarantee.ORDERED ? sequences.ordered(name) : sequences.unique(name);
    }

    /** Draws in the session's transaction. Waits no longer than the transaction's timeout has left. */
    private Source within(String name, BiFunction<Connection, Duration, Block> draw) {
        return new Source(name, session -> {
            // Hibernate's own pool lends connections without auto-commit, and keeps what no transaction has ended.
            if (!session.isTransactionInProgress()) {
                throw new SequenceException.Misconfigured(
                        name, "gapless numbers are drawn in a transaction, and the session has none; begin one first");
            }
            Hold last = holds.get(name);
            boolean isBlocked = last != null && last.blocks(session);
            int left = session.getJdbcCoordinator().determineRemainingTransactionTimeOutPeriod();
            Duration atMost = isBlocked ? MOMENT : Duration.ofSeconds(left > 0 ? left : Integer.MAX_VALUE);
            Block number;
            try {
                number = session.doReturningWork(connection -> draw.apply(connection, atMost));
            } catch (SequenceException.Overloaded e) {
                throw isBlocked ? heldByThisThread(name, e) : e;
            }
            if (last == null || !last.refersTo(session)) {
                Hold hold = new Hold(name, session);
                session.getTransactionCoordinator().addObserver(hold);
                holds.put(name, hold);
            }
            return number.first();
        });
    }

    private static SequenceException heldByThisThread(String name, SequenceException cause) {
        return new SequenceException.Misconfigured(name, """
                an open transaction of another session of this thread holds the counter, so this one cannot get it; \
                draw in that session""", cause);
    }

    /** Creates the sequences if this is the schema tool's job, and otherwise checks that they exist. */
    void prepare(Collection<SequenceRequest> requests) {
        for (SequenceRequest request : requests) {
            if (request.guarantee() == Guarantee.GAPLESS) {
                sequences.store().whyNotGapless().ifPresent(why -> {
                    throw new SequenceException.Misconfigured(request.name(), "cannot be gapless: " + why);
                });
            }
        }
        List<String> missing = requests.stream()
                .map(SequenceRequest::name)
                .filter(this::isMissing)
                .sorted()
                .toList();
        if (creates) {
            missing.forEach(name -> sequences.define(SequenceDefinition.of(name)));
        } else if (!missing.isEmpty()) {
            String create = missing.stream().map(OpenSequences::word).collect(Collectors.joining(" ", "create ", ""));
            throw new SequenceException.Misconfigured(
                    """
                    sequences are missing in %s: '%s'; run %s (with --print, it prints a migration), define them in \
                    Spring Boot by seriatim.sequences.NAME.start-with=1, or set hibernate.hbm2ddl.auto to \
                    update""".formatted(sequences.store(), String.join("', '", missing), command(create)));
        }
    }

    private boolean isMissing(String name) {
        try {
            sequences.store().describe(name);
            return false;
        } catch (SequenceException.NotFound missing) {
            return true;
        }
    }

    JdbcStore store() {
        return sequences.store();
    }

    /** Returns a command of the shell for this store. */
    String command(String words) {
        try {
            String url = sequences.inTransaction(
                    connection -> connection.getMetaData().getURL());
            String table = sequences.store().table().table();
            String option = table.equals(SequenceTable.DEFAULT_NAME) ? "" : "?seriatim.table=" + table;
            return "'seriatim " + words + " --store " + word(StoreUrl.redacted(url) + option) + "'";
        } catch (SQLException e) {
            throw new SequenceException.Unavailable("the database does not tell its URL: " + e.getMessage(), e);
        }
    }

    /** Quotes a word for a shell. */
    static String word(String text) {
        return text.matches("[\\w./:=@-]+") ? text : '"' + text.replaceAll("([\"$`\\\\])", "\\\\$1") + '"';
    }

    /**
     * Restarts the sequence, and those of its tenants, whose rows the schema tool has dropped. Skips open sequences:
     * their reserved values would be dealt again after the restart.
     */
    void restart(SequenceRequest request) {
        Set<String> inUse = request.guarantee() == Guarantee.GAPLESS
                ? Set.of()
                : sequences.opened().stream().map(OpenSequence::name).collect(Collectors.toSet());
        if (!sequences.define(SequenceDefinition.of(request.name()))) {
            sequences.store().list().stream()
                    .map(state -> state.definition())
                    .filter(definition -> request.covers(definition.name()) && !inUse.contains(definition.name()))
                    .forEach(definition -> sequences.store().restart(definition.name(), definition.start()));
        }
    }

    @Override
    public void close() {
        if (owned) {
            sequences.close();
        }
    }
}
