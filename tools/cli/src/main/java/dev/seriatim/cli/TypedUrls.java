// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.store.StoreUrl;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The store URLs on the command line, valid or not, and in the environment. Removes their secrets from what the command
 * prints, including messages of drivers.
 *
 * <p>Immutable and thread-safe.
 */
final class TypedUrls {

    private static final String OPTION = "--store";
    private static final Pattern URL = Pattern.compile(
            "(?is)(?:--[\\w-]+=)?\\s*((?:jdbc|sqlite|memory|spanner|couchbases?|postgres(?:ql)?|mariadb|mysql|h2):.*|[^=]*(?:://|:.*@).*)");

    private final List<String> urls;

    private TypedUrls(List<String> urls) {
        this.urls = List.copyOf(urls);
    }

    static TypedUrls of(String[] args, Map<String, String> env) {
        List<String> urls = new ArrayList<>();
        String before = "";
        for (String arg : args) {
            var url = URL.matcher(arg);
            if (url.matches()) {
                urls.add(url.group(1));
            } else if (before.equals(OPTION)) {
                urls.add(arg);
            } else if (arg.startsWith(OPTION + "=")) {
                urls.add(arg.substring(OPTION.length() + 1));
            }
            before = arg;
        }
        String named = env.getOrDefault(StoreOption.VARIABLE, "");
        if (!named.isBlank()) {
            urls.add(named);
        }
        return new TypedUrls(urls);
    }

    /** Returns a text without their secrets. */
    String scrub(String text) {
        String scrubbed = text;
        for (String url : urls) {
            scrubbed = StoreUrl.scrub(url, scrubbed);
        }
        return scrubbed;
    }

    /** Prints a stack trace without their secrets. */
    void printStackTrace(Throwable failure, PrintWriter to) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        to.print(scrub(trace.toString()));
        to.flush();
    }
}
