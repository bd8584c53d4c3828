// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.jspecify.annotations.Nullable;

/** The database port of Hibernate: returns the low end of the next block. Thread-safe. */
public final class HibernateSource implements AccessCallback {

    private final Counter counter;
    private final long step;

    HibernateSource(long step, long latencyMillis) {
        this.step = step;
        this.counter = new Counter(latencyMillis);
    }

    @Override
    public IntegralDataTypeHolder getNextValue() {
        return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class)
                .initialize(counter.addAndGet(step) - step + 1);
    }

    @Override
    public @Nullable String getTenantIdentifier() {
        return null;
    }
}
