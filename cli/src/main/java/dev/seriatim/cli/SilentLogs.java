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
 * SLF4J, silent as {@link OwnLogs} keeps clients. Not SLF4J's own silence, since Couchbase's client complains at length on
 * standard error when it finds that. Named by a property. Thread-safe.
 */
public final class SilentLogs implements SLF4JServiceProvider {

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    /** For SLF4J. */
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
