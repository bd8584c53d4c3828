// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A thread that works until it is closed. Its failure is thrown by {@link #check}. */
final class Background implements AutoCloseable {
    private final FutureTask<Void> task;
    private final Thread thread;

    /** Work that ends when its thread is interrupted. */
    interface Work {
        void run() throws Exception;
    }

    private Background(String name, Work work) {
        task = new FutureTask<>(() -> {
            work.run();
            return null;
        });
        thread = new Thread(task, name);
        thread.setDaemon(true);
    }

    static Background start(String name, Work work) {
        Background background = new Background(name, work);
        background.thread.start();
        return background;
    }

    /** Throws the failure, if the work has failed. */
    void check() throws InterruptedException {
        if (task.isDone() && !task.isCancelled()) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(thread.getName() + " failed: " + e.getCause(), e);
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
