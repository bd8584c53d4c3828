// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.SqliteLibrary;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Run by the launcher once per Java, to speed up later starts. Unpacks SQLite's native library, which would otherwise
 * be unpacked at every start, and runs the common commands, so that the archive of classes contains theirs.
 */
final class FirstUse {

    private static final String COMMON = """
            create a
            next a
            next a -n 3
            next b --create
            next b -n 20 --mode ASYNC_BATCH --batch-size 10 --low-water-mark 5
            next b -n 2 --mode SYNC
            list
            list --format json
            show a
            show a --format json
            alter a --max-value 100
            raise a --to 10
            restart a
            feed list
            next none
            next a --none
            none
            advise --rate 500/s --latency 10ms
            drop b
            next --help
            --help
            """;

    // No server listens on this port, but the attempt loads most of a driver's classes.
    private static final List<String> POOLED = List.of(
            "jdbc:h2:mem:rehearsal;USER=sa",
            "jdbc:postgresql://127.0.0.1:1/rehearsal",
            "jdbc:mariadb://127.0.0.1:1/rehearsal");

    private FirstUse() {}

    /** Runs everything; the argument is the directory for the native library. */
    public static void main(String[] args) throws IOException {
        Main.silenceLogs();
        if (SqliteLibrary.unpack(Path.of(args[0]))) {
            System.setProperty("org.sqlite.lib.path", args[0]);
        }
        Path place = Files.createTempDirectory("seriatim");
        try {
            rehearse(place.resolve("rehearsal.db"));
        } finally {
            remove(place);
        }
    }

    static void rehearse(Path file) {
        OutputStream nowhere = new WatchedOutput(OutputStream.nullOutputStream());
        PrintStream silent = new PrintStream(nowhere, false, StandardCharsets.UTF_8);
        for (String line : COMMON.lines().toList()) {
            Main.run(line.split(" ", -1), silent, silent, Map.of("SERIATIM_STORE", "sqlite:" + file));
        }
        for (String store : POOLED) {
            Main.run(new String[] {"next", "a", "--create"}, silent, silent, Map.of("SERIATIM_STORE", store));
        }
    }

    private static void remove(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
