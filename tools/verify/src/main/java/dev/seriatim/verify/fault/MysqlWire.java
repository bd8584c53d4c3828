// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * A conversation in the protocol of MySQL and MariaDB. Each command of the client begins with a packet of the number 0. The
 * server answers in the same order; an answer ends with the state of the transaction.
 */
final class MysqlWire extends Wire<MysqlWire.Command> {

    /** Enough of a statement to classify it. */
    private static final int KEEP = 8 * 1024;

    private static final int KEEP_OF_ANSWERS = 64;
    private static final int HEADER = 4;

    /** A packet of this length is continued by the next one. */
    private static final int CONTINUED = 0xffffff;

    private static final int COM_QUIT = 0x01;
    private static final int COM_INIT_DB = 0x02;
    private static final int COM_QUERY = 0x03;
    private static final int COM_STATISTICS = 0x09;
    private static final int COM_PROCESS_KILL = 0x0c;
    private static final int COM_PING = 0x0e;
    private static final int COM_STMT_PREPARE = 0x16;
    private static final int COM_STMT_EXECUTE = 0x17;
    private static final int COM_STMT_SEND_LONG_DATA = 0x18;
    private static final int COM_STMT_CLOSE = 0x19;
    private static final int COM_STMT_RESET = 0x1a;
    private static final int COM_SET_OPTION = 0x1b;
    private static final int COM_STMT_FETCH = 0x1c;
    private static final int COM_RESET_CONNECTION = 0x1f;
    private static final int COM_STMT_BULK_EXECUTE = 0xfa;

    private static final int LAST_PREPARED = -1;

    private static final int CLIENT_COMPRESS = 1 << 5;
    private static final int CLIENT_SSL = 1 << 11;
    private static final int CLIENT_DEPRECATE_EOF = 1 << 24;
    private static final int CLIENT_ZSTD = 1 << 26;
    private static final int CLIENT_QUERY_ATTRIBUTES = 1 << 27;

    private static final int OK = 0x00;
    private static final int LOCAL_INFILE = 0xfb;
    private static final int EOF = 0xfe;
    private static final int ERROR = 0xff;
    private static final int LONGEST_EOF = 8;

    private static final int IN_TRANSACTION = 1;
    private static final int AUTOCOMMIT = 1 << 1;
    private static final int MORE_RESULTS = 1 << 3;
    private static final int CURSOR_EXISTS = 1 << 6;

    private final Frames fromClient = new Frames(new Client(), KEEP);
    private final Frames fromServer = new Frames(new Server(), KEEP_OF_ANSWERS);

    private final Map<Integer, StatementEffect> statements = new HashMap<>();
    private StatementEffect lastPrepared = StatementEffect.READS;

    private boolean loggedIn;
    private boolean deprecatesEof;
    private boolean hasAttributes;
    private int status = AUTOCOMMIT;

    /** The form of an answer. */
    enum Form {
        ONE_PACKET,
        PREPARED,
        RESULTS,
        ROWS
    }

    /** A command, and the state of its answer. */
    static final class Command extends Wire.Request {
        final Form form;
        final StatementEffect effect;
        boolean begun;

        /** The packets of a prepared statement's description, or the ends of a result's parts, that are still missing. */
        int left;

        Command(Form form, StatementEffect effect) {
            this.form = form;
            this.effect = effect;
            this.left = form == Form.ROWS ? 1 : 0;
            this.begun = form == Form.ROWS;
        }
    }

    @Override
    void asked(ByteBuffer bytes) {
        fromClient.read(bytes);
    }

    @Override
    void answered(ByteBuffer bytes) {
        fromServer.read(bytes);
    }

    private static int int32(Frames.Body body, int at) {
        return body.at(at) | body.at(at + 1) << 8 | body.at(at + 2) << 16 | body.at(at + 3) << 24;
    }

    private static int int16(Frames.Body body, int at) {
        return body.at(at) | body.at(at + 1) << 8;
    }

    private void add(Form form, StatementEffect effect) {
        Command command = new Command(form, effect);
        boolean alone = (status & AUTOCOMMIT) != 0 && (status & IN_TRANSACTION) == 0;
        command.isCandidate =
                (effect == StatementEffect.COMMITS && wrote) || (effect == StatementEffect.WRITES && alone);
        requests.add(command);
    }

    /** The packets of one side. */
    private abstract class Side implements Frames.Protocol {
        private boolean continues;

        @Override
        public int headerLength() {
            return HEADER;
        }

        @Override
        public long bodyLength(byte[] header) {
            return readable ? (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16 : -1;
        }

        @Override
        public void message(byte[] header, Frames.Body body) {
            boolean first = !continues;
            continues = body.length() == CONTINUED;
            if (first) {
                message(header[HEADER - 1], body);
            }
        }

        abstract void message(int number, Frames.Body body);
    }

    private final class Client extends Side {

        @Override
        void message(int number, Frames.Body body) {
            if (number == 0) {
                loggedIn = true;
                command(body);
            } else if (!loggedIn && number == 1) {
                int capabilities = int32(body, 0);
                deprecatesEof = (capabilities & CLIENT_DEPRECATE_EOF) != 0;
                hasAttributes = (capabilities & CLIENT_QUERY_ATTRIBUTES) != 0;
                readable = (capabilities & (CLIENT_COMPRESS | CLIENT_SSL | CLIENT_ZSTD)) == 0;
            }
        }

        private void command(Frames.Body body) {
            switch (body.at(0)) {
                case COM_QUERY -> add(Form.RESULTS, query(body));
                case COM_STMT_PREPARE -> {
                    lastPrepared = StatementEffect.of(body.text(1, body.kept() - 1));
                    requests.add(new Command(Form.PREPARED, lastPrepared));
                }
                case COM_STMT_EXECUTE, COM_STMT_BULK_EXECUTE -> {
                    int id = int32(body, 1);
                    add(
                            Form.RESULTS,
                            id == LAST_PREPARED ? lastPrepared : statements.getOrDefault(id, StatementEffect.READS));
                }
                case COM_STMT_FETCH -> add(Form.ROWS, StatementEffect.READS);
                case COM_STMT_CLOSE -> statements.remove(int32(body, 1));
                case COM_QUIT, COM_STMT_SEND_LONG_DATA -> {}
                case COM_RESET_CONNECTION -> {
                    statements.clear();
                    add(Form.ONE_PACKET, StatementEffect.ROLLS_BACK);
                }
                case COM_PING, COM_INIT_DB, COM_STATISTICS, COM_PROCESS_KILL, COM_STMT_RESET, COM_SET_OPTION ->
                    add(Form.ONE_PACKET, StatementEffect.READS);
                default -> readable = false;
            }
        }

        /** Returns the effect of a query. Its text follows its attributes, of which JDBC drivers send none. */
        private StatementEffect query(Frames.Body body) {
            int from = hasAttributes ? 3 : 1;
            boolean isAttributed = hasAttributes && body.at(1) != 0;
            return isAttributed || body.kept() < from
                    ? StatementEffect.WRITES
                    : StatementEffect.of(body.text(from, body.kept() - from));
        }
    }

    private final class Server extends Side {

        @Override
        void message(int number, Frames.Body body) {
            Command command = requests.peek();
            if (command == null) {
                return;
            }
            if (command.form == Form.PREPARED) {
                described(command, body);
            } else if (command.begun) {
                row(command, body);
            } else {
                firstPacket(command, body);
            }
        }

        private void described(Command command, Frames.Body body) {
            if (!command.begun) {
                command.begun = true;
                if (body.at(0) == OK) {
                    statements.put(int32(body, 1), command.effect);
                    command.left = parts(int16(body, 5)) + parts(int16(body, 7));
                }
            } else {
                command.left--;
            }
            if (command.left == 0) {
                requests.remove();
            }
        }

        /** Returns how many packets describe a number of columns. */
        private int parts(int columns) {
            return columns == 0 || deprecatesEof ? columns : columns + 1;
        }

        private void firstPacket(Command command, Frames.Body body) {
            switch (body.at(0)) {
                case OK -> ended(command, okStatus(body));
                case ERROR -> failed(command);
                case LOCAL_INFILE -> readable = false;
                default -> {
                    if (command.form == Form.ONE_PACKET) {
                        ended(command, status);
                    } else {
                        command.begun = true;
                        command.left = deprecatesEof ? 1 : 2;
                    }
                }
            }
        }

        private void row(Command command, Frames.Body body) {
            if (body.at(0) == ERROR) {
                failed(command);
            } else if (body.at(0) == EOF && body.length() <= (deprecatesEof ? CONTINUED - 1 : LONGEST_EOF)) {
                int now = deprecatesEof ? okStatus(body) : int16(body, 3);
                command.left--;
                if (command.left == 0 || (now & CURSOR_EXISTS) != 0) {
                    command.begun = false;
                    ended(command, now);
                }
            }
        }

        /** Returns the state after the number of rows and the last identifier, whose length varies. */
        private int okStatus(Frames.Body body) {
            int at = 1;
            for (int number = 0; number < 2; number++) {
                at += switch (body.at(at)) {
                    case 0xfc -> 3;
                    case 0xfd -> 4;
                    case 0xfe -> 9;
                    default -> 1;
                };
            }
            return int16(body, at);
        }

        private void failed(Command command) {
            command.failed = true;
            ended(command, status & ~MORE_RESULTS);
        }

        private void ended(Command command, int now) {
            if ((now & MORE_RESULTS) != 0) {
                return;
            }
            requests.remove();
            answers++;
            boolean isOpen = (now & IN_TRANSACTION) != 0;
            boolean writes = command.effect == StatementEffect.WRITES;
            boolean commit = writes || (command.effect == StatementEffect.COMMITS && wrote);
            if (!command.failed && !isOpen && commit) {
                commits++;
            }
            wrote = isOpen && (wrote || (writes && !command.failed));
            status = now;
        }
    }
}
