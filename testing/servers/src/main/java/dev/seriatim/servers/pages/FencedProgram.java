// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.pages;

import dev.seriatim.servers.ProgramRun;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/**
 * A Java program of a page, compiled in a folder with this JVM's class path. Code without a class becomes the body of a
 * {@code main} method, below its imports.
 */
public record FencedProgram(Fence fence, Path folder, String mainClass) {

    private static final Pattern CLASS = Pattern.compile("^(?:public |final )*class (\\w+)", Pattern.MULTILINE);
    private static final Pattern PRINTED = Pattern.compile("System\\.out\\.println\\(.*\\); +// (.*)");
    private static final String SNIPPET = """
            %s
            public class Snippet {
            public static void main(String[] args) throws Exception {
            %s
            }
            }
            """;

    /** Compiles a program in a folder. Throws {@link IllegalArgumentException} if it does not compile. */
    public static FencedProgram compile(Fence fence, Path folder) {
        Matcher declared = CLASS.matcher(fence.text());
        boolean whole = declared.find();
        String mainClass = whole ? declared.group(1) : "Snippet";
        Path source = folder.resolve(mainClass + ".java");
        try {
            Files.writeString(
                    source, whole ? fence.text() : SNIPPET.formatted(lines(fence, true), lines(fence, false)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        String classPath = System.getProperty("java.class.path");
        int code = ToolProvider.findFirst("javac")
                .orElseThrow(() -> new IllegalStateException("no javac in this Java"))
                .run(out, out, "-cp", classPath, "-proc:none", "-d", folder.toString(), source.toString());
        if (code != 0) {
            throw new IllegalArgumentException(fence + " does not compile: " + said);
        }
        return new FencedProgram(fence, folder, mainClass);
    }

    private static String lines(Fence fence, boolean imports) {
        return fence.text()
                .lines()
                .filter(line -> line.startsWith("import ") == imports)
                .collect(Collectors.joining("\n"));
    }

    /** Returns the lines that it prints on its first run, according to its comments. */
    public List<String> expected() {
        return PRINTED.matcher(fence.text())
                .results()
                .map(printed -> printed.group(1).strip())
                .toList();
    }

    /** Runs the program in its folder, and returns the lines that it printed. Throws {@link IllegalStateException} if it fails. */
    public List<String> run(Map<String, String> environment) {
        String classPath = folder + File.pathSeparator + System.getProperty("java.class.path");
        ProcessBuilder builder = ProgramRun.java("-cp", classPath, mainClass).directory(folder.toFile());
        builder.environment().putAll(environment);
        ProgramRun run = ProgramRun.of(builder);
        if (run.code() != 0) {
            throw new IllegalStateException(fence + " ended with " + run.code() + ": " + run.err());
        }
        return run.out().lines().toList();
    }
}
