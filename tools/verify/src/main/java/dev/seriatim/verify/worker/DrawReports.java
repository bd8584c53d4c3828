// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

/** Takes the reports of one lane, in its order, without an object for each. */
@FunctionalInterface
public interface DrawReports {

    /** Takes a report; the parameters are those of a {@link DrawReport}. */
    void take(DrawReport.Kind kind, long began, long returned, long first, int count);
}
