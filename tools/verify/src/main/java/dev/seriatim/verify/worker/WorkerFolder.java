// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.option.SqliteLibrary;
import dev.seriatim.verify.fault.ChildProcesses;
import dev.seriatim.verify.worker.WorkerAccounts.FailedDraws;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Starts processes that draw; holds SQLite's native library, and rings until both sides have opened them. Thread-safe. */
public final class WorkerFolder implements AutoCloseable {

    /** In memory, if the system has it. */
    private static final Path MEMORY = Path.of("/dev/shm");

    /** Bytes that must be free there. */
    private static final long ROOM = 1L << 30;

    private static final String SQLITE_LIBRARY = "org.sqlite.lib.path";

    /** Keeps drivers from logging. */
    private static final List<String> INHERITED =
            List.of("slf4j.provider", "slf4j.internal.verbosity", "java.util.logging.config.class", SQLITE_LIBRARY);

    /** Options of this JVM by which it starts faster, or without warnings; they hold no secrets. */
    private static final List<String> INHERITED_OPTIONS = List.of(
            "-XX:SharedArchiveFile=", "-XX:AOTCache=", "--enable-native-access=", "--sun-misc-unsafe-memory-access=");

    /** For a quick start, a small process, no files in the temporary folder, and no warnings among the reports. */
    private static final List<String> OPTIONS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-Xlog:disable",
            "-Xlog:all=error:stderr");

    private final Path folder;
    private final int ringCapacity;
    private final List<String> command;
    private final AtomicInteger rings = new AtomicInteger();

    private WorkerFolder(Path folder, Class<?> program, int ringCapacity) throws IOException {
        this.folder = folder;
        this.ringCapacity = ringCapacity;
        command = command(program);
    }

    /**
     * Creates the folder.
     *
     * @param program {@link WorkerProgram}, or another whose main method calls its {@code run}
     * @param ringCapacity the reports that a lane may be ahead of its reader, a power of two
     */
    public static WorkerFolder open(Class<?> program, int ringCapacity) {
        try {
            String prefix = "seriatim-verify-";
            Path folder =
                    isRoomy(MEMORY) ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
            return new WorkerFolder(folder, program, ringCapacity);
        } catch (IOException e) {
            throw new Unavailable("cannot create a temporary folder for the processes that draw (" + e + ")", e);
        }
    }

    /** Returns whether all rings fit there. A container may have little memory of this kind. */
    private static boolean isRoomy(Path folder) throws IOException {
        return Files.isDirectory(folder)
                && Files.isWritable(folder)
                && Files.getFileStore(folder).getUsableSpace() >= ROOM;
    }

    private List<String> command(Class<?> program) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(OPTIONS);
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (INHERITED_OPTIONS.stream().anyMatch(option::startsWith)) {
                words.add(option);
            }
        }
        for (String property : INHERITED) {
            String value = System.getProperty(property);
            if (value != null) {
                words.add("-D" + property + "=" + value);
            }
        }
        if (System.getProperty(SQLITE_LIBRARY) == null && SqliteLibrary.unpack(folder)) {
            // Otherwise each process would unpack it, and leave it behind when killed.
            words.add("-D" + SQLITE_LIBRARY + "=" + folder);
        }
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        return ChildProcesses.inOwnSession(words); // Ctrl-C is for the parent
    }

    /** Starts a process; another thread passes on each new failure that an unavailable server does not explain. */
    public WorkerProcess start(Consumer<FailedDraws> onLasting) {
        try {
            return new WorkerProcess(this, new ProcessBuilder(command).start(), onLasting);
        } catch (IOException e) {
            throw new Unavailable("cannot start a process that draws (" + e.getMessage() + ")", e);
        }
    }

    int ringCapacity() {
        return ringCapacity;
    }

    Path newRing() {
        return folder.resolve("lane-" + rings.incrementAndGet());
    }

    void delete(Collection<Path> files) {
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // in use on some systems until the processes have ended
            }
        }
    }

    /** Deletes the folder; first end the processes. */
    @Override
    public void close() {
        try (Stream<Path> files = Files.list(folder)) {
            delete(files.toList());
        } catch (IOException e) {
            // the system deletes it
        }
        delete(List.of(folder));
    }
}
