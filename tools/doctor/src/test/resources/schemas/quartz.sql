-- Modelled on the tables of the scheduler Quartz, beside entities that Hibernate numbers, on PostgreSQL. Rebuilt, not copied.
CREATE TABLE qrtz_job_details (
  sched_name varchar(120), job_name varchar(200), job_group varchar(200), job_class_name varchar(250) NOT NULL, job_data bytea,
  PRIMARY KEY (sched_name, job_name, job_group));
CREATE TABLE qrtz_triggers (
  sched_name varchar(120), trigger_name varchar(200), trigger_group varchar(200), job_name varchar(200) NOT NULL,
  job_group varchar(200) NOT NULL, next_fire_time bigint, trigger_state varchar(16) NOT NULL,
  PRIMARY KEY (sched_name, trigger_name, trigger_group),
  FOREIGN KEY (sched_name, job_name, job_group) REFERENCES qrtz_job_details);
CREATE TABLE qrtz_simple_triggers (
  sched_name varchar(120), trigger_name varchar(200), trigger_group varchar(200), repeat_count bigint NOT NULL,
  PRIMARY KEY (sched_name, trigger_name, trigger_group),
  FOREIGN KEY (sched_name, trigger_name, trigger_group) REFERENCES qrtz_triggers);
CREATE TABLE qrtz_cron_triggers (
  sched_name varchar(120), trigger_name varchar(200), trigger_group varchar(200), cron_expression varchar(120) NOT NULL,
  PRIMARY KEY (sched_name, trigger_name, trigger_group),
  FOREIGN KEY (sched_name, trigger_name, trigger_group) REFERENCES qrtz_triggers);
CREATE TABLE qrtz_calendars (sched_name varchar(120), calendar_name varchar(200), calendar bytea NOT NULL, PRIMARY KEY (sched_name, calendar_name));
CREATE TABLE qrtz_fired_triggers (
  sched_name varchar(120), entry_id varchar(95), trigger_name varchar(200) NOT NULL, fired_time bigint NOT NULL,
  PRIMARY KEY (sched_name, entry_id));
CREATE TABLE qrtz_scheduler_state (sched_name varchar(120), instance_name varchar(200), last_checkin_time bigint, PRIMARY KEY (sched_name, instance_name));
CREATE TABLE qrtz_locks (sched_name varchar(120), lock_name varchar(40), PRIMARY KEY (sched_name, lock_name));
CREATE SEQUENCE customer_seq INCREMENT 50;
CREATE TABLE customer (id bigint PRIMARY KEY, name text);
CREATE SEQUENCE address_seq INCREMENT 50;
CREATE TABLE address (id bigint PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer, city text);
CREATE SEQUENCE bill_seq;
CREATE TABLE bill (id bigint PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer);
CREATE SEQUENCE hibernate_sequence;
CREATE TABLE parcel (id bigint PRIMARY KEY, bill_id bigint NOT NULL REFERENCES bill);
CREATE SEQUENCE revinfo_seq;
CREATE TABLE revinfo (rev int PRIMARY KEY, revtstmp bigint);

INSERT INTO qrtz_job_details SELECT 'main', 'job' || g, 'group', 'org.example.Job', NULL FROM generate_series(1, 10) g;
INSERT INTO qrtz_triggers SELECT 'main', 'trigger' || g, 'group', 'job' || g, 'group', 1790000000000 + g, 'WAITING' FROM generate_series(1, 10) g;
INSERT INTO qrtz_simple_triggers SELECT 'main', 'trigger' || g, 'group', 5 FROM generate_series(1, 5) g;
INSERT INTO qrtz_cron_triggers SELECT 'main', 'trigger' || g, 'group', '0 0 * * * ?' FROM generate_series(6, 10) g;
INSERT INTO qrtz_locks VALUES ('main', 'TRIGGER_ACCESS'), ('main', 'STATE_ACCESS');
INSERT INTO qrtz_scheduler_state VALUES ('main', 'node1', 1790000000000);
SELECT nextval('customer_seq') FROM generate_series(1, 4);
INSERT INTO customer SELECT g, 'customer ' || g FROM generate_series(1, 151) g;
SELECT nextval('address_seq') FROM generate_series(1, 3);
INSERT INTO address SELECT g, g, 'city' FROM generate_series(1, 101) g;
INSERT INTO bill SELECT nextval('bill_seq'), g FROM generate_series(1, 100) g;
INSERT INTO parcel SELECT nextval('hibernate_sequence'), g FROM generate_series(1, 100) g;
INSERT INTO revinfo SELECT nextval('revinfo_seq'), 1790000000000 + g FROM generate_series(1, 100) g;
