-- A stock of objects with their history: joins that read, and one record of history exchanged for another.
--
-- Models: keeping of objects that lie in sections of zones. Select 1 finds one object with its section and zone (three tables by
-- key). Select 2 reads the history of one object with it (two tables, by the secondary index of the history or by its key). A write
-- locks the object, takes one record out of its history, adds another one and changes a third, so the data keeps its size.
--
-- Data: objects x (230 + history-records x 180) bytes on InnoDB, objects x (190 + history-records x 160) on PostgreSQL; 100 objects
-- lie in a section and 100 sections in a zone. Without history-key the history has only an index on the object.
--
-- Used for D07 (selects 1, selects 2, both, and reads with writes at 1:1; 10 million objects; history with and without primary key).

local kneepoint = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kneepoint.lua")

sysbench.cmdline.options = {
   objects = { "Number of objects.", 100000,
      title = "Objects", unit = "objects", min = 1, max = 2000000000 },
   history_records = { "History records per object.", 20,
      title = "History per object", unit = "records", min = 1, max = 1000 },
   history_key = { "Create a primary key on the history table (object and number); otherwise it has only an index on the object.", false,
      title = "History with a key" },
   select_1 = { "Weight of select 1 (object, section and zone) in the mix.", 1,
      title = "Share of select 1", min = 0, max = 1000 },
   select_2 = { "Weight of select 2 (object with its history) in the mix.", 1,
      title = "Share of select 2", min = 0, max = 1000 },
   writes = { "Weight of writes (delete, insert and update of one history record each) in the mix; 2 with a weight of 1 for each select is a ratio of 1:1.", 2,
      title = "Share of writes", min = 0, max = 1000 },
   mysql_storage_engine = { "Engine of the tables (MySQL family only).", "innodb" }
}
kneepoint.keep_defaults()

local SECTION, ZONE = 100, 10000
-- Objects that one thread fills at a time.
local PIECE = 10000

local opt = kneepoint.options

-- Both kinds of history can be there at the same time, each with objects of its own.
local function variant()
   return kneepoint.variant(opt.history_key and "key")
end

local function named(kind)
   return "kp_" .. kind .. variant()
end

local function create(con, postgres)
   local engine = kneepoint.engine(postgres)
   local moment = postgres and "TIMESTAMP" or "DATETIME"
   con:query("CREATE TABLE " .. named("zone") .. " (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL, note VARCHAR(100) NOT NULL)" .. engine)
   con:query("CREATE TABLE " .. named("section") .. " (id INTEGER NOT NULL PRIMARY KEY, zone_id INTEGER NOT NULL, name VARCHAR(40) NOT NULL, note VARCHAR(100) NOT NULL)" .. engine)
   con:query("CREATE TABLE " .. named("object") .. " (id INTEGER NOT NULL PRIMARY KEY, section_id INTEGER NOT NULL, name VARCHAR(40) NOT NULL, " ..
      "weight INTEGER NOT NULL, note VARCHAR(100) NOT NULL)" .. engine)
   con:query("CREATE TABLE " .. named("history") .. " (object_id INTEGER NOT NULL, number INTEGER NOT NULL, happened_at " .. moment ..
      " NOT NULL, kind INTEGER NOT NULL, note VARCHAR(100) NOT NULL" .. (opt.history_key and ", PRIMARY KEY (object_id, number))" or ")") .. engine)
   if not opt.history_key then
      kneepoint.index(con, postgres, named("history") .. "_object", named("history"), "object_id")
   end
end

local function described(what, number)
   return string.format("'%s %d', '%s'", what, number, kneepoint.text(90))
end

-- Each piece brings the sections and zones that begin in it.
local function load(con, _, piece)
   local first, last = (piece - 1) * PIECE + 1, math.min(piece * PIECE, opt.objects)
   kneepoint.say(string.format("Filling objects %d to %d...\n", first, last))
   kneepoint.fill(con, named("zone"), math.ceil((first - 1) / ZONE) + 1, math.ceil(last / ZONE), function(zone)
      return string.format("(%d, %s)", zone, described("zone", zone))
   end)
   kneepoint.fill(con, named("section"), math.ceil((first - 1) / SECTION) + 1, math.ceil(last / SECTION), function(section)
      return string.format("(%d, %d, %s)", section, math.ceil(section * SECTION / ZONE), described("section", section))
   end)
   kneepoint.fill(con, named("object"), first, last, function(object)
      return string.format("(%d, %d, 'object %d', %d, '%s')", object, math.ceil(object / SECTION), object, sysbench.rand.uniform(1, 1000000),
         kneepoint.text(90))
   end)
   con:bulk_insert_init("INSERT INTO " .. named("history") .. " VALUES")
   for object = first, last do
      for number = 1, opt.history_records do
         con:bulk_insert_next(string.format("(%d, %d, NOW(), %d, '%s')", object, number, sysbench.rand.uniform(1, 20), kneepoint.text(90)))
      end
   end
   con:bulk_insert_done()
end

local function all_tables()
   return { named("history"), named("object"), named("section"), named("zone") }
end

local function prepare()
   kneepoint.prepare("object" .. variant(), {
      words = string.format("objects=%d history-records=%d", opt.objects, opt.history_records),
      tables = all_tables(),
      create = create,
      parts = math.ceil(opt.objects / PIECE),
      load = load
   })
end

local function cleanup()
   kneepoint.cleanup("object" .. variant(), all_tables())
end

sysbench.cmdline.commands = { prepare = { prepare, sysbench.cmdline.PARALLEL_COMMAND }, cleanup = { cleanup } }

local query = kneepoint.query

local function select_1(object)
   return function()
      query("SELECT o.name, o.weight, o.note, s.name, z.name, z.note FROM %s o JOIN %s s ON s.id = o.section_id JOIN %s z ON z.id = s.zone_id WHERE o.id = %d",
         named("object"), named("section"), named("zone"), object)
   end
end

local function select_2(object)
   return function()
      query("SELECT o.name, h.number, h.happened_at, h.kind, h.note FROM %s o JOIN %s h ON h.object_id = o.id WHERE o.id = %d ORDER BY h.number",
         named("object"), named("history"), object)
   end
end

local function write(object)
   local history, exchanged, changed = named("history"), sysbench.rand.uniform(1, opt.history_records), sysbench.rand.uniform(1, opt.history_records)
   local kind, other_kind, note = sysbench.rand.uniform(1, 20), sysbench.rand.uniform(1, 20), kneepoint.text(90)
   return function()
      query("BEGIN")
      -- Two writes to one object come one after the other: else both could take out the same record and put in two.
      query("SELECT id FROM %s WHERE id = %d FOR UPDATE", named("object"), object)
      query("DELETE FROM %s WHERE object_id = %d AND number = %d", history, object, exchanged)
      query("INSERT INTO %s VALUES (%d, %d, NOW(), %d, '%s')", history, object, exchanged, kind, note)
      query("UPDATE %s SET kind = %d, happened_at = NOW() WHERE object_id = %d AND number = %d", history, other_kind, object, changed)
      query("COMMIT")
   end
end

kneepoint.transactions({ { "select_1", select_1 }, { "select_2", select_2 }, { "writes", write } }, function(kind)
   return kind(sysbench.rand.default(1, opt.objects))
end)
