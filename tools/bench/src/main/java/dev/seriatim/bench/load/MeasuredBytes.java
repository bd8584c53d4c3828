// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Serializes what a process measured, for another process. */
public final class MeasuredBytes {

    private MeasuredBytes() {}

    public static void write(Measured measured, DataOutputStream to) throws IOException {
        to.writeLong(measured.completed());
        to.writeLong(measured.numbers());
        to.writeLong(measured.errors());
        to.writeLong(measured.nanos());
        Histogram latencies = measured.latencies();
        ByteBuffer encoded = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        to.writeInt(latencies.encodeIntoByteBuffer(encoded));
        to.write(encoded.array(), 0, encoded.position());
        DrawnNumbers draws = measured.draws();
        write(draws.values, to);
        write(draws.began, to);
        write(draws.returned, to);
        write(draws.unsure, to);
        to.writeLong(draws.unseen);
        to.writeUTF(measured.failure().map(e -> String.valueOf(e.getMessage())).orElse(""));
    }

    public static Measured read(DataInputStream from) throws IOException {
        long completed = from.readLong();
        long numbers = from.readLong();
        long errors = from.readLong();
        long nanos = from.readLong();
        Histogram latencies = Histogram.decodeFromByteBuffer(ByteBuffer.wrap(from.readNBytes(from.readInt())), 0);
        DrawnNumbers draws = new DrawnNumbers(longs(from), longs(from), longs(from), longs(from), from.readLong());
        String failure = from.readUTF();
        return new Measured(
                completed,
                numbers,
                errors,
                nanos,
                latencies,
                draws,
                failure.isEmpty() ? Optional.empty() : Optional.of(new IllegalStateException(failure)));
    }

    private static void write(long[] numbers, DataOutputStream to) throws IOException {
        to.writeInt(numbers.length);
        for (long number : numbers) {
            to.writeLong(number);
        }
    }

    private static long[] longs(DataInputStream from) throws IOException {
        long[] numbers = new long[from.readInt()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = from.readLong();
        }
        return numbers;
    }
}
