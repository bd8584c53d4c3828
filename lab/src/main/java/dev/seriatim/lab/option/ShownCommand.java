// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.option;

import dev.seriatim.store.StoreUrl;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** A command line as reports show it. Stateless. */
public final class ShownCommand {

    private ShownCommand() {}

    /**
     * Returns the command line that was parsed, for a shell, without secrets.
     *
     * @param url the store's URL, whose secrets are left out
     */
    public static String of(CommandLine command, String url) {
        List<String> words = new ArrayList<>(List.of("seriatim"));
        for (String word : command.getParseResult().originalArgs()) {
            String option = word.endsWith("=" + url) ? word.substring(0, word.length() - url.length()) : "";
            words.add(
                    word.equals(option + url)
                            ? option + quoted(StoreUrl.withOptions(url))
                            : quoted(StoreUrl.scrub(url, word)));
        }
        return String.join(" ", words);
    }

    /** Quotes a word for a shell. */
    private static String quoted(String word) {
        return word.matches("[\\w./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
