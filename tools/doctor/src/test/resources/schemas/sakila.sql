-- Modelled on Sakila, the sample database of a shop that rents films, on MariaDB. Rebuilt, not copied.
CREATE TABLE actor (actor_id smallint unsigned AUTO_INCREMENT PRIMARY KEY, first_name varchar(45) NOT NULL, last_name varchar(45) NOT NULL);
CREATE TABLE language (language_id tinyint unsigned AUTO_INCREMENT PRIMARY KEY, name char(20) NOT NULL);
CREATE TABLE category (category_id tinyint unsigned AUTO_INCREMENT PRIMARY KEY, name varchar(25) NOT NULL);
CREATE TABLE country (country_id smallint unsigned AUTO_INCREMENT PRIMARY KEY, country varchar(50) NOT NULL);
CREATE TABLE city (
  city_id smallint unsigned AUTO_INCREMENT PRIMARY KEY, city varchar(50) NOT NULL, country_id smallint unsigned NOT NULL,
  FOREIGN KEY (country_id) REFERENCES country (country_id) ON UPDATE CASCADE);
CREATE TABLE address (
  address_id smallint unsigned AUTO_INCREMENT PRIMARY KEY, address varchar(50) NOT NULL, city_id smallint unsigned NOT NULL,
  FOREIGN KEY (city_id) REFERENCES city (city_id));
CREATE TABLE store (store_id tinyint unsigned AUTO_INCREMENT PRIMARY KEY, address_id smallint unsigned NOT NULL);
CREATE TABLE staff (staff_id tinyint unsigned AUTO_INCREMENT PRIMARY KEY, first_name varchar(45) NOT NULL, store_id tinyint unsigned NOT NULL);
CREATE TABLE customer (
  customer_id int unsigned AUTO_INCREMENT PRIMARY KEY COMMENT 'also printed on cards', store_id tinyint unsigned NOT NULL, email varchar(50));
CREATE TABLE film (
  film_id mediumint unsigned AUTO_INCREMENT PRIMARY KEY, title varchar(128) NOT NULL, language_id tinyint unsigned NOT NULL,
  rating enum('G', 'PG', 'R') DEFAULT 'G', FOREIGN KEY (language_id) REFERENCES language (language_id));
CREATE TABLE film_actor (actor_id smallint unsigned, film_id mediumint unsigned, PRIMARY KEY (actor_id, film_id));
CREATE TABLE inventory (
  inventory_id mediumint unsigned AUTO_INCREMENT PRIMARY KEY, film_id mediumint unsigned NOT NULL, store_id tinyint unsigned NOT NULL,
  FOREIGN KEY (film_id) REFERENCES film (film_id));
CREATE TABLE rental (
  rental_id int AUTO_INCREMENT PRIMARY KEY, rental_date datetime NOT NULL, inventory_id mediumint unsigned NOT NULL,
  FOREIGN KEY (inventory_id) REFERENCES inventory (inventory_id));
CREATE TABLE payment (
  payment_id int unsigned AUTO_INCREMENT, rental_id int, amount decimal(5,2) NOT NULL, payment_date date NOT NULL,
  PRIMARY KEY (payment_id, payment_date)) PARTITION BY RANGE (year(payment_date))
  (PARTITION before_2024 VALUES LESS THAN (2024), PARTITION from_2024 VALUES LESS THAN MAXVALUE);

INSERT INTO actor (first_name, last_name) SELECT concat('A', seq), concat('B', seq) FROM seq_1_to_200;
INSERT INTO language (name) VALUES ('English'), ('Italian'), ('Japanese');
INSERT INTO category (name) SELECT concat('category ', seq) FROM seq_1_to_16;
INSERT INTO country (country) SELECT concat('country ', seq) FROM seq_1_to_109;
INSERT INTO city (city, country_id) SELECT concat('city ', seq), seq % 109 + 1 FROM seq_1_to_600;
INSERT INTO address (address, city_id) SELECT concat('street ', seq), seq FROM seq_1_to_600;
INSERT INTO store (address_id) VALUES (1), (2);
INSERT INTO staff (first_name, store_id) VALUES ('Mike', 1), ('Jon', 2);
INSERT INTO customer (store_id, email) SELECT 1, concat(seq, '@example.org') FROM seq_1_to_599;
INSERT INTO film (title, language_id) SELECT concat('film ', seq), 1 FROM seq_1_to_1000;
INSERT INTO film_actor SELECT seq % 200 + 1, seq FROM seq_1_to_1000;
INSERT INTO inventory (film_id, store_id) SELECT seq % 1000 + 1, 1 FROM seq_1_to_2000;
INSERT INTO rental (rental_date, inventory_id) SELECT '2022-01-01', seq FROM seq_1_to_2000;
INSERT INTO payment (rental_id, amount, payment_date) SELECT seq, 2.99, IF(seq % 2, '2023-06-01', '2024-06-01') FROM seq_1_to_2000;
