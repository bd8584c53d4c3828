// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of a draw. The caller may complete it first, by cancelling it or with a timeout. This withdraws the draw,
 * and a value that still arrives is reported lost, not dropped. Thread-safe.
 */
public final class DrawFuture<T> extends CompletableFuture<T> {

    private final AtomicReference<@Nullable Runnable> withdrawal = new AtomicReference<>();

    /** Whether a completion with a value may be the draw's own. */
    private volatile boolean arriving;

    /** Whether the caller has given up. If it completed a view of this future, this future may still be pending. */
    private volatile boolean withdrawn;

    private DrawFuture() {}

    public static <T> DrawFuture<T> pending() {
        DrawFuture<T> drawn = new DrawFuture<>();
        CompletionStage<T> stage = drawn;
        stage.whenComplete((value, failure) -> {
            if (failure != null || !drawn.arriving) {
                drawn.withdraw();
            }
        });
        return drawn;
    }

    /** Returns a draw that already has its value; {@code lose} reports the value lost if a dependent stage is gone. */
    public static <T> DrawFuture<T> of(T value, Runnable lose) {
        DrawFuture<T> drawn = new DrawFuture<>();
        drawn.withdrawal.set(lose);
        drawn.complete(value);
        return drawn;
    }

    /** Returns the result of another draw, converted by a view. */
    public static <S, T> DrawFuture<T> through(CompletionStage<S> source, Function<S, T> view) {
        DrawFuture<T> drawn = pending();
        CompletionStage<S> draw = drawn.from(source);
        draw.whenComplete((value, failure) -> {
            if (failure != null) {
                drawn.completeExceptionally(failure);
            } else {
                drawn.deliver(() -> view.apply(value));
            }
        });
        return drawn;
    }

    /** Sets the draw that supplies the value; withdrawing this future withdraws that draw. */
    public <S> CompletableFuture<S> from(CompletionStage<S> source) {
        CompletableFuture<S> draw = source.toCompletableFuture();
        withdrawnBy(draw instanceof DrawFuture<S> ours ? ours::withdraw : () -> draw.cancel(false));
        return draw;
    }

    /** Sets the action that ends the draw when no caller waits for its value. */
    public void withdrawnBy(Runnable end) {
        withdrawal.set(end);
        if (isDone() || withdrawn) {
            withdraw();
        }
    }

    /** Completes this future; a value that arrives too late, or that the view cannot convert, is lost. */
    public void deliver(Supplier<T> value) {
        try {
            arriving = true;
            if (!complete(value.get())) {
                withdraw();
            }
        } catch (Throwable e) {
            withdraw(); // before the caller is notified, because it may check immediately what was lost
            completeExceptionally(e);
        }
    }

    /** Ends the draw, and any draw set later as its source. A value already drawn is lost, once. */
    void withdraw() {
        withdrawn = true;
        Runnable end = withdrawal.getAndSet(null);
        if (end != null) {
            end.run();
        }
    }
}
