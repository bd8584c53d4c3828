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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/**
 * A Java program of a page, compiled with this JVM's class path. Code without a class becomes the body of a
 * {@code main} method, below its imports. Immutable.
 */
public final class FencedProgram {

    private static final Pattern CLASS = Pattern.compile("^(?:public |final )*class (\\w+)", Pattern.MULTILINE);
    private static final Pattern PRINTED = Pattern.compile("System\\.out\\.println\\(.*\\); +// (.*)");

    private final Fence fence;
    private final Path folder;
    private final String mainClass;

    private FencedProgram(Fence fence, Path folder, String mainClass) {
        this.fence = fence;
        this.folder = folder;
        this.mainClass = mainClass;
    }

    /**
     * Compiles a program.
     *
     * @param folder the folder in which it is compiled and runs
     * @throws IllegalArgumentException if it does not compile
     */
    public static FencedProgram compile(Fence fence, Path folder) {
        Matcher declared = CLASS.matcher(fence.text());
        String mainClass = declared.find() ? declared.group(1) : "Snippet";
        StringWriter said = new StringWriter();
        int code = ToolProvider.findFirst("javac")
                .orElseThrow(() -> new IllegalStateException("no javac in this Java"))
                .run(
                        new PrintWriter(said),
                        new PrintWriter(said),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        source(fence, folder, mainClass).toString());
        if (code != 0) {
            throw new IllegalArgumentException(fence + " does not compile: " + said);
        }
        return new FencedProgram(fence, folder, mainClass);
    }

    private static Path source(Fence fence, Path folder, String mainClass) {
        String text = fence.text();
        try {
            return Files.writeString(
                    folder.resolve(mainClass + ".java"), mainClass.equals("Snippet") ? wrapped(text) : text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String wrapped(String text) {
        return lines(text, true)
                + "\npublic class Snippet {\npublic static void main(String[] args) throws Exception {\n"
                + lines(text, false) + "\n}\n}\n";
    }

    private static String lines(String text, boolean imports) {
        return text.lines()
                .filter(line -> line.startsWith("import ") == imports)
                .collect(Collectors.joining("\n"));
    }

    /** Returns the lines that it prints on its first run, according to its comments. */
    public List<String> expected() {
        List<String> expected = new ArrayList<>();
        Matcher printed = PRINTED.matcher(fence.text());
        while (printed.find()) {
            expected.add(printed.group(1).strip());
        }
        return expected;
    }

    /**
     * Runs the program to its end, in its folder.
     *
     * @return the lines that it printed
     * @throws IllegalStateException if it fails
     */
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
