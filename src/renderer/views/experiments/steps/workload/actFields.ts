import { z } from 'zod';
import { DocumentStep } from '../../../../../shared/model/experiment.ts';
import { formSchema } from '../../../../../shared/model/form-schema.ts';
import { ACT_TITLES, type ParallelStep, type StepAct, StepGate, WaitUntil } from '../../../../../shared/model/step.ts';
import { type Field, type FormValues, readFields } from '../../../../forms/index.ts';

/** Kind of a step that repeats an earlier one. */
export const SAME = 'same';

/** Kind of a group: steps that share options, lengths and a gate. */
export const GROUP = 'group';

/** Kind of a group of steps that run at the same time. */
export const PARALLEL = 'parallel';

/** Kinds of a step, in menu order. */
export const KINDS = [
  { value: 'load', label: 'Run the workload' },
  { value: GROUP, label: 'Group of steps' },
  { value: PARALLEL, label: 'Parallel steps' },
  { value: SAME, label: 'Repeat a step or group' },
  ...Object.entries(ACT_TITLES).map(([value, label]) => ({ value, label })),
];
export const isAct = (kind: string | null): kind is StepAct => kind !== null && Object.hasOwn(ACT_TITLES, kind);

/** The same step with another kind and its required parts. Its name and place are kept. */
const ofKind = ({ name }: DocumentStep, kind: StepAct | undefined): DocumentStep => ({
  ...{ name, options: {} },
  ...(kind !== undefined && { do: kind, ...NEW[kind] }),
});

/** Turns a step of the workload into a group with its settings, and with a step that runs. */
function asGroup({ name, note: _, do: act, same, parallel, each: own, ...rest }: DocumentStep): DocumentStep {
  const each =
    own ??
    (parallel ?? [{ name: 'step 1', options: {} }]).map(({ from: __, same: ___, ...step }: ParallelStep) => step);
  return act === undefined && same === undefined ? { name, ...rest, each } : { name, options: {}, each };
}

/** The same with steps that run at the same time: at least two. */
function asParallel({
  name,
  note: _,
  do: act,
  same,
  each,
  parallel: own,
  factors: __,
  ...rest
}: DocumentStep): DocumentStep {
  const known = own ?? each ?? [];
  const missing = ['step 1', 'step 2'].slice(known.length).map((step) => ({ name: step, options: {} }));
  const parallel = [...known, ...missing];
  return act === undefined && same === undefined ? { name, ...rest, parallel } : { name, options: {}, parallel };
}

/** The same step as another kind; one that repeats refers to `repeated`. */
export function asKind(step: DocumentStep, kind: string | null, repeated = ''): DocumentStep {
  if (kind === SAME) return { name: step.name, options: {}, same: repeated };
  if (kind === GROUP) return asGroup(step);
  if (kind === PARALLEL) return asParallel(step);
  return ofKind(step, isAct(kind) ? kind : undefined);
}

const NEW: Readonly<Record<StepAct, Partial<DocumentStep>>> = {
  prepare: {},
  cleanup: {},
  wait: { until: { dirty: 64 } },
  statement: { statement: '' },
  run: { command: '' },
};

const { command, for: ends, on, overwrites, 'only-reads': onlyReads } = DocumentStep.shape;
const OWN: Readonly<Record<'statement' | 'run', readonly Field[]>> = {
  statement: readFields(formSchema(z.strictObject({ on }))),
  run: readFields(formSchema(z.strictObject({ command, for: ends, on, overwrites, 'only-reads': onlyReads }))),
};

/** Fields of a statement or command other than its text, and their values. */
export const ownFields = (kind: keyof typeof OWN): readonly Field[] => OWN[kind];
export const ownValues = (step: DocumentStep, kind: keyof typeof OWN): FormValues => {
  const names = new Set(OWN[kind].map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(step).flatMap(([name, value]) =>
      names.has(name) && (typeof value === 'string' || typeof value === 'number') ? [[name, value]] : [],
    ),
  );
};

/** The step with these values; empty fields are removed, except required ones. */
export function withOwn(step: DocumentStep, kind: keyof typeof OWN, values: FormValues): DocumentStep {
  const names = new Set(OWN[kind].map(({ name }) => name));
  const rest = Object.entries(step).filter(([name]) => !names.has(name));
  const own = Object.entries(values).filter(
    ([name, value]) => names.has(name) && (value !== '' || Object.hasOwn(NEW[kind], name)),
  );
  return Object.fromEntries([...rest, ...own]) as DocumentStep;
}

const GATE: readonly Field[] = readFields(formSchema(z.strictObject(StepGate.shape)));

/** Fields of the gate of a step: rows apply to statements, errors to the workload. */
export function gateFields(act: StepAct | undefined): Field[] {
  const hidden = act === 'statement' ? ['errors'] : act === undefined ? ['rows', 'equal'] : ['rows', 'equal', 'errors'];
  return GATE.filter(({ name }) => !hidden.includes(name)).map((field) => ({ ...field, group: 'Gate' }));
}
export const gateValues = ({ gate = {} }: DocumentStep): FormValues =>
  Object.fromEntries(Object.entries(gate).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** The step with these values as its gate; without one if all are empty. */
export function withGate({ gate: _, ...step }: DocumentStep, values: FormValues): DocumentStep {
  const gate = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  return Object.keys(gate).length === 0 ? step : { ...step, gate };
}

/** Conditions of a wait, each with its fields. */
export const CONDITIONS = [
  { value: 'status', label: 'a server status', fields: ['status', 'below', 'above'] },
  { value: 'sql', label: 'a query', fields: ['sql', 'below', 'above'] },
  { value: 'file', label: 'a file exists', fields: ['file', 'on'] },
  { value: 'port', label: 'a port is open', fields: ['port', 'on'] },
  { value: 'quiet', label: 'writes of a host are low', fields: ['dirty', 'writes', 'on'] },
] as const;
export type Condition = (typeof CONDITIONS)[number]['value'];
export const isCondition = (value: string | null): value is Condition =>
  CONDITIONS.some((condition) => condition.value === value);

const BEGUN: Readonly<Record<Condition, WaitUntil>> = {
  status: { status: '', below: 1 },
  sql: { sql: '' },
  file: { file: '/' },
  port: { port: 3306 },
  quiet: { dirty: 64 },
};
export const begun = (condition: Condition): WaitUntil => BEGUN[condition];

export function conditionOf(until: WaitUntil): Condition {
  const [named] = (['status', 'sql', 'file', 'port'] as const).filter((each) => until[each] !== undefined);
  return named ?? 'quiet';
}

const FIELDS: readonly Field[] = readFields(formSchema(z.strictObject(WaitUntil.shape)));

/** The fields of a condition, in order. */
export const fieldsOf = (condition: Condition): Field[] => {
  const names: readonly string[] = CONDITIONS.find(({ value }) => value === condition)?.fields ?? [];
  return names.flatMap((name) => FIELDS.filter((field) => field.name === name));
};

/** The form's values of a condition. */
export const valuesOf = (until: WaitUntil): FormValues =>
  Object.fromEntries(Object.entries(until).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** A condition from form values; an empty number or host is not set. */
export function untilOf(condition: Condition, values: FormValues): WaitUntil {
  const required = new Set<string>(['status', 'sql', 'file', 'port']);
  const names = new Set(fieldsOf(condition).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => names.has(name) && (value !== '' || required.has(name))),
  );
}
