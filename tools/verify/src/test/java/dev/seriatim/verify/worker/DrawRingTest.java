// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.verify.worker.DrawRing.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DrawRingTest {

    private record Report(Kind kind, long began, long returned, long first, int count) {}

    private static final List<Kind> KINDS = List.copyOf(EnumSet.allOf(Kind.class));

    @TempDir
    private Path folder;

    private static long drain(DrawRing ring, List<Report> to) {
        return ring.drain(
                (kind, began, returned, first, count) -> to.add(new Report(kind, began, returned, first, count)));
    }

    @Test
    void what_is_written_is_read_in_order_also_when_it_wraps_around() {
        Path file = folder.resolve("ring");
        DrawRing reader = DrawRing.create(file, 8);
        DrawRing writer = DrawRing.open(file);
        List<Report> expected = new ArrayList<>();
        List<Report> read = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Report report = new Report(KINDS.get(i % 3), 3L * i, 3L * i + 1, -7L * i, i);
            writer.write(report.kind(), report.began(), report.returned(), report.first(), report.count(), 3L * i + 1);
            expected.add(report);
            if (i % 7 == 0) {
                assertThat(drain(reader, read)).isEqualTo(3L * i + 1);
            }
        }
        writer.end();
        assertThat(drain(reader, read)).isEqualTo(Long.MAX_VALUE);
        assertThat(read).isEqualTo(expected);
        assertThat(reader.written()).isEqualTo(1000);
    }

    @Test
    void a_reader_knows_when_the_next_draw_begins_at_the_earliest() {
        DrawRing reader = DrawRing.create(folder.resolve("ring"), 8);
        DrawRing writer = DrawRing.open(folder.resolve("ring"));
        List<Report> none = new ArrayList<>();

        long before = System.nanoTime();
        assertThat(drain(reader, none)).as("not begun: now").isBetween(before, System.nanoTime());

        writer.resume();
        long began = System.nanoTime();
        long bound = drain(reader, none);
        assertThat(bound).as("drawing: when it said so").isBetween(before, began);
        assertThat(drain(reader, none)).isEqualTo(bound);

        writer.pause();
        long later = System.nanoTime();
        assertThat(drain(reader, none)).as("between draws: now").isGreaterThanOrEqualTo(later);
        assertThat(none).isEmpty();
    }

    @Test
    void a_writer_waits_while_the_ring_is_full_and_loses_nothing() throws InterruptedException {
        DrawRing reader = DrawRing.create(folder.resolve("ring"), 4);
        DrawRing writer = DrawRing.open(folder.resolve("ring"));
        int all = 20_000;
        Thread thread = new Thread(() -> {
            for (int i = 0; i < all; i++) {
                writer.write(Kind.DREW, i, i, i, 1, i);
            }
            writer.end();
        });
        thread.start();
        while (reader.written() < 4) {
            Thread.onSpinWait();
        }
        assertThat(thread.isAlive()).isTrue();
        List<Report> read = new ArrayList<>();
        while (drain(reader, read) != Long.MAX_VALUE) {
            assertThat(reader.written() - read.size()).isLessThanOrEqualTo(4);
        }
        thread.join();
        assertThat(read).hasSize(all);
        assertThat(read.get(all - 1).first()).isEqualTo(all - 1);
    }

    @Test
    void a_file_that_holds_no_ring_is_refused_in_one_line() throws Exception {
        Path file = Files.write(folder.resolve("other"), new byte[5000]);
        assertThatThrownBy(() -> DrawRing.open(file))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining(file + " holds no ring");
        assertThatThrownBy(() -> DrawRing.open(folder.resolve("none"))).isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> DrawRing.create(file, 8)).isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> DrawRing.create(folder.resolve("odd"), 12))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Writes until it is killed; every part of a report follows from its number. */
    static final class Writer {

        private Writer() {}

        public static void main(String[] arguments) {
            DrawRing ring = DrawRing.open(Path.of(arguments[0]));
            for (long i = 0; ; i++) {
                ring.write(Kind.DREW, i, i + 1, i * 31, (int) (i & 0xffff), i + 1);
            }
        }
    }

    @Test
    void what_a_killed_process_has_written_is_there_and_no_report_is_torn() throws Exception {
        for (int round = 0; round < 3; round++) {
            Path file = folder.resolve("ring" + round);
            DrawRing ring = DrawRing.create(file, 1024);
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Writer.class.getName(),
                            file.toString())
                    .inheritIO()
                    .start();
            Torn torn = new Torn();
            try {
                while (torn.next < 100_000) {
                    assertThat(process.isAlive()).isTrue();
                    ring.drain(torn);
                }
            } finally {
                process.toHandle().destroyForcibly();
                process.waitFor();
            }
            ring.drain(torn);
            assertThat(torn.wrong).isZero();
            assertThat(torn.next).isEqualTo(ring.written());
        }
    }

    @Test
    void a_torn_report_would_be_seen() {
        DrawRing reader = DrawRing.create(folder.resolve("ring"), 8);
        DrawRing.open(folder.resolve("ring")).write(Kind.DREW, 0, 1, 31, 0, 1);
        Torn torn = new Torn();
        reader.drain(torn);
        assertThat(torn.wrong).isEqualTo(1);
    }

    private static final class Torn implements DrawRing.Reports {
        private long next;
        private long wrong;

        @Override
        public void take(Kind kind, long began, long returned, long first, int count) {
            if (kind != Kind.DREW
                    || began != next
                    || returned != next + 1
                    || first != next * 31
                    || count != (int) (next & 0xffff)) {
                wrong++;
            }
            next++;
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "seriatim.trials",
            matches = "soak",
            disabledReason = "takes long; -Dseriatim.trials=soak runs it")
    @Tag("long")
    void how_many_reports_pass_in_a_second() throws Exception {
        DrawRing reader = DrawRing.create(folder.resolve("ring"), DrawRing.DEFAULT_CAPACITY);
        DrawRing writer = DrawRing.open(folder.resolve("ring"));
        long all = 50_000_000;
        Thread thread = new Thread(() -> {
            for (long i = 0; i < all; i++) {
                writer.write(Kind.DREW, i, i + 1, i * 31, (int) (i & 0xffff), i + 1);
            }
            writer.end();
        });
        Torn torn = new Torn();
        long began = System.nanoTime();
        thread.start();
        while (reader.drain(torn) != Long.MAX_VALUE) {
            Thread.onSpinWait();
        }
        double seconds = (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
        System.out.printf("ring: %.1f million reports a second%n", all / seconds / 1e6);
        assertThat(torn.next).isEqualTo(all);
        assertThat(torn.wrong).isZero();
        assertThat(all / seconds).isGreaterThan(1e6);
    }
}
