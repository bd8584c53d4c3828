// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import dev.seriatim.internal.Messages;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a number cannot be drawn. The message is one line that names the sequence, the cause and the remedy. The
 * constructors without a name are for failures that concern no single sequence. Thread-safe.
 */
@SuppressWarnings("serial") // these are not stored
public abstract sealed class SequenceException extends RuntimeException {

    private SequenceException(String message, @Nullable Throwable cause) {
        super(Messages.line(message), cause);
    }

    private SequenceException(SequenceException cause) {
        super(cause.getMessage(), cause);
    }

    /** Returns a failure of the same kind caused by this one, so that each of several callers gets its own stack trace. */
    public abstract SequenceException again();

    private static String of(String name, String what) {
        return "sequence " + Messages.quoted(name) + ": " + what;
    }

    /** Thrown when the sequence does not exist in the store. */
    public static final class NotFound extends SequenceException {
        private static final String OR_CREATE = ", or create it first";

        public NotFound(String name, String place) {
            super(of(name, "not found in " + place + "; check its name (list shows all sequences)" + OR_CREATE), null);
        }

        /** {@code what} names what is missing, and the remedy. */
        public NotFound(String what) {
            super(what, null);
        }

        private NotFound(String message, NotFound cause) {
            super(message, cause);
        }

        /** Returns the same failure for a drop, without the advice to create the sequence. */
        public NotFound whenDropped() {
            return new NotFound(String.valueOf(getMessage()).replace(OR_CREATE, ""), this);
        }

        @Override
        public NotFound again() {
            return new NotFound(String.valueOf(getMessage()), this);
        }
    }

    /** Thrown when a sequence of this name already exists. */
    public static final class AlreadyExists extends SequenceException {
        public AlreadyExists(String name, String place) {
            super(of(name, "already exists in " + place + "; choose another name, or alter or drop that one"), null);
        }

        private AlreadyExists(AlreadyExists cause) {
            super(cause);
        }

        @Override
        public AlreadyExists again() {
            return new AlreadyExists(this);
        }
    }

    /** Thrown when every value has been dealt. The counter is unchanged. */
    public static final class Exhausted extends SequenceException {
        public Exhausted(SequenceDefinition definition) {
            super(
                    of(
                            definition.name(),
                            "exhausted, no value is left "
                                    + (definition.ascending()
                                            ? "up to max value " + definition.max()
                                            : "down to min value " + definition.min())
                                    + "; alter the bound, let it cycle, or restart it"),
                    null);
        }

        /** {@code what} names the reason and the remedy. */
        public Exhausted(String name, String what, @Nullable Exhausted cause) {
            super(of(name, "exhausted, " + what), cause);
        }

        private Exhausted(Exhausted cause) {
            super(cause);
        }

        @Override
        public Exhausted again() {
            return new Exhausted(this);
        }
    }

    /** Thrown when the store cannot be reached or does not answer in time. The next call tries again. */
    public static final class Unavailable extends SequenceException {
        public Unavailable(String name, String what, @Nullable Throwable cause) {
            super(of(name, what), cause);
        }

        public Unavailable(String what, @Nullable Throwable cause) {
            super(what, cause);
        }

        @Override
        public Unavailable again() {
            return new Unavailable(String.valueOf(getMessage()), this);
        }
    }

    /**
     * Thrown when the store answers, but contention is too high: the caller's turn did not come in time, or sessions
     * conflicted. No value was taken.
     */
    public static final class Overloaded extends SequenceException {
        public Overloaded(String name, String what, @Nullable Throwable cause) {
            super(of(name, what), cause);
        }

        public Overloaded(String what, @Nullable Throwable cause) {
            super(what, cause);
        }

        @Override
        public Overloaded again() {
            return new Overloaded(String.valueOf(getMessage()), this);
        }
    }

    /** Thrown when a commit's answer was lost: the values may or may not be taken. Never assume a rollback. */
    public static final class CommitOutcomeUnknown extends SequenceException {
        private static final String ANSWER_LOST = "the store's answer was lost";

        public CommitOutcomeUnknown(String name, @Nullable Throwable cause) {
            this(name, ANSWER_LOST, cause);
        }

        /** {@code what} names the reason, if it is not a lost answer. */
        public CommitOutcomeUnknown(String name, String what, @Nullable Throwable cause) {
            super(of(name, unknown(what)), cause);
        }

        public CommitOutcomeUnknown(@Nullable Throwable cause) {
            super(unknown(ANSWER_LOST), cause);
        }

        private static String unknown(String what) {
            return "commit outcome unknown, " + what
                    + "; check whether the transaction's rows exist before repeating it";
        }

        private CommitOutcomeUnknown(CommitOutcomeUnknown cause) {
            super(cause);
        }

        @Override
        public CommitOutcomeUnknown again() {
            return new CommitOutcomeUnknown(this);
        }
    }

    /**
     * Thrown when the counter is behind what this process has seen, after a lossy failover or a restored backup. The
     * sequence is stopped.
     */
    public static final class Regressed extends SequenceException {
        public Regressed(String name, long reserved, long seen) {
            super(
                    of(
                            name,
                            "regressed, the store dealt " + reserved + " after " + seen
                                    + " (lossy failover or restored backup); raise it above every value in use, then reopen it"),
                    null);
        }

        /** {@code what} names what is behind, and the remedy. */
        public Regressed(String what) {
            super(what, null);
        }

        private Regressed(Regressed cause) {
            super(cause);
        }

        @Override
        public Regressed again() {
            return new Regressed(this);
        }
    }

    /** Thrown when a request cannot be fulfilled because of a definition, a URL, an option or a database setting. */
    public static final class Misconfigured extends SequenceException {
        public Misconfigured(String name, String what) {
            super(of(name, what), null);
        }

        public Misconfigured(String name, String what, @Nullable Throwable cause) {
            super(of(name, what), cause);
        }

        public Misconfigured(String what) {
            super(what, null);
        }

        public Misconfigured(String what, @Nullable Throwable cause) {
            super(what, cause);
        }

        /** Creates an exception for a change of bounds that would exclude numbers in the pool. */
        public static Misconfigured poolOutside(SequenceDefinition bounds) {
            return new Misconfigured(
                    bounds.name(),
                    "numbers outside " + bounds.min() + " … " + bounds.max()
                            + " are laid out in its pool; let them be used up, or raise or restart the sequence first");
        }

        @Override
        public Misconfigured again() {
            return new Misconfigured(String.valueOf(getMessage()), this);
        }
    }

    /**
     * Thrown when a transform or a pattern cannot represent a number, such as one outside the range of a permutation.
     */
    public static final class OutOfRange extends SequenceException {
        public OutOfRange(String what) {
            super(what, null);
        }

        public OutOfRange(String name, OutOfRange cause) {
            super(of(name, String.valueOf(cause.getMessage())), cause);
        }

        private OutOfRange(OutOfRange cause) {
            super(cause);
        }

        @Override
        public OutOfRange again() {
            return new OutOfRange(this);
        }
    }

    /** Thrown when a text is not a number of its pattern: mistyped, truncated, or of another pattern. */
    public static final class Malformed extends SequenceException {
        public Malformed(String what) {
            super(what, null);
        }

        private Malformed(Malformed cause) {
            super(cause);
        }

        @Override
        public Malformed again() {
            return new Malformed(this);
        }
    }
}
