// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Numbers;
import dev.seriatim.verify.worker.DrawRing.Kind;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Records the draws of one lane. Used by the lane's thread. */
public final class LaneLog {

    private static final double UNIT = 0x1.0p-53;

    private final DrawRing ring;
    private final SplittableRandom random = new SplittableRandom();
    private final AtomicLong dealt = new AtomicLong();

    private long began;

    // The numbers of the open transaction, in runs of consecutive numbers.
    private long[] firsts = new long[4];
    private int[] counts = new int[4];
    private int runs;
    private boolean committing;

    LaneLog(DrawRing ring) {
        this.ring = ring;
    }

    /** Returns a random number from 0 to 1, to choose the kind of a turn. */
    public double chance() {
        return (random.nextLong() >>> 11) * UNIT;
    }

    /** Records that a draw begins now. */
    public void begin() {
        began = System.nanoTime();
    }

    /** Records that the draw has returned consecutive numbers. */
    public void drew(long first, int count) {
        long now = System.nanoTime();
        ring.write(Kind.DREW, began, now, first, count, now);
        dealt.setOpaque(dealt.getPlain() + count);
    }

    /** Forgets the numbers of a transaction that is repeated or rolled back. */
    public void forget() {
        runs = 0;
        if (committing) {
            committing = false;
            ring.write(Kind.COMMITTING, began, began, 0, 0, began);
        }
    }

    /** Records that the transaction commits next, in case this process is killed meanwhile. */
    public void committing() {
        write(Kind.COMMITTING, began, began);
        committing = true;
    }

    /** Adds a number to the transaction, which ends with {@link #committed} or {@link #unsure}. */
    public void took(long number) {
        if (runs > 0 && firsts[runs - 1] + counts[runs - 1] == number) {
            counts[runs - 1]++;
            return;
        }
        if (runs == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * runs);
            counts = Arrays.copyOf(counts, 2 * runs);
        }
        firsts[runs] = number;
        counts[runs] = 1;
        runs++;
    }

    /** Adds several numbers to the transaction. */
    public void took(Numbers numbers) {
        for (long i = 0; i < numbers.count(); i++) {
            took(numbers.get(i));
        }
    }

    /** Records that the transaction has been committed. */
    public void committed() {
        dealt.setOpaque(dealt.getPlain() + report(Kind.DREW));
    }

    /** Records that the outcome of the transaction is unknown. */
    public void unsure() {
        report(Kind.UNSURE);
    }

    private long report(Kind kind) {
        long now = System.nanoTime();
        long all = write(kind, now, now);
        runs = 0;
        committing = false;
        return all;
    }

    private long write(Kind kind, long returned, long notBefore) {
        long all = 0;
        for (int i = 0; i < runs; i++) {
            boolean last = i == runs - 1;
            ring.write(kind, began, returned, firsts[i], counts[i], last ? notBefore : began);
            all += counts[i];
        }
        return all;
    }

    void failed(Kind kind) {
        runs = 0;
        committing = false;
        long now = System.nanoTime();
        ring.write(kind, Math.min(began, now), now, 0, 0, now);
    }

    /** Waits between two attempts of a turn, and begins again. */
    public void waitAndBegin(long millis) throws InterruptedException {
        forget();
        rest(millis);
        begin();
    }

    /** Announces that no draw is under way, and waits. */
    void rest(long millis) throws InterruptedException {
        ring.pause();
        Thread.sleep(millis);
        ring.resume();
    }

    DrawRing ring() {
        return ring;
    }

    /** Returns the count of dealt numbers, which may be a little old while the lane draws. */
    long dealt() {
        return dealt.getOpaque();
    }
}
