-- Single rows into a table that grows: how the rate of inserts changes with the number of rows that are there already.
--
-- Models: receipts of a shop's cash registers, written one by one (or a few at a time), with none or up to three secondary indexes
-- and with or without partitions by id. Secondary indexes are entered at random places, so the rate falls when they no longer fit
-- into the server's memory; without them rows are only added at the end.
--
-- With readers, further threads read rows in the order of an index while the writers write, and insert-rate holds the writers at a rate, so
-- that the cost of writing for reads is measured at the same pressure everywhere, as in the read-and-write steps of the insert benchmark.
-- Rates and latencies of both are then apart (ops_insert, ops_scan; insert_latency_…, read_latency_…), and lag_… is how long rows waited
-- for their turn behind the rate.
--
-- Data: the tables are empty at the start of each run, unless keep-rows leaves what is there. One row takes about
--   80 + note-length + 57 x indexes bytes on InnoDB, and 90 + note-length + 42 x indexes bytes on PostgreSQL.
-- With rows-per-writer set, the run ends when threads x rows-per-writer rows are in, or with the time, whichever comes first.
--
-- Prints the rows since the start in each second (metric rows_inserted), so a chart can have them on its x axis, and rows per second
-- (metric ops_insert) beside the statements per second.
--
-- Used for E11 (5 writers x 200 million rows, indexes 0 and 3, partitions of 100 million rows), E21b (insert).

local kneepoint = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kneepoint.lua")

sysbench.cmdline.options = {
   tables = { "Tables shared by the writers; each writer uses one of them.", 1,
      title = "Tables", unit = "tables", min = 1, max = 1000 },
   rows_per_writer = { "Average rows per writer, after which the run ends early. 0 = until the time is over.", 0,
      title = "Rows per writer", unit = "rows", min = 0 },
   rows_per_insert = { "Rows per INSERT, which is one transaction.", 1,
      title = "Rows per insert", unit = "rows", min = 1, max = 10000 },
   insert_rate = { "Rows per second over all writers, spread evenly; 0 = no limit. Late rows are caught up.", 0,
      title = "Rate of inserts", unit = "rows/s", min = 0 },
   readers = { "Additional threads that read in secondary-index order during the writes.", 0,
      title = "Readers", unit = "threads", min = 0, max = 10000 },
   rows_per_read = { "Rows per read, starting at a random position of an index.", 10,
      title = "Rows per read", unit = "rows", min = 1, max = 10000 },
   keep_rows = { "Add to the rows of an earlier run or step instead of dropping the tables first.", false,
      title = "Keep rows" },
   indexes = { "Secondary indexes per table, with two or three columns each.", 3,
      title = "Secondary indexes", unit = "indexes", min = 0, max = 3 },
   partitions = { "Range partitions of each table by id; 0 = none. The last one holds all further rows.", 0,
      title = "Partitions", unit = "partitions", min = 0, max = 1000 },
   partition_rows = { "Rows in each partition.", 100000000,
      title = "Rows per partition", unit = "rows", min = 1 },
   note_length = { "Random text per row, which makes rows larger and does not compress.", 0,
      title = "Text per row", unit = "bytes", min = 0, max = 4000 },
   mysql_storage_engine = { "Engine of the tables (MySQL family only).", "innodb" }
}
kneepoint.keep_defaults()

local CUSTOMERS, PRODUCTS, REGISTERS = 100000, 10000, 1000
local INDEXES = { { "market", "price, customer_id" }, { "register", "register_id, price, customer_id" }, { "sold", "price, sold_at, customer_id" } }

local opt = kneepoint.options
-- Whether figures of writers and readers are apart.
local function is_paced()
   return opt.readers > 0 or opt.insert_rate > 0
end

local function has_readers()
   return opt.readers > 0
end

local function holds_rate()
   return opt.insert_rate > 0
end

local count = kneepoint.counters {
   { "rows", rate = "ops_insert", sum = "rows_inserted", total = "rows_inserted_total" },
   { "inserts", times = "insert_latency_%s_ms", only = is_paced },
   { "reads", rate = "ops_scan", total = "reads_total", times = "read_latency_%s_ms", only = has_readers },
   { "lag", times = "lag_%s_ms", figures = { avg = true, max = true }, only = holds_rate }
}

local function named(number)
   return "kp_insert" .. number
end

local function partition_words(postgres)
   if opt.partitions == 0 then
      return ""
   elseif postgres then
      return " PARTITION BY RANGE (id)"
   end
   local parts = {}
   for number = 1, opt.partitions - 1 do
      table.insert(parts, string.format("PARTITION p%d VALUES LESS THAN (%.0f)", number, number * opt.partition_rows + 1))
   end
   table.insert(parts, string.format("PARTITION p%d VALUES LESS THAN MAXVALUE", opt.partitions))
   return " PARTITION BY RANGE (id) (" .. table.concat(parts, ", ") .. ")"
end

local function create(con, postgres, number)
   local name = named(number)
   con:query(string.format("CREATE TABLE %s (id %s, sold_at %s NOT NULL, register_id INTEGER NOT NULL, customer_id INTEGER NOT NULL, " ..
      "product_id INTEGER NOT NULL, price REAL NOT NULL, note VARCHAR(4000) NOT NULL, PRIMARY KEY (id))%s%s", name,
      postgres and "BIGSERIAL" or "BIGINT NOT NULL AUTO_INCREMENT", postgres and "TIMESTAMP" or "DATETIME", kneepoint.engine(postgres),
      partition_words(postgres)))
   if postgres then
      for part = 1, opt.partitions do
         con:query(string.format("CREATE TABLE %s_p%d PARTITION OF %s FOR VALUES FROM (%.0f) TO (%s)", name, part, name,
            (part - 1) * opt.partition_rows + 1, part < opt.partitions and string.format("%.0f", part * opt.partition_rows + 1) or "MAXVALUE"))
      end
   end
   for index = 1, opt.indexes do
      con:query(string.format("CREATE INDEX %s_%s ON %s (%s)", name, INDEXES[index][1], name, INDEXES[index][2]))
   end
end

local function all_tables()
   local names = {}
   for number = 1, opt.tables do
      table.insert(names, named(number))
   end
   return names
end

function prepare()
   kneepoint.prepare("insert", {
      words = string.format("tables=%d indexes=%d partitions=%d partition-rows=%.0f", opt.tables, opt.indexes, opt.partitions,
         opt.partition_rows),
      tables = all_tables(),
      create = function(con, postgres)
         for number = 1, opt.tables do
            kneepoint.say(string.format("Creating table '%s'...\n", named(number)))
            create(con, postgres, number)
         end
      end,
      parts = 0
   })
end

function cleanup()
   kneepoint.cleanup("insert", all_tables())
end

local con, from, reads

function thread_init()
   con = kneepoint.connect()
   local writers = opt.threads - opt.readers
   reads = sysbench.tid >= writers
   from = named((reads and sysbench.tid - writers or sysbench.tid) % opt.tables + 1)
end

-- As prices of rows are spread.
local function price()
   return (sysbench.rand.uniform(0, 50000) + sysbench.rand.uniform(1, CUSTOMERS)) / 100
end

local function read()
   local index = sysbench.rand.uniform(1, opt.indexes)
   local text
   if index == 1 then
      text = string.format("SELECT price, customer_id FROM %s WHERE price >= %.2f ORDER BY price, customer_id", from, price())
   elseif index == 2 then
      text = string.format("SELECT register_id, price, customer_id FROM %s WHERE register_id >= %d ORDER BY register_id, price, customer_id",
         from, sysbench.rand.uniform(1, REGISTERS))
   else
      text = string.format("SELECT price, sold_at, customer_id FROM %s WHERE price >= %.2f ORDER BY price, sold_at, customer_id", from, price())
   end
   con:query(text .. " LIMIT " .. string.format("%d", opt.rows_per_read))
end

local function insert()
   local values = {}
   for row = 1, opt.rows_per_insert do
      local customer = sysbench.rand.uniform(1, CUSTOMERS)
      values[row] = string.format("(NOW(), %d, %d, %d, %.2f, '%s')", sysbench.rand.uniform(1, REGISTERS), customer,
         sysbench.rand.uniform(1, PRODUCTS), (sysbench.rand.uniform(0, 50000) + customer) / 100, kneepoint.text(opt.note_length))
   end
   con:query("INSERT INTO " .. from .. " (sold_at, register_id, customer_id, product_id, price, note) VALUES " .. table.concat(values, ", "))
   count("rows", opt.rows_per_insert)
end

function event()
   if not is_paced() then
      insert()
      return
   end
   local began = kneepoint.now()
   if reads then
      read()
   else
      insert()
   end
   count(reads and "reads" or "inserts", 1, kneepoint.now() - began)
end

-- A 1 of each writer that has added its rows.
local function ended(writers)
   return kneepoint.shared("ENDED", "double", writers)
end

local start, inserts = nil, 0

-- A writer waits for its turn, and ends with its rows. Readers end with the last writer.
local function before(thread)
   local writers = opt.threads - opt.readers
   if reads then
      for writer = 0, writers - 1 do
         if ended(writers)[writer] == 0 then
            return true
         end
      end
      return false
   end
   if opt.rows_per_writer > 0 and inserts * opt.rows_per_insert >= opt.rows_per_writer then
      ended(writers)[thread] = 1
      return false
   end
   if opt.insert_rate > 0 then
      start = start or kneepoint.now()
      local due = start + (inserts * writers + thread) * opt.rows_per_insert / opt.insert_rate
      local time = sysbench.opt.time
      kneepoint.sleep_until(time > 0 and math.min(due, start + time) or due)
      count("lag", 1, kneepoint.now() - due)
   end
   inserts = inserts + 1
   return true
end

local run_all = thread_run

function thread_run(thread)
   if is_paced() then
      kneepoint.run_events(thread, before)
   else
      run_all(thread)
   end
end

function thread_done()
   con:disconnect()
end

kneepoint.roll_back_failed_events(function()
   return con, false
end)
