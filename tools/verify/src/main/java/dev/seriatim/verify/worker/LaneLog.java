// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Numbers;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Where one lane notes what it draws. Used by the lane's thread. */
public final class LaneLog {

    private static final double UNIT = 0x1.0p-53;

    private final DrawRing ring;
    private final SplittableRandom random = new SplittableRandom();
    private final AtomicLong dealt = new AtomicLong();

    private long began;

    // The numbers of a transaction whose end is not known yet: runs of consecutive ones.
    private long[] firsts = new long[4];
    private int[] counts = new int[4];
    private int runs;
    private boolean committing;

    LaneLog(DrawRing ring) {
        this.ring = ring;
    }

    /** Returns a random number from 0 to 1, to choose what a turn is. */
    public double chance() {
        return (random.nextLong() >>> 11) * UNIT;
    }

    /** Notes that a draw begins now. */
    public void begin() {
        began = System.nanoTime();
    }

    /** Notes that the draw has returned consecutive numbers. */
    public void drew(long first, int count) {
        long now = System.nanoTime();
        ring.write(DrawReport.Kind.DREW, began, now, first, count, now);
        dealt.setOpaque(dealt.getPlain() + count);
    }

    /** Forgets the numbers of a transaction that is repeated or rolled back. */
    public void forget() {
        runs = 0;
        if (committing) {
            committing = false;
            ring.write(DrawReport.Kind.COMMITTING, began, began, 0, 0, began);
        }
    }

    /** Notes that the transaction with the remembered numbers commits next, for the case that this process is killed meanwhile. */
    public void committing() {
        write(DrawReport.Kind.COMMITTING, began, began);
        committing = true;
    }

    /** Remembers a number that belongs to a transaction; tell its end with {@link #committed} or {@link #unsure}. */
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

    /** Remembers several numbers. */
    public void took(Numbers numbers) {
        for (long i = 0; i < numbers.count(); i++) {
            took(numbers.get(i));
        }
    }

    /** Notes that the transaction with the remembered numbers has been committed. */
    public void committed() {
        dealt.setOpaque(dealt.getPlain() + report(DrawReport.Kind.DREW));
    }

    /** Notes that the outcome of the transaction with the remembered numbers is unknown. */
    public void unsure() {
        report(DrawReport.Kind.UNSURE);
    }

    private long report(DrawReport.Kind kind) {
        long now = System.nanoTime();
        long all = write(kind, now, now);
        runs = 0;
        committing = false;
        return all;
    }

    private long write(DrawReport.Kind kind, long returned, long notBefore) {
        long all = 0;
        for (int i = 0; i < runs; i++) {
            boolean last = i == runs - 1;
            ring.write(kind, began, returned, firsts[i], counts[i], last ? notBefore : began);
            all += counts[i];
        }
        return all;
    }

    void failed(DrawReport.Kind kind) {
        runs = 0;
        committing = false;
        long now = System.nanoTime();
        ring.write(kind, Math.min(began, now), now, 0, 0, now);
    }

    /** Waits between two attempts of a turn, in which nothing is drawn, and begins again. */
    public void waitAndBegin(long millis) throws InterruptedException {
        forget();
        rest(millis);
        begin();
    }

    /** Lets readers know that no draw is under way, and waits. */
    void rest(long millis) throws InterruptedException {
        ring.pause();
        Thread.sleep(millis);
        ring.resume();
    }

    DrawRing ring() {
        return ring;
    }

    /** Returns how many numbers callers have got; may be a little old while the lane draws. */
    long dealt() {
        return dealt.getOpaque();
    }
}
