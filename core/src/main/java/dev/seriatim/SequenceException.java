// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Why no number could be had. The message is one line that names the sequence, the cause and the remedy; the family is
 * closed, so that callers can tell the cases apart.
 *
 * <p>Thread-safe, as exceptions are.
 */
public abstract sealed class SequenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What a message shows at most, in characters; what it quotes may be of any length. */
    private static final int LONGEST_MESSAGE = 1500;

    private static final int END_OF_MESSAGE = 500;
    private static final int LONGEST_QUOTE = 200;

    private SequenceException(String message, @Nullable Throwable cause) {
        super(cut(UrlSecrets.redact(message)), cause);
    }

    private SequenceException(SequenceException cause) {
        super(cause.getMessage(), cause);
    }

    /** The same kind of failure with this one as its cause: for throwing one failure to several callers. */
    abstract SequenceException again();

    /** A name in quotes for a message: control characters and unpaired surrogates are escaped, so it stays one line of text. */
    static String quoted(String name) {
        return "'" + escaped(shortened(name)) + "'";
    }

    /** A text of a URL as it is shown in a message between quotes: as a name, and without secrets. */
    static String inner(String text) {
        return escaped(UrlSecrets.redact(shortened(text)));
    }

    private static String escaped(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c)
                    || c == 0x2028
                    || c == 0x2029
                    || Character.getType(c) == Character.SURROGATE) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_QUOTE
                ? text
                : text.substring(0, LONGEST_QUOTE) + "… (" + text.length() + " characters)";
    }

    /** What was quoted stands in the middle: before it what it is about, behind it the remedy. */
    private static String cut(String message) {
        return message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, LONGEST_MESSAGE - END_OF_MESSAGE) + " … (" + message.length() + " characters) … "
                        + message.substring(message.length() - END_OF_MESSAGE);
    }

    /** What a store threw: its own exception, or, from a store that breaks its contract, one that names it. */
    static SequenceException ofStore(String name, Throwable thrown) {
        return thrown instanceof SequenceException ours
                ? ours
                : new Unavailable(name, "the store failed: " + shown(thrown), thrown);
    }

    /** What an executor threw that was to run a reservation. */
    static SequenceException ofExecutor(String name, Throwable thrown) {
        return new Unavailable(
                name,
                thrown instanceof RejectedExecutionException
                        ? "the executor takes no more work; give the sequences one that does"
                        : "no thread to reserve on, the executor failed: " + shown(thrown)
                                + "; allow the process more threads, the next call tries again",
                thrown);
    }

    /** What a caller has waited for who loses its patience, if its store knows: no less than half of that time. */
    static Optional<String> waitedFor(Object store, Duration patience) {
        return awaited(store, patience.dividedBy(2)).map(what -> "waited " + patience.toMillis() + " ms for " + what);
    }

    /** What the calls of a store wait for, if it knows; one that fails to say so must not hide that they do. */
    static Optional<String> awaited(Object store, Duration atLeast) {
        try {
            return store instanceof AwaitingStore awaiting
                    ? Objects.requireNonNull(awaiting.awaits(atLeast))
                    : Optional.empty();
        } catch (Throwable e) {
            return Optional.empty();
        }
    }

    /** A throwable as it is shown in a message; its class, if it fails at that too. */
    static String shown(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (Throwable e) {
            return thrown.getClass().getName();
        }
    }

    private static String of(String name, String what) {
        return "sequence " + quoted(name) + ": " + what;
    }

    /** There is no such sequence in the store. */
    public static final class NotFound extends SequenceException {
        private static final long serialVersionUID = 1L;

        private final String name;
        private final String place;

        /** For a sequence that is missing from a place, such as a table. */
        public NotFound(String name, String place) {
            this(name, place, "; check its name (list shows those there are), or create it first", null);
        }

        private NotFound(String name, String place, String remedy, @Nullable Throwable cause) {
            super(of(name, "not found in " + place + remedy), cause);
            this.name = name;
            this.place = place;
        }

        private NotFound(NotFound cause) {
            super(cause);
            name = cause.name;
            place = cause.place;
        }

        /** The same for a sequence that was to be dropped: nobody creates one for that. */
        public NotFound whenDropped() {
            return new NotFound(name, place, "; check its name (list shows those there are)", this);
        }

        @Override
        NotFound again() {
            return new NotFound(this);
        }
    }

    /** A sequence of this name exists. */
    public static final class AlreadyExists extends SequenceException {
        private static final long serialVersionUID = 1L;

        /** For a sequence that is already in a place, such as a table. */
        public AlreadyExists(String name, String place) {
            super(of(name, "already exists in " + place + "; choose another name, or alter or drop that one"), null);
        }

        private AlreadyExists(AlreadyExists cause) {
            super(cause);
        }

        @Override
        AlreadyExists again() {
            return new AlreadyExists(this);
        }
    }

    /** Every value has been dealt. The counter is unchanged. */
    public static final class Exhausted extends SequenceException {
        private static final long serialVersionUID = 1L;

        /** For a sequence whose last value has been dealt. */
        public Exhausted(SequenceDefinition definition) {
            super(
                    of(
                            definition.name(),
                            "exhausted, its last value "
                                    + (definition.ascending()
                                            ? "up to max value " + definition.max()
                                            : "down to min value " + definition.min())
                                    + " has been dealt; alter the bound, let it cycle, or restart it"),
                    null);
        }

        /** For a striped sequence, each of whose counters is exhausted. */
        Exhausted(Striping striping) {
            super(
                    of(
                            striping.name(),
                            "exhausted, the last value of each of its " + striping.stripes()
                                    + " stripes has been dealt; alter the bounds of its counters " + striping.counter(0)
                                    + ", … or restart them"),
                    null);
        }

        /**
         * For a sequence whose numbers go through a permutation: other bounds, a cycle or a restart would not help, since the
         * permutation maps its range and no other number.
         */
        public Exhausted(String name, Transform permutation, Exhausted cause) {
            super(
                    of(
                            name,
                            "exhausted, every number that " + permutation
                                    + " had to map has been dealt; go on with another sequence, with bounds outside that range and a permutation of its own"),
                    cause);
        }

        private Exhausted(Exhausted cause) {
            super(cause);
        }

        @Override
        Exhausted again() {
            return new Exhausted(this);
        }
    }

    /** The store cannot be reached, or did not answer in time. The next call tries again. */
    public static final class Unavailable extends SequenceException {
        private static final long serialVersionUID = 1L;

        /** For a sequence whose store failed. */
        public Unavailable(String name, String what, @Nullable Throwable cause) {
            super(of(name, what), cause);
        }

        /** For a store that failed before a sequence was named. */
        public Unavailable(String what, @Nullable Throwable cause) {
            super(what, cause);
        }

        private Unavailable(Unavailable cause) {
            super(cause);
        }

        @Override
        Unavailable again() {
            return new Unavailable(this);
        }
    }

    /** The store answers, but others are in the way: more than it can serve in time, or in conflict. Nothing was taken. */
    public static final class Overloaded extends SequenceException {
        private static final long serialVersionUID = 1L;

        /** For a caller that gave up waiting its turn. */
        public Overloaded(String name, Duration waited) {
            super(
                    of(
                            name,
                            "no turn within " + waited.toMillis()
                                    + " ms although the store answers; draw in blocks (ADAPTIVE), combine callers (COMBINED) or wait longer"),
                    null);
        }

        /** For a conflict that outlasted its retries. */
        public Overloaded(String name, String what, @Nullable Throwable cause) {
            super(of(name, what), cause);
        }

        /** For a conflict that is not about one sequence alone. */
        public Overloaded(String what, @Nullable Throwable cause) {
            super(what, cause);
        }

        private Overloaded(Overloaded cause) {
            super(cause);
        }

        @Override
        Overloaded again() {
            return new Overloaded(this);
        }
    }

    /** The commit was sent and its answer was lost: the values may or may not be taken. Never assume a rollback. */
    public static final class CommitOutcomeUnknown extends SequenceException {
        private static final long serialVersionUID = 1L;

        /** For a reservation whose commit was not answered. */
        public CommitOutcomeUnknown(String name, @Nullable Throwable cause) {
            super(
                    of(
                            name,
                            "commit outcome unknown, the store's answer was lost; look whether the transaction's rows are there before repeating it"),
                    cause);
        }

        /** For a transaction that something else than a lost answer has made unsure, named by {@code what}. */
        public CommitOutcomeUnknown(String name, String what, @Nullable Throwable cause) {
            super(
                    of(
                            name,
                            "commit outcome unknown, " + what
                                    + "; look whether the transaction's rows are there before repeating it"),
                    cause);
        }

        /** For a caller's own transaction whose commit was not answered. */
        public CommitOutcomeUnknown(@Nullable Throwable cause) {
            super(
                    "commit outcome unknown, the store's answer was lost; look whether the transaction's rows are there before repeating it",
                    cause);
        }

        private CommitOutcomeUnknown(CommitOutcomeUnknown cause) {
            super(cause);
        }

        @Override
        CommitOutcomeUnknown again() {
            return new CommitOutcomeUnknown(this);
        }
    }

    /** The counter is behind what this process has seen: a lossy failover or a restored backup. The sequence is stopped. */
    public static final class Regressed extends SequenceException {
        private static final long serialVersionUID = 1L;

        /** For a counter that went back. */
        public Regressed(String name, long reserved, long seen) {
            super(
                    of(
                            name,
                            "regressed, the store dealt " + reserved + " after " + seen
                                    + " (lossy failover or restored backup); raise it above every value in use, then open it anew"),
                    null);
        }

        private Regressed(Regressed cause) {
            super(cause);
        }

        @Override
        Regressed again() {
            return new Regressed(this);
        }
    }

    /** What was asked for cannot be: a rule of a definition, a URL, an option, a setting of the database. */
    public static final class Misconfigured extends SequenceException {
        private static final long serialVersionUID = 1L;

        /** For a wrong sequence. */
        public Misconfigured(String name, String what) {
            super(of(name, what), null);
        }

        /** For a wrong sequence, with the cause. */
        public Misconfigured(String name, String what, @Nullable Throwable cause) {
            super(of(name, what), cause);
        }

        /** For anything else that is wrong. */
        public Misconfigured(String what) {
            super(what, null);
        }

        /** For anything else that is wrong, with its cause. */
        public Misconfigured(String what, @Nullable Throwable cause) {
            super(what, cause);
        }

        private Misconfigured(Misconfigured cause) {
            super(cause);
        }

        /** For a change of bounds that numbers in the pool would be outside of. */
        public static Misconfigured poolOutside(SequenceDefinition bounds) {
            return new Misconfigured(
                    bounds.name(),
                    "numbers outside " + bounds.min() + " … " + bounds.max()
                            + " are laid out in its pool; let them be used, or raise or restart it first");
        }

        @Override
        Misconfigured again() {
            return new Misconfigured(this);
        }
    }

    /** A number that a transform or a pattern has no place for, such as one outside the range of a permutation. */
    public static final class OutOfRange extends SequenceException {
        private static final long serialVersionUID = 1L;

        /** For a number by itself. */
        public OutOfRange(String what) {
            super(what, null);
        }

        /** For a number that a sequence has dealt. */
        public OutOfRange(String name, OutOfRange cause) {
            super(of(name, String.valueOf(cause.getMessage())), cause);
        }

        private OutOfRange(OutOfRange cause) {
            super(cause);
        }

        @Override
        OutOfRange again() {
            return new OutOfRange(this);
        }
    }

    /** A text that is no number of its pattern: mistyped, cut off, or another's. */
    public static final class Malformed extends SequenceException {
        private static final long serialVersionUID = 1L;

        /** For a text. */
        public Malformed(String what) {
            super(what, null);
        }

        private Malformed(Malformed cause) {
            super(cause);
        }

        @Override
        Malformed again() {
            return new Malformed(this);
        }
    }
}
