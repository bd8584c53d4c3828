// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/** Generates an entity's identifier with CosId. */
@IdGeneratorType(CosIdIdGenerator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface CosId {}
