// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * An SLF4J provider that discards everything, for the same reason as {@link OwnLogs}. Couchbase's client complains at length
 * on standard error if it finds SLF4J's own no-operation provider. Set by a system property. Thread-safe.
 */
public final class SilentLogs implements SLF4JServiceProvider {

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    /** Called by SLF4J. */
    public SilentLogs() {}

    @Override
    public void initialize() {}

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> NOPLogger.NOP_LOGGER;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0";
    }
}
