// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A Java file of main code, with what the rules count in it. */
record SourceFile(Path file, String module, String text) {

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern PROSE =
            Pattern.compile("//[^\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"", Pattern.DOTALL);
    private static final Pattern LITERAL = Pattern.compile("\"((?:\\\\.|[^\"\\\\\n])*)\"");
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{2,}");
    private static final Pattern SQL =
            Pattern.compile("\\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|FROM|WHERE|GRANT|REVOKE)\\b");
    private static final Pattern ODD = Pattern.compile(
            "\\b(told|hears?|heard|nobody|anew|so many|how far|comes? by|for want of|swept|crumb|forsake|not to be had|whom"
                    + "|thereby|whereof|of theirs|of its own accord|in hand|did not come about"
                    + "|what is (?:tried|chosen|meant)|is learnt)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern QUALIFIED = Pattern.compile("\\b(dev\\.seriatim(?:\\.[a-z]\\w*)*)\\.[A-Z]");
    private static final Pattern CODE = Pattern.compile("\\{@code [^}]*}");
    private static final Pattern TYPE = Pattern.compile("\\b[A-Z]\\w+\\b");

    /** Returns the main code of all modules. */
    static List<SourceFile> all() {
        return Repository.modules().stream()
                .filter(module -> module.resolve("src/main/java").toFile().isDirectory())
                .flatMap(module -> Repository.sources(module.resolve("src/main/java")).stream()
                        .map(file -> new SourceFile(file, name(module), Repository.read(file))))
                .toList();
    }

    private static String name(Path module) {
        return String.valueOf(module.getFileName());
    }

    /** Returns the name of the file, which is that of its type. */
    String type() {
        return name(file).replace(".java", "");
    }

    /** Returns the name of the package; empty for a module's descriptor. */
    String inPackage() {
        String path = file.toString();
        int end = path.lastIndexOf('/');
        int begin = path.indexOf("/src/main/java") + "/src/main/java/".length();
        return begin >= end ? "" : path.substring(begin, end).replace('/', '.');
    }

    /** Returns the packages of ours that imports, code or links of Javadoc name, but not its own. */
    Set<String> named() {
        Set<String> named = QUALIFIED
                .matcher(CODE.matcher(text).replaceAll(""))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        named.remove(inPackage());
        return named;
    }

    /** Returns the words that code, without comments, writes as types are written. */
    Set<String> types() {
        return TYPE.matcher(COMMENT.matcher(text).replaceAll(" "))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    long lines() {
        return text.chars().filter(c -> c == '\n').count();
    }

    /** Returns the number of lines that are neither blank, comments, nor imports. */
    long code() {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.matches("(\\*|/\\*|//|import|package).*"))
                .count();
    }

    /** Returns the number of lines with a text of four words or more that is not SQL. */
    long sentences() {
        return text.lines()
                .filter(line -> LITERAL.matcher(line)
                        .results()
                        .map(literal -> literal.group(1))
                        .anyMatch(literal -> WORD.matcher(literal).results().count() >= 4
                                && !SQL.matcher(literal).find()))
                .count();
    }

    /** Returns the odd words in comments and texts. */
    List<String> odd() {
        return PROSE.matcher(text)
                .results()
                .flatMap(prose -> odd(prose.group()).stream())
                .toList();
    }

    static List<String> odd(String prose) {
        return ODD.matcher(prose).results().map(MatchResult::group).toList();
    }
}
