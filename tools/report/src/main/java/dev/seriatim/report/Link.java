// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/** A link on a page, and plain text elsewhere. Immutable. */
public record Link(String text, String address) {

    @Override
    public String toString() {
        return text;
    }
}
