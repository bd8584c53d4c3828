// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

/** How a page is looked at. */
enum View {
    WIDE(1200, "screen", "light"),
    TELEPHONE(360, "screen", "light"),
    TABLET(700, "screen", "light"),
    DARK(1200, "screen", "dark"),
    DARK_TELEPHONE(360, "screen", "dark"),
    /** A sheet of A4 between its margins; the screen of who prints it may be dark. */
    PRINT(688, "print", "dark");

    final int width;
    final String medium;
    final String scheme;

    View(int width, String medium, String scheme) {
        this.width = width;
        this.medium = medium;
        this.scheme = scheme;
    }
}
