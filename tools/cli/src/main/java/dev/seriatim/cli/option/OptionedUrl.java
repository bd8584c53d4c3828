// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.jdbc.JdbcUrl;
import dev.seriatim.store.StoreUrl;
import java.util.Map;
import java.util.Optional;

/** A store's URL, which may hold secrets, with Seriatim's own options in it. Immutable. */
public record OptionedUrl(String text) {

    /** Returns the value of one of Seriatim's options. */
    public Optional<String> option(String name) {
        StoreUrl options = isJdbc() ? JdbcUrl.parse(text).options() : StoreUrl.parse(text);
        return options.option(name);
    }

    /** Returns the URL with further options, by their names without a prefix; they replace those that it has. */
    public String with(Map<String, String> more) {
        StringBuilder longer = new StringBuilder(text);
        more.forEach((name, value) -> longer.append(separator(longer))
                .append(isJdbc() ? "seriatim." : "")
                .append(name)
                .append('=')
                .append(value));
        return longer.toString();
    }

    private boolean isJdbc() {
        return text.startsWith("jdbc:");
    }

    private char separator(CharSequence url) {
        String longer = url.toString();
        boolean asked = longer.indexOf('?') >= 0;
        // In other URLs a semicolon may be part of a file's name.
        if (isJdbc() && (text.startsWith("jdbc:cloudspanner:") || (!asked && longer.indexOf(';') >= 0))) {
            return ';';
        }
        return asked ? '&' : '?';
    }

    @Override
    public String toString() {
        return StoreUrl.redacted(text);
    }
}
