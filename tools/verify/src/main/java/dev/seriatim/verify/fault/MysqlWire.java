// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * A conversation in the protocol of MySQL and MariaDB. Each command of the client begins with a packet of the number 0. The
 * server answers in the same order; an answer ends with the state of the transaction.
 */
final class MysqlWire extends Wire {

    private static final int HEADER = 4;

    /** A packet of this length is continued by the next one. */
    private static final int CONTINUED = 0xffffff;

    private static final int LAST_PREPARED = -1;

    /** Compression, TLS, and compression with zstd. */
    private static final int UNREADABLE = 1 << 5 | 1 << 11 | 1 << 26;

    private static final int CLIENT_DEPRECATE_EOF = 1 << 24;
    private static final int CLIENT_QUERY_ATTRIBUTES = 1 << 27;

    private static final int OK = 0x00;
    private static final int LOCAL_INFILE = 0xfb;
    private static final int EOF = 0xfe;
    private static final int ERROR = 0xff;
    private static final int LONGEST_EOF = 8;

    private static final int IN_TRANSACTION = 1;
    private static final int MORE_RESULTS = 1 << 3;
    private static final int CURSOR_EXISTS = 1 << 6;

    private final Frames fromClient = new Client();
    private final Frames fromServer = new Server();

    /** The commands whose answers are not complete. */
    private final Deque<Command> requests = new ArrayDeque<>();

    private final Map<Integer, StatementEffect> statements = new HashMap<>();

    private boolean loggedIn;
    private boolean deprecatesEof;
    private boolean hasAttributes;
    private int status;

    private enum Form {
        ONE_PACKET,
        PREPARED,
        RESULTS,
        ROWS
    }

    private static final class Command {
        final Form form;
        final StatementEffect effect;
        boolean begun;
        boolean failed;

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

    private abstract class Side extends Frames {
        private boolean continues;

        Side(int keep) {
            super(keep);
        }

        @Override
        int headerLength() {
            return HEADER;
        }

        @Override
        long bodyLength(byte[] header) {
            return readable ? (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16 : -1;
        }

        @Override
        void message(byte[] header) {
            boolean first = !continues;
            continues = length() == CONTINUED;
            if (first) {
                packet(header[HEADER - 1]);
            }
        }

        abstract void packet(int number);

        final int int16(int at) {
            return at(at) | at(at + 1) << 8;
        }

        final int int32(int at) {
            return int16(at) | int16(at + 2) << 16;
        }
    }

    private final class Client extends Side {

        Client() {
            super(OF_STATEMENTS);
        }

        @Override
        void packet(int number) {
            if (number == 0) {
                loggedIn = true;
                command();
            } else if (!loggedIn && number == 1) {
                int capabilities = int32(0);
                deprecatesEof = (capabilities & CLIENT_DEPRECATE_EOF) != 0;
                hasAttributes = (capabilities & CLIENT_QUERY_ATTRIBUTES) != 0;
                readable = (capabilities & UNREADABLE) == 0;
            }
        }

        private void command() {
            switch (at(0)) {
                case 0x01, 0x18 -> {} // COM_QUIT and COM_STMT_SEND_LONG_DATA have no answer
                case 0x03 -> // COM_QUERY: the text follows the attributes, of which JDBC drivers send none
                    requests.add(new Command(Form.RESULTS, StatementEffect.of(text(hasAttributes ? 3 : 1))));
                case 0x16 -> { // COM_STMT_PREPARE
                    StatementEffect effect = StatementEffect.of(text(1));
                    statements.put(LAST_PREPARED, effect);
                    requests.add(new Command(Form.PREPARED, effect));
                }
                case 0x17, 0xfa -> // COM_STMT_EXECUTE, COM_STMT_BULK_EXECUTE
                    requests.add(new Command(Form.RESULTS, statements.getOrDefault(int32(1), StatementEffect.READS)));
                case 0x19 -> statements.remove(int32(1)); // COM_STMT_CLOSE
                case 0x1c -> requests.add(new Command(Form.ROWS, StatementEffect.READS)); // COM_STMT_FETCH
                case 0x1f -> { // COM_RESET_CONNECTION
                    statements.clear();
                    requests.add(new Command(Form.ONE_PACKET, StatementEffect.READS));
                }
                default -> // others of JDBC drivers, such as a ping
                    requests.add(new Command(Form.ONE_PACKET, StatementEffect.READS));
            }
        }
    }

    private final class Server extends Side {

        Server() {
            super(OF_ANSWERS);
        }

        @Override
        void packet(int number) {
            Command command = requests.peek();
            if (command == null) {
                return;
            }
            if (command.form == Form.PREPARED) {
                described(command);
            } else if (command.begun) {
                row(command);
            } else {
                firstPacket(command);
            }
        }

        private void described(Command command) {
            if (command.begun) {
                command.left--;
            } else if (at(0) == OK) {
                statements.put(int32(1), command.effect);
                command.left = parts(int16(5)) + parts(int16(7));
            }
            command.begun = true;
            if (command.left == 0) {
                requests.remove();
                answers++;
            }
        }

        /** Returns the number of packets that describe columns. */
        private int parts(int columns) {
            return columns == 0 || deprecatesEof ? columns : columns + 1;
        }

        private void firstPacket(Command command) {
            switch (at(0)) {
                case OK -> ended(command, okStatus());
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

        private void row(Command command) {
            if (at(0) == ERROR) {
                failed(command);
            } else if (at(0) == EOF && length() <= (deprecatesEof ? CONTINUED - 1 : LONGEST_EOF)) {
                int now = deprecatesEof ? okStatus() : int16(3);
                command.left--;
                if (command.left == 0 || (now & CURSOR_EXISTS) != 0) {
                    command.begun = false;
                    ended(command, now);
                }
            }
        }

        /** Returns the state after the number of rows and the last identifier, whose length varies. */
        private int okStatus() {
            int at = 1;
            for (int number = 0; number < 2; number++) {
                at += switch (at(at)) {
                    case 0xfc -> 3;
                    case 0xfd -> 4;
                    case 0xfe -> 9;
                    default -> 1;
                };
            }
            return int16(at);
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
