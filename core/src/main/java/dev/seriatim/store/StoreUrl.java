// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.internal.Messages;
import dev.seriatim.internal.UrlSecrets;
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
 * A parsed store URL: {@code scheme:place?option=value&option=value}. Immutable and thread-safe.
 *
 * @param text the whole URL, which may contain secrets: show {@link #redacted()} instead
 * @param scheme the part before the first colon
 * @param place the part between that colon and the options
 * @param options the options in the order given
 */
public record StoreUrl(String text, String scheme, String place, Map<String, String> options) {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ns|us|ms|s|m|h)");

    public StoreUrl {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** Parses a URL; an option may lack a value. Throws {@link Misconfigured} if there is no scheme. */
    public static StoreUrl parse(String text) {
        int colon = text.indexOf(':');
        if (colon <= 0) {
            throw new Misconfigured(
                    "'" + UrlSecrets.of(text).shown() + "' is not a store URL; write sqlite:FILE, jdbc:… or memory:");
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

    public Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    /** Returns an option's name as written here: with a prefix in a {@code jdbc:} URL, whose other options are the driver's. */
    public String spelled(String option) {
        return scheme.equals("jdbc") ? "seriatim." + option : option;
    }

    /** Returns the value of an option. Throws {@link Misconfigured} if it is not a duration. */
    public Optional<Duration> duration(String name) {
        return option(name)
                .map(value -> parseDuration(value)
                        .orElseThrow(() -> refused(spelled(name) + " must be a duration such as 10ms, not '"
                                + Messages.excerpt(value) + "'")));
    }

    /** Returns the value of an option. Throws {@link Misconfigured} if it is not a 64-bit integer. */
    public Optional<Long> number(String name) {
        try {
            return option(name).map(Long::valueOf);
        } catch (NumberFormatException e) {
            throw refused(spelled(name) + " must be a 64-bit integer, not '"
                    + Messages.excerpt(option(name).orElse("")) + "'");
        }
    }

    /**
     * Returns whether {@code sequences=native} selects the database's own sequences. Throws {@link Misconfigured} if it has
     * another value, or beside one of the {@code others}, which apply to Seriatim's counters.
     */
    public boolean isNative(Set<String> others) {
        String option = spelled("sequences");
        option("sequences").filter(value -> !value.equals("native")).ifPresent(value -> {
            throw refused(option + " must be native, or omitted, not '" + Messages.excerpt(value) + "'");
        });
        boolean isNative = option("sequences").isPresent();
        options.keySet().stream()
                .filter(name -> isNative && others.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw refused("option '" + spelled(name) + "' is not for native sequences; remove it, or remove "
                            + option);
                });
        return isNative;
    }

    /** Returns the refusal of this URL. */
    public Misconfigured refused(String why) {
        return new Misconfigured("store URL '" + redacted() + "': " + why);
    }

    /** Throws {@link Misconfigured} if there is an option outside {@code known}. */
    public StoreUrl allowOnly(Set<String> known) {
        String before = "";
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                String which = UrlSecrets.isSecret(before)
                        ? "an unknown option after '" + before + "'; write '&' in a value as %26"
                        : "unknown option '" + Messages.excerpt(spelled(name)) + "'";
                throw refused(which + "; known options: "
                        + known.stream().map(this::spelled).sorted().collect(Collectors.joining(", ")));
            }
            before = name;
        }
        return this;
    }

    /** Returns the URL without secrets: its scheme, host, port and database, but no user and no options. */
    public String redacted() {
        return redacted(text);
    }

    /** Like {@link #redacted()}, for a text that need not be a valid URL. */
    public static String redacted(String url) {
        return UrlSecrets.of(url).shown();
    }

    /**
     * Like {@link #redacted}, with the options that hold no secret: in a JDBC URL, only Seriatim's own options; in other
     * URLs, all except users and secrets.
     */
    public static String withOptions(String url) {
        return UrlSecrets.of(url).withOptions();
    }

    /**
     * Removes secrets from a text, such as a driver's message about this URL. Finds the secrets of this URL even if the
     * driver quotes only parts of them, and those of other URLs like {@link #redact}.
     */
    public String scrub(String words) {
        return scrub(text, words);
    }

    /** Like {@link #scrub(String)}, for a text that need not be a valid URL. */
    public static String scrub(String url, String words) {
        return UrlSecrets.of(url).scrub(words);
    }

    /**
     * Removes passwords, tokens and user names in URLs, if they can be recognized from the text alone. If the URL is
     * known, {@link #scrub} finds more.
     */
    public static String redact(String text) {
        return UrlSecrets.redact(text);
    }

    /** Same as {@link #redacted()}, so that logging a URL reveals no secret. */
    @Override
    public String toString() {
        return redacted();
    }

    /** Parses a whole number with a unit (ns, us, ms, s, m, h); empty if it is not a duration. */
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
