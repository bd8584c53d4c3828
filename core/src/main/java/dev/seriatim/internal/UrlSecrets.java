// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.internal;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of a URL that must not be shown. Hides too much rather than too little: a URL is often wrong because a
 * secret is in the wrong place, and the driver then quotes it.
 *
 * <p>Immutable and thread-safe.
 */
public final class UrlSecrets {

    private static final String HIDDEN = "***";

    /** Maximum length of a text that is searched; the time of the search grows faster than the text. */
    private static final int LONGEST_TEXT = 4000;

    private static final String SECRET_NAME =
            "[\\w.-]*(?:pas+w|pass|psw|pwd|secret|token|key|credential|auth|(?<![a-z])pw(?![a-z]))[\\w.-]*";

    // In text that contains the URL, a value ends at the next option or at a closing quotation mark.
    private static final Pattern SECRET = Pattern.compile("(?i)(?<![\\w.-])(" + SECRET_NAME
            + "\\s*(?:=|%3D)\\s*)(?!…|FILE\\b)(?:\"[^\"]*\"|.*?)(?=&|'(?!\\w)|\"|\\)|[;,\\s]+[\\w.-]+\\s*=|\\R|$)");
    private static final Pattern USER_INFO =
            Pattern.compile("//(?:[^\\s'\"]*@|[^\\s/:'\"]*:(?!\\d+[/,\\s)])[^'\"\\n]{0,200}@)");
    // The syntax of some drivers: …:user/password@host
    private static final Pattern USER_AND_PASSWORD = Pattern.compile(":[^:/@\\s]+/[^/@\\s]+@");

    private static final Pattern SCHEME = Pattern.compile(
            "(?i)\\s*(?:jdbc:[a-z0-9-]{1,20}:(?:thin:|oci:|[a-z0-9-]{1,20}:(?=//))?|[a-z][a-z0-9+.-]{0,20}:)");
    private static final Pattern OF_FILES = Pattern.compile("(?i)\\s*(?:jdbc:)?(?:sqlite|h2):");
    private static final Pattern OF_ORACLE = Pattern.compile("(?i)\\s*jdbc:[a-z0-9-]+:(?:thin|oci):");
    private static final Pattern AT = Pattern.compile("(?i)@|%40");
    private static final Pattern OPTION = Pattern.compile("[\\w.-]+=.*", Pattern.DOTALL);
    private static final Pattern HOSTS = Pattern.compile("//[\\w.,:\\[\\]-]+/[^@]*");
    private static final Pattern USER = Pattern.compile("(?i)[\\w.-]*(?:user|username|usr|uid|login)\\s*=.*");
    private static final String OURS = "seriatim.";
    private static final Pattern NO_PORT = Pattern.compile(":(?!\\d{1,5}(?:=\\w+)?(?:[,/]|$))");
    private static final Pattern END_OF_NAMES = Pattern.compile("[\\s&#]");
    private static final Pattern NAMED_SECRET = Pattern.compile("(?is)" + SECRET_NAME + "\\s*(?:=|%3D|:|\\s)\\s*(.*)");
    private static final Pattern SECRET_IN_PLACE =
            Pattern.compile("(?is)(?<![a-z0-9])" + SECRET_NAME + "\\s*(?:=|%3D).*");
    private static final int DEEPEST_CODE = 3;

    private final String url;
    private final String shown;
    private final String options;
    private final Set<String> pieces =
            new TreeSet<>(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));
    private final Set<String> words = new TreeSet<>();

    private UrlSecrets(String url) {
        this.url = url;
        Matcher scheme = SCHEME.matcher(url);
        int begin = scheme.lookingAt() ? scheme.end() : 0;
        boolean files = OF_FILES.matcher(url).lookingAt();
        int options = firstOption(url, begin);
        int place = endOfUserInfo(begin, options, files);
        if (place > begin) {
            hideUserInfo(url.substring(begin, place));
            options = firstOption(url, place);
            hideOptions(url.substring(options));
        } else {
            hideOptions(url.substring(options));
        }
        boolean schemeIsShown = place == begin || url.startsWith("//", begin) || isJdbc(url);
        String names = place(
                url.substring(place, options), files || OF_ORACLE.matcher(url).lookingAt());
        shown = (schemeIsShown ? url.substring(0, begin) : "")
                + (place == begin ? "" : (url.startsWith("//", begin) ? "//" : "") + HIDDEN + "@")
                + names;
        this.options = url.substring(options);
    }

    public static UrlSecrets of(String url) {
        return new UrlSecrets(url.replaceFirst("^[\"'“‘]+", ""));
    }

    /** Returns the scheme, host, port and database, without user and options. */
    public String shown() {
        return shown;
    }

    /**
     * Returns {@link #shown} and the options that hold no secret. In a JDBC URL, these are only Seriatim's options, because a
     * driver's option of any name may hold a secret; in other URLs, all except users and secrets.
     */
    public String withOptions() {
        String kept = options.isEmpty()
                ? ""
                : Stream.of(options.substring(1).split(separator(options), -1))
                        .filter(this::holdsNoSecret)
                        .collect(Collectors.joining(separator(options)));
        return kept.isEmpty() ? shown : shown + options.charAt(0) + kept;
    }

    private boolean holdsNoSecret(String option) {
        return isJdbc(url)
                ? option.startsWith(OURS)
                : OPTION.matcher(option).matches()
                        && !NAMED_SECRET.matcher(option).matches()
                        && !USER.matcher(option).matches();
    }

    private String separator(String options) {
        return options.charAt(0) == ';' || (isJdbc(url) && url.contains(":cloudspanner:")) ? ";" : "&";
    }

    /** Removes these secrets from a text, such as a driver's message. */
    public String scrub(String text) {
        String scrubbed = text.replace(url, shown);
        for (String piece : pieces) {
            scrubbed = Pattern.compile(Pattern.quote(piece), Pattern.CASE_INSENSITIVE)
                    .matcher(scrubbed)
                    .replaceAll(HIDDEN);
        }
        for (String word : words) {
            scrubbed = Pattern.compile(
                            "(?<![\\p{L}\\p{N}])" + Pattern.quote(word) + "(?![\\p{L}\\p{N}])",
                            Pattern.CASE_INSENSITIVE)
                    .matcher(scrubbed)
                    .replaceAll(HIDDEN);
        }
        return redact(scrubbed);
    }

    /** Removes anything that looks like a secret from a text, and the end of a very long one. */
    public static String redact(String text) {
        if (text.length() > LONGEST_TEXT) {
            int blank = text.lastIndexOf(' ', LONGEST_TEXT);
            return redact(text.substring(0, blank > 0 ? blank : LONGEST_TEXT)) + " …";
        }
        if (text.indexOf('=') < 0 && text.indexOf('@') < 0 && text.indexOf('%') < 0) {
            return text;
        }
        String named = SECRET.matcher(text).replaceAll("$1" + Matcher.quoteReplacement(HIDDEN));
        return USER_AND_PASSWORD
                .matcher(USER_INFO.matcher(named).replaceAll("//" + HIDDEN + "@"))
                .replaceAll(":" + HIDDEN + "@");
    }

    /** Returns whether the value of an option of this name is a secret. */
    public static boolean isSecret(String name) {
        return !name.isEmpty() && Pattern.matches("(?i)" + SECRET_NAME, name);
    }

    private static boolean isJdbc(String url) {
        return url.strip().toLowerCase(Locale.ROOT).startsWith("jdbc:");
    }

    private static int firstOption(String url, int from) {
        for (int i = from; i < url.length(); i++) {
            if (url.charAt(i) == '?' || url.charAt(i) == ';') {
                return i;
            }
        }
        return url.length();
    }

    /** Returns the index after the last @, unless it belongs to an option of an otherwise valid URL. */
    private int endOfUserInfo(int begin, int options, boolean files) {
        int end = begin;
        Matcher at = AT.matcher(url);
        while (at.find()) {
            boolean inOptions = at.start() > options;
            if (at.start() >= begin && !(inOptions && isWhole(begin, options, files))) {
                end = at.end();
            }
        }
        // The @ may belong to a named secret, such as password=p%40ss, whose end is unknown.
        return SECRET_IN_PLACE.matcher(url).region(begin, end).find() ? url.length() : end;
    }

    private boolean isWhole(int begin, int options, boolean files) {
        String place = url.substring(begin, options);
        if (!files && !HOSTS.matcher(place).matches()) {
            return false;
        }
        for (String option : url.substring(options + 1).split("[&;]", -1)) {
            if (!option.isEmpty() && !OPTION.matcher(option).matches()) {
                return false;
            }
        }
        return true;
    }

    private void hideUserInfo(String userInfo) {
        String bare = userInfo.replaceFirst("^//", "").replaceFirst("(?i)(?:@|%40)$", "");
        int colon = bare.indexOf(':') < 0 ? bare.indexOf('/') : bare.indexOf(':');
        hide(bare.substring(colon + 1));
    }

    private String place(String place, boolean free) {
        String names = place;
        Matcher secret = SECRET_IN_PLACE.matcher(names);
        if (secret.find()) {
            names = cut(names, secret.start());
        }
        if (free) {
            return names;
        }
        Matcher end = END_OF_NAMES.matcher(names);
        if (end.find()) {
            names = cut(names, end.start());
        }
        if (names.contains("[")) {
            return names;
        }
        int path = names.indexOf('/', names.startsWith("//") ? 2 : 0);
        Matcher port = NO_PORT.matcher(path < 0 ? names : names.substring(0, path));
        return port.find() ? cut(names, port.end()) : names;
    }

    private String cut(String place, int at) {
        String rest = place.substring(at);
        Matcher named = NAMED_SECRET.matcher(rest);
        hide(named.lookingAt() ? named.group(1) : rest);
        return place.substring(0, at) + HIDDEN;
    }

    private void hideOptions(String options) {
        if (options.isEmpty()) {
            return;
        }
        boolean secret = false;
        for (String option : options.substring(1).split(separator(options), -1)) {
            Matcher named = NAMED_SECRET.matcher(option);
            if (named.matches()) {
                secret = true;
                hide(named.group(1));
            } else if (option.indexOf('=') < 0) {
                if (secret) { // the rest of a value that contains a separator
                    hide(option);
                }
            } else {
                secret = false;
                Matcher inValue = Pattern.compile("(?is).*?[;,\\s](" + SECRET_NAME + "\\s*(?:=|:).*)")
                        .matcher(option);
                if (inValue.matches()) {
                    Matcher inner = NAMED_SECRET.matcher(inValue.group(1));
                    hide(inner.matches() ? inner.group(1) : inValue.group(1));
                }
            }
        }
    }

    private void hide(String secret) {
        List<String> forms = new ArrayList<>(List.of(secret));
        for (int i = 0; i < DEEPEST_CODE; i++) {
            String last = forms.get(forms.size() - 1);
            if (last.indexOf('%') < 0) {
                break;
            }
            try {
                forms.add(URLDecoder.decode(last.replace("+", "%2B"), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                break;
            }
        }
        for (String form : forms) {
            if (form.length() >= 3) {
                pieces.add(form);
            }
            for (String word : form.split("[^\\p{L}\\p{N}]+", -1)) {
                if (!word.isEmpty()) {
                    words.add(word);
                }
            }
        }
    }
}
