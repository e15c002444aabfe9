import { z } from 'zod';
import { Bytes } from './binary.ts';
import { OneLine } from './factor.ts';

/** Maximum stored bytes of one capture, and of all captures of a session. */
export const CAPTURE_BYTES = 1024 * 1024;
export const CAPTURED_BYTES = 64 * CAPTURE_BYTES;
/**
 * Maximum share of a trial's time for captures while its tool runs. Captures at intervals take at most half of it, so that some is left for
 * stalls.
 */
export const CAPTURE_SHARE = 0.01;
/** Maximum number of stalls, dips and events of a run at which each capture is taken. */
export const MOST_MOMENTS = 20;

/** Name of the table of sizes that each run stores of its server; captures of documents have other names. */
export const SIZES = 'sizes on disk';

const field = (title: string, description: string) => ({ title, description });

const CaptureMoment = z.enum(['start', 'end', 'stall', 'event']);
type CaptureMoment = z.infer<typeof CaptureMoment>;

/** In form order, with the words for each. */
export const MOMENT_TITLES = {
  start: 'Before the tool starts',
  end: 'After the tool has ended',
  stall: 'In a stall or dip',
  event: 'At an event',
} as const satisfies Record<CaptureMoment, string>;

export const CaptureForm = z.enum(['text', 'table', 'difference', 'marks', 'fact', 'attachment']);
export type CaptureForm = z.infer<typeof CaptureForm>;

const code = z.string().min(1).max(10_000);

/** Text or a table that is stored for each run, at moments of it. Exactly one of statement, command and file is present. */
export const Capture = z.strictObject({
  name: OneLine.min(1).max(60).meta(field('Name', 'Name of the capture.')),
  statement: code
    .optional()
    .meta(field('Statement', 'Sent to the target of the run over Kneepoint’s own connection. It must only read.')),
  /** Sent before it over the same connection; the results are not stored. */
  first: z
    .array(code)
    .min(1)
    .max(10)
    .optional()
    .meta(field('Statements before it', 'Sent first over the same connection: SET profiling = 1.')),
  /** The statements may change something. */
  writes: z
    .boolean()
    .optional()
    .meta(field('May write', 'on: also sends statements that change something. Default: off.')),
  /** POSIX sh on a host. */
  command: code.optional().meta(field('Command', 'POSIX shell; its standard output is stored.')),
  /** Absolute path on a host; for a longer file, its end is stored. */
  file: z
    .string()
    .regex(/^\/[^\0\n]*$/, 'must be an absolute path.')
    .max(4000)
    .optional()
    .meta(field('File', 'Absolute path; the last MiB is stored.')),
  host: z
    .string()
    .min(1)
    .optional()
    .meta(field('Host', 'Host of command or file. Default: the server host, or the first generator.')),
  /** Block devices that the command names without changing anything on them, separated by spaces. */
  'only-reads': z
    .string()
    .max(2000)
    .optional()
    .meta(field('Read-only devices', 'Block devices that the command reads, separated by spaces.')),
  at: z
    .array(CaptureMoment)
    .min(1)
    .max(4)
    .optional()
    .meta(
      field(
        'When',
        'start: before the tool starts. end: after it has ended. stall: while a stall or dip lasts. event: at each event. Default: end; for a difference, start and end.',
      ),
    ),
  /** Seconds. */
  every: z
    .number()
    .min(5)
    .max(86_400)
    .optional()
    .meta({ ...field('Every', 'Also at this interval while the tool runs.'), unit: 's' }),
  as: CaptureForm.optional().meta(
    field(
      'Store as',
      'text, table: the output itself. difference: growth of a table’s counters from start to end. marks: moments named by log lines. fact: names and values that Compare shows side by side. attachment: a whole file, byte for byte, up to 1 MiB. Default: table for a statement, otherwise text.',
    ),
  ),
  /** Patterns of lines that become marks, one per line (RE2). */
  marks: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .meta(
      field(
        'Lines',
        'Patterns of log lines, one per line; each matching line is a mark on the timeline. Groups: (?<mark>…) for its text, (?<time>…) for its time.',
      ),
    ),
  /** Columns whose values name a row of a difference. */
  key: z
    .array(z.string().min(1))
    .min(1)
    .max(10)
    .optional()
    .meta(field('Key', 'Columns that identify a row of a difference. Default: columns that are not numbers.')),
});
export type Capture = z.infer<typeof Capture>;

/** A capture offered in the editor, with its purpose. */
export const ReadyCapture = z.object({ description: z.string(), capture: Capture });
export type ReadyCapture = z.infer<typeof ReadyCapture>;

/** The form in which it is stored, with the default applied. */
export const formOf = ({ as, statement, marks }: Pick<Capture, 'as' | 'statement' | 'marks'>): CaptureForm =>
  as ?? (marks !== undefined ? 'marks' : statement === undefined ? 'text' : 'table');

/** The moments at which it is taken, with the default applied. */
export function momentsOf(
  capture: Pick<Capture, 'at' | 'every' | 'as' | 'statement' | 'marks'>,
): readonly CaptureMoment[] {
  if (capture.at) return capture.at;
  if (formOf(capture) === 'difference') return ['start', 'end'];
  return capture.every === undefined ? ['end'] : [];
}

/** A moment of a run at which something was stored, or should have been. */
export const KeptCapture = z.object({
  id: z.number(),
  runId: z.number(),
  name: z.string(),
  as: CaptureForm,
  moment: z.enum([...CaptureMoment.options, 'every']),
  /** Time of the request, epoch milliseconds. */
  at: z.number(),
  /** Second of the run; absent: before its tool started. */
  t: z.number().optional(),
  tookMs: z.number(),
  /** Stored bytes. */
  bytes: z.number(),
  /** Bytes, or rows of a table, beyond the limit that were not stored; absent: none. */
  left: z.object({ count: z.number(), unit: z.enum(['bytes', 'rows']) }).optional(),
  /** Why nothing is stored, or how the command ended; a sentence. */
  problem: z.string().optional(),
  /** Number of consecutive moments with this same problem; this is the first of them. */
  times: z.number(),
});
export type KeptCapture = z.infer<typeof KeptCapture>;

/** A value of a stored table. */
const Cell = z.union([z.string(), z.number(), z.null()]);
export const CapturedTable = z.object({ columns: z.array(z.string()), rows: z.array(z.array(Cell)) });
export type CapturedTable = z.infer<typeof CapturedTable>;

/** A stored file. `name`: its own without the path, or one made of the capture's. */
export const AttachedFile = z.object({ name: z.string(), bytes: Bytes });
export type AttachedFile = z.infer<typeof AttachedFile>;

/** The content of a capture: one of these. */
export const CaptureContent = z.object({
  text: z.string().optional(),
  table: CapturedTable.optional(),
  file: AttachedFile.optional(),
});
export type CaptureContent = z.infer<typeof CaptureContent>;

/** Growth of the counters of a table in a run. */
export const CounterDifference = z.object({
  runId: z.number(),
  name: z.string(),
  /** Columns that identify a row, and columns of counters. */
  keys: z.array(z.string()),
  counters: z.array(z.string()),
  /** Rows that grew, ordered by the growth of the first counter, largest first; null: the counter was reset. */
  rows: z.array(z.object({ key: z.array(z.string()), grew: z.array(z.number().nullable()) })),
  /** Number of rows without growth. */
  unchanged: z.number(),
  /** Number of rows present at the start and not at the end. */
  gone: z.number(),
  /** Seconds between start and end. */
  seconds: z.number(),
  /** Operations of the tool in that time, and the word for one; absent: it counts none. */
  operations: z.object({ count: z.number(), word: z.string() }).optional(),
  /** Reservations, sentences. */
  notes: z.array(z.string()),
});
export type CounterDifference = z.infer<typeof CounterDifference>;

const Side = z.object({
  /** Mean over the runs, per operation; absent: no run of this side has it. */
  mean: z.number().optional(),
  /** Smallest and largest of several runs. */
  low: z.number().optional(),
  high: z.number().optional(),
});

/** Counters of the runs of two sides, per operation of the tool, row by row. */
export const ComparedCounters = z.object({
  name: z.string(),
  keys: z.array(z.string()),
  counters: z.array(z.string()),
  /** The word for one operation. */
  word: z.string(),
  /** Number of runs of each side. */
  runs: z.object({ one: z.number(), other: z.number() }),
  /** Largest first, by the sum of both sides in the counter that orders the rows. */
  rows: z.array(
    z.object({
      key: z.array(z.string()),
      values: z.array(z.object({ one: Side, other: Side, change: z.number().optional() })),
    }),
  ),
  /** Why there are no rows, a sentence: without a count of operations there is no profile. */
  why: z.string().optional(),
});
export type ComparedCounters = z.infer<typeof ComparedCounters>;
