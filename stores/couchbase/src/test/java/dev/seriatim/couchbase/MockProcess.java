// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.mock.CouchbaseMock;
import java.io.IOException;

/** A CouchbaseMock in a separate process, which prints the URL of its bucket and can be killed. */
final class MockProcess {

    private MockProcess() {}

    public static void main(String[] arguments) throws IOException {
        CouchbaseMock mock = TestServer.mock();
        System.out.println(TestServer.url(mock, "default", "pw") + "&durability=none");
        int end = System.in.read(); // until the parent is gone
        System.exit(end < 0 ? 0 : 1);
    }
}
