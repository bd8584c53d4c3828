// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import com.google.gson.stream.JsonWriter;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON that a terminal shows as it is: control characters, marks of direction and unpaired surrogates are escaped. */
public final class JsonText {

    private JsonText() {}

    /** Returns a writer of indented JSON. */
    public static JsonWriter writer(Writer out) {
        JsonWriter json = new JsonWriter(new Escaping(out));
        json.setIndent("  ");
        return json;
    }

    /**
     * Writes maps, lists, truth values, ratios and null as such. All else is text, also 64-bit numbers, since many parsers
     * round numbers above 53 bits.
     */
    public static void write(JsonWriter json, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> fields) {
            json.beginObject();
            fields(json, fields);
            json.endObject();
        } else if (value instanceof Iterable<?> items) {
            json.beginArray();
            for (Object item : items) {
                write(json, item);
            }
            json.endArray();
        } else if (value instanceof Boolean truth) {
            json.value(truth);
        } else if (value instanceof Double ratio) {
            json.value(ratio);
        } else {
            json.value(value == null ? null : value.toString());
        }
    }

    /** Writes fields into an open object. */
    public static void fields(JsonWriter json, Map<?, ?> fields) throws IOException {
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            json.name(field.getKey().toString().replace(' ', '_'));
            write(json, field.getValue());
        }
    }

    /**
     * Escapes the characters that a JSON library leaves. Line ends are between values; in strings they are escaped
     * already.
     */
    public static String escaped(String json) {
        return OneLine.escaped(
                json, c -> (OneLine.isHidden(c) && c != '\n') || Character.getType(c) == Character.SURROGATE);
    }

    private static final class Escaping extends FilterWriter {

        Escaping(Writer out) {
            super(out);
        }

        @Override
        public void write(String text, int from, int length) throws IOException {
            out.write(escaped(text.substring(from, from + length)));
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            write(new String(text, from, length), 0, length);
        }

        @Override
        public void write(int c) throws IOException {
            write(String.valueOf((char) c), 0, 1);
        }
    }
}
