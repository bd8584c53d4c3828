// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Gives the committed rows of a table positions in commit order. The application supplies the database's JDBC driver. */
@NullMarked
module dev.seriatim.feed {
    requires transitive dev.seriatim.jdbc;
    requires static org.jspecify;

    exports dev.seriatim.feed;
}
