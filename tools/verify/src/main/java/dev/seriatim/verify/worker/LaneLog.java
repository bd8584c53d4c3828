// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Numbers;
import dev.seriatim.verify.worker.DrawRing.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Records the draws of one lane. Used by the lane's thread. */
public final class LaneLog {

    final DrawRing ring;
    private final SplittableRandom random = new SplittableRandom();
    private final AtomicLong dealt = new AtomicLong();

    private long began;

    /** The numbers of the open transaction. */
    private final List<Long> taken = new ArrayList<>();

    private boolean committing;

    LaneLog(DrawRing ring) {
        this.ring = ring;
    }

    /** Returns a random number from 0 to 1, to choose the kind of a turn. */
    public double chance() {
        return random.nextDouble();
    }

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
        taken.clear();
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

    /** Adds numbers to the transaction, which ends with {@link #committed} or {@link #unsure}. */
    public void took(Numbers numbers) {
        for (long i = 0; i < numbers.count(); i++) {
            taken.add(numbers.get(i));
        }
    }

    public void committed() {
        dealt.setOpaque(dealt.getPlain() + report(Kind.DREW));
    }

    public void unsure() {
        report(Kind.UNSURE);
    }

    private long report(Kind kind) {
        long now = System.nanoTime();
        long all = write(kind, now, now);
        taken.clear();
        committing = false;
        return all;
    }

    private long write(Kind kind, long returned, long notBefore) {
        for (int i = 1; i <= taken.size(); i++) {
            ring.write(kind, began, returned, taken.get(i - 1), 1, i < taken.size() ? began : notBefore);
        }
        return taken.size();
    }

    void failed(Kind kind) {
        taken.clear();
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

    /** Returns the count of dealt numbers, which may be a little old while the lane draws. */
    long dealt() {
        return dealt.getOpaque();
    }
}
