/** First words of statements that read. */
const READS = ['SELECT', 'SHOW', 'WITH', 'TABLE', 'VALUES', 'EXPLAIN', 'DESCRIBE', 'DESC', 'ANALYZE'];
/** Words with which one of these still changes something. */
const CHANGES =
  /\b(INSERT|UPDATE|DELETE|MERGE|REPLACE|DROP|ALTER|TRUNCATE|INTO\s+(?:OUTFILE|DUMPFILE)|RESET_PERSIST)\b(?!\s*\()/i;
const TABLE_MADE = /\bINTO\b/i;
const OF_OTHERS = /\b(GLOBAL|PERSIST|PERSIST_ONLY|PASSWORD)\b|@@(?:global|persist)/i;

/** The statement without comments, texts and quoted names. Executable comments of MySQL are kept. */
const bare = (statement: string): string =>
  statement
    .replaceAll(/'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/\/\*(?![!M])[\s\S]*?\*\/|--(?=\s|$).*$|^\s*#.*$/gm, ' ')
    .trim()
    .replace(/;\s*$/, '');

/**
 * Why a statement does not only read, worded to end a sentence; undefined if it only reads, judged by its words. `first`: it precedes the
 * captured one, so it may set something for its own connection.
 */
export function changeIn(statement: string, first = false): string | undefined {
  const text = bare(statement);
  const [word = ''] = /^\(*\s*[A-Za-z]*/.exec(text) ?? [];
  const verb = word.replaceAll(/[(\s]/g, '').toUpperCase();
  if (text.includes(';')) return 'is more than one statement';
  if (verb === 'SET' && first) {
    const [other] = OF_OTHERS.exec(text) ?? [];
    return other === undefined ? undefined : `sets more than its own connection (${other})`;
  }
  if (!READS.includes(verb)) return verb === '' ? 'does not begin with an SQL keyword' : `begins with ${verb}`;
  // ANALYZE TABLE updates statistics of tables in MariaDB and MySQL; ANALYZE SELECT reports how a statement is executed.
  if (verb === 'ANALYZE' && !/^\W*ANALYZE\s+(FORMAT\s*=\s*\w+\s+)?SELECT\b/i.test(text)) return 'begins with ANALYZE';
  const [change] = CHANGES.exec(verb === 'SHOW' ? '' : text) ?? [];
  if (change !== undefined) return `has the word ${change.toUpperCase()}`;
  return verb !== 'SHOW' && TABLE_MADE.test(text) ? 'has the word INTO' : undefined;
}
