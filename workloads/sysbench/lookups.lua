-- Rows found by lists of keys and by ranges, over the primary key or a secondary index, and answered from the index alone or not.
--
-- Models: the queries behind lists and joins of an application: IN lists of 10 to 10000 values, ranges of ids or of an indexed
-- column. "Covering" queries ask for indexed columns only; the others have to fetch each row from the table.
--
-- Data: the tables sbtest1 ... sbtestN of sysbench's own oltp_* scripts, made by its own prepare, so that a series of tests can go
-- through one set of data. tables x table-size x 240 bytes on InnoDB, 265 on PostgreSQL.
--
-- Used for E21 (groups of point queries by lists, covering then not, on the primary key and on the secondary index; ranges alike;
-- lists of 10, 100, 1000 and 10000 values; updates of one row and of lists).

local kneepoint = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kneepoint.lua")
require("oltp_common")

sysbench.cmdline.options.query = { "Query of one event. in-list: random keys in one IN list; hot-in-list: the same keys each time; range: adjacent keys; update-in-list: random rows updated in one statement; update-one: the same row updated by all threads.", "in-list",
   title = "Query", choices = { "in-list", "hot-in-list", "range", "update-in-list", "update-one" } }
sysbench.cmdline.options.key = { "Index used to find rows: primary (id) or secondary (k).", "primary",
   title = "Key", choices = { "primary", "secondary" } }
sysbench.cmdline.options.covering = { "Select only the column in the index; otherwise a column of the row.", false,
   title = "Covering" }
sysbench.cmdline.options.values = { "Keys per IN list, or rows per range.", 10,
   title = "Keys per query", unit = "keys", min = 1, max = 100000 }
kneepoint.keep_defaults()

local opt, table_names, lists

local function column()
   return sysbench.opt.key == "primary" and "id" or "k"
end

-- Keys as sysbench draws them, by --rand-type.
local function drawn(number)
   local keys = {}
   for index = 1, number do
      keys[index] = sysbench.rand.default(1, sysbench.opt.table_size)
   end
   return table.concat(keys, ", ")
end

local function hot(number)
   local keys = {}
   for index = 1, math.min(number, sysbench.opt.table_size) do
      keys[index] = index
   end
   return table.concat(keys, ", ")
end

local function select(table_name, condition)
   return string.format("SELECT %s FROM %s WHERE %s", sysbench.opt.covering and column() or "c", table_name, condition)
end

local QUERIES = {
   ["in-list"] = function(table_name)
      return select(table_name, string.format("%s IN (%s)", column(), drawn(sysbench.opt.values)))
   end,
   ["hot-in-list"] = function(table_name)
      return select(table_name, string.format("%s IN (%s)", column(), lists))
   end,
   range = function(table_name)
      local first = sysbench.rand.default(1, sysbench.opt.table_size)
      return select(table_name, string.format("%s BETWEEN %d AND %d", column(), first, first + sysbench.opt.values - 1))
   end,
   ["update-in-list"] = function(table_name)
      -- By the secondary index another column is changed, or the rows would soon have left the keys that are asked for.
      local change = column() == "id" and "k = k + 1" or string.format("c = '%s'", sysbench.rand.string(string.rep("@", 100)))
      return string.format("UPDATE %s SET %s WHERE %s IN (%s)", table_name, change, column(), drawn(sysbench.opt.values))
   end,
   ["update-one"] = function(table_name)
      return string.format("UPDATE %s SET k = k + 1 WHERE id = 1", table_name)
   end
}

function thread_init()
   drv = sysbench.sql.driver()
   con = drv:connect()
   opt = sysbench.opt
   lists = hot(opt.values)
   table_names = {}
   for number = 1, opt.tables do
      table_names[number] = "sbtest" .. number
   end
end

function event()
   con:query(QUERIES[opt.query](table_names[sysbench.rand.uniform(1, opt.tables)]))
end

function thread_done()
   con:disconnect()
end
