// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Optional;

/**
 * Google's Spanner emulator: the one at {@code SPANNER_EMULATOR_HOST}, or the program of a Google Cloud SDK, or a
 * container. It keeps its data in memory, and runs one read-write transaction per database at a time. Not thread-safe.
 */
public final class SpannerEmulator implements AutoCloseable {

    static final String TITLE = "Spanner";
    private static final Once<SpannerEmulator> SHARED = new Once<>(SpannerEmulator::startAny);

    private final String address;
    private final Optional<EmulatorProcess> process;

    private SpannerEmulator(String address, Optional<EmulatorProcess> process) {
        this.address = address;
        this.process = process;
    }

    /**
     * Returns the JVM's shared emulator, which is started on first use. Skips or fails the test if none is available.
     */
    public static SpannerEmulator shared() {
        Availability.check(TITLE, missing());
        return SHARED.get();
    }

    /**
     * Starts a separate emulator that can be killed and suspended, with options such as
     * {@code --enable_fault_injection}. Skips or fails the test if the program is not installed: a container is not
     * enough.
     */
    public static SpannerEmulator start(String... options) {
        Availability.check(TITLE, EmulatorProcess.missing());
        return of(EmulatorProcess.start(List.of(options)));
    }

    /** Returns why none is available, with the remedy; empty if one is. Starts nothing. */
    public static Optional<String> missing() {
        boolean somewhere = given().isPresent()
                || EmulatorProcess.missing().isEmpty()
                || EmulatorContainer.missing().isEmpty();
        return somewhere
                ? Optional.empty()
                : EmulatorProcess.missing().map(reason -> reason + ", start Docker, or set SPANNER_EMULATOR_HOST");
    }

    /** Returns its address, {@code host:port}. */
    public String address() {
        return address;
    }

    /** Kills it with {@code kill -9}; its data is lost. */
    public void kill() {
        own().kill();
    }

    /** Suspends it; connections stay open and unanswered. */
    public void suspend() {
        own().suspend();
    }

    /** Resumes a suspended emulator. */
    public void resume() {
        own().resume();
    }

    @Override
    public void close() {
        own().close();
    }

    private EmulatorProcess own() {
        return process.orElseThrow(
                () -> new IllegalStateException("this emulator was not started here, so it cannot be stopped"));
    }

    private static SpannerEmulator startAny() {
        if (given().isPresent()) {
            return new SpannerEmulator(given().get(), Optional.empty());
        }
        return EmulatorProcess.missing().isEmpty()
                ? of(EmulatorProcess.start(List.of()))
                : new SpannerEmulator(EmulatorContainer.start(), Optional.empty());
    }

    private static SpannerEmulator of(EmulatorProcess process) {
        return new SpannerEmulator(process.address(), Optional.of(process));
    }

    private static Optional<String> given() {
        return Optional.ofNullable(System.getenv("SPANNER_EMULATOR_HOST")).filter(host -> !host.isBlank());
    }
}
