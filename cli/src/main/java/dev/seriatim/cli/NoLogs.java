// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

/**
 * Java's logging, configured to say nothing: standard error is for the command's own lines, and a store's client that logs
 * there says nothing that its exceptions do not. Named by a property, so that it costs nothing where nobody logs.
 */
public final class NoLogs {

    /** For the log manager, which takes whatever this does for the configuration; with none there are no handlers. */
    public NoLogs() {}
}
