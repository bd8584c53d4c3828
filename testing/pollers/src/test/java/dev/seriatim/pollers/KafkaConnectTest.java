// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import dev.seriatim.servers.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

/**
 * Kafka Connect's JDBC source in a worker of its own, with a broker: {@code SERIATIM_TEST_KAFKA_HOME} names the folder of a Kafka
 * distribution, in whose folder {@code plugins} are a connector, Aiven's or Confluent's, and the JDBC drivers.
 */
class KafkaConnectTest extends PollerContract {
    private static final String HOME = Objects.requireNonNullElse(System.getenv("SERIATIM_TEST_KAFKA_HOME"), "");

    private static final String CLUSTER = "c2VyaWF0aW0tcG9sbGVycw";

    private static final String BROKER = """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:%2$d
            listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
            log.dirs=%3$s
            offsets.topic.num.partitions=1
            offsets.topic.replication.factor=1
            group.initial.rebalance.delay.ms=0
            """;

    private static final String WORKER = """
            bootstrap.servers=127.0.0.1:%1$d
            listeners=http://127.0.0.1:%2$d
            plugin.path=%3$s/plugins
            key.converter=org.apache.kafka.connect.storage.StringConverter
            value.converter=org.apache.kafka.connect.json.JsonConverter
            value.converter.schemas.enable=false
            offset.storage.file.filename=%4$s/offsets
            offset.flush.interval.ms=1000
            """;

    private static final String SOURCE = """
            name=orders
            connector.class=JdbcSourceConnector
            connection.url=%s
            connection.user=%s
            connection.password=%s
            mode=incrementing
            incrementing.column.name=%s
            table.whitelist=%s
            table.types=%s
            catalog.pattern=%s
            validate.non.null=false
            poll.interval.ms=50
            topic.prefix=feeds-
            """;

    @Override
    Poller start(Source source, Polled polled) throws Exception {
        Assumptions.assumeFalse(HOME.isEmpty(), "SERIATIM_TEST_KAFKA_HOME is not set");
        int port = freePort();
        Path settings = write("broker", BROKER.formatted(port, freePort(), folder.resolve("data")));
        try (var format =
                java("format", "kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", settings.toString())) {
            format.await();
        }
        ForeignProgram broker = java("broker", "kafka.Kafka", settings.toString());
        while (!listens(port)) {
            broker.check();
            Thread.sleep(50);
        }

        Database database = source.database();
        ForeignProgram worker = java(
                "worker",
                "org.apache.kafka.connect.cli.ConnectStandalone",
                write("worker", WORKER.formatted(port, freePort(), HOME, folder))
                        .toString(),
                write(
                                "source",
                                SOURCE.formatted(
                                        database.location(),
                                        database.user(),
                                        database.password(),
                                        source.column(),
                                        source.table(),
                                        source.view() ? "VIEW" : "TABLE",
                                        database.name()))
                        .toString());
        ForeignProgram consumer = java(
                "consumer",
                "org.apache.kafka.tools.consumer.ConsoleConsumer",
                "--bootstrap-server",
                "127.0.0.1:" + port,
                "--topic",
                "feeds-" + source.table(),
                "--from-beginning");
        consumer.reading(consumer.output(), polled::json);
        return new Poller() {
            @Override
            public void check() throws InterruptedException {
                worker.check();
                consumer.check();
            }

            @Override
            public String toString() {
                return worker + "\n" + consumer;
            }

            @Override
            public void close() {
                consumer.close();
                worker.close();
                broker.close();
            }
        };
    }

    private ForeignProgram java(String name, String mainClass, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-cp", HOME + "/libs/*", mainClass));
        command.addAll(List.of(arguments));
        return new ForeignProgram(folder, name, command, Map.of());
    }

    private Path write(String name, String settings) throws IOException {
        return Files.writeString(folder.resolve(name + ".properties"), settings);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
