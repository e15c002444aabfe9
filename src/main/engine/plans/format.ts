import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import type { DocumentStep, Experiment } from '../../../shared/model/experiment.ts';
import { type Factor, UNNAMED_KIND } from '../../../shared/model/factor.ts';
import { isMeasured } from '../../../shared/model/step.ts';
import { isObject } from '../../../shared/util/object.ts';
import { plainDocument } from './plain.ts';

/**
 * Formats an experiment as YAML. With `base`, only differences are changed in it, so its comments, order and spelling stay; settings with
 * their default value are not added to it. Sentences of its first comment on the number of trials and the size of the data, as templates have
 * them, are removed if a difference makes them untrue.
 */
export function formatDocument(experiment: Experiment, base?: string): string {
  const document = parseDocument(base && base.trim() !== '' ? base : '{}\n');
  if (document.errors.length > 0 || !isMap(document.contents)) return formatDocument(experiment);
  document.contents.flow = false;
  const written = plainDocument(plain(document.contents)).plain as Record<string, unknown>;
  const wanted = prune(experiment, kindsIn(document));
  const untrue = untrueSentences(written, wanted);
  merge(document, document.contents, written, wanted);
  if (untrue.length > 0) withoutSentences(document, document.contents, untrue);
  return document.toString({ lineWidth: 100, flowCollectionPadding: false });
}

/** `36 trials of 70 seconds with pauses: about 45 minutes.` */
const OF_TRIALS = /(?<=^|\. )(?:\d[\d,]*|One) trials?\b.*?(?:\.(?= |$)|$) ?/;
/** `Data: 4 tables of 250,000 rows, about 240 MB.` It may continue on the next line. */
const OF_DATA = /^Data: /;

/** Patterns of sentences that are untrue after these differences. Fields that only `wanted` has may have their default value. */
function untrueSentences(
  written: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): RegExp[] {
  const differs = (one: unknown, other: unknown): boolean =>
    isObject(one) && isObject(other)
      ? Object.entries(one).some(([key, value]) => differs(value, other[key]))
      : Array.isArray(one) && Array.isArray(other)
        ? one.length !== other.length || one.some((item, index) => differs(item, other[index]))
        : one !== other;
  const isNew = (key: string): boolean => !Object.hasOwn(written, key) && Object.hasOwn(wanted, key);
  const isChanged = (key: string): boolean => differs(written[key], wanted[key]);
  const trials =
    differs(countsOf(written.factors), countsOf(wanted.factors)) ||
    ['measure', 'steps', 'design', 'only', 'exclude'].some(isChanged) ||
    ['only', 'exclude'].some(isNew);
  return [...(trials ? [OF_TRIALS] : []), ...(isChanged('workload') ? [OF_DATA] : [])];
}

/** The number of levels of each factor. */
const countsOf = (factors: unknown): unknown[] =>
  Array.isArray(factors)
    ? factors.map((factor) => (isObject(factor) && Array.isArray(factor.levels) ? factor.levels.length : 0))
    : [];

/** Removes these sentences from the comment at the top, and lines that they leave empty. */
function withoutSentences(document: Document, contents: YAMLMap, untrue: readonly RegExp[]): void {
  const first = contents.items[0]?.key;
  const places = [document, ...(isScalar(first) ? [first] : [])];
  for (const place of places) {
    if (!place.commentBefore) continue;
    let isInside = false;
    const lines = place.commentBefore.split('\n').flatMap((line) => {
      const text = line.replace(/^ /, '');
      if (untrue.includes(OF_DATA) && (isInside || OF_DATA.test(text))) {
        isInside = !/[.:]$/.test(text);
        return [];
      }
      const rest = untrue.includes(OF_TRIALS) ? text.replace(OF_TRIALS, '').trimEnd() : text;
      return rest === '' && text !== '' ? [] : [rest === text ? line : ` ${rest}`];
    });
    place.commentBefore = lines.join('\n');
  }
}

/** Names of the factors whose kind is written in the text: it may be omitted only for those of format 1. */
function kindsIn(document: Document): Set<unknown> {
  const factors = document.get('factors');
  const items = isSeq(factors) ? factors.items.filter(isMap) : [];
  return new Set(items.filter((item) => item.has('kind')).map((item) => item.get('name')));
}

/** In the order that readers expect, without undefined fields. */
function prune(experiment: Experiment, withKind: ReadonlySet<unknown>): Record<string, unknown> {
  const { kneepoint, name, question, tags, mechanics, workload, steps, where, design, base, factors, ...others } =
    experiment;
  const { only, exclude, derived, primary, small, ...rest } = others;
  return {
    kneepoint,
    name,
    ...(question !== undefined && { question }),
    ...(tags !== undefined && tags.length > 0 && { tags }),
    ...(mechanics !== undefined && { mechanics }),
    workload,
    ...(steps !== undefined && { steps: steps.map(writtenStep) }),
    where,
    ...(design !== undefined && { design }),
    ...(base !== undefined && { base }),
    factors: factors.map((factor) => writtenFactor(factor, withKind.has(factor.name))),
    ...(only !== undefined && only.length > 0 && { only }),
    ...(exclude !== undefined && exclude.length > 0 && { exclude }),
    ...withoutAbsent({ ...rest, measure: withoutAbsent(rest.measure) }),
    ...(derived !== undefined && derived.length > 0 && { derived: derived.map(withoutAbsent) }),
    ...(primary !== undefined && { primary }),
    ...(small !== undefined && { small: withoutAbsent(small) }),
  };
}

const withoutAbsent = (group: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(group).filter(([, value]) => value !== undefined));

/** `measured` is omitted if it is the default of the step's kind. */
function writtenStep({
  name,
  do: act,
  options,
  measured,
  each,
  parallel,
  ...rest
}: DocumentStep): Record<string, unknown> {
  // A step that repeats another one is measured if that one is.
  const usual = rest.same === undefined ? isMeasured({ do: act }) : undefined;
  return {
    ...withoutAbsent({ name, same: rest.same, do: act, ...rest }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(measured !== undefined && measured !== usual && { measured }),
    ...(each && { each: each.map(writtenStep) }),
    ...(parallel && { parallel: parallel.map(writtenStep) }),
  };
}

/** The option is omitted if it has the factor's name. */
function writtenFactor({ name, kind, levels, ...rest }: Factor, withKind: boolean): Record<string, unknown> {
  const what = Object.entries(rest).filter(
    ([field, value]) => value !== undefined && !(field === 'option' && value === name),
  );
  return { name, ...((withKind || kind !== UNNAMED_KIND) && { kind }), ...Object.fromEntries(what), levels };
}

/** `said`: the meaning of `map`, whose spelling may differ (`5m`). */
function merge(
  document: Document,
  map: YAMLMap,
  written: Readonly<Record<string, unknown>>,
  wanted: Record<string, unknown>,
): void {
  for (const pair of [...map.items]) {
    const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
    if (!Object.hasOwn(wanted, key)) map.delete(pair.key);
  }
  for (const [key, value] of Object.entries(wanted)) {
    const present = map.get(key, true);
    const meaning = written[key];
    if (isMap(present) && isObject(value)) merge(document, present, isObject(meaning) ? meaning : {}, value);
    else if (isSeq(present) && isNamed(value))
      mergeNamed(document, present, Array.isArray(meaning) ? meaning : [], value);
    else if (present === undefined || !sameValue(meaning, value)) map.set(key, node(document, value));
  }
}

interface Named extends Record<string, unknown> {
  name: unknown;
}
const isNamed = (value: unknown): value is Named[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && 'name' in item);

/** A list of named items: each keeps its spelling, even at another position. */
function mergeNamed(document: Document, list: YAMLSeq, current: readonly unknown[], wanted: readonly Named[]): void {
  const written = list.items.map((item, index) => ({ item, meaning: current[index] }));
  if (sameValue(current, wanted)) return;
  list.items = wanted.map((value) => {
    const own = written.find(({ meaning }) => isObject(meaning) && meaning.name === value.name);
    if (!own || !isMap(own.item) || !isObject(own.meaning)) return inList(document, value);
    merge(document, own.item, own.meaning, value);
    return own.item;
  });
}

/** Formats a value like `node` does in a list. */
const inList = (document: Document, value: Named): unknown => (node(document, [value]) as YAMLSeq).items[0];

/** Fields that hold the steps of a group. */
const GROUPED = ['each', 'parallel'];

/** Lists of levels are on one line. */
function node(document: Document, value: unknown): unknown {
  const created = document.createNode(value);
  const flat = (list: unknown): boolean => Array.isArray(list) && list.every((item) => typeof item !== 'object');
  if (flat(value)) Object.assign(created as object, { flow: true });
  if (Array.isArray(value) && value.every(isObject)) {
    for (const item of (created as unknown as { items: unknown[] }).items) {
      if (!isMap(item)) continue;
      for (const { key, value: part } of item.items) {
        // Each step of a group is on one line.
        const lines = isSeq(part) && GROUPED.includes(String(key)) ? part.items : [part];
        for (const line of lines) if (isMap(line) || isSeq(line)) line.flow = true;
      }
    }
  }
  return created;
}

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'toJSON' in value ? (value as { toJSON(): unknown }).toJSON() : value;

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => sameValue(a[key], b[key]));
}
