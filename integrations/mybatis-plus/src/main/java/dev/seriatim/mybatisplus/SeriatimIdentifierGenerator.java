// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.mybatisplus;

import com.baomidou.mybatisplus.annotation.KeySequence;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.Sequences;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Numbers MyBatis-Plus entities from sequences: assigns the identifiers of {@code IdType.ASSIGN_ID}, one sequence per
 * table. Set it in the {@code GlobalConfig}, or, with MyBatis-Plus's Spring Boot starter, declare it as a bean.
 *
 * <p>The identifier may be any numeric type, or a String, which gets the number's digits. A number that does not fit
 * the type is refused. {@code IdType.ASSIGN_UUID} works as without this class.
 *
 * <p>Numbers are drawn in transactions of their own, on other connections than the insert's. They are unique, and a
 * rollback does not return them. Open the sequences over connections that they keep ({@code JdbcSequences.keeping}):
 * over a pool whose connections are all held by callers that wait for numbers, a draw gets none. On SQLite, where one
 * transaction at a time writes, draw before the transaction does.
 *
 * <p>Thread-safe. Does not close the sequences.
 */
public final class SeriatimIdentifierGenerator implements IdentifierGenerator {

    private static final Map<Class<?>, Long> LARGEST = Map.of(
            Integer.class, (long) Integer.MAX_VALUE,
            Short.class, (long) Short.MAX_VALUE,
            Byte.class, (long) Byte.MAX_VALUE,
            Float.class, 1L << 24,
            Double.class, 1L << 53);

    private final Function<? super String, ? extends Sequence> opening;
    private final Function<? super Class<?>, String> names;

    /** Creates a generator that draws {@linkplain Sequences#unique unique} numbers, by {@link #sequenceName}. */
    public SeriatimIdentifierGenerator(Sequences sequences) {
        this(sequences::unique, SeriatimIdentifierGenerator::sequenceName);
    }

    /**
     * Creates a generator that chooses the sequence and its mode, such as {@code new
     * SeriatimIdentifierGenerator(sequences::ordered, SeriatimIdentifierGenerator::sequenceName)}.
     *
     * @param opening opens the sequence of a name; called for every number, so it must return an open one cheaply, as
     *     {@link Sequences} does
     * @param names returns the name of the sequence that numbers a class of entities
     */
    public SeriatimIdentifierGenerator(
            Function<? super String, ? extends Sequence> opening, Function<? super Class<?>, String> names) {
        this.opening = opening;
        this.names = names;
    }

    /**
     * Returns the name of the sequence that numbers a class of entities: the value of its {@link KeySequence}, if it
     * has one; otherwise the table's name, with schema and prefix as MyBatis-Plus uses it, without quotation marks, and
     * {@code _id}, such as {@code orders_id}.
     *
     * @throws SequenceException.Misconfigured if the class is no entity that MyBatis-Plus has loaded
     */
    public static String sequenceName(Class<?> entity) {
        TableInfo table = TableInfoHelper.getTableInfo(entity);
        if (table == null) {
            throw new SequenceException.Misconfigured("""
                    %s is no entity of MyBatis-Plus, so no sequence belongs to it; add a mapper for it, or name its \
                    sequence with a function""".formatted(entity.getName()));
        }
        // The table's own annotation is absent if the configuration has no generators of keys.
        KeySequence own = table.getEntityType().getAnnotation(KeySequence.class);
        return own == null || own.value().isBlank()
                ? table.getTableName().replaceAll("[`\"\\[\\]]", "") + "_id"
                : own.value();
    }

    /**
     * Returns the next number of the entity's sequence.
     *
     * @throws SequenceException as {@link Sequences#unique} and {@link Sequence#next}
     * @throws SequenceException.OutOfRange if the number does not fit the type of the entity's identifier
     */
    @Override
    public Number nextId(@Nullable Object entity) {
        if (entity == null) {
            throw new SequenceException.Misconfigured(
                    "an identifier without an entity belongs to no sequence; draw from a sequence by its name");
        }
        Sequence sequence = opening.apply(names.apply(entity.getClass()));
        return fitting(sequence.next(), entity.getClass(), sequence.name());
    }

    /** MyBatis-Plus would cut off the number's high bits, and so assign an identifier twice. */
    private static long fitting(long number, Class<?> entity, String sequence) {
        TableInfo table = TableInfoHelper.getTableInfo(entity);
        if (table == null || table.getKeyType() == null) {
            return number;
        }
        Class<?> type = table.getKeyType();
        Class<?> boxed = MethodType.methodType(type).wrap().returnType();
        long largest = LARGEST.getOrDefault(boxed, Long.MAX_VALUE);
        if (number > largest || number < -largest) {
            throw new SequenceException.OutOfRange(sequence, new SequenceException.OutOfRange("""
                    its number %s does not fit the %s identifier of %s; make that a Long, or restart the sequence \
                    lower if those numbers are free""".formatted(
                            number, type.getSimpleName(), entity.getName())));
        }
        return number;
    }
}
