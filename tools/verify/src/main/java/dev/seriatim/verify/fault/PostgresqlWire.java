// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * A conversation in PostgreSQL's protocol, version 3. A round is a simple query, or all messages of the client up to a Sync. The
 * server's answer ends with ReadyForQuery, which says whether a transaction is open.
 */
final class PostgresqlWire extends Wire<PostgresqlWire.Round> {

    /** Enough of a statement to classify it. */
    private static final int KEEP = 8 * 1024;

    private static final int KEEP_OF_ANSWERS = 64;

    private static final int LENGTH_OF_LENGTH = 4;
    private static final int TYPED_HEADER = 5;
    private static final int STARTUP_HEADER = 8;
    private static final int LONGEST_STARTUP = 10_000;

    private static final int VERSION_3 = 3;
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;

    private static final int NO_TRANSACTION = 'I';

    private final Frames fromClient = new Frames(new Client(), KEEP);
    private final Frames fromServer = new Frames(new Server(), KEEP_OF_ANSWERS);

    private final Map<String, StatementEffect> statements = new HashMap<>();
    private final Map<String, StatementEffect> portals = new HashMap<>();
    private Round building = new Round();

    private boolean started;
    private boolean asksForEncryption;
    private int status = NO_TRANSACTION;

    /** The requests between two ReadyForQuery, and their answers so far. */
    static final class Round extends Wire.Request {
        boolean begins;
        boolean commits;
        boolean rollsBack;
        boolean writes;
        boolean committed;

        void add(StatementEffect effect) {
            begins |= effect == StatementEffect.BEGINS;
            commits |= effect == StatementEffect.COMMITS;
            rollsBack |= effect == StatementEffect.ROLLS_BACK;
            writes |= effect == StatementEffect.WRITES;
        }

        boolean ends() {
            return commits || rollsBack;
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
        boolean ends = building.commits && (willHaveWritten() || building.writes);
        boolean commitsItself = building.writes && !building.begins && !willBeOpen();
        building.isCandidate = ends || commitsItself;
        requests.add(building);
        building = new Round();
    }

    /** Returns whether a transaction will be open when the server reads the current request, if those before it succeed. */
    private boolean willBeOpen() {
        boolean open = status != NO_TRANSACTION;
        for (Round round : requests) {
            open = !round.ends() && (open || round.begins);
        }
        return open;
    }

    private boolean willHaveWritten() {
        boolean written = wrote;
        for (Round round : requests) {
            written = !round.ends() && (written || round.writes);
        }
        return written;
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

    private final class Client implements Frames.Protocol {
        @Override
        public int headerLength() {
            return started ? TYPED_HEADER : STARTUP_HEADER;
        }

        @Override
        public long bodyLength(byte[] header) {
            int length = int32(header, started ? 1 : 0);
            boolean possible =
                    started ? length >= LENGTH_OF_LENGTH : length >= STARTUP_HEADER && length <= LONGEST_STARTUP;
            readable &= possible;
            return possible ? (started ? length - LENGTH_OF_LENGTH : length - STARTUP_HEADER) : -1;
        }

        @Override
        public void message(byte[] header, Frames.Body body) {
            if (!started) {
                int code = int32(header, LENGTH_OF_LENGTH);
                asksForEncryption = code == SSL_REQUEST || code == GSS_REQUEST;
                started = code >>> 16 == VERSION_3;
                return;
            }
            switch (header[0]) {
                case 'Q' -> {
                    // A semicolon in a string yields a false statement, which does no harm: the answer decides.
                    for (String statement : body.text(0, body.textLength(0)).split(";", -1)) {
                        building.add(StatementEffect.of(statement));
                    }
                    roundIsComplete();
                }
                case 'P' -> {
                    int name = body.textLength(0);
                    statements.put(
                            body.text(0, name), StatementEffect.of(body.text(name + 1, body.textLength(name + 1))));
                }
                case 'B' -> {
                    int portal = body.textLength(0);
                    String statement = body.text(portal + 1, body.textLength(portal + 1));
                    portals.put(body.text(0, portal), statements.getOrDefault(statement, StatementEffect.READS));
                }
                case 'E' -> building.add(portals.getOrDefault(body.text(0, body.textLength(0)), StatementEffect.READS));
                case 'C' -> {
                    Map<String, StatementEffect> closed = body.at(0) == 'S' ? statements : portals;
                    closed.remove(body.text(1, body.textLength(1)));
                }
                case 'F' -> {
                    building.add(StatementEffect.WRITES);
                    roundIsComplete();
                }
                case 'S' -> roundIsComplete();
                default -> {}
            }
        }
    }

    private final class Server implements Frames.Protocol {
        @Override
        public int headerLength() {
            return TYPED_HEADER;
        }

        @Override
        public long bodyLength(byte[] header) {
            int length = int32(header, 1) - LENGTH_OF_LENGTH;
            readable &= length >= 0;
            return length;
        }

        @Override
        public void message(byte[] header, Frames.Body body) {
            Round round = requests.peek();
            switch (header[0]) {
                case 'Z' -> readyForQuery(body.at(0));
                case 'C' -> {
                    if (round != null && body.text(0, body.textLength(0)).equals("COMMIT")) {
                        round.committed = true;
                    }
                }
                case 'E' -> {
                    if (round != null) {
                        round.failed = true;
                    }
                }
                default -> {}
            }
        }
    }
}
