import { z } from 'zod';
import { AccessShares } from '../model/accesses.ts';
import { DocumentProblem, Experiment, Scalar } from '../model/experiment.ts';
import { ChangeCost, Factor, FactorKindInfo } from '../model/factor.ts';
import { Finding } from '../model/finding.ts';
import { ExperimentOutline } from '../model/outline.ts';
import { Plan } from '../model/plan.ts';
import { ToolInfo } from '../model/tool.ts';
import { call, stream } from '../rpc/define.ts';

/** Devices that a person allows to be overwritten, each typed as `HOST:DEVICE`. */
export const Destroy = z.array(z.string().max(500)).max(20).default([]);

/** A published experiment that a document is, with the levels that were published. */
export const PublishedRow = z.strictObject({
  id: z.string(),
  /** Id of the template that it is a form of. */
  template: z.string(),
  /** partly: some of what was published cannot be shown, or not in one session. */
  state: z.enum(['full', 'partly']),
  /** The missing part of what was published; absent: none is. */
  missing: z.string().optional(),
  /** Measured combinations, where the publication has a number: the document has as many cells, times measured steps. */
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
  /** The question that a template is listed under; `place` counts from 0. */
  topic: z.object({ id: z.string(), title: z.string(), place: z.number() }).optional(),
  /** Only of published experiments, which follow the templates. */
  row: PublishedRow.optional(),
  /** Absent where the document has problems. */
  outline: ExperimentOutline.optional(),
});
export type ExperimentFile = z.infer<typeof ExperimentFile>;

/** A document read: the problems, and when there is none, or only the choice of a target is open, the document and its plan. */
export const CheckedDocument = z.object({
  problems: z.array(DocumentProblem),
  experiment: Experiment.optional(),
  plan: Plan.optional(),
  /** In place of a plan that cannot be made yet: what the matrix comes to. Seconds without what comes before the first trial. */
  outline: z.object({ cells: z.number(), trials: z.number(), seconds: z.number() }).optional(),
  /** What a change of level takes at most, for each factor in the order of the document. Absent while there are problems. */
  changeCosts: z.array(ChangeCost).optional(),
  /** Names of factors that the question can be about; absent while there are problems. */
  testable: z.array(z.string()).optional(),
  /** One command line per cell, secrets left out, in cell order (first 200). */
  commands: z.array(z.string()).optional(),
  /** The load of each of those cells as a file of the tool's own, for tools that have one (`ToolInfo.file`). */
  files: z.array(z.string()).optional(),
  /** Commands that make the data and that remove it, secrets left out: each command once, however many of those cells want it. */
  dataCommands: z.object({ prepare: z.array(z.string()), cleanup: z.array(z.string()) }).optional(),
  /** Which rows the random accesses of the cells meet, each kind once; absent where none are random, or the tool does not tell. */
  accesses: z.array(AccessShares).optional(),
});
export type CheckedDocument = z.infer<typeof CheckedDocument>;

const Place = { place: z.enum(['host', 'target']), name: z.string() };

/** Remedy of a line of the preflight, where the page can offer it at the line. */
export const Fix = z.discriminatedUnion('kind', [
  /** Its password, to be stored. */
  z.object({ kind: z.literal('password'), ...Place }),
  z.object({ kind: z.literal('open-vault') }),
  /** Leave to send the password of a target as the tool does. */
  z.object({ kind: z.literal('allow-cleartext'), target: z.string() }),
  /** `command`: installs the tool on the host, to be run there. */
  z.object({ kind: z.literal('install'), host: z.string(), command: z.string() }),
  /** Another value for the option that names a path. */
  z.object({ kind: z.literal('path'), option: z.string(), path: z.string() }),
  /** Nothing of the name is saved: another one, or it is added. */
  z.object({ kind: z.literal('add'), ...Place }),
  /** Measuring from this host instead. */
  z.object({ kind: z.literal('generator'), host: z.string() }),
  /** It is set right, or started, where it is saved. */
  z.object({ kind: z.literal('open'), ...Place }),
  /** It is in the way. */
  z.object({ kind: z.literal('session'), id: z.number() }),
]);
export type Fix = z.infer<typeof Fix>;

/** One line of the preflight: done in order, streamed as it goes. */
export const PreflightLine = z.object({
  id: z.string(),
  /** The matter of the check; it claims nothing, so that it fits every state. */
  title: z.string(),
  /** skipped: not checked, as something before it failed. */
  state: z.enum(['waiting', 'running', 'ok', 'note', 'warn', 'block', 'skipped']),
  finding: Finding.optional(),
  /** What was found, where nothing stands in the way: “sysbench 1.0.20”, “/data, 12.3 GiB free”. */
  evidence: z.string().optional(),
  /** What a person has to type, word for word, and hand over as `destroy`: then this line no longer blocks. */
  confirm: z.string().optional(),
  fix: Fix.optional(),
});
export type PreflightLine = z.infer<typeof PreflightLine>;

/** What a tool's parser makes of a pasted output, line by line. Times in seconds on the tool's counter, metrics by id. */
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
 * What became of a line of a tool's file, for lines that are not simply an option now. not-in-form: the reason why the file is kept
 * whole. refused: a line of the kept file that does not run as it stands. `number` from 1, absent for what no line says.
 */
export const ReadLine = z.object({
  number: z.number().optional(),
  text: z.string(),
  is: z.enum(['not-in-form', 'refused', 'note']),
  message: z.string(),
});
export type ReadLine = z.infer<typeof ReadLine>;

/**
 * A tool's file as options. `whole`: the options hold its text, as they cannot say all of it. `measure`: seconds that it names. `factors`: what
 * its stages vary, where they are a ladder.
 */
export const ReadToolFile = z.object({
  options: z.record(z.string(), Scalar),
  whole: z.boolean(),
  measure: z.object({ warmup: z.number().optional(), duration: z.number().optional() }),
  factors: z.array(Factor).optional(),
  lines: z.array(ReadLine),
});
export type ReadToolFile = z.infer<typeof ReadToolFile>;

/** Letters of a document's text. */
const LONGEST_DOCUMENT = 1_000_000;
export const DocumentText = z.string().max(LONGEST_DOCUMENT);
export const TAKES_DOCUMENT = { largest: LONGEST_DOCUMENT + 100_000 };
/** The document as a structure, beside its text. */
const TAKES_BOTH = { largest: 3 * LONGEST_DOCUMENT };

export const experiments = {
  tools: call(z.object({}), z.array(ToolInfo)),
  /** Every kind of factor, with what its form is drawn from. */
  factorKinds: call(z.object({}), z.array(FactorKindInfo)),
  /** A document that measures the set-ups of two sessions in turns, with at least so many `repeats`; or `why` none can be made of theirs. */
  bothInTurns: call(
    z.object({ baselineId: z.number(), otherId: z.number(), repeats: z.number().int().min(1).max(1000).optional() }),
    z.object({ text: DocumentText.optional(), why: z.string().optional() }),
  ),
  /** Templates, published experiments and saved documents. */
  list: call(z.object({}), z.array(ExperimentFile)),
  /** Saves the text as it is, even with problems. */
  save: call(z.object({ id: z.string().optional(), text: DocumentText }), ExperimentFile, TAKES_DOCUMENT),
  remove: call(z.object({ id: z.string() }), z.object({})),
  /** Reads YAML: problems with line numbers, or the document with its plan. Answers within a keystroke. */
  check: call(z.object({ text: DocumentText }), CheckedDocument, TAKES_DOCUMENT),
  /** The document as YAML, keeping comments and order of `base` where it can. */
  format: call(
    z.object({ experiment: Experiment, base: DocumentText.optional() }),
    z.object({ text: z.string() }),
    TAKES_BOTH,
  ),
  /** A template or published experiment by its id, without reading all others. Throws `not-found`. */
  template: call(z.object({ id: z.string().max(200) }), ExperimentFile.pick({ text: true, outline: true })),
  /** A shell script that does the same by hand, on one generator. Throws `bad-request` for a document with problems, or with several generators. */
  script: call(z.object({ text: DocumentText }), z.object({ text: z.string() }), TAKES_DOCUMENT),
  /** Its small form, whose sessions are mechanics only. Throws `bad-request` if it has none. */
  small: call(z.object({ experiment: Experiment }), z.object({ experiment: Experiment }), TAKES_DOCUMENT),
  /** Reads an output as a run with these options would. Touches no host. Throws `bad-request` for options that the tool refuses. */
  tryOutput: call(
    z.object({ tool: z.string(), options: z.record(z.string(), Scalar), text: z.string().max(100_000) }),
    TriedOutput,
  ),
  /**
   * Reads a file of the tool's own. `options`: those that are set now. `path`: where it lies on this computer, absolute, for files beside it that it reads.
   * Throws `bad-request` for a file that is not whole by itself.
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
  /** The whole list at every change; the last one has no line waiting or running. */
  preflight: stream(z.object({ text: DocumentText, destroy: Destroy }), z.array(PreflightLine), TAKES_DOCUMENT),
};
