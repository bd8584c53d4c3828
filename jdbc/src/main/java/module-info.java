// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Stores sequences in a table of an SQL database. The application supplies the database's JDBC driver. */
@NullMarked
@SuppressWarnings("module")
module dev.seriatim.jdbc {
    requires transitive dev.seriatim;
    requires transitive java.sql;
    requires static com.zaxxer.hikari;
    requires static org.jspecify;

    exports dev.seriatim.jdbc;
    exports dev.seriatim.jdbc.sql to
            dev.seriatim.feed;

    provides dev.seriatim.store.StoreDriver with
            dev.seriatim.jdbc.SqliteDriver,
            dev.seriatim.jdbc.JdbcDriver;
}
