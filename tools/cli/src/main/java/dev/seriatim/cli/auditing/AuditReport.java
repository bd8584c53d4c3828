// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.store.NumberColumn;

/** Prints an audit while it runs. Not thread-safe. */
interface AuditReport {

    /** Called first, with the sequence and the column. */
    void begin(String sequence, NumberColumn column, Dealt dealt);

    /** Called for each finding as soon as it is known. */
    void found(AuditFinding finding);

    /** Called last. */
    void end(Audit audit);
}
