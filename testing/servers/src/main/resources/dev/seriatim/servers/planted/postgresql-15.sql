-- SPDX-License-Identifier: Apache-2.0
-- Faults that need PostgreSQL 15.

--- repeats public.unlogged_alone
CREATE UNLOGGED SEQUENCE unlogged_alone;
CREATE TABLE draws_unlogged (id bigint PRIMARY KEY DEFAULT nextval('unlogged_alone'));
ALTER SEQUENCE unlogged_alone OWNED BY draws_unlogged.id;
