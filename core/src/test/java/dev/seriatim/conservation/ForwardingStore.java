// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * A store that forwards to another one, for tests to override. As thread-safe as that store.
 *
 * @param <S> the type of the other store
 */
public abstract class ForwardingStore<S extends ConfirmingStore & SequenceCatalog>
        implements ConfirmingStore, SequenceCatalog {

    protected final S behind;

    protected ForwardingStore(S behind) {
        this.behind = behind;
    }

    @Override
    public String toString() {
        return "the store";
    }

    @Override
    public Reservation reserve(String name, long count) {
        return behind.reserve(name, count);
    }

    @Override
    public SequenceState read(String name) {
        return behind.read(name);
    }

    @Override
    public void create(SequenceDefinition definition) {
        behind.create(definition);
    }

    @Override
    public SequenceState describe(String name) {
        return behind.describe(name);
    }

    @Override
    public List<SequenceState> list(BiConsumer<String, SequenceException.Misconfigured> broken) {
        return behind.list(broken);
    }

    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return behind.alter(name, change);
    }

    @Override
    public SequenceState raise(String name, long value) {
        return behind.raise(name, value);
    }

    @Override
    public SequenceState restart(String name, long value) {
        return behind.restart(name, value);
    }

    @Override
    public void drop(String name) {
        behind.drop(name);
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return behind.giveBack(name, unused, epoch);
    }
}
