// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations in pieces of any size, and those that cannot be followed. */
class WireTest {

    private static final class Script {
        private final Wire wire;
        private final int piece;

        Script(Wire wire, int piece) {
            this.wire = wire;
            this.piece = piece;
        }

        void asks(byte[]... messages) {
            feed(messages, true);
        }

        void answers(byte[]... messages) {
            feed(messages, false);
        }

        private void feed(byte[][] messages, boolean asked) {
            var all = new ByteArrayOutputStream();
            for (byte[] message : messages) {
                all.writeBytes(message);
            }
            byte[] bytes = all.toByteArray();
            for (int from = 0; from < bytes.length; from += piece) {
                ByteBuffer part = ByteBuffer.wrap(bytes, from, Math.min(piece, bytes.length - from));
                if (asked) {
                    wire.asked(part);
                } else {
                    wire.answered(part);
                }
            }
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] startup(int code, String body) {
        return ByteBuffer.allocate(8 + body.length())
                .putInt(8 + body.length())
                .putInt(code)
                .put(text(body))
                .array();
    }

    private static byte[] message(char type, String body) {
        return ByteBuffer.allocate(5 + body.length())
                .put((byte) type)
                .putInt(4 + body.length())
                .put(text(body))
                .array();
    }

    private static byte[] packet(int number, int... body) {
        ByteBuffer bytes = ByteBuffer.allocate(4 + body.length)
                .put((byte) body.length)
                .put((byte) (body.length >> 8))
                .put((byte) (body.length >> 16))
                .put((byte) number);
        for (int part : body) {
            bytes.put((byte) part);
        }
        return bytes.array();
    }

    private static byte[] command(int code, String text) {
        return packet(0, IntStream.concat(IntStream.of(code), text.chars()).toArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void postgresql(int piece) {
        PostgresqlWire wire = new PostgresqlWire();
        Script script = new Script(wire, piece);
        script.asks(startup(80877103, ""));
        script.answers(text("N"));
        script.asks(startup(3 << 16, "user\0me\0\0"));
        script.answers(message('R', "\0\0\0\0"), message('Z', "I"));
        assertThat(wire.answers).isZero();

        script.asks(message('Q', "begin\0"));
        script.asks(message('P', "u\0/* a number */ UPDATE c SET v = v + $1\0\0\0"), message('S', ""));
        script.asks(message('B', "\0u\0\0\0"), message('E', "\0\0\0\0\0"), message('S', ""));
        script.asks(message('Q', "COMMIT\0"));
        assertThat(wire.answers).isZero();
        script.answers(message('C', "BEGIN\0"), message('Z', "T"), message('1', ""), message('Z', "T"));
        script.answers(
                message('2', ""), message('D', "x".repeat(30_000)), message('C', "UPDATE 1\0"), message('Z', "T"));
        script.answers(message('C', "COMMIT\0"));
        assertThat(wire.answers).isEqualTo(3);
        assertThat(wire.commits).isZero();
        script.answers(message('Z', "I"));
        assertThat(wire.commits).isEqualTo(1);
        assertThat(wire.answers).isEqualTo(4);

        // Once more, prepared, in a transaction that the server rolls back instead.
        script.asks(message('Q', "BEGIN; UPDATE c SET v = 1/v\0"), message('Q', "commit;\0"));
        script.answers(message('E', "no"), message('Z', "E"), message('C', "ROLLBACK\0"), message('Z', "I"));
        assertThat(wire.commits).isEqualTo(1);
        script.asks(message('B', "\0u\0\0\0"), message('E', "\0\0\0\0\0"), message('S', ""));
        script.answers(message('C', "UPDATE 1\0"), message('Z', "I"));
        assertThat(wire.commits).isEqualTo(2);
        script.asks(message('Q', "BEGIN; INSERT INTO t VALUES (1); COMMIT;\0"));
        script.answers(
                message('C', "BEGIN\0"), message('C', "INSERT 0 1\0"), message('C', "COMMIT\0"), message('Z', "I"));
        assertThat(wire.commits).isEqualTo(3);
        assertThat(wire.readable).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void mysql(int piece) {
        MysqlWire wire = new MysqlWire();
        Script script = new Script(wire, piece);
        script.answers(packet(0, 10, '8', 0, 1, 2, 3, 4));
        script.asks(packet(1, 0, 0, 0, 0, 9, 9, 9, 9));
        script.answers(packet(2, 0, 0, 0, 2, 0, 0, 0));

        script.asks(command(0x03, "set autocommit=0"));
        script.answers(packet(1, 0, 0, 0, 0, 0, 0, 0));
        script.asks(command(0x16, "UPDATE c SET v = LAST_INSERT_ID(v + ?)"));
        // Statement 7, no columns, one parameter: its description and the end of the list.
        script.answers(
                packet(1, 0, 7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0),
                packet(2, 3, 'd', 'e', 'f'),
                packet(3, 0xfe, 0, 0, 0, 0));
        script.asks(packet(0, 0x17, 7, 0, 0, 0, 0, 1, 0, 0, 0));
        // 300 rows and the last identifier need three bytes each.
        script.answers(packet(1, 0, 0xfc, 44, 1, 0xfc, 44, 1, 1, 0, 0, 0));
        assertThat(wire.answers).isEqualTo(3);
        script.asks(command(0x03, "SELECT v FROM c"));
        script.answers(packet(1, 1), packet(2, 3, 'd', 'e', 'f'), packet(3, 0xfe, 0, 0, 1, 0), packet(4, 1, '5'));
        assertThat(wire.answers).isEqualTo(3);
        script.answers(packet(5, 0xfe, 0, 0, 1, 0));
        assertThat(wire.answers).isEqualTo(4);
        script.asks(command(0x03, "COMMIT"));
        assertThat(wire.commits).isZero();
        script.answers(packet(1, 0, 0, 0, 0, 0, 0, 0));
        assertThat(wire.answers).isEqualTo(5);
        assertThat(wire.commits).isEqualTo(1);

        script.asks(command(0x03, "set autocommit=1"));
        script.answers(packet(1, 0, 0, 0, 2, 0, 0, 0));
        script.asks(packet(0, 0x17, 7, 0, 0, 0, 0, 1, 0, 0, 0));
        assertThat(wire.answers).isEqualTo(6);
        script.answers(packet(1, 0xff, 1, 2, '#'));
        assertThat(wire.answers).isEqualTo(7);
        assertThat(wire.commits).isEqualTo(1);
        script.asks(packet(0, 0x17, 7, 0, 0, 0, 0, 1, 0, 0, 0));
        script.answers(packet(1, 0, 1, 5, 2, 0, 0, 0));
        assertThat(wire.commits).isEqualTo(2);
        assertThat(wire.readable).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void after_a_change_to_tls_nothing_is_read(int piece) {
        PostgresqlWire postgresql = new PostgresqlWire();
        Script first = new Script(postgresql, piece);
        first.asks(startup(80877103, ""));
        first.answers(text("S\u0016\u0003\u0001"));
        assertThat(postgresql.readable).isFalse();

        PostgresqlWire direct = new PostgresqlWire();
        new Script(direct, piece).asks(text("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc"));
        assertThat(direct.readable).isFalse();

        MysqlWire mysql = new MysqlWire();
        Script second = new Script(mysql, piece);
        second.answers(packet(0, 10, '8', 0));
        second.asks(packet(1, 0, 0x08, 0, 0), text("\u0016\u0003\u0001\u0002\u0000\u0001\u0000"));
        assertThat(mysql.readable).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMITS commit",
                "COMMITS COMMIT;",
                "COMMITS /* x */ COMMIT WORK",
                "COMMITS END",
                "BEGINS BEGIN",
                "BEGINS START TRANSACTION READ ONLY",
                "READS ROLLBACK",
                "READS ABORT",
                "READS ROLLBACK TO SAVEPOINT s",
                "READS SELECT v FROM c FOR UPDATE",
                "READS SELECT v FROM c FOR NO KEY UPDATE",
                "READS WITH x AS (SELECT 1) SELECT * FROM x",
                "READS SHOW TABLES",
                "READS set autocommit=0",
                "READS -- nothing",
                "READS  ",
                "WRITES SELECT nextval('s')",
                "WRITES WITH x AS (UPDATE c SET v = 1 RETURNING v) SELECT v FROM x",
                "WRITES (SELECT NEXT VALUE FOR s)",
                "WRITES INSERT INTO t VALUES (1)",
                "WRITES {call f()}",
                "WRITES CALL f()"
            })
    void statements(String line) {
        int space = line.indexOf(' ');
        assertThat(StatementEffect.of(line.substring(space + 1))).hasToString(line.substring(0, space));
    }
}
