// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The Maven run that this JVM's tests are part of. Each module is tested in a separate JVM. A server is
 * started once for all of them, by the first JVM that needs it, which shares the server's location.
 *
 * @param folder the folder in which the JVMs share locations
 * @param maven the process that outlives them all
 */
record Build(Path folder, ProcessHandle maven) {

    /** The system property that names the folder; not set if tests run outside Maven, such as in an IDE. */
    private static final String FOLDER = "seriatim.build.folder";

    private static final Optional<Build> CURRENT = Optional.ofNullable(System.getProperty(FOLDER))
            .flatMap(folder -> javaAbove().map(maven -> of(folder, maven)));

    /** Returns the build; empty if the tests run outside Maven, in which case nothing is shared. */
    static Optional<Build> current() {
        return CURRENT;
    }

    private static Build of(String folder, ProcessHandle maven) {
        Path all = Path.of(folder);
        forgetEnded(all);
        return new Build(all.resolve(name(maven)), maven);
    }

    /** Process ids are reused, so the name includes the start time of the process. */
    private static String name(ProcessHandle maven) {
        long started =
                maven.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
        return maven.pid() + "-" + started;
    }

    /** Deletes the folders of builds that have ended. */
    private static void forgetEnded(Path all) {
        if (!Files.isDirectory(all)) {
            return;
        }
        try (Stream<Path> builds = Files.list(all)) {
            builds.filter(build -> !isRunning(build.getFileName().toString())).forEach(Build::forget);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + all, e);
        }
    }

    private static boolean isRunning(String name) {
        return ProcessHandle.allProcesses().map(Build::name).anyMatch(name::equals);
    }

    private static void forget(Path build) {
        new TemporaryFolder(build).delete();
    }

    /** Returns the nearest Java process above this one; there may be a shell in between. */
    private static Optional<ProcessHandle> javaAbove() {
        return Stream.iterate(
                        ProcessHandle.current().parent(),
                        Optional::isPresent,
                        above -> above.flatMap(ProcessHandle::parent))
                .flatMap(Optional::stream)
                .filter(process -> process.info().command().orElse("").endsWith("java"))
                .findFirst();
    }

    /**
     * Returns the value shared in the build under this name. If there is none, calls the maker and shares its result.
     * Only one JVM at a time calls its maker, and none does after one has returned. Must not be called concurrently in
     * one JVM with the same name.
     */
    String shared(String name, Function<ProcessHandle, String> maker) {
        try {
            Files.createDirectories(folder);
            Path file = folder.resolve(name);
            try (var channel = FileChannel.open(
                            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                String shared = read(channel);
                return shared.isEmpty() ? write(lock, maker.apply(maven)) : shared;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot share " + name + " in " + folder, e);
        }
    }

    private static String read(FileChannel channel) throws IOException {
        return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String write(FileLock lock, String value) throws IOException {
        ByteBuffer text = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
        while (text.hasRemaining()) {
            ((FileChannel) lock.acquiredBy()).write(text);
        }
        return value;
    }
}
