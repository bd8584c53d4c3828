// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * A conversation in PostgreSQL's protocol, version 3. A round is a simple query, or all messages of the client up to a Sync. The
 * server's answer ends with ReadyForQuery, which says whether a transaction is open.
 */
final class PostgresqlWire extends Wire {

    private static final int LENGTH_OF_LENGTH = 4;
    private static final int TYPED_HEADER = 5;
    private static final int STARTUP_HEADER = 8;
    private static final int LONGEST_STARTUP = 10_000;

    private static final int VERSION_3 = 3;
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;

    private static final int NO_TRANSACTION = 'I';

    private final Frames fromClient = new Client();
    private final Frames fromServer = new Server();

    private final Map<String, StatementEffect> statements = new HashMap<>();
    private final Map<String, StatementEffect> portals = new HashMap<>();

    /** The rounds whose answers are not complete. */
    private final Deque<Round> requests = new ArrayDeque<>();

    private Round building = new Round();

    private boolean started;
    private boolean asksForEncryption;
    private int status = NO_TRANSACTION;

    /** The requests between two ReadyForQuery, and their answers so far. */
    private static final class Round {
        boolean begins;
        boolean writes;
        boolean committed;
        boolean failed;

        void add(StatementEffect effect) {
            begins |= effect == StatementEffect.BEGINS;
            writes |= effect == StatementEffect.WRITES;
        }
    }

    @Override
    void asked(ByteBuffer bytes) {
        fromClient.read(bytes);
    }

    @Override
    void answered(ByteBuffer bytes) {
        if (asksForEncryption && bytes.hasRemaining()) {
            asksForEncryption = false;
            // One byte: after anything but N, the connection is encrypted.
            readable &= bytes.get() == 'N';
        }
        if (readable) {
            fromServer.read(bytes);
        }
    }

    private static int int32(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }

    private void roundIsComplete() {
        requests.add(building);
        building = new Round();
    }

    private void readyForQuery(int statusNow) {
        Round round = requests.poll();
        if (round != null) {
            answers++;
            boolean itself = status == NO_TRANSACTION && statusNow == NO_TRANSACTION && round.writes && !round.begins;
            if (!round.failed && ((round.committed && (wrote || round.writes)) || itself)) {
                commits++;
            }
            wrote = statusNow != NO_TRANSACTION && (wrote || round.writes);
        }
        status = statusNow;
    }

    private final class Client extends Frames {

        Client() {
            super(OF_STATEMENTS);
        }

        @Override
        int headerLength() {
            return started ? TYPED_HEADER : STARTUP_HEADER;
        }

        @Override
        long bodyLength(byte[] header) {
            int length = int32(header, started ? 1 : 0) - (started ? LENGTH_OF_LENGTH : STARTUP_HEADER);
            readable &= length >= 0 && (started || length <= LONGEST_STARTUP);
            return readable ? length : -1;
        }

        @Override
        void message(byte[] header) {
            if (!started) {
                int code = int32(header, LENGTH_OF_LENGTH);
                asksForEncryption = code == SSL_REQUEST || code == GSS_REQUEST;
                started = code >>> 16 == VERSION_3;
                return;
            }
            switch (header[0]) {
                case 'Q' -> {
                    // A semicolon in a string yields a false statement, which does no harm: the answer decides.
                    for (String statement : text(0).split(";", -1)) {
                        building.add(StatementEffect.of(statement));
                    }
                    roundIsComplete();
                }
                case 'P' -> {
                    String statement = text(0);
                    statements.put(statement, StatementEffect.of(text(statement.length() + 1)));
                }
                case 'B' -> {
                    String portal = text(0);
                    portals.put(portal, statements.getOrDefault(text(portal.length() + 1), StatementEffect.READS));
                }
                case 'E' -> building.add(portals.getOrDefault(text(0), StatementEffect.READS));
                case 'C' -> (at(0) == 'S' ? statements : portals).remove(text(1));
                case 'F' -> {
                    building.add(StatementEffect.WRITES);
                    roundIsComplete();
                }
                case 'S' -> roundIsComplete();
                default -> {}
            }
        }
    }

    private final class Server extends Frames {

        Server() {
            super(OF_ANSWERS);
        }

        @Override
        int headerLength() {
            return TYPED_HEADER;
        }

        @Override
        long bodyLength(byte[] header) {
            int length = int32(header, 1) - LENGTH_OF_LENGTH;
            readable &= length >= 0;
            return length;
        }

        @Override
        void message(byte[] header) {
            Round round = requests.peek();
            if (header[0] == 'Z') {
                readyForQuery(at(0));
            } else if (round != null && header[0] == 'C') {
                round.committed |= text(0).equals("COMMIT");
            } else if (round != null && header[0] == 'E') {
                round.failed = true;
            }
        }
    }
}
