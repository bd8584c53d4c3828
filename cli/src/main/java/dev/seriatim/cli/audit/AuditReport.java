// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.audit;

import dev.seriatim.store.NumberColumn;

/** Shows an audit while it runs. Not thread-safe. */
interface AuditReport {

    /** What is audited, before all else. */
    void begin(String sequence, NumberColumn column, Dealt dealt);

    /** A finding, as soon as it is known. */
    void found(Finding finding);

    /** What it came to. */
    void end(AuditResult outcome);
}
