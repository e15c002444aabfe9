-- A wholesale supplier with warehouses, districts, customers and stock: the five transactions of TPC-C (standard specification, revision
-- 5.11), without its terminals. Figures are therefore no tpmC, and compare only with other runs of this file.
--
-- Models: an order-entry application. Per hundred transactions 45 orders (each of 5 to 15 lines, one in a hundred rolled back as its
-- last item does not exist), 43 payments, and 4 each of order status, delivery and stock level. Rows of one warehouse and of one
-- district are updated by most transactions, so few warehouses and many threads measure waiting for row locks.
--
-- Mix: of the transactions that complete, at every isolation level. Each thread draws kinds from a shuffled deck of cards (5.2.4.2); one
-- that the server ends (deadlock, serialization failure, lock wait) is done again with the same input until it completes. Its latency is
-- that of all tries together. An order that is rolled back on purpose counts as completed. The totals at the end tell how many of each kind
-- there were. The usual shares are the least of the specification (5.2.3), so a run that ends within a deck can be some hundredths of a
-- percent below; its own deck, 10 new orders, 10 payments and 1 of each other kind, has room for that.
--
-- Data, with the usual sizes: tables x (warehouses x 90 MB + 11 MB) on InnoDB, tables x (warehouses x 103 MB + 13 MB) on PostgreSQL.
-- In general, for each set of tables, in bytes: warehouses x (districts x customers x 1800 + items x 370) + items x 110 on InnoDB,
-- and 2230, 365 and 130 on PostgreSQL. It grows by about 1 kB with each order: prepare anew for figures that are to be compared.
--
-- Consistency conditions 1 to 10 and 12 (3.3.2) hold after each run at every isolation level, on storage engines with transactions.
-- Condition 11 holds for new data; after deliveries, orders minus new orders have grown by their number.
--
-- Otherwise than in the specification:
--   No terminals: no keying and thinking times, no screens, so the total of an order and the brand of its items are computed by nobody
--   (2.4.3). Each transaction takes any warehouse, and a stock level any district (2.4.1.1, 2.8.1.1: each terminal has its own).
--   A delivery is done at once, in one transaction for all districts, not from a queue (2.7.2); there is no file of its results.
--   Lines of an order are sorted by warehouse and item, so that orders lock stock in one order (2.4.2.2 leaves the order open).
--   Payment prepends to the data of a customer with bad credit in the update, without reading it first (2.5.2.2).
--   The constants C of NURand (2.1.6) are fixed: 123 for family names while loading and 208 while running (a difference of 85, as
--   2.1.6.1 asks), 259 for customers and 7911 for items.
--   As many of the first orders have 5 lines as 6, ... or 15, in random order, so that the rows can be counted (4.3.3.1: each at random).
--   The ten columns S_DIST_01 to S_DIST_10 are one of 240 characters; districts above 10 begin again at the first. Columns have names of
--   their own, some are wider, and all but those filled at delivery are NOT NULL. Further indexes find customers by name and orders by
--   customer.
--   All kinds run at one isolation level, that of the server or of the option isolation (3.4.1: as if serializable, stock levels at read
--   committed). Foreign keys are declared only with foreign-keys. History has no primary key, as 1.3.1 has it: InnoDB adds a hidden one,
--   and a server that demands primary keys refuses the data.
--   With other numbers of districts, customers or items than 10, 3000 and 100000: the sums of payments begin at 10 for each customer;
--   fewer than 1000 customers have fewer family names; NURand keeps its A of 1023 and 8191, so small data is used more evenly.
--
-- Used for E07c (PostgreSQL, transparent huge pages), E24a/b and E26a (tables 50 and 10, warehouses 100: cloud volumes, engines),
-- E31a/b (foreign-keys off, isolation read-committed), D06a-c (scaling over sockets; unset-columns null against default).

local kneepoint = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kneepoint.lua")

sysbench.cmdline.options = {
   tables = { "Sets of the nine tables; each set has all warehouses, and its own locks.", 1,
      title = "Tables", unit = "tables", min = 1, max = 1000 },
   warehouses = { "Warehouses per set of tables: the scale of the data, about 90 MB each. With fewer warehouses than threads, transactions wait for row locks.", 1,
      title = "Warehouses", unit = "warehouses", min = 1, max = 100000 },
   districts = { "Districts per warehouse; each numbers its orders serially.", 10,
      title = "Districts", unit = "districts", min = 1, max = 100 },
   customers = { "Customers per district, and its initial orders. Fewer than 3000 give small data for a try.", 3000,
      title = "Customers per district", unit = "customers", min = 10, max = 100000 },
   items = { "Number of items; each warehouse stocks all of them. Fewer than 100000 give small data for a try.", 100000,
      title = "Items", unit = "items", min = 100, max = 10000000 },
   foreign_keys = { "Create foreign keys between the tables; the server then checks each one at every insert.", false,
      title = "Foreign keys" },
   unset_columns = { "Initial value of columns set only at delivery: NULL, or a DEFAULT of the same size. A NULL that becomes a date lengthens the row, which splits pages.", "null",
      title = "Columns not filled yet", choices = { "null", "default" } },
   isolation = { "Isolation level of all transactions; server = server default. The server aborts conflicting transactions: PostgreSQL above read-committed, MySQL mostly at serializable, as deadlocks. Each is retried with the same input, so the mix stays as requested.", "server",
      title = "Isolation", choices = { "server", "read-committed", "repeatable-read", "serializable" } },
   new_orders = { "Weight of new orders in the mix: a percentage if all weights add up to 100.", 45,
      title = "Share of new orders", min = 0, max = 1000 },
   payments = { "Weight of payments in the mix.", 43,
      title = "Share of payments", min = 0, max = 1000 },
   order_status = { "Weight of queries for the state of a customer's last order; read-only.", 4,
      title = "Share of order status", min = 0, max = 1000 },
   deliveries = { "Weight of deliveries of the oldest order of each district.", 4,
      title = "Share of deliveries", min = 0, max = 1000 },
   stock_levels = { "Weight of counts of recently sold items with low stock; read-only, and they read the most rows.", 4,
      title = "Share of stock levels", min = 0, max = 1000 },
   mysql_storage_engine = { "Engine of the tables (MySQL family only).", "innodb" }
}
kneepoint.keep_defaults()

local KINDS = { "order_line", "new_order", "orders", "history", "stock", "customer", "district", "item", "warehouse" }
-- Share of the orders of each district that wait for their delivery at the start.
local OPEN_SHARE = 0.3
local LINES = { 5, 15 }
-- Items, or items in stock, that one thread fills at a time.
local PIECE = 10000
-- The constants C of family names.
local C_LOAD, C_RUN = 123, 208
-- What each customer has paid at the start.
local FIRST_PAYMENT = 10
local SYLLABLES = { "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING" }

local opt = kneepoint.options
local count = kneepoint.counters {
   { "new_order", rate = "new_orders_per_s", total = "new_orders_total" },
   { "rollback", rate = "rollbacks_per_s", total = "rollbacks_total" },
   { "payment", total = "payments_total" },
   { "order_status", total = "order_status_total" },
   { "delivery", total = "deliveries_total" },
   { "stock_level", total = "stock_levels_total" }
}

-- Sets of each kind can be there at the same time.
local function variant()
   return kneepoint.variant(opt.foreign_keys and "keys", opt.unset_columns == "default" and "default")
end

local function named(kind, set)
   return "kp_tpcc" .. variant() .. "_" .. kind .. set
end

local function uniform(low, high)
   return sysbench.rand.uniform(low, high)
end

-- Non-uniform numbers as the description has them: `a` bits of one draw laid over another.
local function skewed(a, low, high, constant)
   local mixed = bit.bor(uniform(0, a), uniform(low, high))
   return (mixed + constant) % (high - low + 1) + low
end

local function last_name(number)
   return SYLLABLES[math.floor(number / 100) % 10 + 1] .. SYLLABLES[math.floor(number / 10) % 10 + 1] .. SYLLABLES[number % 10 + 1]
end

local function some_customer()
   return skewed(1023, 1, opt.customers, 259)
end

local function some_item()
   return skewed(8191, 1, opt.items, 7911)
end

-- Family names repeat: there are at most a thousand. Other names are frequent while running than while loading.
local function some_name(constant)
   local names = math.min(1000, opt.customers)
   return last_name(skewed(255, 0, names - 1, constant))
end

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Data

local function create_set(con, postgres, set)
   local engine = kneepoint.engine(postgres)
   local moment = postgres and "TIMESTAMP" or "DATETIME"
   local later = opt.unset_columns == "null" and { number = "SMALLINT", moment = moment }
      or { number = "SMALLINT NOT NULL DEFAULT 0", moment = moment .. " NOT NULL DEFAULT '2000-01-01 00:00:00'" }
   local address = "street_1 VARCHAR(20) NOT NULL, street_2 VARCHAR(20) NOT NULL, city VARCHAR(20) NOT NULL, state CHAR(2) NOT NULL, zip CHAR(9) NOT NULL"
   local function create(kind, columns)
      con:query(string.format("CREATE TABLE %s (%s)%s", named(kind, set), columns, engine))
   end
   create("warehouse", "w_id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(10) NOT NULL, " .. address ..
      ", tax DECIMAL(4,4) NOT NULL, ytd DECIMAL(14,2) NOT NULL")
   create("district", "d_w_id INTEGER NOT NULL, d_id SMALLINT NOT NULL, name VARCHAR(10) NOT NULL, " .. address ..
      ", tax DECIMAL(4,4) NOT NULL, ytd DECIMAL(14,2) NOT NULL, next_o_id INTEGER NOT NULL, PRIMARY KEY (d_w_id, d_id)")
   create("customer", "c_w_id INTEGER NOT NULL, c_d_id SMALLINT NOT NULL, c_id INTEGER NOT NULL, first VARCHAR(16) NOT NULL, " ..
      "middle CHAR(2) NOT NULL, last VARCHAR(16) NOT NULL, " .. address .. ", phone CHAR(16) NOT NULL, since " .. moment ..
      " NOT NULL, credit CHAR(2) NOT NULL, credit_limit DECIMAL(12,2) NOT NULL, discount DECIMAL(4,4) NOT NULL, " ..
      "balance DECIMAL(12,2) NOT NULL, ytd_payment DECIMAL(14,2) NOT NULL, payments INTEGER NOT NULL, deliveries INTEGER NOT NULL, " ..
      "data VARCHAR(500) NOT NULL, PRIMARY KEY (c_w_id, c_d_id, c_id)")
   create("history", "h_c_w_id INTEGER NOT NULL, h_c_d_id SMALLINT NOT NULL, h_c_id INTEGER NOT NULL, h_w_id INTEGER NOT NULL, " ..
      "h_d_id SMALLINT NOT NULL, paid_at " .. moment .. " NOT NULL, amount DECIMAL(6,2) NOT NULL, data VARCHAR(24) NOT NULL")
   create("orders", "o_w_id INTEGER NOT NULL, o_d_id SMALLINT NOT NULL, o_id INTEGER NOT NULL, o_c_id INTEGER NOT NULL, entered_at " ..
      moment .. " NOT NULL, carrier_id " .. later.number .. ", line_count SMALLINT NOT NULL, all_local SMALLINT NOT NULL, " ..
      "PRIMARY KEY (o_w_id, o_d_id, o_id)")
   create("new_order", "no_w_id INTEGER NOT NULL, no_d_id SMALLINT NOT NULL, no_o_id INTEGER NOT NULL, " ..
      "PRIMARY KEY (no_w_id, no_d_id, no_o_id)")
   create("order_line", "ol_w_id INTEGER NOT NULL, ol_d_id SMALLINT NOT NULL, ol_o_id INTEGER NOT NULL, ol_number SMALLINT NOT NULL, " ..
      "ol_i_id INTEGER NOT NULL, supply_w_id INTEGER NOT NULL, delivered_at " .. later.moment .. ", quantity SMALLINT NOT NULL, " ..
      "amount DECIMAL(8,2) NOT NULL, dist_info CHAR(24) NOT NULL, PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)")
   create("item", "i_id INTEGER NOT NULL PRIMARY KEY, image_id INTEGER NOT NULL, name VARCHAR(24) NOT NULL, " ..
      "price DECIMAL(5,2) NOT NULL, data VARCHAR(50) NOT NULL")
   create("stock", "s_w_id INTEGER NOT NULL, s_i_id INTEGER NOT NULL, quantity SMALLINT NOT NULL, dist_info CHAR(240) NOT NULL, " ..
      "ytd INTEGER NOT NULL, order_count INTEGER NOT NULL, remote_count INTEGER NOT NULL, data VARCHAR(50) NOT NULL, " ..
      "PRIMARY KEY (s_w_id, s_i_id)")
end

local function address()
   return string.format("'%s', '%s', '%s', '%s', '%04d11111'", kneepoint.text(uniform(10, 20)), kneepoint.text(uniform(10, 20)),
      kneepoint.text(uniform(10, 20)), kneepoint.text(2), uniform(0, 9999))
end

-- About items and stock: one in ten rows, at random, says somewhere that it is an original.
local function remarks()
   local words = kneepoint.text(uniform(26, 50))
   if uniform(1, 10) > 1 then
      return words
   end
   local at = uniform(1, #words - #"ORIGINAL" + 1)
   return words:sub(1, at - 1) .. "ORIGINAL" .. words:sub(at + #"ORIGINAL")
end

-- The numbers 1 to n in random order.
local function shuffled(n)
   local order = {}
   for index = 1, n do
      order[index] = index
   end
   for index = n, 2, -1 do
      local other = uniform(1, index)
      order[index], order[other] = order[other], order[index]
   end
   return order
end

-- Every count of lines is as frequent as any other, in random order, so that all orders together have a number of lines that is known.
local function load_orders(con, set, w, d)
   local buyers, lines = shuffled(opt.customers), shuffled(opt.customers)
   for o = 1, opt.customers do
      lines[o] = LINES[1] + (lines[o] - 1) % (LINES[2] - LINES[1] + 1)
   end
   local open_from = opt.customers - math.floor(opt.customers * OPEN_SHARE) + 1
   local unset = opt.unset_columns == "null" and "NULL" or "DEFAULT"
   -- The first orders were delivered when they were entered.
   local moment = con:query_row("SELECT NOW()")
   kneepoint.fill(con, named("orders", set), 1, opt.customers, function(o)
      local carrier = o < open_from and uniform(1, 10) or unset
      return string.format("(%d, %d, %d, %d, '%s', %s, %d, 1)", w, d, o, buyers[o], moment, carrier, lines[o])
   end)
   kneepoint.fill(con, named("new_order", set), open_from, opt.customers, function(o)
      return string.format("(%d, %d, %d)", w, d, o)
   end)
   con:bulk_insert_init("INSERT INTO " .. named("order_line", set) .. " VALUES")
   for o = 1, opt.customers do
      for line = 1, lines[o] do
         con:bulk_insert_next(string.format("(%d, %d, %d, %d, %d, %d, %s, 5, %.2f, '%s')", w, d, o, line, uniform(1, opt.items), w,
            o < open_from and "'" .. moment .. "'" or unset, o < open_from and 0 or uniform(1, 999999) / 100, kneepoint.text(24)))
      end
   end
   con:bulk_insert_done()
end

local function load_items(con, set, first, last)
   kneepoint.fill(con, named("item", set), first, last, function(id)
      return string.format("(%d, %d, '%s', %.2f, '%s')", id, uniform(1, 10000), kneepoint.text(uniform(14, 24)), uniform(100, 10000) / 100,
         remarks())
   end)
end

local function load_stock(con, set, w, first, last)
   kneepoint.fill(con, named("stock", set), first, last, function(item)
      return string.format("(%d, %d, %d, '%s', 0, 0, 0, '%s')", w, item, uniform(10, 100), kneepoint.text(240), remarks())
   end)
end

-- The first district brings its warehouse.
local function load_district(con, set, w, d)
   if d == 1 then
      con:query(string.format("INSERT INTO %s VALUES (%d, '%s', %s, %.4f, %d)", named("warehouse", set), w, kneepoint.text(uniform(6, 10)),
         address(), uniform(0, 2000) / 10000, FIRST_PAYMENT * opt.customers * opt.districts))
   end
   con:query(string.format("INSERT INTO %s VALUES (%d, %d, '%s', %s, %.4f, %d, %d)", named("district", set), w, d,
      kneepoint.text(uniform(6, 10)), address(), uniform(0, 2000) / 10000, FIRST_PAYMENT * opt.customers, opt.customers + 1))
   kneepoint.fill(con, named("customer", set), 1, opt.customers, function(c)
      local name = c <= 1000 and last_name(c - 1) or some_name(C_LOAD)
      return string.format("(%d, %d, %d, '%s', 'OE', '%s', %s, '%s', NOW(), '%s', 50000, %.4f, %d, %d, 1, 0, '%s')", w, d, c,
         kneepoint.text(uniform(8, 16)), name, address(), sysbench.rand.string("################"), uniform(1, 10) == 1 and "BC" or "GC",
         uniform(0, 5000) / 10000, -FIRST_PAYMENT, FIRST_PAYMENT, kneepoint.text(uniform(300, 500)))
   end)
   kneepoint.fill(con, named("history", set), 1, opt.customers, function(c)
      return string.format("(%d, %d, %d, %d, %d, NOW(), %d, '%s')", w, d, c, w, d, FIRST_PAYMENT, kneepoint.text(uniform(12, 24)))
   end)
   load_orders(con, set, w, d)
end

local function finish_set(con, postgres, set)
   local customer, orders = named("customer", set), named("orders", set)
   kneepoint.index(con, postgres, customer .. "_name", customer, "c_w_id, c_d_id, last, first")
   kneepoint.index(con, postgres, orders .. "_customer", orders, "o_w_id, o_d_id, o_c_id, o_id")
   if not opt.foreign_keys then
      return
   end
   local number = 0
   local function key(from, columns, to, others)
      number = number + 1
      kneepoint.foreign_key(con, postgres, named("key", set) .. "_" .. number, named(from, set), columns, named(to, set), others)
   end
   key("district", "d_w_id", "warehouse", "w_id")
   key("customer", "c_w_id, c_d_id", "district", "d_w_id, d_id")
   key("history", "h_c_w_id, h_c_d_id, h_c_id", "customer", "c_w_id, c_d_id, c_id")
   key("history", "h_w_id, h_d_id", "district", "d_w_id, d_id")
   key("orders", "o_w_id, o_d_id, o_c_id", "customer", "c_w_id, c_d_id, c_id")
   key("new_order", "no_w_id, no_d_id, no_o_id", "orders", "o_w_id, o_d_id, o_id")
   key("order_line", "ol_w_id, ol_d_id, ol_o_id", "orders", "o_w_id, o_d_id, o_id")
   key("order_line", "supply_w_id, ol_i_id", "stock", "s_w_id, s_i_id")
   key("stock", "s_w_id", "warehouse", "w_id")
   key("stock", "s_i_id", "item", "i_id")
end

local function all_tables()
   local names = {}
   for set = 1, opt.tables do
      for _, kind in ipairs(KINDS) do
         table.insert(names, named(kind, set))
      end
   end
   return names
end

-- Each set has the pieces of its items, and for each warehouse those of its stock and its districts.
local function load(con, _, part)
   local set, rest = (part - 1) % opt.tables + 1, math.floor((part - 1) / opt.tables)
   local pieces = math.ceil(opt.items / PIECE)
   local w, piece = math.floor((rest - pieces) / (pieces + opt.districts)) + 1, (rest - pieces) % (pieces + opt.districts) + 1
   if rest < pieces then
      w, piece = nil, rest + 1
   elseif piece > pieces then
      kneepoint.say(string.format("Filling district %d of warehouse %d of set %d...\n", piece - pieces, w, set))
      load_district(con, set, w, piece - pieces)
      return
   end
   local first, last = (piece - 1) * PIECE + 1, math.min(piece * PIECE, opt.items)
   if w == nil then
      load_items(con, set, first, last)
   else
      load_stock(con, set, w, first, last)
   end
end

local function prepare()
   local pieces = math.ceil(opt.items / PIECE)
   kneepoint.prepare("tpcc" .. variant(), {
      words = string.format("tables=%d warehouses=%d districts=%d customers=%d items=%d rows=tpc-c-5.11", opt.tables, opt.warehouses, opt.districts,
         opt.customers, opt.items),
      tables = all_tables(),
      create = function(con, postgres)
         for set = 1, opt.tables do
            create_set(con, postgres, set)
         end
      end,
      parts = opt.tables * (pieces + opt.warehouses * (pieces + opt.districts)),
      load = load,
      ends = opt.tables,
      finish = finish_set
   })
end

local function cleanup()
   kneepoint.cleanup("tpcc" .. variant(), all_tables())
end

sysbench.cmdline.commands = { prepare = { prepare, sysbench.cmdline.PARALLEL_COMMAND }, cleanup = { cleanup } }

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Transactions

local query, row = kneepoint.query, kneepoint.row

-- Each kind draws its input and returns the transaction, which is done again as it is when the server ends it.

-- Another warehouse than this one, where there is one.
local function elsewhere(w)
   if opt.warehouses == 1 then
      return w
   end
   local other = uniform(1, opt.warehouses - 1)
   return other < w and other or other + 1
end

-- The lines of an order; an item may stand in several.
local function basket(w)
   local lines = {}
   for number = 1, uniform(LINES[1], LINES[2]) do
      lines[number] = { item = some_item(), supplier = uniform(1, 100) == 1 and elsewhere(w) or w, quantity = uniform(1, 10) }
   end
   -- Stock is locked in one order by everybody, so that orders wait for each other and do not block each other for good.
   table.sort(lines, function(a, b)
      return a.supplier < b.supplier or (a.supplier == b.supplier and a.item < b.item)
   end)
   if uniform(1, 100) == 1 then
      lines[#lines].item = opt.items + 1
   end
   return lines
end

local function new_order(set, w)
   local d, c, lines = uniform(1, opt.districts), some_customer(), basket(w)
   local all_local = 1
   for _, line in ipairs(lines) do
      if line.supplier ~= w then
         all_local = 0
      end
   end
   return function()
      query("BEGIN")
      row("SELECT discount, last, credit, tax FROM %s, %s WHERE w_id = %d AND c_w_id = w_id AND c_d_id = %d AND c_id = %d",
         named("customer", set), named("warehouse", set), w, d, c)
      local o = row("SELECT next_o_id, tax FROM %s WHERE d_w_id = %d AND d_id = %d FOR UPDATE", named("district", set), w, d)
      query("UPDATE %s SET next_o_id = next_o_id + 1 WHERE d_w_id = %d AND d_id = %d", named("district", set), w, d)
      query("INSERT INTO %s (o_w_id, o_d_id, o_id, o_c_id, entered_at, line_count, all_local) VALUES (%d, %d, %d, %d, NOW(), %d, %d)",
         named("orders", set), w, d, o, c, #lines, all_local)
      query("INSERT INTO %s VALUES (%d, %d, %d)", named("new_order", set), w, d, o)
      for number, line in ipairs(lines) do
         local price = row("SELECT price, name, data FROM %s WHERE i_id = %d", named("item", set), line.item)
         if price == nil then
            query("ROLLBACK")
            count("rollback", 1)
            return
         end
         local quantity, info = row("SELECT quantity, SUBSTRING(dist_info FROM %d FOR 24), data FROM %s WHERE s_w_id = %d AND s_i_id = %d FOR UPDATE",
            (d - 1) % 10 * 24 + 1, named("stock", set), line.supplier, line.item)
         local left = quantity - line.quantity
         query("UPDATE %s SET quantity = %d, ytd = ytd + %d, order_count = order_count + 1, remote_count = remote_count + %d WHERE s_w_id = %d AND s_i_id = %d",
            named("stock", set), left < 10 and left + 91 or left, line.quantity, line.supplier == w and 0 or 1, line.supplier, line.item)
         query("INSERT INTO %s (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, supply_w_id, quantity, amount, dist_info) VALUES (%d, %d, %d, %d, %d, %d, %d, %.2f, '%s')",
            named("order_line", set), w, d, o, number, line.item, line.supplier, line.quantity, line.quantity * price, info)
      end
      query("COMMIT")
      count("new_order", 1)
   end
end

-- A customer of a district: by family name in six of ten cases, then the middle one of those who bear it, else by number.
-- Returns what looks for those columns, and locks the row if the statement is to end in `lock`.
local function some_customer_of(set, w, d, columns, lock)
   local name, c = uniform(1, 100) <= 60 and some_name(C_RUN), some_customer()
   return function()
      if not name then
         return row("SELECT %s FROM %s WHERE c_w_id = %d AND c_d_id = %d AND c_id = %d%s", columns, named("customer", set), w, d, c, lock)
      end
      local bearers = tonumber((row("SELECT COUNT(*) FROM %s WHERE c_w_id = %d AND c_d_id = %d AND last = '%s'", named("customer", set), w, d, name)))
      return row("SELECT %s FROM %s WHERE c_w_id = %d AND c_d_id = %d AND last = '%s' ORDER BY first LIMIT 1 OFFSET %d%s", columns,
         named("customer", set), w, d, name, math.max(0, math.ceil(bearers / 2) - 1), lock)
   end
end

local function payment(set, w)
   local d, amount = uniform(1, opt.districts), uniform(100, 500000) / 100
   local c_w, c_d = w, d
   if uniform(1, 100) > 85 then
      c_w, c_d = elsewhere(w), uniform(1, opt.districts)
   end
   local customer = some_customer_of(set, c_w, c_d, "c_id, credit, first, middle, last, street_1, street_2, city, state, zip, phone, since, " ..
      "credit_limit, discount, balance", " FOR UPDATE")
   return function()
      query("BEGIN")
      query("UPDATE %s SET ytd = ytd + %.2f WHERE w_id = %d", named("warehouse", set), amount, w)
      local w_name = row("SELECT name, street_1, street_2, city, state, zip FROM %s WHERE w_id = %d", named("warehouse", set), w)
      query("UPDATE %s SET ytd = ytd + %.2f WHERE d_w_id = %d AND d_id = %d", named("district", set), amount, w, d)
      local d_name = row("SELECT name, street_1, street_2, city, state, zip FROM %s WHERE d_w_id = %d AND d_id = %d", named("district", set), w, d)
      local c, credit = customer()
      local note = ""
      if credit == "BC" then
         note = string.format(", data = SUBSTRING(CONCAT('%d %d %d %d %d %.2f ', data) FROM 1 FOR 500)", c, c_d, c_w, d, w, amount)
      end
      query("UPDATE %s SET balance = balance - %.2f, ytd_payment = ytd_payment + %.2f, payments = payments + 1%s WHERE c_w_id = %d AND c_d_id = %d AND c_id = %d",
         named("customer", set), amount, amount, note, c_w, c_d, c)
      query("INSERT INTO %s VALUES (%d, %d, %d, %d, %d, NOW(), %.2f, '%s')", named("history", set), c_w, c_d, c, w, d, amount,
         (w_name .. "    " .. d_name):sub(1, 24))
      query("COMMIT")
      count("payment", 1)
   end
end

local function order_status(set, w)
   local d = uniform(1, opt.districts)
   local customer = some_customer_of(set, w, d, "c_id, balance, first, middle, last", "")
   return function()
      query("BEGIN")
      local c = customer()
      local o = row("SELECT o_id, carrier_id, entered_at FROM %s WHERE o_w_id = %d AND o_d_id = %d AND o_c_id = %d ORDER BY o_id DESC LIMIT 1",
         named("orders", set), w, d, c)
      query("SELECT ol_i_id, supply_w_id, quantity, amount, delivered_at FROM %s WHERE ol_w_id = %d AND ol_d_id = %d AND ol_o_id = %d",
         named("order_line", set), w, d, o)
      query("COMMIT")
      count("order_status", 1)
   end
end

local function delivery(set, w)
   local carrier = uniform(1, 10)
   return function()
      query("BEGIN")
      for d = 1, opt.districts do
         local o = row("SELECT no_o_id FROM %s WHERE no_w_id = %d AND no_d_id = %d ORDER BY no_o_id LIMIT 1 FOR UPDATE", named("new_order", set), w, d)
         if o ~= nil then
            query("DELETE FROM %s WHERE no_w_id = %d AND no_d_id = %d AND no_o_id = %d", named("new_order", set), w, d, o)
            -- Locked, and so read as it is now: the order can be newer than what this transaction sees otherwise.
            local c = row("SELECT o_c_id FROM %s WHERE o_w_id = %d AND o_d_id = %d AND o_id = %d FOR UPDATE", named("orders", set), w, d, o)
            query("UPDATE %s SET carrier_id = %d WHERE o_w_id = %d AND o_d_id = %d AND o_id = %d", named("orders", set), carrier, w, d, o)
            -- Lines that it has changed itself are seen by a transaction at every isolation level, however new they are.
            query("UPDATE %s SET delivered_at = NOW() WHERE ol_w_id = %d AND ol_d_id = %d AND ol_o_id = %d", named("order_line", set), w, d, o)
            local amount = row("SELECT SUM(amount) FROM %s WHERE ol_w_id = %d AND ol_d_id = %d AND ol_o_id = %d", named("order_line", set), w, d, o)
            query("UPDATE %s SET balance = balance + %s, deliveries = deliveries + 1 WHERE c_w_id = %d AND c_d_id = %d AND c_id = %d",
               named("customer", set), amount or 0, w, d, c)
         end
      end
      query("COMMIT")
      count("delivery", 1)
   end
end

local function stock_level(set, w)
   local d, threshold = uniform(1, opt.districts), uniform(10, 20)
   return function()
      query("BEGIN")
      local o = row("SELECT next_o_id FROM %s WHERE d_w_id = %d AND d_id = %d", named("district", set), w, d)
      query("SELECT COUNT(DISTINCT s_i_id) FROM %s, %s WHERE ol_w_id = %d AND ol_d_id = %d AND ol_o_id < %d AND ol_o_id >= %d AND s_w_id = %d AND s_i_id = ol_i_id AND %s.quantity < %d",
         named("order_line", set), named("stock", set), w, d, o, o - 20, w, named("stock", set), threshold)
      query("COMMIT")
      count("stock_level", 1)
   end
end

local MIX = {
   { "new_orders", new_order }, { "payments", payment }, { "order_status", order_status }, { "deliveries", delivery }, { "stock_levels", stock_level }
}

local function draw(kind)
   return kind(uniform(1, opt.tables), uniform(1, opt.warehouses))
end

kneepoint.transactions(MIX, draw, function(con, postgres)
   if opt.isolation ~= "server" then
      local level = opt.isolation:upper():gsub("-", " ")
      con:query((postgres and "SET SESSION CHARACTERISTICS AS" or "SET SESSION") .. " TRANSACTION ISOLATION LEVEL " .. level)
   end
end)
