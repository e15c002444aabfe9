-- How often each row is asked for under a distribution of keys: the lookups are done, and counted row by row.
--
-- Models: lookups of single rows by their primary key, some rows more popular than others. The distribution is one of sysbench's own
-- (rand-type), or Zipf's, where the row of rank r is asked for in proportion to 1 / r^theta: theta 0 is uniform, 1.1 goes to few rows.
--
-- Data: one table, table-size x 225 bytes on InnoDB, 255 on PostgreSQL. The generator itself needs 4 bytes per row and thread for its
-- counters, and 8 bytes per row for Zipf.
--
-- Prints at the end how many rows got half, 90 % and 99 % of the lookups (the working set), how many lookups the 1, 10, 100 ...
-- hottest rows got, and the lookups of each twentieth of the keys: the histogram on a logarithmic and on a plain axis.
--
-- Used for E13 (a million rows, a million lookups, theta 0.5, 0.9 and 1.1), D01 (working set by rand-type).

local ffi = require("ffi")
local kneepoint = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kneepoint.lua")

sysbench.cmdline.options = {
   table_size = { "Rows in the table.", 10000,
      title = "Rows per table", unit = "rows", min = 1, max = 10000000 },
   lookups = { "Lookups after which the run ends; 0 = until the time is over.", 0,
      title = "Lookups", unit = "lookups", min = 0 },
   distribution = { "How rows are selected: by the option rand-type, or by Zipf's law with theta.", "rand-type",
      title = "Distribution", choices = { "rand-type", "zipf" } },
   theta = { "Skew of Zipf's law: 0 is uniform, 0.9 is typical of popular pages, above 1 most lookups hit a few rows.", 0.9,
      title = "Zipf: theta", min = 0, max = 5, only = { "distribution", "zipf" } },
   mysql_storage_engine = { "Engine of the table (MySQL family only).", "innodb" }
}
kneepoint.keep_defaults()

-- Rows that one thread fills at a time, and parts of the keys in the histogram.
local PIECE, SLICES = 50000, 20

local opt = kneepoint.options

local function named()
   return "kp_popularity" .. kneepoint.variant()
end

local function prepare()
   kneepoint.prepare("popularity" .. kneepoint.variant(), {
      words = string.format("table-size=%d", opt.table_size),
      tables = { named() },
      parts = math.ceil(opt.table_size / PIECE),
      create = function(con, postgres)
         con:query("CREATE TABLE " .. named() .. " (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL, c CHAR(120) NOT NULL, pad CHAR(60) NOT NULL)" ..
            kneepoint.engine(postgres))
      end,
      load = function(con, _, piece)
         kneepoint.fill(con, named(), (piece - 1) * PIECE + 1, math.min(piece * PIECE, opt.table_size), function(id)
            return string.format("(%d, %d, '%s', '%s')", id, sysbench.rand.uniform(1, opt.table_size), kneepoint.text(120), kneepoint.text(60))
         end)
      end
   })
end

local function cleanup()
   kneepoint.cleanup("popularity" .. kneepoint.variant(), { named() })
end

sysbench.cmdline.commands = { prepare = { prepare, sysbench.cmdline.PARALLEL_COMMAND }, cleanup = { cleanup } }

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Keys

local function zipf_sums()
   return kneepoint.shared("ZIPF", "double", opt.table_size)
end

-- The sum of the weights up to each row, so that a row is found by where a number of 0 ... total falls.
local function add_up(sums)
   local total = 0
   for row = 1, opt.table_size do
      total = total + row ^ -opt.theta
      sums[row - 1] = total
   end
end

local function zipf(sums)
   local wanted = sysbench.rand.uniform_double() * sums[opt.table_size - 1]
   local low, high = 0, opt.table_size - 1
   while low < high do
      local middle = math.floor((low + high) / 2)
      if sums[middle] < wanted then
         low = middle + 1
      else
         high = middle
      end
   end
   return low + 1
end

local function counts()
   return kneepoint.shared("POPULARITY", "uint32_t", opt.table_size * opt.threads)
end

function init()
   counts()
   if opt.distribution == "zipf" then
      add_up(zipf_sums())
   end
end

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Lookups

local con, own, draw, from

function thread_init()
   con = kneepoint.connect()
   from = "SELECT c FROM " .. named() .. " WHERE id = "
   own = counts() + sysbench.tid * opt.table_size
   if opt.distribution == "zipf" then
      local sums = zipf_sums()
      draw = function()
         return zipf(sums)
      end
   else
      draw = function()
         return sysbench.rand.default(1, opt.table_size)
      end
   end
end

function event()
   local row = draw()
   con:query(from .. row)
   own[row - 1] = own[row - 1] + 1
end

function thread_done()
   con:disconnect()
end

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Histogram

-- Hits of each row by all threads.
local function hits_by_row()
   local cells, hits = counts(), ffi.new("uint32_t[?]", opt.table_size)
   for thread = 0, opt.threads - 1 do
      for row = 0, opt.table_size - 1 do
         hits[row] = hits[row] + cells[thread * opt.table_size + row]
      end
   end
   return hits
end

-- Figures from the hottest row to the coldest: rows with equally many hits are taken together, as there can be millions.
local function by_rank(hits, total, put)
   local rows_with, amounts = {}, {}
   for row = 0, opt.table_size - 1 do
      local amount = hits[row]
      if amount > 0 then
         if rows_with[amount] == nil then
            rows_with[amount] = 0
            table.insert(amounts, amount)
         end
         rows_with[amount] = rows_with[amount] + 1
      end
   end
   table.sort(amounts, function(a, b)
      return a > b
   end)
   local rank, seen, top, shares = 0, 0, 1, { 50, 90, 99 }
   for _, amount in ipairs(amounts) do
      local group = rows_with[amount]
      while shares[1] ~= nil and (seen + group * amount) * 100 >= total * shares[1] do
         put("rows_for_%d_percent", shares[1], rank + math.ceil((total * shares[1] / 100 - seen) / amount))
         table.remove(shares, 1)
      end
      while top <= rank + group do
         put("hits_of_hottest_%d", top, seen + (top - rank) * amount)
         top = top * 10
      end
      rank, seen = rank + group, seen + group * amount
   end
   put("rows_hit_total", nil, rank)
end

function done()
   local hits, total, words = hits_by_row(), 0, {}
   local function put(name, number, value)
      table.insert(words, string.format(name .. "=%.0f", unpack(number and { number, value } or { value })))
   end
   for slice = 1, SLICES do
      local sum = 0
      for row = math.floor((slice - 1) * opt.table_size / SLICES), math.floor(slice * opt.table_size / SLICES) - 1 do
         sum = sum + hits[row]
      end
      put("hits_in_part_%d_of_" .. SLICES, slice, sum)
      total = total + sum
   end
   put("lookups_total", nil, total)
   by_rank(hits, total, put)
   kneepoint.say("metrics total: " .. table.concat(words, " ") .. "\n")
end
