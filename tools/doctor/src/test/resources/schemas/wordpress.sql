-- Modelled on the tables of WordPress, on MariaDB. Rebuilt, not copied.
CREATE TABLE wp_users (ID bigint unsigned AUTO_INCREMENT PRIMARY KEY, user_login varchar(60) NOT NULL DEFAULT '', KEY (user_login));
CREATE TABLE wp_usermeta (
  umeta_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, user_id bigint unsigned NOT NULL DEFAULT 0, meta_key varchar(255), KEY (user_id));
CREATE TABLE wp_posts (
  ID bigint unsigned AUTO_INCREMENT PRIMARY KEY, post_author bigint unsigned NOT NULL DEFAULT 0, post_title text, KEY (post_author));
CREATE TABLE wp_postmeta (
  meta_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, post_id bigint unsigned NOT NULL DEFAULT 0, meta_value longtext, KEY (post_id));
CREATE TABLE wp_comments (
  comment_ID bigint unsigned AUTO_INCREMENT PRIMARY KEY, comment_post_ID bigint unsigned NOT NULL DEFAULT 0, comment_author tinytext);
CREATE TABLE wp_commentmeta (meta_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, comment_id bigint unsigned NOT NULL DEFAULT 0);
CREATE TABLE wp_terms (term_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, name varchar(200) NOT NULL DEFAULT '', slug varchar(200));
CREATE TABLE wp_termmeta (meta_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, term_id bigint unsigned NOT NULL DEFAULT 0);
CREATE TABLE wp_term_taxonomy (
  term_taxonomy_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, term_id bigint unsigned NOT NULL, taxonomy varchar(32) NOT NULL DEFAULT '');
CREATE TABLE wp_term_relationships (object_id bigint unsigned, term_taxonomy_id bigint unsigned, PRIMARY KEY (object_id, term_taxonomy_id));
CREATE TABLE wp_options (option_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, option_name varchar(191) UNIQUE, option_value longtext);
CREATE TABLE wp_links (link_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, link_url varchar(255) NOT NULL DEFAULT '');

INSERT INTO wp_users (user_login) SELECT concat('user', seq) FROM seq_1_to_50;
INSERT INTO wp_usermeta (user_id, meta_key) SELECT seq % 50 + 1, 'nickname' FROM seq_1_to_200;
INSERT INTO wp_posts (post_author, post_title) SELECT seq % 50 + 1, concat('post ', seq) FROM seq_1_to_300;
INSERT INTO wp_postmeta (post_id, meta_value) SELECT seq % 300 + 1, 'x' FROM seq_1_to_900;
INSERT INTO wp_comments (comment_post_ID, comment_author) SELECT seq % 300 + 1, 'someone' FROM seq_1_to_400;
INSERT INTO wp_commentmeta (comment_id) SELECT seq FROM seq_1_to_100;
INSERT INTO wp_terms (name, slug) SELECT concat('term ', seq), concat('term-', seq) FROM seq_1_to_40;
INSERT INTO wp_termmeta (term_id) SELECT seq FROM seq_1_to_40;
INSERT INTO wp_term_taxonomy (term_id, taxonomy) SELECT seq, 'category' FROM seq_1_to_40;
INSERT INTO wp_term_relationships SELECT seq, seq % 40 + 1 FROM seq_1_to_300;
INSERT INTO wp_options (option_name, option_value) SELECT concat('option', seq), 'on' FROM seq_1_to_150;
INSERT INTO wp_links (link_url) SELECT concat('https://example.org/', seq) FROM seq_1_to_10;
