// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import java.util.function.Consumer;

/** Passes findings on. */
record Findings(Consumer<AuditFinding> to) implements Audit.Report {

    @Override
    public void found(AuditFinding finding) {
        to.accept(finding);
    }

    @Override
    public void end(Audit audit) {}
}
