// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.SequenceTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The statements that create one engine family's functions. They are resources beside its class, {@code own.sql} and
 * {@code plain.sql}; a line of {@code //} separates the statements, and words in braces are placeholders for what
 * depends on the table.
 *
 * @param family a class of the family
 * @param table every word it provides is a validated identifier or a number, so no text can escape its placeholder
 */
public record FunctionText(Class<?> family, SequenceTable table) {

    private static final String BETWEEN_STATEMENTS = "\n//\n";

    /**
     * Returns the statements, in order, without terminators.
     *
     * @param body the body of both functions that create, with the same placeholders as the resources; empty for an engine with one
     *     such function
     */
    public List<String> statements(String body, Map<String, String> ofTheEngine) {
        String text = resource(plain() ? "plain.sql" : "own.sql").replace("{create_body}", plain() ? "" : body);
        for (Map.Entry<String, String> word : ofTheEngine.entrySet()) {
            text = text.replace("{" + word.getKey() + "}", word.getValue());
        }
        text = plain() ? plainWords(text) : text;
        return List.of(text.replace("{table}", table.table()).strip().split(BETWEEN_STATEMENTS, -1));
    }

    /** Returns a resource with one statement that depends only on the table. */
    public String statement(String resource) {
        return resource(resource).replace("{table}", table.table()).strip();
    }

    public boolean plain() {
        return table.kind() != SequenceTable.Kind.OWN;
    }

    /** Returns whether the comment on a function says that it is one of these functions, over this table. */
    public boolean isOurs(String comment) {
        return comment.startsWith("Seriatim, table " + table.table() + ":");
    }

    private String plainWords(String text) {
        SequenceDefinition values = table.template();
        // The distance of the counter from the next value. The table has checked that none of this overflows.
        long behind = table.kind() == SequenceTable.Kind.LAST_VALUE ? values.increment() : 0;
        long low = values.min() - behind;
        long high = values.max() - behind;
        return text.replace("{name}", table.nameColumn())
                .replace("{counter}", table.valueColumn())
                .replace("{increment}", Long.toString(values.increment()))
                .replace("{start}", Long.toString(values.start()))
                .replace("{min}", Long.toString(values.min()))
                .replace("{max}", Long.toString(values.max()))
                .replace("{ahead}", Long.toString(values.increment() - behind))
                .replace("{low}", Long.toString(low))
                .replace("{high}", Long.toString(high))
                .replace("{beyond}", values.ascending() ? "> " + high : "< " + low);
    }

    public String resource(String name) {
        return resource(family, name);
    }

    public static String resource(Class<?> family, String name) {
        try (InputStream in = Objects.requireNonNull(family.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }
}
