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
 * The run of Maven that this JVM's tests are part of. Each of its modules is tested in a JVM of its own, and what takes long to
 * start is started once for all of them: by the first JVM that needs it, which tells the others where it is.
 *
 * @param folder where the JVMs tell each other
 * @param maven the process that outlives them all
 */
record Build(Path folder, ProcessHandle maven) {

    /** The folder, as the build names it; not set where tests are run by something else, such as a development environment. */
    private static final String FOLDER = "seriatim.build.folder";

    private static final Optional<Build> CURRENT = Optional.ofNullable(System.getProperty(FOLDER))
            .flatMap(folder -> javaAbove().map(maven -> of(folder, maven)));

    /** Empty where the tests are no part of a build: then nothing is shared. */
    static Optional<Build> current() {
        return CURRENT;
    }

    private static Build of(String folder, ProcessHandle maven) {
        Path all = Path.of(folder);
        forgetEnded(all);
        return new Build(all.resolve(name(maven)), maven);
    }

    /** Process ids come again, so it says also when the process began. */
    private static String name(ProcessHandle maven) {
        long started =
                maven.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
        return maven.pid() + "-" + started;
    }

    /** Deletes what was told in builds that have ended. */
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

    /** The nearest Java above this one; between them may be a shell. */
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
     * What is known by this name in the build: as another JVM has told, or as the maker says, which is called by one JVM at a
     * time, and by no other once it has said something. Not to be called twice at a time in one JVM with the same name.
     */
    String shared(String name, Function<ProcessHandle, String> maker) {
        try {
            Files.createDirectories(folder);
            Path file = folder.resolve(name);
            try (var channel = FileChannel.open(
                            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                String told = read(channel);
                return told.isEmpty() ? tell(lock, maker.apply(maven)) : told;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot share " + name + " in " + folder, e);
        }
    }

    private static String read(FileChannel channel) throws IOException {
        return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String tell(FileLock lock, String what) throws IOException {
        ByteBuffer text = ByteBuffer.wrap(what.getBytes(StandardCharsets.UTF_8));
        while (text.hasRemaining()) {
            ((FileChannel) lock.acquiredBy()).write(text);
        }
        return what;
    }
}
