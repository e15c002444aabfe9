-- Making and removing of data, for kneepoint.lua, which loads this file and whose functions these become.
--
-- A prepare may be ended at any moment, and begun again as often as needed: it leaves exactly the rows that it is to make. Its work is
-- divided into parts, and the table kp_<name>_parts lists those that are done. The rows of a part and its line there become visible
-- together, in one transaction; a connection holds a lock of the server while it is at a part, so that what a killed prepare has still
-- under way there is over before another one looks. Over data that is complete it does nothing. On PostgreSQL a transaction holds the
-- lock, not a session: behind a pooler, what a session keeps stays on a connection that others get.

return function(kneepoint)
   -- Runs work() while no other connection is in a work() under the same name. A connection that ends gives the lock back, after its
   -- transaction is rolled back.
   local function alone(con, postgres, name, work)
      if postgres then
         local function begin()
            -- At a stricter level it would not see what was there when it got the lock, but when it asked for it.
            con:query("BEGIN ISOLATION LEVEL READ COMMITTED")
            con:query(string.format("SELECT pg_advisory_xact_lock(hashtext(current_schema() || '/%s'))", name))
         end
         kneepoint.step = function()
            con:query("COMMIT")
            begin()
         end
         begin()
         work()
         con:query("COMMIT")
         return
      end
      kneepoint.step = function() end
      local key = string.format("MD5(CONCAT(DATABASE(), '/%s'))", name)
      local got = con:query_row(string.format("SELECT GET_LOCK(%s, 86400)", key))
      assert(tostring(got) == "1", "the lock for " .. name .. " could not be taken")
      work()
      con:query(string.format("SELECT RELEASE_LOCK(%s)", key))
   end

   -- The first number that a query gives.
   local function number(con, text, ...)
      return tonumber((con:query_row(string.format(text, ...))))
   end

   -- Whether the database of the connection has a table of that name.
   function kneepoint.has_table(con, postgres, name)
      local schema = postgres and "current_schema()" or "DATABASE()"
      return number(con, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = %s AND table_name = '%s'", schema, name) > 0
   end

   -- An index of that name on that table, unless it is there.
   function kneepoint.index(con, postgres, name, on, columns)
      local found = postgres and "SELECT COUNT(*) FROM pg_indexes WHERE schemaname = current_schema() AND tablename = '%s' AND indexname = '%s'"
         or "SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = '%s' AND index_name = '%s'"
      if number(con, found, on, name) == 0 then
         con:query(string.format("CREATE INDEX %s ON %s (%s)", name, on, columns))
      end
   end

   -- A foreign key of that name from columns of one table to those of another, unless it is there.
   function kneepoint.foreign_key(con, postgres, name, from, columns, to, others)
      local schema = postgres and "current_schema()" or "DATABASE()"
      local found = number(con, "SELECT COUNT(*) FROM information_schema.table_constraints WHERE constraint_schema = %s " ..
         "AND table_name = '%s' AND constraint_name = '%s'", schema, from, name)
      if found == 0 then
         con:query(string.format("ALTER TABLE %s ADD CONSTRAINT %s FOREIGN KEY (%s) REFERENCES %s (%s)", from, name, columns, to, others))
      end
   end

   -- Inserts rows in batches: `each(row)` returns the values of one row, in parentheses.
   function kneepoint.fill(con, into, first, last, each)
      con:bulk_insert_init("INSERT INTO " .. into .. " VALUES")
      for row = first, last do
         con:bulk_insert_next(each(row))
      end
      con:bulk_insert_done()
   end

   local function parts_of(name)
      return "kp_" .. name .. "_parts"
   end

   local function drop(con, tables)
      for _, table_name in ipairs(tables) do
         con:query("DROP TABLE IF EXISTS " .. table_name)
      end
   end

   -- Makes the tables, or finds them begun by an earlier prepare of the same data. Returns whether all of it is done.
   local function open(con, postgres, name, job, all)
      local parts = parts_of(name)
      if not kneepoint.has_table(con, postgres, parts) then
         for _, table_name in ipairs(job.tables) do
            if kneepoint.has_table(con, postgres, table_name) then
               error(string.format("Table '%s' already exists, and '%s', which would tell of its making, does not: run cleanup first",
                  table_name, parts))
            end
         end
         con:query(string.format("CREATE TABLE %s (part INTEGER NOT NULL PRIMARY KEY, words VARCHAR(250) NOT NULL)%s", parts,
            kneepoint.engine(postgres)))
      end
      local words = con:query_row(string.format("SELECT words FROM %s WHERE part = 0", parts))
      if words == nil then
         -- Nothing is in the tables that are there: an earlier prepare was ended while it made them, or a cleanup while it dropped them.
         kneepoint.say(string.format("Creating the tables of %s...\n", name))
         drop(con, job.tables)
         con:query("DELETE FROM " .. parts)
         job.create(con, postgres)
         con:query(string.format("INSERT INTO %s VALUES (0, '%s')", parts, job.words))
      elseif words ~= job.words then
         error(string.format("Table '%s' already exists: its data was made with %s, not with %s; run cleanup first", parts, words, job.words))
      end
      if number(con, "SELECT COUNT(*) FROM %s WHERE part <> 0 AND words = 'done'", parts) < all then
         if job.reopen ~= nil then
            job.reopen(con, postgres)
         end
         return false
      end
      return true
   end

   -- One part, in one transaction if the engine has them (on PostgreSQL that of alone); where it has none, a part that was broken off stays marked as begun.
   local function make(con, postgres, name, job, part, work)
      local transaction = not postgres and not job.bears_halves
      local parts = parts_of(name)
      local words = con:query_row(string.format("SELECT words FROM %s WHERE part = %d", parts, part))
      if words == "done" then
         return
      end
      if words == "begun" and not job.bears_halves then
         error(string.format("Table '%s' already exists: a part of its data was broken off on a storage engine without transactions; " ..
            "run cleanup first", parts))
      end
      if transaction then
         con:query("BEGIN")
      end
      if words == nil then
         con:query(string.format("INSERT INTO %s VALUES (%d, 'begun')", parts, part))
      end
      work()
      con:query(string.format("UPDATE %s SET words = 'done' WHERE part = %d", parts, part))
      if transaction then
         con:query("COMMIT")
      end
   end

   -- `prepare` by all threads:
   --   words                       the options that make this data differ from other data of the same name
   --   tables                      that create makes, those that point to others first
   --   create(con, postgres)       makes them, empty, by whichever thread comes first
   --   parts, load(con, postgres, part)
   --                               pieces of work, numbered from 1, that fill them; threads work at different parts at the same time
   --   ends, finish(con, postgres, part)
   --                               what has to wait for all of that (indexes, keys), in parts as well; may be begun anew half done
   --   bears_halves                load makes what no transaction holds together, and may be begun anew half done: it calls kneepoint.step()
   --                               where what there is so far may become visible, before there is too much of it for one transaction
   --   reopen(con, postgres)       before work goes on at data that is not complete
   function kneepoint.prepare(name, job)
      if sysbench.tid > 0 and sysbench.tid >= job.parts then
         return
      end
      local con, postgres = kneepoint.connect()
      local parts, ends, complete = parts_of(name), job.ends or 0, false
      alone(con, postgres, parts, function()
         complete = open(con, postgres, name, job, job.parts + ends)
      end)
      if complete then
         return
      end
      for part = sysbench.tid + 1, job.parts, sysbench.opt.threads do
         alone(con, postgres, parts .. part, function()
            make(con, postgres, name, job, part, function()
               job.load(con, postgres, part)
            end)
         end)
      end
      -- By the thread that comes to its end last; never while another one looks at what there is.
      for part = 1, ends do
         alone(con, postgres, parts, function()
            local loaded = number(con, "SELECT COUNT(*) FROM %s WHERE part > 0 AND words = 'done'", parts)
            local done = number(con, "SELECT COUNT(*) FROM %s WHERE part = %d", parts, -part)
            if loaded == job.parts and done == 0 then
               job.finish(con, postgres, part)
               con:query(string.format("INSERT INTO %s VALUES (%d, 'done')", parts, -part))
            end
         end)
      end
   end

   -- Drops the tables, in the order given, after what first(con, postgres) takes away. From its begin on no part counts as done, so that
   -- a prepare makes good what a cleanup that was ended on its way has dropped.
   function kneepoint.cleanup(name, tables, first)
      local con, postgres = kneepoint.connect()
      local parts = parts_of(name)
      alone(con, postgres, parts, function()
         local listed = kneepoint.has_table(con, postgres, parts)
         if listed then
            con:query("DELETE FROM " .. parts .. " WHERE part <> 0")
         end
         if first ~= nil then
            first(con, postgres)
         end
         if listed then
            con:query("DELETE FROM " .. parts)
         end
         for _, table_name in ipairs(tables) do
            kneepoint.say(string.format("Dropping table '%s'...\n", table_name))
         end
         drop(con, tables)
         drop(con, { parts })
      end)
   end
end
