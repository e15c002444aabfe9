-- Very many tables in very many schemas, each of them small.
--
-- Models: a hosting service with a schema for each customer. Each event reads one row of one table of one schema; what is measured
-- is the server's keeping of open tables and of its dictionary, not the rows. With rows-per-table 0 the tables are empty, and with a
-- distribution that favours few schemas (rand-type) fewer tables have to be open.
--
-- Data: schemas x tables-per-schema x (64 kB + rows-per-table x 90 bytes) on InnoDB with a file for each table (MySQL 8: 112 kB),
-- and x (24 kB + rows-per-table x 105 bytes) on PostgreSQL, or 8 kB empty, which keeps two files for each table and its key. An indexed
-- column adds 16 kB (PostgreSQL: 8 kB empty) and rows x 20 bytes (35) to each table. In general tablespaces a table takes 16 kB in place of 64 kB, and each tablespace 100 kB, or 8 MB once more than
-- 1 MB is in it; compressed rows take key-block-size / 16 of that. Look at the free inodes as well.
-- The schemas are called <schema-prefix>1, 2, ...: databases of their own on MySQL (which needs the right to create them), schemas of
-- the database on PostgreSQL. prepare lists them in kp_schemas when it is done; one that was broken off is gone on with by the next.
-- cleanup drops only what is in its lists.
--
-- Used for E23 (400000 schemas x 100 empty tables with an index, a tablespace for each schema; uniform, pareto 0.05 and 0.01; its
-- compression was that of the file system).

local kneepoint = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kneepoint.lua")

sysbench.cmdline.options = {
   schemas = { "Number of schemas; on MySQL, each is a database.", 10,
      title = "Schemas", unit = "schemas", min = 1, max = 10000000 },
   tables_per_schema = { "Tables in each schema.", 10,
      title = "Tables per schema", unit = "tables", min = 1, max = 10000 },
   rows_per_table = { "Rows per table; 0 = empty tables, and events read no rows.", 10,
      title = "Rows per table", unit = "rows", min = 0, max = 100000 },
   schema_prefix = { "Prefix of schema names; the number follows.", "kp_schema_",
      title = "Schema name prefix", pattern = "^[a-z][a-z0-9_]*$" },
   indexed_column = { "Add a second, indexed column to each table, as in sysbench's own tables.", false,
      title = "Indexed column" },
   tables_per_tablespace = { "Put this many tables of a schema into each general tablespace (MySQL 5.7.6 and later); 0 = server default, usually a file per table. With the value of tables-per-schema, each schema has one tablespace, and there are far fewer files.", 0,
      title = "Tables per tablespace", unit = "tables", min = 0, max = 10000 },
   row_format = { "InnoDB row format; server = server default.", "server",
      title = "Row format", choices = { "server", "dynamic", "compact", "redundant", "compressed" } },
   key_block_size = { "Page size of compressed tables: 1, 2, 4, 8 or 16.", 8,
      title = "Compressed page", unit = "kB", min = 1, max = 16, only = { "row_format", "compressed" } },
   page_compression = { "Transparent page compression of InnoDB with hole punching: zlib on MySQL, the algorithm set on the server on MariaDB. Not in general tablespaces.", false,
      title = "Page compression" },
   mysql_storage_engine = { "Engine of the tables (MySQL family only).", "innodb" }
}
kneepoint.keep_defaults()

-- Lists of the schemas that prepare has made, and of those that it has at least begun.
local LISTS = { "kp_schemas", "kp_schema_begun" }

local opt = kneepoint.options

local function counted(con, text, ...)
   return tonumber((con:query_row(string.format(text, ...))))
end

local function schema_exists(con, name)
   return counted(con, "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '%s'", name) > 0
end

local function tablespace_exists(con, name)
   return counted(con, "SELECT COUNT(*) FROM information_schema.files WHERE tablespace_name = '%s'", name) > 0
end

-- The tablespaces of a schema: none without such an option.
local function tablespaces_per_schema()
   return opt.tables_per_tablespace == 0 and 0 or math.ceil(opt.tables_per_schema / opt.tables_per_tablespace)
end

local function tablespace_of(schema, number)
   return string.format("%s_space%d", schema, number)
end

-- Ends prepare with a sentence when the server cannot lay tables out as the options say.
local function refuse_what_is_not_there(con, postgres)
   local function refuse(option, why)
      error(string.format("%s cannot be had on this server: %s", option, why))
   end
   local asked = opt.tables_per_tablespace > 0 and "tables-per-tablespace" or opt.row_format ~= "server" and "row-format"
      or opt.page_compression and "page-compression"
   if not asked then
      return
   elseif postgres then
      refuse(asked, "it is about InnoDB, and this is PostgreSQL")
   elseif opt.mysql_storage_engine:lower() ~= "innodb" then
      refuse(asked, "it is about InnoDB, and the tables are to be of " .. opt.mysql_storage_engine)
   elseif opt.tables_per_tablespace == 0 then
      return
   end
   local version = tostring((con:query_row("SELECT VERSION()")))
   local major, minor, patch = version:match("^(%d+)%.(%d+)%.(%d+)")
   if version:find("MariaDB") then
      refuse(asked, "MariaDB has no general tablespaces for InnoDB, MySQL has them since 5.7.6; this is " .. version)
   elseif tonumber(major) * 10000 + tonumber(minor) * 100 + tonumber(patch) < 50706 then
      refuse(asked, "general tablespaces came with MySQL 5.7.6, and this is " .. version)
   elseif opt.page_compression then
      refuse("page-compression", "InnoDB has none in general tablespaces")
   end
end

-- Entered before a schema is made: one that exists without standing there is not ours.
local function create(con, postgres)
   refuse_what_is_not_there(con, postgres)
   con:query("CREATE TABLE kp_schema_begun (unit INTEGER NOT NULL PRIMARY KEY, name VARCHAR(64) NOT NULL, tablespaces INTEGER NOT NULL)" ..
      kneepoint.engine(postgres))
end

-- Words behind each CREATE TABLE.
local function layout(con, postgres)
   local words = kneepoint.engine(postgres)
   if opt.row_format ~= "server" then
      words = words .. " ROW_FORMAT=" .. opt.row_format:upper() ..
         (opt.row_format == "compressed" and " KEY_BLOCK_SIZE=" .. opt.key_block_size or "")
   end
   if opt.page_compression then
      words = words .. (tostring((con:query_row("SELECT VERSION()"))):find("MariaDB") and " PAGE_COMPRESSED=1" or " COMPRESSION='zlib'")
   end
   return words
end

local function begin_schema(con, number, schema)
   local refused = schema_exists(con, schema) and "schema '" .. schema .. "'"
   for space = 1, tablespaces_per_schema() do
      if tablespace_exists(con, tablespace_of(schema, space)) then
         refused = "tablespace '" .. tablespace_of(schema, space) .. "'"
      end
   end
   if refused then
      error(refused .. " already exists and was not made by this workload: choose another schema-prefix")
   end
   con:query(string.format("INSERT INTO kp_schema_begun VALUES (%d, '%s', %d)", number, schema, tablespaces_per_schema()))
end

local function create_tablespaces(con, schema)
   local block = opt.row_format == "compressed" and " FILE_BLOCK_SIZE = " .. opt.key_block_size * 1024 or ""
   for space = 1, tablespaces_per_schema() do
      local name = tablespace_of(schema, space)
      if not tablespace_exists(con, name) then
         con:query(string.format("CREATE TABLESPACE %s ADD DATAFILE '%s.ibd'%s ENGINE=InnoDB", name, name, block))
      end
   end
end

local function create_table(con, postgres, schema, number, words)
   local k = opt.indexed_column
   local space = opt.tables_per_tablespace > 0 and
      " TABLESPACE " .. tablespace_of(schema, math.ceil(number / opt.tables_per_tablespace)) or ""
   con:query(string.format("CREATE TABLE IF NOT EXISTS %s.t%d (id INTEGER NOT NULL PRIMARY KEY, %sc VARCHAR(60) NOT NULL%s)%s%s", schema, number,
      k and "k INTEGER NOT NULL, " or "", k and not postgres and ", KEY k_1 (k)" or "", words, space))
   if k and postgres then
      con:query(string.format("CREATE INDEX IF NOT EXISTS k_%d ON %s.t%d (k)", number, schema, number))
   end
end

local function load(con, postgres, number)
   local schema = opt.schema_prefix .. number
   local begun = counted(con, "SELECT COUNT(*) FROM kp_schema_begun WHERE unit = %d", number) > 0
   if not begun then
      begin_schema(con, number, schema)
   end
   con:query(string.format("CREATE SCHEMA IF NOT EXISTS %s", schema))
   create_tablespaces(con, schema)
   local words = layout(con, postgres)
   for number_of_table = 1, opt.tables_per_schema do
      create_table(con, postgres, schema, number_of_table, words)
      if opt.rows_per_table > 0 then
         local name = string.format("%s.t%d", schema, number_of_table)
         if begun then
            con:query("DELETE FROM " .. name)
         end
         kneepoint.fill(con, name, 1, opt.rows_per_table, function(id)
            local k = opt.indexed_column and sysbench.rand.uniform(1, opt.rows_per_table) .. ", " or ""
            return string.format("(%d, %s'%s')", id, k, kneepoint.text(40))
         end)
      end
      if number_of_table % 50 == 0 then
         kneepoint.step()
      end
   end
   if number % 1000 == 0 then
      kneepoint.say(string.format("Filling schema %d of %d...\n", number, opt.schemas))
   end
end

-- The table appears under this name only when all schemas are there, so counting its rows tells whether the data is complete.
local function finish(con, postgres)
   if kneepoint.has_table(con, postgres, "kp_schema_begun") then
      con:query("ALTER TABLE kp_schema_begun RENAME TO kp_schemas")
   end
end

-- A cleanup that was ended on its way leaves the list under that name.
local function reopen(con, postgres)
   if kneepoint.has_table(con, postgres, "kp_schemas") and not kneepoint.has_table(con, postgres, "kp_schema_begun") then
      con:query("ALTER TABLE kp_schemas RENAME TO kp_schema_begun")
   end
end

local function prepare()
   kneepoint.prepare("schema", {
      words = string.format("schemas=%d tables-per-schema=%d rows-per-table=%d schema-prefix=%s indexed-column=%s tables-per-tablespace=%d " ..
         "row-format=%s key-block-size=%d page-compression=%s", opt.schemas, opt.tables_per_schema, opt.rows_per_table, opt.schema_prefix,
         tostring(opt.indexed_column), opt.tables_per_tablespace, opt.row_format, opt.key_block_size, tostring(opt.page_compression)),
      tables = LISTS,
      create = create,
      parts = opt.schemas,
      load = load,
      ends = 1,
      finish = finish,
      bears_halves = true,
      reopen = reopen
   })
end

-- The highest first: a cleanup that is ended on its way then leaves a list that is still right.
local function drop_listed(con, postgres, list)
   local drop = postgres and "DROP SCHEMA IF EXISTS %s CASCADE" or "DROP SCHEMA IF EXISTS %s"
   local last = "SELECT name, tablespaces FROM " .. list .. " ORDER BY unit DESC LIMIT 1"
   local name, tablespaces = con:query_row(last)
   while name ~= nil do
      con:query(string.format(drop, name))
      for space = 1, tonumber(tablespaces) do
         if tablespace_exists(con, tablespace_of(name, space)) then
            con:query("DROP TABLESPACE " .. tablespace_of(name, space))
         end
      end
      con:query(string.format("DELETE FROM %s WHERE name = '%s'", list, name))
      kneepoint.step()
      name, tablespaces = con:query_row(last)
   end
end

local function cleanup()
   kneepoint.cleanup("schema", LISTS, function(con, postgres)
      for _, list in ipairs(LISTS) do
         if kneepoint.has_table(con, postgres, list) then
            drop_listed(con, postgres, list)
         end
      end
   end)
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
