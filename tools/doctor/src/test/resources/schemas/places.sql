-- Modelled on the file in which a browser keeps its history and bookmarks, on SQLite. Rebuilt, not copied.
CREATE TABLE moz_origins (id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL, UNIQUE (prefix, host));
CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT, visit_count INTEGER DEFAULT 0, origin_id INTEGER REFERENCES moz_origins (id), guid TEXT);
CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER);
CREATE TABLE moz_inputhistory (place_id INTEGER NOT NULL, input TEXT NOT NULL, use_count INTEGER, PRIMARY KEY (place_id, input));
CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER, title TEXT, guid TEXT);
CREATE TABLE moz_bookmarks_deleted (guid TEXT PRIMARY KEY, dateRemoved INTEGER NOT NULL DEFAULT 0);
CREATE TABLE moz_keywords (id INTEGER PRIMARY KEY AUTOINCREMENT, keyword TEXT UNIQUE, place_id INTEGER);
CREATE TABLE moz_anno_attributes (id INTEGER PRIMARY KEY, name VARCHAR(32) UNIQUE NOT NULL);
CREATE TABLE moz_annos (id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL, anno_attribute_id INTEGER, content TEXT);
CREATE TABLE moz_meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE UNIQUE INDEX moz_places_guid ON moz_places (guid);

INSERT INTO moz_origins (prefix, host) VALUES ('https://', 'example.org'), ('https://', 'example.com');
INSERT INTO moz_places (url, origin_id) VALUES ('https://example.org/', 1), ('https://example.com/', 2), ('https://example.com/a', 2);
INSERT INTO moz_historyvisits (place_id, visit_date) VALUES (1, 1790000000000000), (2, 1790000000000001), (3, 1790000000000002);
INSERT INTO moz_inputhistory VALUES (1, 'exa', 3);
INSERT INTO moz_bookmarks (type, fk, parent, title) VALUES (2, NULL, 0, 'root'), (2, NULL, 1, 'menu'), (1, 1, 2, 'example');
INSERT INTO moz_bookmarks_deleted VALUES ('abcdefabcdef', 1);
INSERT INTO moz_keywords (keyword, place_id) VALUES ('ex', 1), ('com', 2);
INSERT INTO moz_anno_attributes (name) VALUES ('one');
INSERT INTO moz_annos (place_id, anno_attribute_id, content) VALUES (1, 1, 'note');
INSERT INTO moz_meta VALUES ('sync/version', 1);
