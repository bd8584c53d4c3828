// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseAdminClient;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.InstanceConfigId;
import com.google.cloud.spanner.InstanceId;
import com.google.cloud.spanner.InstanceInfo;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.protobuf.ByteString;
import com.google.spanner.v1.BeginTransactionRequest;
import com.google.spanner.v1.ListSessionsRequest;
import com.google.spanner.v1.RollbackRequest;
import com.google.spanner.v1.Session;
import com.google.spanner.v1.SpannerGrpc;
import com.google.spanner.v1.TransactionOptions;
import com.google.spanner.v1.TransactionOptions.ReadWrite;
import dev.seriatim.servers.SpannerEmulator;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A new, empty database on a Spanner emulator: one per test, because the emulator runs one transaction per database at
 * a time.
 */
final class EmulatorDatabase {

    static final String PROJECT = "seriatim";

    static final String DRAWS = "draws from the emulator's own sequences";

    private static String other = "";

    /** Below the emulator's limit. */
    private static final int DATABASES_PER_INSTANCE = 50;

    private static final AtomicInteger NEXT = new AtomicInteger(1);

    private final String address;
    private final Spanner spanner;
    private final DatabaseId id;
    private final Place place;

    private EmulatorDatabase(String address, Spanner spanner, DatabaseId id, Place place) {
        this.address = address;
        this.spanner = spanner;
        this.id = id;
        this.place = place;
    }

    /** Creates a database on the JVM's shared emulator. */
    static EmulatorDatabase create(String... statements) {
        return on(SpannerEmulator.shared(), statements);
    }

    /** Creates a database with PostgreSQL's dialect on the JVM's shared emulator. */
    static EmulatorDatabase postgres(String... statements) {
        return on(SpannerEmulator.shared(), Dialect.POSTGRESQL, statements);
    }

    /** Creates a database on the JVM's shared emulator, whose stores keep their sequences at this place. */
    static EmulatorDatabase at(Place place, String... statements) {
        return on(SpannerEmulator.shared(), place, statements);
    }

    /**
     * Creates a database from whose own sequences a test draws: in PostgreSQL's dialect on another emulator, since the emulator
     * fails such draws beside other calls. Tests that share it have the lock {@link #DRAWS}.
     */
    static EmulatorDatabase drawing(Place place, String... statements) {
        return on(place.isGoogle() ? SpannerEmulator.shared() : other(), place, statements);
    }

    private static synchronized String other() {
        if (other.isEmpty()) {
            other = SpannerEmulator.start().address();
        }
        return other;
    }

    static EmulatorDatabase on(String address, String... statements) {
        return on(address, Place.GOOGLE, statements);
    }

    static EmulatorDatabase on(String address, Dialect dialect, String... statements) {
        return on(address, dialect == Dialect.POSTGRESQL ? Place.POSTGRES : Place.GOOGLE, statements);
    }

    static EmulatorDatabase on(String address, Place place, String... statements) {
        int number = NEXT.getAndIncrement();
        String instance = "tests-" + ProcessHandle.current().pid() + "-" + number / DATABASES_PER_INSTANCE;
        return created(address, DatabaseId.of(PROJECT, instance, "t-" + number), place, statements);
    }

    /** Creates a database with a given name on the JVM's shared emulator. */
    static EmulatorDatabase named(String project, String instance, String database) {
        return created(SpannerEmulator.shared(), DatabaseId.of(project, instance, database), Place.GOOGLE);
    }

    private static EmulatorDatabase created(String address, DatabaseId id, Place place, String... statements) {
        String project = id.getInstanceId().getProject();
        Spanner spanner = Clients.to(address, project);
        try {
            createInstance(spanner, id.getInstanceId());
            DatabaseAdminClient administration = spanner.getDatabaseAdminClient();
            // In PostgreSQL's dialect, a database is created without statements.
            administration
                    .createDatabase(
                            administration
                                    .newDatabaseBuilder(id)
                                    .setDialect(place.dialect())
                                    .build(),
                            List.of())
                    .get();
            EmulatorDatabase database = new EmulatorDatabase(address, spanner, id, place);
            if (place.hasSchema()) {
                database.change("CREATE SCHEMA acme");
            }
            if (statements.length > 0) {
                database.change(statements);
            }
            return database;
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("no database on the emulator", e);
        }
    }

    /** Changes the schema. */
    void change(String... statements) throws InterruptedException, ExecutionException {
        spanner.getDatabaseAdminClient()
                .updateDatabaseDdl(id.getInstanceId().getInstance(), id.getDatabase(), List.of(statements), null)
                .get();
    }

    private static void createInstance(Spanner spanner, InstanceId id) throws InterruptedException {
        try {
            spanner.getInstanceAdminClient()
                    .createInstance(InstanceInfo.newBuilder(id)
                            .setDisplayName("tests")
                            .setInstanceConfigId(InstanceConfigId.of(id.getProject(), "emulator-config"))
                            .setNodeCount(1)
                            .build())
                    .get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof SpannerException cause)
                    || !String.valueOf(cause.getMessage()).contains("ALREADY_EXISTS")) {
                throw new IllegalStateException("no instance on the emulator", e);
            }
        }
    }

    /** Returns the database's store URL, with further options, and its table unless they name another. */
    String url(String... options) {
        boolean named = !place.hasSchema()
                || Stream.of(options)
                        .anyMatch(option -> option.startsWith("table=") || option.equals("sequences=native"));
        return named
                ? plainUrl(options)
                : plainUrl(Stream.concat(Stream.of("table=" + place.table().table()), Stream.of(options))
                        .toArray(String[]::new));
    }

    /** Returns the URL without a table. */
    String plainUrl(String... options) {
        return "spanner:" + id.getName() + "?emulator=" + address
                + (options.length == 0 ? "" : "&" + String.join("&", options));
    }

    OpenStore open(String... options) {
        return StoreDriver.open(url(options));
    }

    /** Returns a store over the tests' client. */
    SpannerStore storeOfClient() {
        return storeOf(spanner);
    }

    /** Returns a store over a client. */
    SpannerStore storeOf(Spanner client) {
        return SpannerStore.open(client, id, place.table());
    }

    SpannerStore store(String... options) {
        return (SpannerStore) open(options);
    }

    Spanner spanner() {
        return spanner;
    }

    /** Returns the emulator's address, {@code host:port}. */
    String address() {
        return address;
    }

    DatabaseId id() {
        return id;
    }

    DatabaseClient client() {
        return spanner.getDatabaseClient(id);
    }

    /** Returns the integers in the first column of the result. */
    List<Long> numbers(String query) {
        List<Long> numbers = new ArrayList<>();
        try (ResultSet rows = client().singleUse().executeQuery(Statement.of(query))) {
            while (rows.next()) {
                numbers.add(rows.getLong(0));
            }
        }
        return numbers;
    }

    void execute(String... statements) {
        client().readWriteTransaction().run(transaction -> {
            for (String statement : statements) {
                transaction.executeUpdate(Statement.of(statement));
            }
            return null;
        });
    }

    /** The JVM's clients, one per emulator and project: each has its own threads and channels. */
    private static final class Clients {
        private static final Map<String, Spanner> KEPT = new ConcurrentHashMap<>();

        static Spanner to(String address, String project) {
            return KEPT.computeIfAbsent(
                    project + "@" + address, both -> Client.to(project, Optional.of(address), Duration.ofSeconds(10)));
        }
    }

    /** Begins a later transaction on each session, as a repeated request does that arrives late. */
    void endTransactions() {
        ManagedChannel channel =
                ManagedChannelBuilder.forTarget(address).usePlaintext().build();
        try {
            SpannerGrpc.SpannerBlockingStub server = SpannerGrpc.newBlockingStub(channel);
            var sessions = server.listSessions(
                    ListSessionsRequest.newBuilder().setDatabase(id.getName()).build());
            for (Session session : sessions.getSessionsList()) {
                ByteString later = server.beginTransaction(BeginTransactionRequest.newBuilder()
                                .setSession(session.getName())
                                .setOptions(
                                        TransactionOptions.newBuilder().setReadWrite(ReadWrite.getDefaultInstance()))
                                .build())
                        .getId();
                server.rollback(RollbackRequest.newBuilder()
                        .setSession(session.getName())
                        .setTransactionId(later)
                        .build());
            }
        } finally {
            channel.shutdownNow();
        }
    }
}
