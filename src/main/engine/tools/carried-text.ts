/** The stream that a carrier attributes a line to. */
type Stream = 'stdout' | 'stderr';

/** An output without the wrapping of its lines, as its program may have printed it. */
export interface Uncarried {
  /** The removed wrappings, outermost first, in words that continue “Each line”. */
  readonly took: readonly string[];
  /** Lines by source, in order of first appearance. A single unnamed entry if the carrier names no sources. */
  readonly sources: readonly Source[];
}

export interface Source {
  readonly name: string;
  readonly stdout: string;
  readonly stderr: string;
}

interface Line {
  readonly text: string;
  readonly stream: Stream;
  /** Continues the previous line, which the carrier had split. */
  readonly continues?: boolean;
}

/** The content of a carrier's line. */
interface Held {
  readonly text: string;
  readonly source?: string;
  readonly stream?: Stream;
  /** The next line continues this one. */
  readonly open?: boolean;
}

interface Carrier {
  /** Words that continue “Each line”. `sample`: the removed prefix of a line. */
  readonly words: (sample: string) => string;
  readonly open: (line: string) => Held | undefined;
  /** The carrier is a prefix followed by at least one blank. */
  readonly gap?: true;
  /** Minimum share of lines with this carrier, if not all need it. */
  readonly least?: number;
}

const DATE = String.raw`(?:\d{4}[-/.]\d\d[-/.]\d\d|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}),?`;
const CLOCK = String.raw`\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: [AP]M)?`;
const ZONE = String.raw`(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?`;
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
/** Dates, times of day, seconds since 1970, and times of the kernel and of `ts -s`. A plain number is not a time: it could be a figure. */
const TIME = `(?:${DATE}[T ]${CLOCK}${ZONE}|(?:${WEEKDAY},? )?(?:${MONTH} +\\d{1,2}|\\d{1,2}[- ]${MONTH}(?:[- ]\\d{4})?),? ${CLOCK}${ZONE}(?: \\d{4})?|${CLOCK}${ZONE}|1\\d{9}(?:\\.\\d{1,9}|\\d{3})?)`;
/** The end of a prefix: a blank, or the end of an otherwise empty line. */
const GAP = '(?=\\s|$)';
/** Names of hosts, pods, containers, files and services. */
const NAME = '[A-Za-z0-9_./@+~-][A-Za-z0-9_./@+~:=,-]*';

const quoted = (sample: string): string => `begins with “${sample.trim()}”`;
const inFront =
  (what: string) =>
  (sample: string): string =>
    `begins with ${what} (“${sample.trim()}”)`;

/** A carrier by the pattern of its prefix. The groups `source` and `stream` name the origin of the line. */
const prefix = (words: Carrier['words'], pattern: string): Carrier => {
  const expression = new RegExp(`^${pattern}`);
  return {
    words,
    gap: true,
    open: (line) => {
      const found = expression.exec(line);
      if (!found || found[0] === '') return undefined;
      const { source, stream, part } = found.groups ?? {};
      return {
        text: line.slice(found[0].length),
        ...(source !== undefined && { source: source.trim() }),
        ...(stream !== undefined && { stream: stream === 'stderr' || stream === 'E' ? 'stderr' : 'stdout' }),
        ...(part === 'P' && { open: true }),
      };
    },
  };
};

/** Fields in which JSON log collectors store the line itself. */
const MESSAGES = ['log', 'MESSAGE', 'message', 'msg', 'line', 'textPayload', '@message', '_raw', 'content', 'text'];
const SOURCES = ['container_name', 'CONTAINER_NAME', 'pod', 'pod_name', 'container', 'host', 'hostname', '_HOSTNAME'];

function fromJson(line: string): Held | undefined {
  if (!/^\{.*\}$/.test(line)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Not JSON, so not this carrier.
    return undefined;
  }
  const fields = new Map(Object.entries(value as Record<string, unknown>));
  const word = (names: readonly string[]): string | undefined =>
    names.map((name) => fields.get(name)).find((field): field is string => typeof field === 'string');
  const message = word(MESSAGES);
  if (message === undefined) return undefined;
  const source = word(SOURCES);
  return {
    text: message.replace(/\r?\n$/, ''),
    stream: fields.get('stream') === 'stderr' ? 'stderr' : 'stdout',
    // Docker splits lines of more than 16 KiB; only the last part ends with the newline.
    ...(fields.has('stream') && !message.endsWith('\n') && { open: true }),
    ...(source !== undefined && { source }),
  };
}

/** `time="…" level=info msg="…"` */
function fromPairs(line: string): Held | undefined {
  const [, quotedText, word] =
    /^(?:[\w.]+=(?:"(?:[^"\\]|\\.)*"|\S*) +)+msg=(?:("(?:[^"\\]|\\.)*")|(\S*))(?: +\w+=.*)?$/.exec(line) ?? [];
  if (quotedText === undefined) return word === undefined ? undefined : { text: word };
  try {
    return { text: String(JSON.parse(quotedText)).replace(/\r?\n$/, '') };
  } catch {
    // Escapes other than JSON's, so not this carrier.
    return undefined;
  }
}

/** `"2026-03-02 09:15:00","bench","…"`, with quotation marks doubled or escaped. */
function fromRow(line: string): Held | undefined {
  const text = /^(?:(?:"[^"]*"|[^",]*),)+"((?:[^"\\]|\\.|"")*)"$/.exec(line)?.[1];
  return text === undefined ? undefined : { text: text.replaceAll('""', '"').replace(/\\(["\\])/g, '$1') };
}

const COLOURS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told begins with one
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|_[^\u0007\u001B]*(?:\u0007|\u001B\\)|[()][0-9A-B]|[=>78cM])/g;
const ENDS = /(?:[ \t]+|\\|<br ?\/?>|\$)$/;

/** More specific forms come first: of two that match the same lines, the first is used. */
const CARRIERS: readonly Carrier[] = [
  {
    words: () => 'contains terminal colour codes',
    least: 0,
    open: (line) => {
      const text = line.replace(COLOURS, '').replace(/^section_(?:start|end):\d+:\S*\r?/, '');
      return text === line ? undefined : { text };
    },
  },
  { words: () => 'is wrapped in JSON, as log collectors write it', open: fromJson },
  { words: () => 'is the msg field of a key=value line (logfmt), as log collectors write it', open: fromPairs },
  { words: () => 'is the last field of a comma-separated row', open: fromRow },
  prefix(
    inFront('time and stream, as container runtimes write them'),
    `${TIME} (?<stream>stdout|stderr) (?<part>[FP])(?: |$)`,
  ),
  prefix(inFront('time and stream, as GitLab writes them'), `${TIME} \\d\\d(?<stream>[OE])\\+?(?: |$)`),
  prefix(
    inFront('the prefix of the system log'),
    `(?:<\\d{1,3}>)?(?:1 )?${TIME} (?<source>[A-Za-z0-9][\\w.-]*) [\\w./@-]+(?:\\[[\\w.]+\\])?:${GAP}`,
  ),
  prefix(
    inFront('the prefix of the system log'),
    `<\\d{1,3}>1 ${TIME} (?<source>\\S+) \\S+ \\S+ \\S+ (?:-|\\[.*?\\])${GAP}`,
  ),
  prefix(inFront('application and process'), `${TIME} (?<source>\\w+\\[[\\w.-]+\\]):${GAP}`),
  prefix(inFront('pod and container'), `\\[(?<source>pod/[^\\]\\s]+)\\]${GAP}`),
  prefix(inFront('job, step and time'), `(?<source>[^\\t]{1,100})\\t[^\\t]{1,100}\\t\\uFEFF?${TIME}${GAP}`),
  prefix(inFront('a time'), `(?:\\[${TIME}\\]|\\(${TIME}\\)):?${GAP}`),
  prefix(inFront('level, time and place in a program'), `[DIWEF]\\d{4} ${CLOCK} +\\d+ [\\w./-]+:\\d+\\]${GAP}`),
  prefix(inFront('a time'), `(?:build\\t|simple\\t|error\\t)?${TIME}(?: ?[|>-](?=\\s|$))?${GAP}`),
  // Does not match YCSB's own lines, which begin similarly but have milliseconds after a colon.
  prefix(inFront('the seconds since the start'), `\\[ *\\d+\\.\\d{3,9}\\]${GAP}`),
  prefix(inFront('a name'), `(?<source>${NAME}) *\\|${GAP}`),
  // fio itself labels its clients like this, and reports their total after them.
  prefix(quoted, `<[\\w.:-]+>${GAP}`),
  prefix(inFront('rank and stream'), `\\[(?<source>\\d+,\\d+)\\]<(?<stream>stdout|stderr)>:`),
  prefix(inFront('a name'), `\\[(?<source>(?! )[^\\]\\t]{1,100})\\](?:\\[[^\\]\\t]{1,60}\\])*:?${GAP}`),
  prefix(inFront('the line number'), '\\d{1,7}[:-]'),
  prefix(inFront('file name and line number'), `(?<source>${NAME}?):\\d{1,7}[:-]`),
  prefix(inFront('a name'), `(?<source>${NAME}?)(?::|>)(?=\\s|$)`),
  prefix(inFront('a name'), `(?<source>[^\\t]{1,100})\\t`),
  prefix(inFront('a file name'), `(?<source>[\\w./@+~-]*[\\w/@+~-]\\.[A-Za-z]\\w{0,7}|[\\w.@+~-]*/[\\w./@+~-]+):`),
  {
    words: () => 'ends in spaces or markup',
    least: 0.3,
    open: (line) =>
      ENDS.test(line) ? { text: line.replace(ENDS, '').replaceAll(line.endsWith('$') ? '^I' : '\t', '\t') } : undefined,
  },
];

/** Minimum share of non-empty lines that must match a carrier: its own first and last messages have no prefix. */
const LEAST_SHARE = 0.7;
/** Lines inspected to detect a carrier. */
const SAMPLED_LINES = 400;
/** Maximum nested carriers: a timestamp after a container name after the time of a build. */
const MOST_LAYERS = 5;

const isBlank = (line: string): boolean => line.trim() === '';

const shareOf = (lines: readonly string[], fits: (line: string) => boolean): number => {
  const some = lines.filter((line) => !isBlank(line));
  return some.length === 0 ? 0 : some.filter(fits).length / some.length;
};

/** The common prefix of all non-empty lines, up to its last blank or punctuation. Used if no known carrier matches. */
function commonPrefix(lines: readonly string[]): Carrier | undefined {
  const some = lines.filter((line) => !isBlank(line));
  const [first = ''] = some;
  if (some.length < 3) return undefined;
  let length = first.length;
  for (const line of some) {
    while (length > 0 && !line.startsWith(first.slice(0, length))) length -= 1;
    if (length === 0) return undefined;
  }
  const common = /^.*[^\w.]/.exec(first.slice(0, length))?.[0];
  if (common === undefined || isBlank(common) || some.every((line) => isBlank(line.slice(common.length))))
    return undefined;
  return {
    words: quoted,
    gap: true,
    open: (line) => (line.startsWith(common) ? { text: line.slice(common.length) } : undefined),
  };
}

/** Lines below a heading that names their source, as Salt prints the output of hosts. */
function belowHeading(lines: readonly string[]): Carrier | undefined {
  const [first = '', ...rest] = lines.filter((line) => !isBlank(line));
  if (rest.length < 3 || !/^\S+:$/.test(first) || !rest.every((line) => /^\s{2,}/.test(line))) return undefined;
  return {
    words: () => `is indented below “${first}”`,
    gap: true,
    open: (line) => (/^\s+\S/.test(line) ? { text: line } : undefined),
  };
}

function carrierOf(lines: readonly string[]): Carrier | undefined {
  const step = Math.max(1, Math.floor(lines.length / SAMPLED_LINES));
  const sampled = lines.filter((_, index) => index < SAMPLED_LINES || index % step === 0);
  const shares = CARRIERS.map((carrier) => ({
    carrier,
    share: shareOf(sampled, (line) => carrier.open(line) !== undefined),
  }));
  const partly = shares.find(({ carrier: { least }, share }) => least !== undefined && share > least);
  const most = Math.max(...shares.map(({ share }) => share));
  const mostly = most < LEAST_SHARE ? undefined : shares.find(({ share }) => share === most);
  if (partly?.carrier === CARRIERS[0]) return partly?.carrier;
  // A prefix common to all lines is a better match than a form that most of them have.
  const common = most < 1 ? commonPrefix(lines) : undefined;
  return common ?? (mostly ?? partly)?.carrier ?? belowHeading(lines);
}

/** Removes the blanks common to all lines between prefix and content, which differ by carrier. */
function withoutGap(lines: readonly Line[], carried: ReadonlySet<number>): readonly Line[] {
  const gap = lines.reduce(
    (least, { text }, at) => (carried.has(at) && !isBlank(text) ? Math.min(least, text.search(/\S/)) : least),
    Number.POSITIVE_INFINITY,
  );
  if (gap === 0 || gap === Number.POSITIVE_INFINITY) return lines;
  return lines.map((line, at) => (carried.has(at) ? { ...line, text: line.text.slice(gap) } : line));
}

/** Removes one carrier. Lines without it remain unchanged, with the source of the lines before them. */
function takenOff(lines: readonly Line[], carrier: Carrier): { sources: Map<string, readonly Line[]>; sample: string } {
  const sources = new Map<string, { lines: Line[]; carried: Set<number>; open: boolean }>();
  let last = '';
  let sample = '';
  for (const line of lines) {
    const held = carrier.open(line.text);
    if (held && sample === '') sample = line.text.slice(0, Math.max(0, line.text.length - held.text.length));
    last = held ? (held.source ?? '') : last;
    const source = sources.get(last) ?? { lines: [], carried: new Set(), open: false };
    sources.set(last, source);
    const { open } = source;
    source.open = held?.open ?? false;
    const before = source.lines.at(-1);
    if (held && open && before) {
      source.lines[source.lines.length - 1] = { ...before, text: before.text + held.text };
      continue;
    }
    if (held) source.carried.add(source.lines.length);
    source.lines.push(held ? { text: held.text, stream: held.stream ?? line.stream } : line);
  }
  return {
    sources: new Map(
      [...sources].map(([name, { lines: all, carried }]) => [name, carrier.gap ? withoutGap(all, carried) : all]),
    ),
    sample,
  };
}

const textOf = (lines: readonly Line[], stream: Stream, ended: boolean): string => {
  const own = lines.filter((line) => line.stream === stream);
  return own.length === 0 ? '' : own.map(({ text }) => text).join('\n') + (ended ? '\n' : '');
};

/** A recording of only one stream is read as that of a terminal, which contains both. */
function sourceOf(name: string, lines: readonly Line[], ended: boolean): Source {
  const [stdout, stderr] = [textOf(lines, 'stdout', ended), textOf(lines, 'stderr', ended)];
  return isBlank(stdout) ? { name, stdout: stderr, stderr: '' } : { name, stdout, stderr };
}

/** A single JSON document with the output streams as texts or lists of lines, as registered by Ansible. */
function fromRecord(text: string): Source | undefined {
  if (!/^\s*\{/.test(text) || !/"stdout(?:_lines)?"\s*:/.test(text)) return undefined;
  try {
    const record = JSON.parse(text) as Record<string, unknown>;
    const stream = (name: Stream): string => {
      const lines = record[`${name}_lines`];
      if (Array.isArray(lines)) return lines.join('\n');
      return typeof record[name] === 'string' ? record[name] : '';
    };
    const ended = (lines: string): string => (lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`);
    return { name: '', stdout: ended(stream('stdout')), stderr: ended(stream('stderr')) };
  } catch {
    // Other text that contains such a word.
    return undefined;
  }
}

/**
 * Returns the output with one carrier removed, then with the next one removed, and so on. Empty without a carrier. Only a reader of the program's
 * output can decide which result is right, since the program's own lines can look like carried ones.
 */
export function uncarried(text: string): Uncarried[] {
  const recorded = fromRecord(text);
  if (recorded !== undefined) {
    const took = ['is in a JSON document, as the program that ran the tool wrote it'];
    const inner = uncarried(recorded.stdout).map((layer) => ({ ...layer, took: [...took, ...layer.took] }));
    return [{ took, sources: [recorded] }, ...inner];
  }
  const ended = text.endsWith('\n');
  const split = text.split('\n');
  if (ended) split.pop();
  const lines = split.map((line) => (line.endsWith('\r') ? line.replace(/\r+$/, '') : line));
  let carrier = carrierOf(lines);
  // Most outputs have no carrier, and can be long.
  if (!carrier) return [];
  let sources = new Map<string, readonly Line[]>([['', lines.map((line) => ({ text: line, stream: 'stdout' }))]]);
  const took: string[] = [];
  const found: Uncarried[] = [];
  while (carrier && found.length < MOST_LAYERS) {
    const here: Carrier = carrier;
    const next = new Map<string, readonly Line[]>();
    let sample = '';
    for (const [name, own] of sources) {
      const taken = takenOff(own, here);
      if (sample === '') sample = taken.sample;
      for (const [inner, kept] of taken.sources) {
        const joined = [name, inner].filter((word) => word !== '').join(' ');
        next.set(joined, [...(next.get(joined) ?? []), ...kept]);
      }
    }
    took.push(here.words(sample));
    sources = next;
    found.push({
      took: [...took],
      sources: [...sources].map(([name, own]) => sourceOf(name, own, ended)),
    });
    carrier = carrierOf([...sources.values()].flat().map((line) => line.text));
  }
  return found;
}
