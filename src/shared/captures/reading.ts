/** Words that a statement which reads begins with. */
const READS = ['SELECT', 'SHOW', 'WITH', 'TABLE', 'VALUES', 'EXPLAIN', 'DESCRIBE', 'DESC', 'ANALYZE'];
/** Words by which one of these changes something all the same. */
const CHANGES =
  /\b(INSERT|UPDATE|DELETE|MERGE|REPLACE|DROP|ALTER|TRUNCATE|INTO\s+(?:OUTFILE|DUMPFILE)|RESET_PERSIST)\b(?!\s*\()/i;
const TABLE_MADE = /\bINTO\b/i;
const OF_OTHERS = /\b(GLOBAL|PERSIST|PERSIST_ONLY|PASSWORD)\b|@@(?:global|persist)/i;

/** The statement without comments, texts and quoted names. Comments of MySQL that are carried out stay. */
const bare = (statement: string): string =>
  statement
    .replaceAll(/'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/\/\*(?![!M])[\s\S]*?\*\/|--(?=\s|$).*$|^\s*#.*$/gm, ' ')
    .trim()
    .replace(/;\s*$/, '');

/**
 * Why a statement is not one that only reads, as the end of a sentence; undefined: it reads, judged by its words. `first`: it goes before the
 * one that is kept, so it may set something of its own connection.
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
  if (!READS.includes(verb)) return verb === '' ? 'begins with no word of SQL' : `begins with ${verb}`;
  // MariaDB and MySQL update statistics of tables by ANALYZE TABLE; ANALYZE SELECT reports how a statement is carried out.
  if (verb === 'ANALYZE' && !/^\W*ANALYZE\s+(FORMAT\s*=\s*\w+\s+)?SELECT\b/i.test(text)) return 'begins with ANALYZE';
  const [change] = CHANGES.exec(verb === 'SHOW' ? '' : text) ?? [];
  if (change !== undefined) return `has the word ${change.toUpperCase()}`;
  return verb !== 'SHOW' && TABLE_MADE.test(text) ? 'has the word INTO' : undefined;
}
