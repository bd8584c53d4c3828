// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.List;

/** A capability of a store whose sequences live in something that can be set up beforehand, such as a table. */
public interface SchemaInstaller {

    /** The statements that {@link #install} runs, in order, without terminators, followed by advice as comments. */
    List<String> script();

    /** Sets it up; what is there already is left as it is. */
    void install();
}
