import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';
import { figuresOf } from './sampling.ts';
import type { ServerConfig } from './server-facts.ts';
import type { StatementAnswer } from './target.ts';

/** Between rows of a sample on the line that is printed of it, and between their columns. */
export const ROW = '\x1e';
const COLUMN = '\t';

/** Lines that stand around what one sample is printed as. */
export const BEGIN = 'kneepoint-begin';
export const END = 'kneepoint-end';

const ONLY_OWN = 'is_own || exit 69\n';

/** The client of a server: its names, the first that is there is taken, and an address that has to be one of the host. */
export interface Client {
  readonly programs: readonly string[];
  readonly own?: string | undefined;
}

/** POSIX sh that calls a client again and again, as `"$client"` with its files in `"$dir"`, until nobody reads any more. */
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

/** Conditions of awk on the lines around an answer, and what the line of it begins with. */
interface Marks {
  readonly begin: string;
  readonly end: string;
  readonly first: string;
}
const PLAIN: Marks = { begin: `$0 == "${BEGIN}"`, end: `$0 == "${END}"`, first: '""' };

/**
 * POSIX sh that asks the question in the file `question` once a second over one connection of a client, and prints what it answers between BEGIN and
 * END on one line, with its length in bytes; a connection that ends is made again. Its one new process a second is `sleep`.
 */
export const samplingScript = (client: Client, command: string): string =>
  framed(clientScript(client, `while printf '%s\\n' "$question"; do sleep 1; done | ${command}`, READ_QUESTION));

/** What the files of a script have to ask, as `$question`. */
export const READ_QUESTION = 'question=$(cat "$dir/question") || exit 69\n';

/** A script of which each answer becomes one line, with its length in bytes. */
export const framed = (script: string, { begin, end, first } = PLAIN): string => `${script} | LC_ALL=C $awk '
  ${begin} { line = ${first}; begun = 1; next }
  ${end} { if (begun) { print line length(line); fflush() } begun = 0; next }
  begun { line = line $0 "${'\\036'}" }
'
`;

/**
 * What clients answer a server that asks for a readable password differs between them. What is sent to an address of the host itself passes no
 * network. Asked before each connection: a name may lead elsewhere by then.
 */
const isOwn = (address: string): string => `address=${shellQuote(address.replaceAll(/[[\]]/g, ''))}
is_own() {
  own=" $(echo $(ip -o addr show 2>/dev/null | $awk '{ sub("/.*", "", $4); print $4 }') $(hostname -I 2>/dev/null)) "
  found=$(getent ahosts "$address" 2>/dev/null | $awk '{ print $1 }')
  for each in \${found:-$address}; do
    case $each in 127.*) continue ;; esac
    case $own in *" $each "*) continue ;; esac
    echo "kneepoint: $address does not belong to this host alone: a password sent in clear could be read on the network" >&2
    return 1
  done
}
`;

/** The address that has to be one of the host; undefined: whatever it is, no password can be read on the way, or the target allows that. */
export const addressToBeOwn = ({ socket, address, tls, allowCleartextPassword }: ServerConfig): string | undefined =>
  socket !== '' || tls === 'required' || allowCleartextPassword || isLoopback(address) ? undefined : address;

/** Rows of a line of it; none of one that was cut, or that is put together of two, as happens while a disk is full. */
export const rowsOf = (line: string): string[][] =>
  wholeOf(line)
    .split(ROW)
    .slice(0, -1)
    .map((row) => row.split(COLUMN));

/** Each row with its end; empty where the line is not whole. */
export function wholeOf(line: string): string {
  const end = line.lastIndexOf(ROW) + ROW.length;
  return Buffer.byteLength(line.slice(0, end)) === Number(line.slice(end)) ? line.slice(0, end) : '';
}

/** How a client prints a table. */
interface Printed {
  /** Between rows, once lines have been put together. */
  readonly row: string;
  readonly column: string;
  /** A value as it was printed. */
  value(word: string): string;
}

/** With tabs between columns, and backslashes before what would be taken for an end. */
export const TABS: Printed = {
  row: ROW,
  column: COLUMN,
  value: (word) => word.replaceAll(/\\(.)/g, (_, letter: string) => ESCAPED[letter] ?? letter),
};
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', 0: '\0' };

/** Reads lines that hold the place of a statement, the names of the columns that it has answered with, and their rows. */
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
