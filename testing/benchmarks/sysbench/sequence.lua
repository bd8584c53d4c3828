-- SPDX-License-Identifier: Apache-2.0
--
-- Rows with numbers, for sysbench 1.0 on MariaDB or MySQL, with the tables and statements of
-- bench --scenario mariadb.
--
--   --numbers=emulated         from a row that the same transaction increments
--   --numbers=auto_increment   from an AUTO_INCREMENT column
--   --rows=N                   rows per transaction, each inserted by its own statement
--
-- Commands: prepare, run, cleanup. An event is a transaction, so rows per second are events per second times --rows.

sysbench.cmdline.options = {
    numbers = {"Source of the numbers: emulated or auto_increment", "emulated"},
    rows = {"Rows per transaction", 1}
}

local SEQUENCE = "sysbench_sequence"
local ROWS = "sysbench_rows"

local function emulated()
    local numbers = sysbench.opt.numbers
    assert(numbers == "emulated" or numbers == "auto_increment",
        "--numbers=" .. numbers .. " is neither emulated nor auto_increment")
    return numbers == "emulated"
end

local function connected(use)
    local connection = sysbench.sql.driver():connect()
    use(connection)
    connection:disconnect()
end

function prepare()
    connected(function(connection)
        connection:query("CREATE TABLE " .. SEQUENCE ..
            " (seq_name CHAR(10) PRIMARY KEY, last_val BIGINT UNSIGNED)")
        connection:query("INSERT INTO " .. SEQUENCE .. " (seq_name, last_val) VALUES ('bench', 0)")
        connection:query("CREATE TABLE " .. ROWS .. " (id BIGINT NOT NULL" ..
            (emulated() and "" or " AUTO_INCREMENT") .. " PRIMARY KEY, note VARCHAR(40))")
    end)
end

function cleanup()
    connected(function(connection)
        connection:query("DROP TABLE IF EXISTS " .. ROWS .. ", " .. SEQUENCE)
    end)
end

local connection
local draws

function thread_init()
    connection = sysbench.sql.driver():connect()
    draws = emulated()
end

local function insert_emulated()
    connection:query("UPDATE " .. SEQUENCE .. " SET last_val = LAST_INSERT_ID(last_val+1) WHERE seq_name='bench'")
    local id = connection:query_row("SELECT LAST_INSERT_ID()")
    connection:query("INSERT INTO " .. ROWS .. " (id, note) VALUES (" .. id .. ", 'a row')")
end

function event()
    connection:query("BEGIN")
    for _ = 1, sysbench.opt.rows do
        if draws then
            insert_emulated()
        else
            connection:query("INSERT INTO " .. ROWS .. " (note) VALUES ('a row')")
        end
    end
    connection:query("COMMIT")
end

function thread_done()
    connection:disconnect()
end
