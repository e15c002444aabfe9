-- Very many tables in very many schemas, each of them small.
--
-- Models: a hosting service with a schema for each customer. Each event reads one row of one table of one schema; what is measured
-- is the server's keeping of open tables and of its dictionary, not the rows. With rows-per-table 0 the tables are empty, and with a
-- distribution that favours few schemas (rand-type) fewer tables have to be open.
--
-- Data: schemas x tables-per-schema x (64 kB + rows-per-table x 90 bytes) on InnoDB with a file for each table (MySQL 8: 112 kB),
-- and x (16 kB + rows-per-table x 110 bytes) on PostgreSQL, which keeps two files for each table and its key. Look at the free inodes as well.
-- The schemas are called <schema-prefix>1, 2, ...: databases of their own on MySQL (which needs the right to create them), schemas of
-- the database on PostgreSQL. prepare lists them in kp_schemas when it is done; one that was broken off is gone on with by the next.
-- cleanup drops only what is in its lists.
--
-- Used for E23 (400000 schemas x 100 empty tables; uniform, pareto 0.05 and 0.01).

local kneepoint = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kneepoint.lua")

sysbench.cmdline.options = {
   schemas = { "Schemas; each is a database of its own on MySQL.", 10,
      title = "Schemas", unit = "schemas", min = 1, max = 10000000 },
   tables_per_schema = { "Tables in each schema.", 10,
      title = "Tables per schema", unit = "tables", min = 1, max = 10000 },
   rows_per_table = { "Rows of each table; 0 = empty tables, of which each event then reads no row.", 10,
      title = "Rows per table", unit = "rows", min = 0, max = 100000 },
   schema_prefix = { "What the names of the schemas begin with; their number follows.", "kp_schema_",
      title = "Begin of the schemas' names", pattern = "^[a-z][a-z0-9_]*$" },
   mysql_storage_engine = { "Engine of the tables (MySQL family only).", "innodb" }
}
kneepoint.keep_defaults()

-- Lists of the schemas that prepare has made, and of those that it has at least begun.
local LISTS = { "kp_schemas", "kp_schema_begun" }

local opt = kneepoint.options

local function schema_exists(con, name)
   return tonumber((con:query_row(string.format("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '%s'", name)))) > 0
end

-- Entered before a schema is made: one that exists without standing there is not ours.
local function create(con, postgres)
   con:query("CREATE TABLE kp_schema_begun (unit INTEGER NOT NULL PRIMARY KEY, name VARCHAR(64) NOT NULL)" .. kneepoint.engine(postgres))
end

local function load(con, postgres, number)
   local schema = opt.schema_prefix .. number
   local begun = tonumber((con:query_row("SELECT COUNT(*) FROM kp_schema_begun WHERE unit = " .. number))) > 0
   if not begun then
      if schema_exists(con, schema) then
         error(string.format("schema '%s' already exists and was not made by this workload: choose another schema-prefix", schema))
      end
      con:query(string.format("INSERT INTO kp_schema_begun VALUES (%d, '%s')", number, schema))
   end
   con:query(string.format("CREATE SCHEMA IF NOT EXISTS %s", schema))
   for number_of_table = 1, opt.tables_per_schema do
      local name = string.format("%s.t%d", schema, number_of_table)
      con:query(string.format("CREATE TABLE IF NOT EXISTS %s (id INTEGER NOT NULL PRIMARY KEY, c VARCHAR(60) NOT NULL)%s", name,
         kneepoint.engine(postgres)))
      if opt.rows_per_table > 0 then
         if begun then
            con:query("DELETE FROM " .. name)
         end
         kneepoint.fill(con, name, 1, opt.rows_per_table, function(id)
            return string.format("(%d, '%s')", id, kneepoint.text(40))
         end)
      end
   end
   if number % 1000 == 0 then
      kneepoint.say(string.format("Filling schema %d of %d...\n", number, opt.schemas))
   end
end

-- The table appears under this name only when all schemas are there, so counting its rows tells whether the data is complete.
local function finish(con)
   con:query("ALTER TABLE kp_schema_begun RENAME TO kp_schemas")
end

local function prepare()
   kneepoint.prepare("schema", { units = opt.schemas, create = create, load = load, finish = finish, resume = true })
end

local function cleanup()
   local con, postgres = kneepoint.connect()
   local drop = postgres and "DROP SCHEMA IF EXISTS %s CASCADE" or "DROP SCHEMA IF EXISTS %s"
   for _, list in ipairs(LISTS) do
      if kneepoint.has_table(con, postgres, list) then
         -- The highest first: a cleanup that is broken off then leaves a list that is still right.
         local name = con:query_row("SELECT name FROM " .. list .. " ORDER BY unit DESC LIMIT 1")
         while name ~= nil do
            con:query(string.format(drop, name))
            con:query(string.format("DELETE FROM %s WHERE name = '%s'", list, name))
            name = con:query_row("SELECT name FROM " .. list .. " ORDER BY unit DESC LIMIT 1")
         end
      end
   end
   kneepoint.cleanup("schema", LISTS)
end

sysbench.cmdline.commands = { prepare = { prepare, sysbench.cmdline.PARALLEL_COMMAND }, cleanup = { cleanup } }

local con

function thread_init()
   con = kneepoint.connect()
end

function event()
   local from = string.format("%s%d.t%d", opt.schema_prefix, sysbench.rand.default(1, opt.schemas), sysbench.rand.uniform(1, opt.tables_per_schema))
   if opt.rows_per_table == 0 then
      con:query(string.format("SELECT id FROM %s LIMIT 1", from))
   else
      con:query(string.format("SELECT c FROM %s WHERE id = %d", from, sysbench.rand.uniform(1, opt.rows_per_table)))
   end
end

function thread_done()
   con:disconnect()
end
