/** Lua code of each sysbench thread. */
interface LuaWorkload {
  /** Created before the run and dropped after it. */
  table?: { name: string; columns: string; rows: string };
  event: string;
}

export const HOT_ROW: LuaWorkload = {
  table: { name: 'hot', columns: '(id INT PRIMARY KEY, n INT)', rows: 'VALUES (1, 0)' },
  event: `con:query("BEGIN")
  con:query("UPDATE hot SET n = n + 1 WHERE id = 1")
  con:query("DO SLEEP(0.01)")
  con:query("COMMIT")`,
};

export const USER_LOCK: LuaWorkload = {
  event: `con:query("SELECT GET_LOCK('one', 60)")
  con:query("DO SLEEP(0.01)")
  con:query("DO RELEASE_LOCK('one')")`,
};

/** A table of an engine without row locks. */
export const WHOLE_TABLE: LuaWorkload = {
  table: { name: 'whole', columns: '(id INT PRIMARY KEY, n INT) ENGINE=MyISAM', rows: 'VALUES (1, 0)' },
  event: 'con:query("UPDATE whole SET n = n + 1 WHERE SLEEP(0.01) = 0")',
};

/** Two rows fill a page, and statements of 24 sessions read pages of which a sixth fits into the buffer pool. */
export const WIDE_ROWS: LuaWorkload = {
  table: {
    name: 'wide',
    columns: '(id INT PRIMARY KEY, c VARCHAR(8000) NOT NULL) CHARACTER SET latin1',
    rows: "SELECT seq, REPEAT('x', 7000) FROM seq_1_to_12000",
  },
  event: `local ids = {}
  for i = 1, 20 do ids[i] = sysbench.rand.uniform(1, 12000) end
  con:query("SELECT SUM(LENGTH(c)) FROM wide WHERE id IN (" .. table.concat(ids, ",") .. ")")`,
};

export const WORKED_OUT: LuaWorkload = {
  event: `local x = 0
  for i = 1, 100000 do x = x + math.sqrt(i) end
  con:query("DO 0")`,
};

/**
 * `SLEEP()` is evaluated for each row, so that a session keeps its slot in InnoDB meanwhile. Only transactions that have begun are reported as
 * waiting for one.
 */
export const INSIDE: LuaWorkload = {
  table: { name: 'inside', columns: '(id INT PRIMARY KEY, n INT)', rows: 'VALUES (1, 0), (2, 0)' },
  event: `con:query("START TRANSACTION WITH CONSISTENT SNAPSHOT")
  con:query("SELECT COUNT(*) FROM inside WHERE SLEEP(0.01) = 0")
  con:query("COMMIT")`,
};

export const SLEEPING: LuaWorkload = { event: 'con:query("DO SLEEP(0.02)")' };

const prepared = ({ name, columns, rows }: NonNullable<LuaWorkload['table']>): string => `function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("DROP TABLE IF EXISTS ${name}")
  con:query("CREATE TABLE ${name} ${columns}")
  con:query("INSERT INTO ${name} ${rows}")
end
function cleanup() sysbench.sql.driver():connect():query("DROP TABLE ${name}") end
`;

/** As in a document. */
export function luaWorkload({ table, event }: LuaWorkload, threads: number): string {
  const script = `${table ? prepared(table) : ''}function thread_init() con = sysbench.sql.driver():connect() end
function event()
  ${event}
end`;
  return `workload:
  tool: sysbench
  options:
    script: own
    threads: ${threads}
    script-prepare: ${table !== undefined}
    script-text: |
${script.replaceAll(/^/gm, '      ')}`;
}
