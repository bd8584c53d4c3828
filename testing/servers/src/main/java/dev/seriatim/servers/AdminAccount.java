// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

/** The administrator account of the servers that we start. They listen on 127.0.0.1 only and hold test data. */
final class AdminAccount {
    static final String USER = "seriatim";
    static final String PASSWORD = "deals-numbers";

    private AdminAccount() {}
}
