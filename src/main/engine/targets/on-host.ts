import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';
import { figuresOf } from './sampling.ts';
import type { ServerConfig } from './server-facts.ts';
import type { StatementAnswer } from './target.ts';

/** Separators in the line printed for a sample: rows, and columns within a row. */
export const ROW = '\x1e';
const COLUMN = '\t';

/** Lines before and after the output of one sample. */
export const BEGIN = 'kneepoint-begin';
export const END = 'kneepoint-end';

const ONLY_OWN = 'is_own || exit 69\n';

/** A server's client: candidate program names, of which the first installed one is used, and an address that must belong to the host. */
export interface Client {
  readonly programs: readonly string[];
  readonly own?: string | undefined;
}

/** POSIX sh that calls a client repeatedly, as `"$client"` with its files in `"$dir"`, until its output is no longer read. */
export const clientScript = ({ programs, own }: Client, command: string, before = ''): string => `dir=\${0%/*}
for client in ${programs.join(' ')} none; do
  command -v "$client" >/dev/null 2>&1 && break
done
[ "$client" != none ] || { echo 'kneepoint: ${programs.join(' or ')} is not installed on this host' >&2; exit 69; }
# Without this mawk waits until it has 4 KB of input.
awk=awk
case $(awk -W version </dev/null 2>&1) in mawk*) awk='awk -W interactive' ;; esac
${own === undefined ? '' : isOwn(own) + ONLY_OWN}${before}# The empty line ends it when nobody reads any more.
while echo; do
${own === undefined ? '' : ONLY_OWN}  ${command}
  sleep 1
done`;

/** awk conditions for the lines around a response, and the beginning of the line printed for it. */
interface Marks {
  readonly begin: string;
  readonly end: string;
  readonly first: string;
}
const PLAIN: Marks = { begin: `$0 == "${BEGIN}"`, end: `$0 == "${END}"`, first: '""' };

/**
 * POSIX sh that asks the question in the file `question` once a second over one client connection. It prints each response between BEGIN and END on
 * one line, with its length in bytes. A closed connection is reopened. The only new process per second is `sleep`.
 */
export const samplingScript = (client: Client, command: string): string =>
  framed(clientScript(client, `while printf '%s\\n' "$question"; do sleep 1; done | ${command}`, READ_QUESTION));

/** Reads the question of a script from its files into `$question`. */
export const READ_QUESTION = 'question=$(cat "$dir/question") || exit 69\n';

/** A script that prints each response as one line, with its length in bytes. */
export const framed = (script: string, { begin, end, first } = PLAIN): string => `${script} | LC_ALL=C $awk '
  ${begin} { line = ${first}; begun = 1; next }
  ${end} { if (begun) { print line length(line); fflush() } begun = 0; next }
  begun { line = line $0 "${'\\036'}" }
'
`;

/**
 * Clients differ in how they respond to a server that requests a cleartext password. Data sent to an address of the host itself does not cross a
 * network. Checked before each connection, since a name may resolve to another address by then.
 */
const isOwn = (address: string): string => `address=${shellQuote(address.replaceAll(/[[\]]/g, ''))}
is_own() {
  own=" $(echo $(ip -o addr show 2>/dev/null | $awk '{ sub("/.*", "", $4); print $4 }') $(hostname -I 2>/dev/null)) "
  found=$(getent ahosts "$address" 2>/dev/null | $awk '{ print $1 }')
  for each in \${found:-$address}; do
    case $each in 127.*) continue ;; esac
    case $own in *" $each "*) continue ;; esac
    echo "kneepoint: $address is not local to this host: a cleartext password could be read on the network" >&2
    return 1
  done
}
`;

/** The address that must belong to the host. Undefined if no password can be read on the way, or if the target allows that. */
export const addressToBeOwn = ({ socket, address, tls, allowCleartextPassword }: ServerConfig): string | undefined =>
  socket !== '' || tls === 'required' || allowCleartextPassword || isLoopback(address) ? undefined : address;

/** Rows of a line. Empty for a line that was cut, or merged from two, as happens while a disk is full. */
export const rowsOf = (line: string): string[][] =>
  wholeOf(line)
    .split(ROW)
    .slice(0, -1)
    .map((row) => row.split(COLUMN));

/** The rows, each with its separator. Empty if the line is incomplete. */
export function wholeOf(line: string): string {
  const end = line.lastIndexOf(ROW) + ROW.length;
  return Buffer.byteLength(line.slice(0, end)) === Number(line.slice(end)) ? line.slice(0, end) : '';
}

/** A client's output format for tables. */
interface Printed {
  /** Row separator, after the lines have been joined. */
  readonly row: string;
  readonly column: string;
  /** Decodes a printed value. */
  value(word: string): string;
}

/** Tabs between columns, and backslash escapes for separators within values. */
export const TABS: Printed = {
  row: ROW,
  column: COLUMN,
  value: (word) => word.replaceAll(/\\(.)/g, (_, letter: string) => ESCAPED[letter] ?? letter),
};
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', 0: '\0' };

/** Reads lines that consist of the index of a statement, the column names of its result, and the rows. */
export const statementLine =
  ({ row, column, value }: Printed) =>
  (line: string): StatementAnswer | undefined => {
    const whole = wholeOf(line);
    const place = whole.slice(0, whole.indexOf(ROW));
    const table = whole.slice(place.length + ROW.length);
    if (!/^\d+$/.test(place)) return undefined;
    if (table === '') return { statement: Number(place), figures: undefined };
    const [columns = [], ...rows] = table
      .slice(0, -ROW.length)
      .split(row)
      .map((words) => words.split(column).map(value));
    return { statement: Number(place), figures: figuresOf({ columns, rows }) };
  };
