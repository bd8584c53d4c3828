-- Modelled on Chinook, the sample database of a shop for music, with quoted names, on PostgreSQL. Rebuilt, not copied.
CREATE TABLE "Artist" ("ArtistId" serial PRIMARY KEY, "Name" varchar(120));
CREATE TABLE "Album" (
  "AlbumId" bigserial PRIMARY KEY, "Title" varchar(160) NOT NULL, "ArtistId" integer NOT NULL REFERENCES "Artist");
CREATE TABLE "Genre" ("GenreId" serial PRIMARY KEY, "Name" varchar(120));
CREATE TABLE "MediaType" ("MediaTypeId" serial PRIMARY KEY, "Name" varchar(120));
CREATE TABLE "Employee" (
  "EmployeeId" serial PRIMARY KEY, "LastName" varchar(20) NOT NULL, "ReportsTo" integer REFERENCES "Employee");
CREATE TABLE "Customer" (
  "CustomerId" serial PRIMARY KEY, "Email" varchar(60) NOT NULL, "SupportRepId" integer REFERENCES "Employee");
CREATE TABLE "Track" (
  "TrackId" serial PRIMARY KEY, "Name" varchar(200) NOT NULL, "AlbumId" bigint REFERENCES "Album",
  "GenreId" integer REFERENCES "Genre", "UnitPrice" numeric(10,2) NOT NULL);
CREATE TABLE "Invoice" (
  "InvoiceId" serial PRIMARY KEY, "CustomerId" integer NOT NULL REFERENCES "Customer", "InvoiceDate" date NOT NULL, "Total" numeric(10,2));
CREATE TABLE "InvoiceLine" (
  "InvoiceLineId" bigserial PRIMARY KEY, "InvoiceId" integer NOT NULL, "TrackId" bigint NOT NULL, "Quantity" integer NOT NULL);
CREATE TABLE "Playlist" ("PlaylistId" serial PRIMARY KEY, "Name" varchar(120));
CREATE TABLE "PlaylistTrack" ("PlaylistId" integer REFERENCES "Playlist", "TrackId" bigint, PRIMARY KEY ("PlaylistId", "TrackId"));

INSERT INTO "Artist" ("Name") SELECT 'artist ' || g FROM generate_series(1, 275) g;
INSERT INTO "Album" ("Title", "ArtistId") SELECT 'album ' || g, g % 275 + 1 FROM generate_series(1, 347) g;
INSERT INTO "Genre" ("Name") SELECT 'genre ' || g FROM generate_series(1, 25) g;
INSERT INTO "MediaType" ("Name") SELECT 'medium ' || g FROM generate_series(1, 5) g;
INSERT INTO "Employee" ("LastName") SELECT 'employee ' || g FROM generate_series(1, 8) g;
INSERT INTO "Customer" ("Email", "SupportRepId") SELECT g || '@example.org', g % 8 + 1 FROM generate_series(1, 59) g;
INSERT INTO "Track" ("Name", "AlbumId", "GenreId", "UnitPrice") SELECT 'track ' || g, g % 347 + 1, g % 25 + 1, 0.99 FROM generate_series(1, 3503) g;
INSERT INTO "Invoice" ("CustomerId", "InvoiceDate") SELECT g % 59 + 1, '2021-01-01' FROM generate_series(1, 412) g;
INSERT INTO "InvoiceLine" ("InvoiceId", "TrackId", "Quantity") SELECT g % 412 + 1, g, 1 FROM generate_series(1, 2240) g;
INSERT INTO "Playlist" ("Name") SELECT 'playlist ' || g FROM generate_series(1, 18) g;
INSERT INTO "PlaylistTrack" SELECT g % 18 + 1, g FROM generate_series(1, 3000) g;
