// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Notifies several listeners in order, each even if one before it throws. Thread-safe if they are. */
record AllListeners(List<SequenceListener> listeners) implements SequenceListener {

    static SequenceListener of(List<SequenceListener> listeners) {
        return listeners.size() == 1 ? listeners.get(0) : new AllListeners(List.copyOf(listeners));
    }

    @Override
    public void reserved(String sequence, Block block, Duration took) {
        each(listener -> listener.reserved(sequence, block, took));
    }

    @Override
    public void waited(String sequence, Duration howLong) {
        each(listener -> listener.waited(sequence, howLong));
    }

    @Override
    public void failed(String sequence, SequenceException failure) {
        each(listener -> listener.failed(sequence, failure));
    }

    @Override
    public void lost(String sequence, Block values) {
        each(listener -> listener.lost(sequence, values));
    }

    @Override
    public void outcomeUnknown(String sequence, long count) {
        each(listener -> listener.outcomeUnknown(sequence, count));
    }

    @Override
    public void givenBack(String sequence, Block values) {
        each(listener -> listener.givenBack(sequence, values));
    }

    @Override
    public void nearlyExhausted(String sequence, BigInteger valuesLeft) {
        each(listener -> listener.nearlyExhausted(sequence, valuesLeft));
    }

    /** Throws what the first one threw when all have been told, so that it is logged like any listener's. */
    private void each(Consumer<SequenceListener> news) {
        Throwable first = null;
        for (SequenceListener listener : listeners) {
            try {
                news.accept(listener);
            } catch (Throwable thrown) {
                first = added(first, thrown);
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw (RuntimeException) first;
        }
    }

    private static Throwable added(@Nullable Throwable first, Throwable thrown) {
        if (first == null) {
            return thrown;
        }
        if (first != thrown) {
            first.addSuppressed(thrown);
        }
        return first;
    }
}
