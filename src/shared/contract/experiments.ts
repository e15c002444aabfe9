import { z } from 'zod';
import { DocumentProblem, Experiment, Scalar } from '../model/experiment.ts';
import { ChangeCost, Factor, FactorKindInfo } from '../model/factor.ts';
import { Finding } from '../model/finding.ts';
import { ExperimentOutline, Plan } from '../model/plan.ts';
import { DataUse } from '../model/step.ts';
import { AccessShares, ToolInfo } from '../model/tool.ts';
import { call, stream } from '../rpc/define.ts';

/** Devices that the user allows to be overwritten, each typed as `HOST:DEVICE`. */
export const Destroy = z.array(z.string().max(500)).max(20).default([]);

/** The published experiment that a document reproduces, with the published levels. */
export const PublishedRow = z.strictObject({
  id: z.string(),
  /** Id of the template that it is a variant of. */
  template: z.string(),
  /** partly: part of the publication cannot be shown, or not in one session. */
  state: z.enum(['full', 'partly']),
  /** The missing part of the publication; absent: none. */
  missing: z.string().optional(),
  /** Number of combinations that the publication has figures for: the document has as many cells, times measured steps. */
  points: z.number().int().min(1).optional(),
});
export type PublishedRow = z.infer<typeof PublishedRow>;

export const ExperimentFile = z.object({
  /** Templates have a text id, saved documents a number as text. */
  id: z.string(),
  origin: z.enum(['template', 'saved']),
  name: z.string(),
  question: z.string().optional(),
  tool: z.string(),
  tags: z.array(z.string()),
  changedAt: z.number().optional(),
  text: z.string(),
  /** Topic that a template is listed under; `place` counts from 0. */
  topic: z.object({ id: z.string(), title: z.string(), place: z.number() }).optional(),
  /** Only for published experiments, which follow the templates. */
  row: PublishedRow.optional(),
  /** Absent if the document has problems. */
  outline: ExperimentOutline.optional(),
});
export type ExperimentFile = z.infer<typeof ExperimentFile>;

/**
 * Result of reading a document: the problems and, if there are none or only the choice of a target is missing, the document and its plan.
 */
export const CheckedDocument = z.object({
  problems: z.array(DocumentProblem),
  experiment: Experiment.optional(),
  plan: Plan.optional(),
  /** Size of the matrix if the plan cannot be created yet. Seconds do not include the time before the first trial. */
  outline: z.object({ cells: z.number(), trials: z.number(), seconds: z.number() }).optional(),
  /** Highest cost of a change of level, for each factor in document order. Absent while there are problems. */
  changeCosts: z.array(ChangeCost).optional(),
  /** Names of possible factors under test; absent while there are problems. */
  testable: z.array(z.string()).optional(),
  /** One command line per cell without secrets, in cell order (first 200). */
  commands: z.array(z.string()).optional(),
  /** The load of each of those cells as a file of the tool itself, for tools that have one (`ToolInfo.file`). */
  files: z.array(z.string()).optional(),
  /** Commands that prepare and remove the data, without secrets: each distinct command of those cells once. */
  dataCommands: z.object({ prepare: z.array(z.string()), cleanup: z.array(z.string()) }).optional(),
  /** Distribution of the random accesses of the cells, without duplicates; absent if none are random, or the tool does not report it. */
  accesses: z.array(AccessShares).optional(),
  /** Use of the data by each step of a trial, in order, those of groups apart; absent without steps, and while there are problems. */
  dataUses: z.array(DataUse).optional(),
});
export type CheckedDocument = z.infer<typeof CheckedDocument>;

const Place = { place: z.enum(['host', 'target']), name: z.string() };

/** Remedy of a preflight line, if the page can offer it there. */
export const Fix = z.discriminatedUnion('kind', [
  /** Enter and store its password. */
  z.object({ kind: z.literal('password'), ...Place }),
  z.object({ kind: z.literal('open-vault') }),
  /** Allow sending the password of a target as the tool does. */
  z.object({ kind: z.literal('allow-cleartext'), target: z.string() }),
  /** `command`: installs the tool, to be run on the host. */
  z.object({ kind: z.literal('install'), host: z.string(), command: z.string() }),
  /** Another value for the option that names a path. `folder`: the host on which it is a folder; absent: a file or program. */
  z.object({ kind: z.literal('path'), option: z.string(), path: z.string(), folder: z.string().optional() }),
  /** Nothing is saved under the name: choose another one, or add it. */
  z.object({ kind: z.literal('add'), ...Place }),
  /** Measure from this host instead. */
  z.object({ kind: z.literal('generator'), host: z.string() }),
  /** Correct or start it on its own page. */
  z.object({ kind: z.literal('open'), ...Place }),
  /** This session is in the way. */
  z.object({ kind: z.literal('session'), id: z.number() }),
]);
export type Fix = z.infer<typeof Fix>;

/** One line of the preflight: checks run in order and are streamed as they progress. */
export const PreflightLine = z.object({
  id: z.string(),
  /** Subject of the check; it claims nothing, so that it fits every state. */
  title: z.string(),
  /** skipped: not checked because an earlier check failed. */
  state: z.enum(['waiting', 'running', 'ok', 'note', 'warn', 'block', 'skipped']),
  finding: Finding.optional(),
  /** Evidence if nothing is in the way: “sysbench 1.0.20”, “/data, 12.3 GiB free”. Of a running check, how far it is: “cell 40 of 2,000”. */
  evidence: z.string().optional(),
  /** Text that the user has to type exactly, to be passed as `destroy`: then this line no longer blocks. */
  confirm: z.string().optional(),
  fix: Fix.optional(),
});
export type PreflightLine = z.infer<typeof PreflightLine>;

/** Result of a tool's parser for a pasted output, line by line. Times in seconds on the tool's counter, metrics by id. */
export const TriedOutput = z.object({
  lines: z.array(
    z.object({
      number: z.number(),
      text: z.string(),
      understood: z.boolean(),
      samples: z.array(z.object({ t: z.number(), metrics: z.record(z.string(), z.number()) })),
    }),
  ),
  summary: z.record(z.string(), z.number()),
  findings: z.array(Finding),
});
export type TriedOutput = z.infer<typeof TriedOutput>;

/**
 * Result for a line of a tool's file, for lines that did not simply become an option. not-in-form: why the file is kept as a whole.
 * refused: a line of the kept file that cannot run as it is. `number` from 1, absent if no line is concerned.
 */
export const ReadLine = z.object({
  number: z.number().optional(),
  text: z.string(),
  is: z.enum(['not-in-form', 'refused', 'note']),
  message: z.string(),
});
export type ReadLine = z.infer<typeof ReadLine>;

/**
 * A tool's file as options. `whole`: the options contain its text, as they cannot express all of it. `measure`: seconds that it specifies.
 * `factors`: factors of its stages, if they form a ladder.
 */
export const ReadToolFile = z.object({
  options: z.record(z.string(), Scalar),
  whole: z.boolean(),
  measure: z.object({ warmup: z.number().optional(), duration: z.number().optional() }),
  factors: z.array(Factor).optional(),
  lines: z.array(ReadLine),
});
export type ReadToolFile = z.infer<typeof ReadToolFile>;

/** Maximum characters of a document's text. */
const LONGEST_DOCUMENT = 1_000_000;
export const DocumentText = z.string().max(LONGEST_DOCUMENT);
export const TAKES_DOCUMENT = { largest: LONGEST_DOCUMENT + 100_000 };
/** The document as a structure, together with its text. */
const TAKES_BOTH = { largest: 3 * LONGEST_DOCUMENT };

export const experiments = {
  tools: call(z.object({}), z.array(ToolInfo)),
  /** Every kind of factor, with the schemas for its form. */
  factorKinds: call(z.object({}), z.array(FactorKindInfo)),
  /**
   * A document that measures the set-ups of two sessions interleaved, with at least `repeats` repeats; or, in `why`, the reason why theirs
   * cannot be combined.
   */
  bothInTurns: call(
    z.object({ baselineId: z.number(), otherId: z.number(), repeats: z.number().int().min(1).max(1000).optional() }),
    z.object({ text: DocumentText.optional(), why: z.string().optional() }),
  ),
  /** Templates, published experiments and saved documents. */
  list: call(z.object({}), z.array(ExperimentFile)),
  /** Saves the text unchanged, even with problems. */
  save: call(z.object({ id: z.string().optional(), text: DocumentText }), ExperimentFile, TAKES_DOCUMENT),
  remove: call(z.object({ id: z.string() }), z.object({})),
  /** Reads YAML: problems with line numbers, or the document with its plan. Fast enough to run at every keystroke. */
  check: call(z.object({ text: DocumentText }), CheckedDocument, TAKES_DOCUMENT),
  /** The document as YAML, keeping comments and order of `base` where possible. */
  format: call(
    z.object({ experiment: Experiment, base: DocumentText.optional() }),
    z.object({ text: z.string() }),
    TAKES_BOTH,
  ),
  /** A template or published experiment by its id, without reading all others. Throws `not-found`. */
  template: call(z.object({ id: z.string().max(200) }), ExperimentFile.pick({ text: true, outline: true })),
  /**
   * A shell script that does the same manually on one generator. Throws `bad-request` for a document with problems, or with several
   * generators.
   */
  script: call(z.object({ text: DocumentText }), z.object({ text: z.string() }), TAKES_DOCUMENT),
  /** Its small form, whose sessions are mechanics only. Throws `bad-request` if it has none. */
  small: call(z.object({ experiment: Experiment }), z.object({ experiment: Experiment }), TAKES_DOCUMENT),
  /** Reads an output as a run with these options would. Accesses no host. Throws `bad-request` for options that the tool refuses. */
  tryOutput: call(
    z.object({ tool: z.string(), options: z.record(z.string(), Scalar), text: z.string().max(100_000) }),
    TriedOutput,
  ),
  /**
   * Reads a file of the tool itself. `options`: those that are currently set. `path`: its absolute path on this computer, to read files
   * next to it that it includes. Throws `bad-request` for a file that is incomplete by itself.
   */
  readFile: call(
    z.object({
      tool: z.string(),
      options: z.record(z.string(), Scalar),
      text: z.string().max(100_000),
      path: z.string().max(4096).optional(),
    }),
    ReadToolFile,
  ),
  /** The whole list at every change; in the last one, no line is waiting or running. */
  preflight: stream(z.object({ text: DocumentText, destroy: Destroy }), z.array(PreflightLine), TAKES_DOCUMENT),
};
