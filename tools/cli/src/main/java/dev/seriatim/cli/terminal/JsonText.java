// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import com.google.gson.stream.JsonWriter;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

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
     * Escapes the characters that a JSON library leaves. Line ends are between values; in strings they are escaped
     * already.
     */
    public static String escaped(String json) {
        StringBuilder escaped = new StringBuilder(json.length());
        json.codePoints().forEach(c -> {
            if ((OneLine.isHidden(c) && c != '\n') || Character.getType(c) == Character.SURROGATE) {
                escaped.append(String.format("\\u%04x", c));
            } else {
                escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
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
