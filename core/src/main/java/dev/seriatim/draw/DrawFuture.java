// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.draw;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of a draw. Its caller may complete it first: cancel it, or give it a timeout of its own. The draw is then
 * withdrawn, and a value that arrives all the same is reported lost, not dropped. Thread-safe.
 */
public final class DrawFuture<T> extends CompletableFuture<T> {

    private final AtomicReference<@Nullable Runnable> withdrawal = new AtomicReference<>();

    /** Whether a completion with a value may be ours. */
    private volatile boolean arriving;

    /** Nobody waits for its value, although it may not be completed: a view of it is. */
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

    /** A draw that has brought its value; {@code lose} reports the value lost when a stage that depends on it is gone. */
    public static <T> DrawFuture<T> of(T value, Runnable lose) {
        DrawFuture<T> drawn = new DrawFuture<>();
        drawn.withdrawal.set(lose);
        drawn.complete(value);
        return drawn;
    }

    /** What another draw brings, as a view shows it. */
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

    /** Its value will come from this draw, which is withdrawn with it. */
    public <S> CompletableFuture<S> from(CompletionStage<S> source) {
        CompletableFuture<S> draw = source.toCompletableFuture();
        withdrawnBy(draw instanceof DrawFuture<S> ours ? ours::withdraw : () -> draw.cancel(false));
        return draw;
    }

    /** What ends its draw when nobody waits for the value any more. */
    public void withdrawnBy(Runnable end) {
        withdrawal.set(end);
        if (isDone() || withdrawn) {
            withdraw();
        }
    }

    /** Completes it; a value that comes too late, or cannot be shown, is lost. */
    public void deliver(Supplier<T> value) {
        try {
            arriving = true;
            if (!complete(value.get())) {
                withdraw();
            }
        } catch (Throwable e) {
            withdraw(); // before the caller hears of it, who may look at once what was lost
            completeExceptionally(e);
        }
    }

    /** Ends the draw, and every one that its value is to come from later; what a draw has brought is lost, once. */
    void withdraw() {
        withdrawn = true;
        Runnable end = withdrawal.getAndSet(null);
        if (end != null) {
            end.run();
        }
    }
}
