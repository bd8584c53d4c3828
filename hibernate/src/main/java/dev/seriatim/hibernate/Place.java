// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import org.hibernate.generator.GeneratorCreationContext;

/** Names the annotated property in messages. */
final class Place {
    private Place() {}

    static String of(GeneratorCreationContext context) {
        return context.getPersistentClass().getEntityName() + "."
                + context.getProperty().getName();
    }
}
