import type { Fix } from '../../../../../shared/contract/experiments.ts';
import { type Experiment, LEAST_VARYING, type Measure } from '../../../../../shared/model/experiment.ts';
import { type Finding, NO_FACTOR_UNDER_TEST } from '../../../../../shared/model/finding.ts';
import type { StepId } from '../../document/steps.ts';

/** Offered at a line: a fix from the engine, or one through the document, its steps or a host's shell. */
export type Remedy =
  | Fix
  | { readonly kind: 'change'; readonly words: string; change(experiment: Experiment): Experiment }
  | { readonly kind: 'step'; readonly step: StepId; readonly words: string }
  | { readonly kind: 'shell'; readonly command: string }
  /** Selects the factor under test. */
  | { readonly kind: 'tested'; readonly names: readonly string[] };

type Remedies = Remedy | ((experiment: Experiment, finding: Finding) => Remedy | undefined);

const measure = (words: string, change: Partial<Measure>): Remedy => ({
  kind: 'change',
  words,
  change: (now) => ({ ...now, measure: { ...now.measure, ...change } }),
});
const data = (words: string, policy: Experiment['workload']['data']): Remedy => ({
  kind: 'change',
  words,
  change: (now) => ({ ...now, workload: { ...now.workload, data: policy } }),
});
const step = (id: StepId, words: string): Remedy => ({ kind: 'step', step: id, words });
/** For limits on connections and threads: change their varied numbers, or an option of the workload. */
const load: Remedies = ({ factors }) =>
  factors.length > 0 ? step('matrix', 'Change the levels') : step('workload', 'Change the workload');
const elsewhere = step('where', 'Choose another generator');

/** The target of the document that a finding names. */
const targetNamed: Remedies = ({ where, factors }, { message }) => {
  const names = [where.target, ...factors.flatMap(({ kind, levels }) => (kind === 'target' ? levels : []))];
  const name = names.find((each) => typeof each === 'string' && message.includes(`“${each}”`));
  return typeof name === 'string' ? { kind: 'open', place: 'target', name } : undefined;
};

/** By the code of a finding. Undefined: it cannot be changed here. */
const REMEDIES: Readonly<Record<string, Remedies | undefined>> = {
  'few-repeats': measure('Use 3 repeats', { repeats: 3 }),
  'short-duration': measure('Measure 60 s per trial', { duration: 60 }),
  'steadiness-too-short': measure(`Measure ${LEAST_VARYING} s per trial`, { duration: LEAST_VARYING }),
  'no-warm-up': measure('Add a warm-up of 10 s', { warmup: 10 }),
  'repeats-in-a-row': measure('Order the trials in rounds', { order: 'rounds' }),
  'odd-rounds': ({ measure: { repeats } }) => measure(`Use ${repeats + 1} repeats`, { repeats: repeats + 1 }),
  'fixed-seed': measure('Draw new values in each trial', { seeds: 'per-trial' }),
  'no-rest-between-writes': measure('Pause 15 s between trials', { pause: 15 }),
  'stop-without-effect': step('measurement', 'Change the stop rule'),
  'event-not-reached': step('measurement', 'Change the event'),
  'watching-off': step('measurement', 'Change monitoring'),
  'data-replaced': data('Keep it if complete', 'create'),
  'data-written': data('Prepare it again', 'recreate'),
  'data-mismatch': data('Replace it', 'recreate'),
  'data-without-room': step('workload', 'Change the size or the folder'),
  'few-rows-met': step('workload', 'Change the distribution'),
  'option-not-in-version': step('workload', 'Change the option'),
  'option-not-in-every-build': step('workload', 'Change the option'),
  [NO_FACTOR_UNDER_TEST]: ({ factors }, { message }) => ({
    kind: 'tested',
    names: factors.flatMap(({ name }) => (message.includes(`“${name}”`) ? [name] : [])),
  }),
  'price-doubtful': step('matrix', 'Correct the price'),
  'setting-without-effect': step('matrix', 'Change the factor'),
  'cannot-undo': step('matrix', 'Add an undo command'),
  'cannot-verify': step('matrix', 'Add a read command'),
  'max-connections': load,
  'pooler-clients': load,
  'pool-smaller-than-clients': load,
  'many-threads-per-core': elsewhere,
  'same-machine': elsewhere,
  'no-aes': elsewhere,
  'tool-limit': elsewhere,
  'open-files-limit': elsewhere,
  'threads-limit': elsewhere,
  'long-round-trip': elsewhere,
  'cpu-governor': { kind: 'shell', command: 'sudo cpupower frequency-set --governor performance' },
  'ports-limit': { kind: 'shell', command: 'sudo sysctl -w net.ipv4.ip_local_port_range="1024 65535"' },
  'place-not-known': targetNamed,
  'pool-mode-unfit': load,
  durability: undefined,
  'results-cached': undefined,
  'old-tls-library': undefined,
  'hop-in-between': undefined,
  'load-divided': undefined,
  'system-not-watched': elsewhere,
  'device-overwritten': undefined,
  'device-refused': step('workload', 'Choose another device'),
  'destroy-unconfirmed': undefined,
  'destroy-unmeant': undefined,
};

/** The change, command or place that resolves a finding of this experiment. */
export function remedyOf(finding: Finding | undefined, experiment: Experiment): Remedy | undefined {
  const known = finding && REMEDIES[finding.code];
  return typeof known === 'function' ? known(experiment, finding as Finding) : known;
}

/** Whether the code is listed: `undefined` is a deliberate entry, too. */
export const hasAnswer = (code: string): boolean => code in REMEDIES;
