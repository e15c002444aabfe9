-- The statements of oltp_read_write with the reads before the transaction instead of inside it.
--
-- Models: an application behind a proxy that may answer reads from its cache or from another server, which it cannot do for reads
-- that belong to a transaction. Each event reads with autocommit, then writes in one transaction.
--
-- Data: as for oltp_read_write: tables x table-size x 240 bytes on InnoDB, 265 on PostgreSQL, made by sysbench's own prepare.
--
-- Used for E09c and E09d (reads and writes through a proxy, without and with its cache).

require("oltp_common")

function prepare_statements()
   prepare_begin()
   prepare_commit()
   prepare_point_selects()
   if sysbench.opt.range_selects then
      prepare_simple_ranges()
      prepare_sum_ranges()
      prepare_order_ranges()
      prepare_distinct_ranges()
   end
   prepare_index_updates()
   prepare_non_index_updates()
   prepare_delete_inserts()
end

function event()
   execute_point_selects()
   if sysbench.opt.range_selects then
      execute_simple_ranges()
      execute_sum_ranges()
      execute_order_ranges()
      execute_distinct_ranges()
   end
   begin()
   execute_index_updates()
   execute_non_index_updates()
   execute_delete_inserts()
   commit()
end
