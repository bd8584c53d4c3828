// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Reports that the sequences could not be opened: the cause in one line, and the remedy in another. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SequenceFailureAnalyzer extends AbstractFailureAnalyzer<SequenceException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, SequenceException cause) {
        String line = String.valueOf(cause.getMessage());
        int remedy = line.indexOf("; ");
        return remedy < 0
                ? new FailureAnalysis("Seriatim: " + line, null, failure)
                : new FailureAnalysis(
                        "Seriatim: " + line.substring(0, remedy) + ".", sentence(line.substring(remedy + 2)), failure);
    }

    private static String sentence(String remedy) {
        return Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1) + (remedy.endsWith(".") ? "" : ".");
    }
}
