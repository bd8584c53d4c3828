// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Optional;

/**
 * Google's emulator of Spanner: where {@code SPANNER_EMULATOR_HOST} says, else the program of a Google Cloud SDK, else a
 * container. It keeps nothing, and runs one read-write transaction per database at a time. Not thread-safe.
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

    /** The JVM's one, which is started when it is first asked for. Skips the test, or fails it, where there can be none. */
    public static SpannerEmulator shared() {
        Availability.check(TITLE, missing());
        return SHARED.get();
    }

    /**
     * One of one's own, to be killed and suspended, with options such as {@code --enable_fault_injection}. Skips the test, or
     * fails it, where the program is not installed: a container will not do.
     */
    public static SpannerEmulator start(String... options) {
        Availability.check(TITLE, EmulatorProcess.missing());
        return of(EmulatorProcess.start(List.of(options)));
    }

    /** Why there can be none, and the remedy; empty if there can. Starts nothing. */
    public static Optional<String> missing() {
        boolean somewhere = given().isPresent()
                || EmulatorProcess.missing().isEmpty()
                || EmulatorContainer.missing().isEmpty();
        return somewhere
                ? Optional.empty()
                : EmulatorProcess.missing().map(reason -> reason + ", start Docker, or set SPANNER_EMULATOR_HOST");
    }

    /** Where it listens: {@code host:port}. */
    public String address() {
        return address;
    }

    /** Kills it, and all that it held with it: {@code kill -9}. */
    public void kill() {
        own().kill();
    }

    /** Stops it in its tracks; connections stay open and unanswered. */
    public void suspend() {
        own().suspend();
    }

    /** Lets a suspended one go on. */
    public void resume() {
        own().resume();
    }

    @Override
    public void close() {
        own().close();
    }

    private EmulatorProcess own() {
        return process.orElseThrow(() -> new IllegalStateException("this emulator is not ours to stop"));
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
