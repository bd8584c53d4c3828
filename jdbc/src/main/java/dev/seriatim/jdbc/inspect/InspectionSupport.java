// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

/** A dialect whose engine can be inspected. */
public interface InspectionSupport {

    /** Returns the implementation for this engine. */
    EngineInspection inspection();
}
