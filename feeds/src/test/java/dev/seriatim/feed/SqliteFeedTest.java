// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.servers.Engine;

class SqliteFeedTest extends FeedContract {

    @Override
    Engine engine() {
        return Engine.SQLITE;
    }
}
