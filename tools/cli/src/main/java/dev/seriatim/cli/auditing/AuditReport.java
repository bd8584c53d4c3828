// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

/** Prints an audit while it runs. Not thread-safe. */
interface AuditReport {

    /** Called for each finding as soon as it is known. */
    void found(AuditFinding finding);

    void end(Audit audit);
}
