// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.store.StoreUrl;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** A command line as reports show it. Stateless. */
public final class ShownCommand {

    private ShownCommand() {}

    /** Returns the command line that was parsed, for a shell, without the secrets of these URLs of stores. */
    public static String of(CommandLine command, List<String> urls) {
        List<String> words = new ArrayList<>(List.of("seriatim"));
        for (String word : command.getParseResult().originalArgs()) {
            words.add(shown(word, urls));
        }
        return String.join(" ", words);
    }

    private static String shown(String word, List<String> urls) {
        String scrubbed = word;
        for (String url : urls) {
            if (word.endsWith("=" + url) || word.equals(url)) {
                return word.substring(0, word.length() - url.length()) + quoted(StoreUrl.withOptions(url));
            }
            scrubbed = StoreUrl.scrub(url, scrubbed);
        }
        return quoted(scrubbed);
    }

    /** Quotes a word for a shell. */
    public static String quoted(String word) {
        return word.matches("[\\w./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
