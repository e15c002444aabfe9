-- What the workloads of this folder share. It is no workload itself: a workload loads it with
--
--   local kneepoint = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kneepoint.lua")
--
-- so both files have to lie in one folder, wherever that is.
--
-- Counters: sysbench gives each thread a Lua state of its own, and its report another one. Counters therefore live in plain memory
-- that the first state takes before the threads start; each thread writes only its own column, so nothing is lost and nothing waits.
-- They are printed as lines that Kneepoint reads, in front of the interval line of the same second and once at the end:
--
--   [ 3s ] metrics: new_orders_per_s=118.00 rollbacks_per_s=1.00
--   metrics total: new_orders_total=1177 rollbacks_total=9

local ffi = require("ffi")

ffi.cdef [[
int setenv(const char *name, const char *value, int overwrite);
void *calloc(size_t count, size_t size);
int getpid(void);
]]

local kneepoint = {}

-- The values of the options, to be named anywhere: sysbench has none yet while it loads a script.
kneepoint.options = setmetatable({}, {
   __index = function(_, name)
      return sysbench.opt[name]
   end
})

-- To be called once the options are declared. sysbench 1.0 turns a number into text and keeps only where that text lies; Lua may take
-- it away before it is read, and the default is then something else. The same text, kept by us, stays where it is.
function kneepoint.keep_defaults()
   local kept = {}
   for name, definition in pairs(sysbench.cmdline.options) do
      kept[name] = tostring(definition[2])
   end
   sysbench.cmdline.kept_defaults = kept
end

-- Memory of `count` numbers of a C type, all 0 at first, that every thread sees. It has to be asked for once in `init`, which runs
-- before the threads; they then find it by its name.
function kneepoint.shared(name, ctype, count)
   local variable = "KNEEPOINT_" .. name
   local address = os.getenv(variable)
   if address ~= nil then
      return ffi.cast(ctype .. " *", ffi.cast("uintptr_t", tonumber(address)))
   end
   local made = ffi.C.calloc(count, ffi.sizeof(ctype))
   assert(made ~= nil, "not enough memory for " .. count .. " numbers")
   ffi.C.setenv(variable, string.format("%.0f", tonumber(ffi.cast("uintptr_t", made))), 1)
   return ffi.cast(ctype .. " *", made)
end

-- Prints whole lines at once: the threads of sysbench print at the same time, and the one that reports is ended wherever it is.
function kneepoint.say(lines)
   io.write(lines)
end

-- The lines that sysbench itself prints each second, without a hook.
local function interval_lines(stat)
   local seconds = stat.time_interval
   local lines = string.format("[ %.0fs ] thds: %d tps: %.2f qps: %.2f (r/w/o: %.2f/%.2f/%.2f) lat (ms,%d%%): %.2f err/s: %.2f reconn/s: %.2f\n",
      stat.time_total, stat.threads_running, stat.events / seconds, (stat.reads + stat.writes + stat.other) / seconds, stat.reads / seconds,
      stat.writes / seconds, stat.other / seconds, sysbench.opt.percentile, stat.latency_pct * 1000, stat.errors / seconds,
      stat.reconnects / seconds)
   if sysbench.opt.rate > 0 and stat.queue_length ~= nil then
      lines = lines .. string.format("[ %.0fs ] queue length: %d, concurrency: %d\n", stat.time_total, stat.queue_length, stat.concurrency)
   end
   return lines
end

-- Counts what the workload names, and prints it. Each entry: `{ name, rate = metric, sum = metric, total = name at the end }`:
-- rate is printed per second, sum as the count since the start. Returns add(name, amount), for threads.
function kneepoint.counters(entries)
   local place = {}
   for index, entry in ipairs(entries) do
      place[entry[1]] = index - 1
   end
   local function memory()
      return kneepoint.shared("COUNTERS", "double", #entries * sysbench.opt.threads)
   end
   local function totals()
      local cells, sums = memory(), {}
      for index = 1, #entries do
         sums[index] = 0
         for thread = 0, sysbench.opt.threads - 1 do
            sums[index] = sums[index] + cells[thread * #entries + index - 1]
         end
      end
      return sums
   end

   function init()
      memory()
   end

   local before = {}
   sysbench.hooks.report_intermediate = function(stat)
      local words = {}
      for index, sum in ipairs(totals()) do
         local entry = entries[index]
         if entry.rate ~= nil then
            table.insert(words, string.format("%s=%.2f", entry.rate, (sum - (before[index] or 0)) / stat.time_interval))
         end
         if entry.sum ~= nil then
            table.insert(words, string.format("%s=%.0f", entry.sum, sum))
         end
         before[index] = sum
      end
      kneepoint.say(string.format("[ %.0fs ] metrics: %s\n", stat.time_total, table.concat(words, " ")) .. interval_lines(stat))
   end

   function done()
      local words = {}
      for index, sum in ipairs(totals()) do
         table.insert(words, string.format("%s=%.0f", entries[index].total, sum))
      end
      kneepoint.say("metrics total: " .. table.concat(words, " ") .. "\n")
   end

   local own
   return function(name, amount)
      own = own or memory() + sysbench.tid * #entries
      local at = place[name]
      own[at] = own[at] + amount
   end
end

-- One for each state: a driver that nobody holds any more is taken down, and its connections with it.
local driver

-- A connection, and whether it speaks to PostgreSQL; otherwise to the MySQL family.
function kneepoint.connect()
   driver = driver or sysbench.sql.driver()
   return driver:connect(), driver:name() == "pgsql"
end

-- Words behind a CREATE TABLE: the storage engine, where there is a choice.
function kneepoint.engine(postgres)
   return postgres and "" or " ENGINE=" .. sysbench.opt.mysql_storage_engine
end

-- Behind the names of tables that differ by more than their rows: by the words given (nil and false count as none) and by the storage
-- engine, if it is not the usual one. Variants can then be compared in one experiment, each on data of its own.
function kneepoint.variant(...)
   local words = ""
   for index = 1, select("#", ...) do
      local word = select(index, ...)
      words = words .. (word and "_" .. word or "")
   end
   local engine = sysbench.opt.mysql_storage_engine:lower()
   driver = driver or sysbench.sql.driver()
   if driver:name() ~= "pgsql" and engine ~= "innodb" then
      words = words .. "_" .. engine
   end
   return words
end

-- A deadlock or a lock wait ends the event, and sysbench starts another one: what was begun must not be left open. The PostgreSQL
-- driver rolls back by itself.
function kneepoint.roll_back_failed_events(connection)
   sysbench.hooks.before_restart_event = function()
      local con, postgres = connection()
      if con ~= nil and not postgres then
         con:query("ROLLBACK")
      end
   end
end

-- Runs work() while no other connection is in a work() under the same name. A connection that ends gives the lock back.
local function alone(con, postgres, name, work)
   if postgres then
      con:query(string.format("SELECT pg_advisory_lock(hashtext('%s'))", name))
   else
      local got = con:query_row(string.format("SELECT GET_LOCK('%s', 86400)", name))
      assert(tostring(got) == "1", "the lock " .. name .. " could not be taken")
   end
   work()
   con:query(string.format(postgres and "SELECT pg_advisory_unlock(hashtext('%s'))" or "SELECT RELEASE_LOCK('%s')", name))
end

-- Whether the database of the connection has a table of that name.
function kneepoint.has_table(con, postgres, name)
   local schema = postgres and "current_schema()" or "DATABASE()"
   local found = con:query_row(string.format(
      "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = %s AND table_name = '%s'", schema, name))
   return tonumber(found) > 0
end

-- `prepare` by all threads: job.units pieces of work (numbered from 1), shared out among them.
--   create(con, postgres)        makes the tables, by whichever thread comes first, before any load
--   load(con, postgres, unit)    fills one piece; threads work at different pieces at the same time
--   finish(con, postgres)        what has to wait for all pieces (indexes, keys); by the thread that ends last
--   resume                       whether a prepare that was broken off may be gone on with; load must then bear half-done pieces
-- The table kp_<name>_progress lists what is done, so it tells of a prepare that did not come to its end.
function kneepoint.prepare(name, job)
   if sysbench.tid >= job.units then
      return
   end
   local con, postgres = kneepoint.connect()
   local progress = "kp_" .. name .. "_progress"
   local owner = ffi.C.getpid()

   alone(con, postgres, progress, function()
      if not kneepoint.has_table(con, postgres, progress) then
         kneepoint.say(string.format("Creating the tables of %s...\n", name))
         job.create(con, postgres)
         con:query(string.format("CREATE TABLE %s (unit INTEGER NOT NULL PRIMARY KEY, owner INTEGER NOT NULL)%s", progress,
            kneepoint.engine(postgres)))
         con:query(string.format("INSERT INTO %s VALUES (0, %d)", progress, owner))
      elseif job.resume then
         con:query(string.format("UPDATE %s SET owner = %d WHERE unit = 0", progress, owner))
      else
         local other = con:query_row(string.format("SELECT owner FROM %s WHERE unit = 0", progress))
         if tonumber(other) ~= owner then
            error(string.format("table '%s' already exists: an earlier prepare did not come to its end, run cleanup first", progress))
         end
      end
   end)

   for unit = sysbench.tid + 1, job.units, sysbench.opt.threads do
      local there = con:query_row(string.format("SELECT COUNT(*) FROM %s WHERE unit = %d", progress, unit))
      if tonumber(there) == 0 then
         job.load(con, postgres, unit)
         con:query(string.format("INSERT INTO %s VALUES (%d, %d)", progress, unit, owner))
      end
   end

   alone(con, postgres, progress, function()
      -- A thread that comes after the last one finds nothing left to do.
      if not kneepoint.has_table(con, postgres, progress) then
         return
      end
      local done = con:query_row(string.format("SELECT COUNT(*) FROM %s WHERE unit > 0", progress))
      if tonumber(done) < job.units then
         return
      end
      if job.finish ~= nil then
         job.finish(con, postgres)
      end
      con:query("DROP TABLE " .. progress)
   end)
end

-- Drops the tables, in the order given, and what a prepare that was broken off left behind.
function kneepoint.cleanup(name, tables)
   local con = kneepoint.connect()
   for _, table_name in ipairs(tables) do
      kneepoint.say(string.format("Dropping table '%s'...\n", table_name))
      con:query("DROP TABLE IF EXISTS " .. table_name)
   end
   con:query(string.format("DROP TABLE IF EXISTS kp_%s_progress", name))
end

-- Inserts rows in batches: `each(row)` returns the values of one row, in parentheses.
function kneepoint.fill(con, into, first, last, each)
   con:bulk_insert_init("INSERT INTO " .. into .. " VALUES")
   for row = first, last do
      con:bulk_insert_next(each(row))
   end
   con:bulk_insert_done()
end

-- Text of letters, `length` long, that compresses little.
function kneepoint.text(length)
   return sysbench.rand.string(string.rep("@", length))
end

return kneepoint
