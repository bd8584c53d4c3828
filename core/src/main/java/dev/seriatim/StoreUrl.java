// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The URL of a store, taken apart: {@code scheme:place?option=value&option=value}.
 *
 * <p>Immutable and thread-safe.
 *
 * @param text the whole URL, which may hold secrets: show {@link #redacted()} instead
 * @param scheme what stands before the first colon
 * @param place what stands between that colon and the options
 * @param options the options in the order given
 */
public record StoreUrl(String text, String scheme, String place, Map<String, String> options) {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ns|us|ms|s|m|h)");

    /** Keeps the options as they are, in their order. */
    public StoreUrl {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /**
     * Takes a URL apart. An option without a value has an empty one.
     *
     * @throws SequenceException.Misconfigured when it has no scheme
     */
    public static StoreUrl parse(String text) {
        int colon = text.indexOf(':');
        if (colon <= 0) {
            throw new SequenceException.Misconfigured(
                    "'" + UrlSecrets.of(text).shown() + "' is not a store URL; write it as sqlite:FILE or memory:");
        }
        int question = text.indexOf('?', colon);
        String place = question < 0 ? text.substring(colon + 1) : text.substring(colon + 1, question);
        Map<String, String> options = new LinkedHashMap<>();
        if (question >= 0) {
            for (String option : text.substring(question + 1).split("&", -1)) {
                int equals = option.indexOf('=');
                String name = equals < 0 ? option : option.substring(0, equals);
                options.put(name, equals < 0 ? "" : option.substring(equals + 1));
            }
        }
        return new StoreUrl(text, text.substring(0, colon), place, options);
    }

    /** The value of an option. */
    public Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    /** An option's name as it is written in this URL: in a {@code jdbc:} URL, most options are the driver's, and ours have a prefix. */
    public String spelled(String option) {
        return scheme.equals("jdbc") ? "seriatim." + option : option;
    }

    /**
     * The value of an option that is a length of time.
     *
     * @throws SequenceException.Misconfigured when it is not one
     */
    public Optional<Duration> duration(String name) {
        return option(name)
                .map(value -> parseDuration(value)
                        .orElseThrow(() -> new SequenceException.Misconfigured("store URL '" + redacted() + "': "
                                + spelled(name) + " is a length of time such as 10ms, not '"
                                + SequenceException.inner(value) + "'")));
    }

    /**
     * Refuses options that nobody reads.
     *
     * @throws SequenceException.Misconfigured when there is an option outside {@code known}
     */
    public StoreUrl allowOnly(Set<String> known) {
        String before = "";
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                String which = UrlSecrets.isSecret(before)
                        ? "an unknown option behind '" + before + "'; in a value, '&' is written %26"
                        : "unknown option '" + SequenceException.inner(spelled(name)) + "'";
                throw new SequenceException.Misconfigured("store URL '" + redacted() + "': " + which + "; known here: "
                        + known.stream().map(this::spelled).sorted().collect(Collectors.joining(", ")));
            }
            before = name;
        }
        return this;
    }

    /** The URL without secrets: its scheme, host, port and database, but no user and no options. */
    public String redacted() {
        return redacted(text);
    }

    /** As {@link #redacted()}, of a text that need not be a URL at all. */
    public static String redacted(String url) {
        return UrlSecrets.of(url).shown();
    }

    /**
     * A text, such as a driver's words about this URL, with the secrets of this URL blanked out, however the driver has cut them
     * up, and those of other URLs as {@link #redact} does.
     */
    public String scrub(String words) {
        return scrub(text, words);
    }

    /** As {@link #scrub(String)}, for a URL that need not be one at all. */
    public static String scrub(String url, String words) {
        return UrlSecrets.of(url).scrub(words);
    }

    /**
     * A text with passwords, tokens and user names in URLs blanked out, as far as they can be told from the text alone. Where the
     * URL is known, {@link #scrub} knows more.
     */
    public static String redact(String text) {
        return UrlSecrets.redact(text);
    }

    /** The same, so that a URL that is logged shows no secret. */
    @Override
    public String toString() {
        return redacted();
    }

    /** A length of time written as a whole number and a unit (ns, us, ms, s, m, h); empty when it is not one. */
    public static Optional<Duration> parseDuration(String text) {
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(parts.group(1));
        return Optional.of(
                switch (parts.group(2)) {
                    case "ns" -> Duration.ofNanos(amount);
                    case "us" -> Duration.ofNanos(amount * 1000);
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }
}
