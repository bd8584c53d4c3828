// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.pages;

import dev.seriatim.servers.ProgramRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commands of a page, run by a shell in a folder with {@code ./seriatim}. The first failing command ends the run. */
public record FencedCommands(Fence fence, String script) {

    private static final Pattern BENCH = Pattern.compile("^(.*\\./seriatim bench (?!compare).*)$", Pattern.MULTILINE);

    /** Runs the command as the launcher does, but without building it. */
    private static final String COMMAND = """
            #!/bin/sh
            exec "$PAGES_JAVA" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$PAGES_CLASS_PATH" dev.seriatim.cli.Main "$@"
            """;

    /** Returns the commands unchanged, with continuation lines joined. */
    public static FencedCommands of(Fence fence) {
        return new FencedCommands(fence, fence.text().replaceAll("\\\\\n\\s*", ""));
    }

    /** Returns the commands with smaller measurements: this only checks that they are accepted and end. */
    public FencedCommands cutDown() {
        Matcher bench = BENCH.matcher(script);
        String benched = bench.replaceAll(found -> Matcher.quoteReplacement(cutDown(found.group(1))));
        return new FencedCommands(
                fence, benched.replaceAll("(\\./seriatim verify .*)--minutes \\d+", "$1--minutes 0.05"));
    }

    private static String cutDown(String line) {
        String command = line.replaceAll("--iterations \\d+", "--iterations 20")
                .replaceAll("--duration \\w+", "--duration 100ms")
                .replaceAll("--processes \\d+", "--processes 2")
                .replaceAll("--rounds \\d+", "--rounds 1");
        boolean scenario = command.contains("--scenario");
        boolean arriving = command.contains("--rate");
        String more = (command.contains("--iterations") || arriving ? "" : " --iterations 20")
                + (command.contains("--duration") || !(arriving || scenario) ? "" : " --duration 100ms")
                + (command.contains("--rounds") || !scenario ? "" : " --rounds 1")
                + (command.contains("--threads") || !scenario ? "" : " --threads 2")
                + (command.contains("--warmup") || arriving || scenario ? "" : " --warmup 0");
        return command.replaceFirst("\\./seriatim bench", "./seriatim bench" + more);
    }

    /** Runs the commands to their end; removes environment variables with an empty value. */
    public ProgramRun run(Path folder, Map<String, String> environment) {
        try {
            Path command = folder.resolve("seriatim");
            if (!Files.exists(command)) {
                Files.writeString(command, COMMAND);
                Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ProcessBuilder shell = new ProcessBuilder("sh", "-e", "-c", script).directory(folder.toFile());
        Map<String, String> all = shell.environment();
        all.keySet().removeIf(name -> name.startsWith("SERIATIM_"));
        all.remove("JAVA_TOOL_OPTIONS"); // makes every JVM print an extra line
        all.put(
                "PAGES_JAVA",
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.put("PAGES_CLASS_PATH", System.getProperty("java.class.path"));
        all.putAll(environment);
        all.values().removeIf(String::isEmpty);
        return ProgramRun.of(shell);
    }
}
