// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Databases on a server, or on the nodes of a cluster, that a whole Maven run shares; outside Maven, the JVM. Modules are tested in JVMs
 * of their own, perhaps at the same time: the first that needs the server starts it, and leaves its ports in a file. Thread-safe.
 */
final class SharedServers implements Engine.Source {
    /** The system property that names the folder with the files; not set if tests run outside Maven, such as in an IDE. */
    private static final String FOLDER = "seriatim.build.folder";

    private final Software software;
    private final Supplier<List<Server>> starter;
    private final Once<List<Database>> nodes = new Once<>(this::administrations);

    SharedServers(Software software) {
        this(software, () -> List.of(Server.start(software, Map.of())));
    }

    SharedServers(Software software, Supplier<List<Server>> starter) {
        this.software = software;
        this.starter = starter;
    }

    @Override
    public Optional<String> missing() {
        return software.missing();
    }

    @Override
    public List<Database> create(String name) {
        return Databases.create(name, nodes.get());
    }

    private List<Database> administrations() {
        String ports = Optional.ofNullable(System.getProperty(FOLDER))
                .flatMap(folder -> javaAbove().map(maven -> shared(Path.of(folder), maven)))
                .orElseGet(() -> ports(starter.get()));
        return Stream.of(ports.split(" ", -1))
                .map(port -> software.administration(Integer.parseInt(port)))
                .toList();
    }

    /** Returns the nearest Java process above this one, which is Maven's; there may be a shell in between. */
    private static Optional<ProcessHandle> javaAbove() {
        return Stream.iterate(
                        ProcessHandle.current().parent(),
                        Optional::isPresent,
                        above -> above.flatMap(ProcessHandle::parent))
                .flatMap(Optional::stream)
                .filter(process -> process.info().command().orElse("").endsWith("java"))
                .findFirst();
    }

    /** Returns the ports in the build's file. If it is empty, starts the servers first, while other JVMs wait. */
    private String shared(Path folder, ProcessHandle maven) {
        // Process ids are reused, so the name includes the start time of the process.
        Instant started = maven.info().startInstant().orElse(Instant.EPOCH);
        Path build = folder.resolve(maven.pid() + "-" + started.toEpochMilli());
        try {
            Files.createDirectories(build);
            try (var file = new RandomAccessFile(build.resolve(software.name()).toFile(), "rw")) {
                file.getChannel().lock();
                String shared = file.readLine();
                if (shared == null) {
                    List<Server> servers = starter.get();
                    servers.forEach(server -> server.leaveTo(maven));
                    shared = ports(servers);
                    file.writeBytes(shared);
                }
                return shared;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot share " + software.name() + " in " + build, e);
        }
    }

    private static String ports(List<Server> servers) {
        return servers.stream().map(server -> Integer.toString(server.port())).collect(Collectors.joining(" "));
    }
}
