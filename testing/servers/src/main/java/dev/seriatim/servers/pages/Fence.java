// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A fenced block in a page. Its kind is the text after the first fence, such as {@code java} or {@code sh spanner}. */
public record Fence(String page, int line, String kind, String text) {

    private static final Pattern FENCED =
            Pattern.compile("^```([^\n`]*)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    /** A placeholder in capitals for a value of the reader's, as in {@code jdbc:mariadb://HOST/DATABASE}. */
    private static final Pattern PLACEHOLDER =
            Pattern.compile("(?://|/|user=|password=)(?:HOST|DATABASE|BUCKET|USER|PASSWORD)\\b");

    /** Returns the pages for users: README.md and those in docs. */
    public static List<Path> pages() {
        try (Stream<Path> docs = Files.list(root().resolve("docs"))) {
            List<Path> pages = new ArrayList<>(List.of(root().resolve("README.md")));
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
            return pages;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Fence> all() {
        return pages().stream().flatMap(page -> in(page).stream()).toList();
    }

    /** Returns all blocks of a kind. Throws if there is none, so that no test runs nothing. */
    public static List<Fence> of(String kind) {
        List<Fence> found =
                all().stream().filter(fence -> fence.kind.equals(kind)).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no page has a fence of the kind '" + kind + "'");
        }
        return found;
    }

    private static List<Fence> in(Path page) {
        String markdown;
        try {
            markdown = Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return in(root().relativize(page).toString(), markdown);
    }

    public static List<Fence> in(String page, String markdown) {
        return FENCED.matcher(markdown)
                .results()
                .map(fenced -> new Fence(
                        page,
                        (int) markdown.substring(0, fenced.start()).lines().count() + 1,
                        fenced.group(1),
                        fenced.group(2)))
                .toList();
    }

    /** Replaces the placeholders. Throws {@link IllegalArgumentException} if one is left. */
    public Fence with(Map<String, String> places) {
        String replaced = text;
        for (Map.Entry<String, String> place : places.entrySet()) {
            replaced = replaced.replace(place.getKey(), place.getValue());
        }
        Matcher left = PLACEHOLDER.matcher(replaced);
        if (left.find()) {
            throw new IllegalArgumentException(this + ": no replacement for '" + left.group() + "'");
        }
        return new Fence(page, line, kind, replaced);
    }

    /** Returns the root of the checkout that the tests run in. */
    public static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("ARCHITECTURE.md"))) {
            here = Objects.requireNonNull(here.getParent(), "no ARCHITECTURE.md above the working directory");
        }
        return here;
    }

    @Override
    public String toString() {
        return page + ", line " + line;
    }
}
