-- Modelled on Pagila, the sample database of a shop that rents films, on PostgreSQL. Rebuilt, not copied.
CREATE SEQUENCE actor_actor_id_seq;
CREATE TABLE actor (
  actor_id integer PRIMARY KEY DEFAULT nextval('actor_actor_id_seq'),
  first_name text NOT NULL, last_name text NOT NULL, last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE language (language_id serial PRIMARY KEY, name varchar(20) NOT NULL);
CREATE TABLE category (category_id smallserial PRIMARY KEY, name text NOT NULL);
CREATE TABLE country (country_id serial PRIMARY KEY, country text NOT NULL);
CREATE TABLE city (
  city_id serial PRIMARY KEY, city text NOT NULL, country_id integer NOT NULL REFERENCES country);
CREATE TABLE address (
  address_id serial PRIMARY KEY, address text NOT NULL, district text NOT NULL DEFAULT '',
  city_id integer NOT NULL REFERENCES city, phone text);
CREATE TABLE store (
  store_id serial PRIMARY KEY, manager_staff_id integer NOT NULL UNIQUE, address_id integer NOT NULL REFERENCES address);
CREATE TABLE staff (
  staff_id serial PRIMARY KEY, first_name text NOT NULL, store_id integer NOT NULL REFERENCES store, active boolean DEFAULT true);
CREATE TABLE customer (
  customer_id bigserial PRIMARY KEY, store_id integer NOT NULL REFERENCES store, email text, active integer);
CREATE DOMAIN release_year AS integer CHECK (VALUE BETWEEN 1901 AND 2155);
CREATE TABLE film (
  film_id serial PRIMARY KEY, title text NOT NULL, release_year release_year,
  language_id integer NOT NULL REFERENCES language, rental_rate numeric(4,2) NOT NULL DEFAULT 4.99, special_features text[]);
CREATE TABLE film_actor (
  actor_id integer NOT NULL REFERENCES actor, film_id integer NOT NULL REFERENCES film, PRIMARY KEY (actor_id, film_id));
CREATE TABLE film_category (
  film_id integer NOT NULL REFERENCES film, category_id smallint NOT NULL REFERENCES category, PRIMARY KEY (film_id, category_id));
CREATE TABLE inventory (
  inventory_id serial PRIMARY KEY, film_id integer NOT NULL REFERENCES film, store_id integer NOT NULL REFERENCES store);
CREATE TABLE rental (
  rental_id serial PRIMARY KEY, rental_date timestamptz NOT NULL, inventory_id integer NOT NULL REFERENCES inventory,
  customer_id bigint NOT NULL REFERENCES customer, return_date timestamptz);
CREATE TABLE payment (
  payment_id serial, customer_id bigint NOT NULL, rental_id integer NOT NULL, amount numeric(5,2) NOT NULL,
  payment_date date NOT NULL, PRIMARY KEY (payment_id, payment_date)) PARTITION BY RANGE (payment_date);
CREATE TABLE payment_p2022_01 PARTITION OF payment FOR VALUES FROM ('2022-01-01') TO ('2022-02-01');
CREATE TABLE payment_p2022_02 PARTITION OF payment FOR VALUES FROM ('2022-02-01') TO ('2022-03-01');
CREATE TABLE payment_p2022_03 PARTITION OF payment FOR VALUES FROM ('2022-03-01') TO ('2022-04-01');
CREATE VIEW actor_info AS SELECT a.actor_id, a.last_name, count(*) FROM actor a JOIN film_actor USING (actor_id) GROUP BY a.actor_id;

INSERT INTO actor (first_name, last_name) SELECT 'A' || g, 'B' || g FROM generate_series(1, 200) g;
INSERT INTO language (name) VALUES ('English'), ('Italian'), ('Japanese');
INSERT INTO category (name) SELECT 'category ' || g FROM generate_series(1, 16) g;
INSERT INTO country (country) SELECT 'country ' || g FROM generate_series(1, 109) g;
INSERT INTO city (city, country_id) SELECT 'city ' || g, g % 109 + 1 FROM generate_series(1, 600) g;
INSERT INTO address (address, city_id) SELECT 'street ' || g, g % 600 + 1 FROM generate_series(1, 600) g;
INSERT INTO store (manager_staff_id, address_id) VALUES (1, 1), (2, 2);
INSERT INTO staff (first_name, store_id) VALUES ('Mike', 1), ('Jon', 2);
INSERT INTO customer (store_id, email) SELECT g % 2 + 1, g || '@example.org' FROM generate_series(1, 500) g;
INSERT INTO film (title, language_id) SELECT 'film ' || g, 1 FROM generate_series(1, 1000) g;
INSERT INTO film_actor SELECT g % 200 + 1, g FROM generate_series(1, 1000) g;
INSERT INTO film_category SELECT g, g % 16 + 1 FROM generate_series(1, 1000) g;
INSERT INTO inventory (film_id, store_id) SELECT g % 1000 + 1, g % 2 + 1 FROM generate_series(1, 2000) g;
INSERT INTO rental (rental_date, inventory_id, customer_id) SELECT '2022-01-01', g % 2000 + 1, g % 500 + 1 FROM generate_series(1, 2000) g;
INSERT INTO payment (customer_id, rental_id, amount, payment_date)
  SELECT g % 500 + 1, g, 2.99, date '2022-01-01' + g % 90 FROM generate_series(1, 2000) g;
