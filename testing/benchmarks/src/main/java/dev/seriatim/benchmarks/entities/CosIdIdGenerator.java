// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import java.util.EnumSet;
import java.util.Objects;
import me.ahoo.cosid.IdGenerator;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/** Generates the identifiers of {@link CosId}. Created by Hibernate. Thread-safe after its initialization. */
final class CosIdIdGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<CosId> {

    /** The setting of Hibernate's that holds the {@link IdGenerator}. */
    static final String GENERATOR = "benchmark.cosid";

    private static final long serialVersionUID = 1L;

    private transient @Nullable IdGenerator ids;

    CosIdIdGenerator() {}

    @Override
    public void initialize(CosId annotation, GeneratorCreationContext context) {
        ids = (IdGenerator) context.getServiceRegistry()
                .requireService(ConfigurationService.class)
                .getSettings()
                .get(GENERATOR);
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return Objects.requireNonNull(ids, "not initialized").generate();
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EnumSet.of(EventType.INSERT);
    }
}
