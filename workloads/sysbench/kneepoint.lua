-- What the workloads of this folder share. It is no workload itself: a workload loads it with
--
--   local kneepoint = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kneepoint.lua")
--
-- so its files have to lie in one folder with the workload, wherever that is: sysbench looks for modules only beside itself and in the
-- folder that it was started in.
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
]]

local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
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

-- A deadlock, a serialization failure or a lock wait ends the event, and sysbench calls event() again: what was begun must not be left
-- open. The PostgreSQL driver rolls back by itself.
function kneepoint.roll_back_failed_events(connection)
   sysbench.hooks.before_restart_event = function()
      local con, postgres = connection()
      if con ~= nil and not postgres then
         con:query("ROLLBACK")
      end
   end
end

-- The values of one thread of a workload of several kinds of transactions.
local own = {}

-- A statement in the words of string.format, on the connection of this thread.
function kneepoint.query(text, ...)
   return own.con:query(string.format(text, ...))
end

-- The columns of its first row.
function kneepoint.row(text, ...)
   return own.con:query_row(string.format(text, ...))
end

-- Cards of a deck at least: from few cards the kinds would nearly take turns.
local CARDS = 100

-- The cards of a deck in random order, and in another one each time all of them were drawn.
local function shuffler(deck)
   local drawn = 0
   return function()
      if drawn == #deck then
         drawn = 0
      end
      drawn = drawn + 1
      local at = sysbench.rand.uniform(drawn, #deck)
      deck[drawn], deck[at] = deck[at], deck[drawn]
      return deck[drawn]
   end
end

-- Defines what sysbench calls in each thread, for a workload that mixes kinds of transactions by shares. Each entry of `mix` is
-- `{ name of the option that is its share, kind }`. draw(kind) draws the input of one transaction and returns the function that does it.
-- `begin(con, postgres)`, if given, sets up each connection.
--
-- The mix of the transactions that complete is the one asked for, however many fail. Kinds come from a deck of cards, one deck for each
-- thread, with cards of each kind in proportion to its share. A transaction that the server ends (deadlock, serialization failure, lock wait)
-- is done again with the same input until it completes. Drawn anew instead, kinds and inputs that fail often would become rare.
function kneepoint.transactions(mix, draw, begin)
   function thread_init()
      own.con, own.postgres = kneepoint.connect()
      local shares, deck = 0, {}
      for _, entry in ipairs(mix) do
         shares = shares + sysbench.opt[entry[1]]
      end
      assert(shares > 0, "every share of the mix is 0: nothing is left to do")
      for _, entry in ipairs(mix) do
         for _ = 1, sysbench.opt[entry[1]] * math.ceil(CARDS / shares) do
            table.insert(deck, entry[2])
         end
      end
      own.next_kind = shuffler(deck)
      if begin ~= nil then
         begin(own.con, own.postgres)
      end
   end

   -- sysbench calls it again after an error that it ignores: what was not completed is still there.
   function event()
      own.transaction = own.transaction or draw(own.next_kind())
      own.transaction()
      own.transaction = nil
   end

   function thread_done()
      own.con:disconnect()
   end

   kneepoint.roll_back_failed_events(function()
      return own.con, own.postgres
   end)
   local roll_back = sysbench.hooks.before_restart_event
   sysbench.hooks.before_restart_event = function(failure)
      -- PostgreSQL's driver ignores it, and the same input would meet it for ever.
      if failure.sql_state == "23505" then
         error(string.format("SQL error, errno = %d, state = '%s': %s", failure.sql_errno, failure.sql_state, failure.sql_errmsg))
      end
      roll_back()
   end
end

-- Text of letters, `length` long, that compresses little.
function kneepoint.text(length)
   return sysbench.rand.string(string.rep("@", length))
end

-- Making and removing of data: prepare, cleanup and what they need.
dofile(folder .. "kneepoint_data.lua")(kneepoint)

return kneepoint
