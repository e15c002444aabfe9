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
int usleep(unsigned int microseconds);
typedef struct { long seconds; long nanoseconds; } kneepoint_time;
int clock_gettime(int clock, kneepoint_time *now);
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

local CLOCK = ffi.os == "OSX" and 6 or 1
local now = ffi.new("kneepoint_time")

-- Seconds of a clock that nobody sets.
function kneepoint.now()
   ffi.C.clock_gettime(CLOCK, now)
   return tonumber(now.seconds) + tonumber(now.nanoseconds) / 1e9
end

-- A longer sleep in one call may be refused.
local LONGEST_SLEEP = 0.5

function kneepoint.sleep_until(moment)
   local left = moment - kneepoint.now()
   while left > 0 do
      ffi.C.usleep(math.ceil(math.min(left, LONGEST_SLEEP) * 1e6))
      left = moment - kneepoint.now()
   end
end

-- Times are counted in columns that are 2 % wide, from a microsecond to about 18 minutes.
local COLUMNS, STEP, LEAST_MS = 1050, math.log(1.02), 0.001
-- In front of the columns: the sum and the largest, in ms.
local TIMES = 2 + COLUMNS

-- The figures of times as one word for each, from their sum, largest and columns.
local function times_words(pattern, times, figures)
   local count = 0
   for column = 3, TIMES do
      count = count + times[column]
   end
   local words = {}
   if count == 0 then
      return words
   end
   local function percentile(share)
      local below = 0
      for column = 3, TIMES do
         below = below + times[column]
         if below >= share * count then
            return LEAST_MS * math.exp((column - 2.5) * STEP)
         end
      end
   end
   local known = { avg = function() return times[1] / count end, max = function() return times[2] end,
      p95 = function() return percentile(0.95) end, p99 = function() return percentile(0.99) end }
   for _, figure in ipairs(figures) do
      table.insert(words, string.format("%s=%.3f", string.format(pattern, figure), known[figure]()))
   end
   return words
end

-- Counts what the workload names, and prints it. Each entry: `{ name, rate = metric, sum = metric, total = name at the end }`:
-- rate is printed per second, sum as the count since the start. With `times = pattern` (`read_latency_%s_ms`), add takes seconds too, and
-- mean and 99th percentile of each second are printed, at the end also the 95th and the largest; with `figures` only those of them that it
-- lists. With `only = function`, an entry is there where that is true. Returns add(name, amount, seconds), for threads.
function kneepoint.counters(entries)
   local place, times_at, width = {}, {}, #entries
   for index, entry in ipairs(entries) do
      place[entry[1]] = index - 1
      if entry.times ~= nil then
         times_at[entry[1]] = width
         width = width + TIMES
      end
   end
   local function memory()
      return kneepoint.shared("COUNTERS", "double", width * sysbench.opt.threads)
   end
   local function totals()
      local cells, sums = memory(), {}
      for index = 1, #entries do
         sums[index] = 0
         for thread = 0, sysbench.opt.threads - 1 do
            sums[index] = sums[index] + cells[thread * width + index - 1]
         end
      end
      return sums
   end
   local function times_of(name)
      local cells, times, at = memory(), {}, times_at[name]
      for column = 1, TIMES do
         times[column] = 0
         for thread = 0, sysbench.opt.threads - 1 do
            local value = cells[thread * width + at + column - 1]
            times[column] = column == 2 and math.max(times[2], value) or times[column] + value
         end
      end
      return times
   end
   local function chosen(entry, known)
      local figures = {}
      for _, figure in ipairs(known) do
         if entry.figures == nil or entry.figures[figure] then
            table.insert(figures, figure)
         end
      end
      return figures
   end
   local function is_there(entry)
      return entry.only == nil or entry.only()
   end
   local function append(words, further)
      for _, word in ipairs(further) do
         table.insert(words, word)
      end
   end

   function init()
      memory()
   end

   local before, times_before = {}, {}
   local function times_since(name)
      local times, since = times_of(name), {}
      for column = 1, TIMES do
         since[column] = times[column] - (times_before[name] and times_before[name][column] or 0)
      end
      times_before[name] = times
      return since
   end

   sysbench.hooks.report_intermediate = function(stat)
      local words = {}
      for index, sum in ipairs(totals()) do
         local entry = entries[index]
         if is_there(entry) then
            if entry.rate ~= nil then
               table.insert(words, string.format("%s=%.2f", entry.rate, (sum - (before[index] or 0)) / stat.time_interval))
            end
            if entry.sum ~= nil then
               table.insert(words, string.format("%s=%.0f", entry.sum, sum))
            end
            if entry.times ~= nil then
               append(words, times_words(entry.times, times_since(entry[1]), chosen(entry, { "avg", "p99" })))
            end
         end
         before[index] = sum
      end
      kneepoint.say(string.format("[ %.0fs ] metrics: %s\n", stat.time_total, table.concat(words, " ")) .. interval_lines(stat))
   end

   function done()
      local words = {}
      for index, sum in ipairs(totals()) do
         local entry = entries[index]
         if is_there(entry) then
            if entry.total ~= nil then
               table.insert(words, string.format("%s=%.0f", entry.total, sum))
            end
            if entry.times ~= nil then
               append(words, times_words(entry.times, times_of(entry[1]), chosen(entry, { "avg", "p95", "p99", "max" })))
            end
         end
      end
      kneepoint.say("metrics total: " .. table.concat(words, " ") .. "\n")
   end

   local own
   return function(name, amount, seconds)
      own = own or memory() + sysbench.tid * width
      local at = place[name]
      own[at] = own[at] + amount
      local times = times_at[name]
      if times ~= nil and seconds ~= nil then
         local ms = seconds * 1000
         local column = math.floor(math.log(math.max(ms, LEAST_MS) / LEAST_MS) / STEP)
         own[times] = own[times] + ms
         own[times + 1] = math.max(own[times + 1], ms)
         column = times + 2 + math.min(column, COLUMNS - 1)
         own[column] = own[column] + 1
      end
   end
end

-- Runs event() as sysbench does, but for `before(thread)`, which is called in front of each event: what it waits for is no part of the
-- latency of the event, and the thread ends when it returns false.
function kneepoint.run_events(thread, before)
   while before(thread) and ffi.C.sb_more_events(thread) do
      ffi.C.sb_event_start(thread)
      local success, failure
      repeat
         success, failure = pcall(event, thread)
         if not success then
            if type(failure) ~= "table" or failure.errcode ~= sysbench.error.RESTART_EVENT then
               error(failure, 2)
            end
            if sysbench.hooks.before_restart_event then
               sysbench.hooks.before_restart_event(failure)
            end
         end
      until success
      ffi.C.sb_event_stop(thread)
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
