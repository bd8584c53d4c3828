// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/**
 * A link on a page, and plain text elsewhere. Immutable.
 *
 * @param text its text
 * @param address a URL
 * @param title the title of the other page
 */
public record Link(String text, String address, String title) {

    @Override
    public String toString() {
        return text;
    }
}
