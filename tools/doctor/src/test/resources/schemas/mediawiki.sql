-- Modelled on the tables of MediaWiki, on MariaDB. Rebuilt, not copied.
CREATE TABLE user (user_id int unsigned AUTO_INCREMENT PRIMARY KEY, user_name varbinary(255) NOT NULL DEFAULT '', UNIQUE (user_name));
CREATE TABLE actor (actor_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, actor_user int unsigned, actor_name varbinary(255) NOT NULL);
CREATE TABLE page (
  page_id int unsigned AUTO_INCREMENT PRIMARY KEY, page_namespace int NOT NULL, page_title varbinary(255) NOT NULL,
  page_latest bigint unsigned NOT NULL DEFAULT 0, UNIQUE (page_namespace, page_title));
CREATE TABLE revision (
  rev_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, rev_page int unsigned NOT NULL, rev_actor bigint unsigned NOT NULL DEFAULT 0, KEY (rev_page));
CREATE TABLE text (old_id int unsigned AUTO_INCREMENT PRIMARY KEY, old_text mediumblob NOT NULL);
CREATE TABLE content (content_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, content_model smallint unsigned NOT NULL, content_address varbinary(255));
CREATE TABLE content_models (model_id int AUTO_INCREMENT PRIMARY KEY, model_name varbinary(64) NOT NULL);
CREATE TABLE slot_roles (role_id int AUTO_INCREMENT PRIMARY KEY, role_name varbinary(64) NOT NULL);
CREATE TABLE slots (slot_revision_id bigint unsigned, slot_role_id smallint unsigned, slot_content_id bigint unsigned, PRIMARY KEY (slot_revision_id, slot_role_id));
CREATE TABLE logging (log_id int unsigned AUTO_INCREMENT PRIMARY KEY, log_type varbinary(32) NOT NULL DEFAULT '', log_page int unsigned);
CREATE TABLE recentchanges (rc_id int AUTO_INCREMENT PRIMARY KEY, rc_cur_id int unsigned NOT NULL DEFAULT 0);
CREATE TABLE category (cat_id int unsigned AUTO_INCREMENT PRIMARY KEY, cat_title varbinary(255) NOT NULL, cat_pages int NOT NULL DEFAULT 0);
CREATE TABLE categorylinks (cl_from int unsigned, cl_to varbinary(255), PRIMARY KEY (cl_from, cl_to));
CREATE TABLE job (job_id int unsigned AUTO_INCREMENT PRIMARY KEY, job_cmd varbinary(60) NOT NULL DEFAULT '');
CREATE TABLE interwiki (iw_prefix varchar(32) PRIMARY KEY, iw_url blob NOT NULL);

INSERT INTO user (user_name) SELECT concat('User', seq) FROM seq_1_to_100;
INSERT INTO actor (actor_user, actor_name) SELECT seq, concat('User', seq) FROM seq_1_to_100;
INSERT INTO page (page_namespace, page_title) SELECT 0, concat('Page_', seq) FROM seq_1_to_500;
INSERT INTO revision (rev_page, rev_actor) SELECT seq % 500 + 1, seq % 100 + 1 FROM seq_1_to_1500;
INSERT INTO text (old_text) SELECT 'text' FROM seq_1_to_1500;
INSERT INTO content (content_model) SELECT 1 FROM seq_1_to_1500;
INSERT INTO content_models (model_name) VALUES ('wikitext'), ('json');
INSERT INTO slot_roles (role_name) VALUES ('main');
INSERT INTO slots SELECT seq, 1, seq FROM seq_1_to_1500;
INSERT INTO logging (log_type) SELECT 'upload' FROM seq_1_to_200;
INSERT INTO recentchanges (rc_cur_id) SELECT seq FROM seq_1_to_300;
INSERT INTO category (cat_title) SELECT concat('Cat_', seq) FROM seq_1_to_30;
INSERT INTO categorylinks SELECT seq, 'Cat_1' FROM seq_1_to_200;
INSERT INTO job (job_cmd) SELECT 'refresh' FROM seq_1_to_20;
INSERT INTO interwiki VALUES ('w', 'https://example.org/');
