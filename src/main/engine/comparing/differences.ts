import { levelsOf } from '../../../shared/model/factor.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { Comparison } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { type LaterPart, type TargetFacts, targetsOf, withNodes } from '../../../shared/model/session-snapshot.ts';
import { toolWords } from '../../../shared/model/session-words.ts';
import { everySetting, isOfStart, settingWords, type TargetSetting } from '../../../shared/model/settings.ts';
import { formatBytes, formatCount, formatDateTime, NO_VALUE, named } from '../../../shared/util/format.ts';
import { differing, startDifferences, warning } from './found.ts';
import { diskWords, hostSettings } from './host-differences.ts';

type Difference = Comparison['settings'][number];
const RANKS: readonly Difference['rank'][] = ['matters', 'other', 'start'];

/**
 * The differences between two sets of targets. If each side has one target, they are compared whatever their names, and so are nodes in their
 * order; among several, those of the same name are compared. Each setting includes that name.
 */
export function settingDifferencesOf(a: Targeted, b: Targeted): Difference[] {
  const [left, right] = [targetsOf(a), targetsOf(b)];
  const ofTarget = (target: TargetFacts, other: TargetFacts | undefined): Difference[] =>
    other ? settingDifferences(target, other).map((each) => ({ ...each, name: `${target.name}: ${each.name}` })) : [];
  const nodes = (one: TargetFacts | undefined, other: TargetFacts | undefined): Difference[] =>
    (one?.nodes ?? []).flatMap((node, place) => ofTarget(node, other?.nodes?.[place]));
  const [own, theirs] = [left[0], right[0]];
  if (left.length < 2 && right.length < 2) return [...settingDifferences(own, theirs), ...nodes(own, theirs)];
  return left.flatMap((target) => {
    const other = right.find(({ name }) => name === target.name);
    return [...ofTarget(target, other), ...nodes(target, other)];
  });
}
type Targeted = Parameters<typeof targetsOf>[0];

/**
 * Settings of the two targets that differ: first those that matter in the servers' order, then the others by name, then those that differ by nature.
 */
export function settingDifferences(a: TargetFacts | undefined, b: TargetFacts | undefined): Difference[] {
  // A list on one side only, or of another kind of server, would differ in every line and explain nothing.
  const whole = a?.kind === b?.kind && a?.settings !== undefined && b?.settings !== undefined;
  const settingsOf = (target: TargetFacts | undefined): Map<string, TargetSetting> =>
    new Map(everySetting(target?.description, whole ? target?.settings : []).map((setting) => [setting.name, setting]));
  const [left, right] = [settingsOf(a), settingsOf(b)];
  const differences = [...new Set([...left.keys(), ...right.keys()])].flatMap((name): Difference[] => {
    const [mine, theirs] = [left.get(name), right.get(name)];
    if (mine?.value === theirs?.value && mine?.unit === theirs?.unit) return [];
    const why = mine?.why ?? theirs?.why;
    const values = [mine, theirs].flatMap((setting) => (setting ? [setting.value] : []));
    const rank = isOfStart(mine ?? theirs ?? { name }, values) ? 'start' : why === undefined ? 'other' : 'matters';
    return [{ name, ...wordsOf(mine, theirs), rank, ...(why ? { why } : {}) }];
  });
  return RANKS.flatMap((rank) => {
    const those = differences.filter((difference) => difference.rank === rank);
    return rank === 'matters' ? those : those.sort((one, two) => one.name.localeCompare(two.name, 'en'));
  });
}

/** Maximum settings that a finding names. */
const MOST_NAMED = 5;

/** Nodes of a cluster whose version, start or relevant settings differ from those of the first one. */
export const nodeFindings = (facts: Targeted): Finding[] => targetsOf(facts).flatMap(nodesApart);

function nodesApart({ nodes = [], ...first }: TargetFacts): Finding[] {
  const versionOf = ({ description }: TargetFacts): string | undefined =>
    description && `${description.product} ${description.version}`;
  const words = nodes.flatMap((node) => {
    const version = differing(versionOf(first), versionOf(node));
    const settings =
      first.description && node.description
        ? settingDifferences(first, node).flatMap(({ name, baseline, other, rank }) =>
            rank === 'matters' ? [`${name} ${baseline} and ${other}`] : [],
          )
        : [];
    const shown = settings.slice(0, MOST_NAMED);
    const more = settings.length - shown.length;
    const all = [
      ...(version ? [version.join(' and ')] : []),
      ...startDifferences(first, node),
      ...shown,
      ...(more > 0 ? [formatCount(more, 'more setting')] : []),
    ];
    return all.length === 0 ? [] : [`“${node.name}”: ${named(all)}`];
  });
  if (words.length === 0) return [];
  return [
    warning(
      'nodes-differ',
      `Nodes differ from “${first.name}”: ${words.join('; ')}.`,
      'Set up all nodes alike, or report the differences with the result.',
    ),
  ];
}

/** Words that distinguish two values: as the servers report them if rounded ones would be alike. */
function wordsOf(
  mine: TargetSetting | undefined,
  theirs: TargetSetting | undefined,
): Pick<Difference, 'baseline' | 'other'> {
  const inWords = (setting: TargetSetting | undefined): string =>
    setting === undefined ? NO_VALUE : settingWords(setting) || 'empty';
  const [baseline, other] = [inWords(mine), inWords(theirs)];
  if (baseline !== other) return { baseline, other };
  const rawValue = (setting: TargetSetting | undefined): string =>
    `${setting?.value ?? ''} ${setting?.unit ?? ''}`.trim();
  return { baseline: rawValue(mine), other: rawValue(theirs) };
}

/** Facts of the two set-ups that differ, except settings of the targets. */
export const differencesOf = (a: SessionDetail, b: SessionDetail): Comparison['differences'] =>
  differingFacts(flatten(a), flatten(b), () => true);

/** The same, except facts that a host did not report on one side: it could not be asked, or an earlier version did not ask. */
const changesOf = (a: SessionDetail, b: SessionDetail): Comparison['differences'] =>
  differingFacts(flatten(a), flatten(b), ({ ofHost, isDisk }, others) => {
    if (ofHost === undefined) return true;
    // If a host reports its disks, one that is not among them is gone.
    return isDisk === true && [...others.values()].some((other) => other.ofHost === ofHost && other.isDisk);
  });

interface Fact {
  readonly value: string;
  /** Reported by the host of this name itself. */
  readonly ofHost?: string;
  readonly isDisk?: boolean;
}
type Facts = Map<string, Fact>;

/** `counts`: whether a fact that only one side has is a difference. */
function differingFacts(
  left: Facts,
  right: Facts,
  counts: (fact: Fact, others: Facts) => boolean,
): Comparison['differences'] {
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((what) => {
    const [one, other] = [left.get(what), right.get(what)];
    if (one?.value === other?.value) return [];
    if ((one && !other && !counts(one, right)) || (other && !one && !counts(other, left))) return [];
    return [{ what, baseline: one?.value ?? NO_VALUE, other: other?.value ?? NO_VALUE }];
  });
}

/** Facts that could explain a difference, by name. */
function flatten(detail: SessionDetail): Facts {
  const all: Facts = new Map();
  const facts = { set: (name: string, value: string): void => void all.set(name, { value }) };
  const { experiment } = detail;
  facts.set('Tool', [toolWords(detail.session), detail.toolVersion].filter(Boolean).join(' '));
  const targets = withNodes(targetsOf(detail));
  const named = targetsOf(detail).map(({ name, address }) => `${name}${address ? ` (${address})` : ''}`);
  facts.set('Target', named.join(', '));
  for (const { name, description, server, hostFacts, process } of targets) {
    const of = targets.length > 1 ? ` of ${name}` : '';
    if (server) facts.set(`Server${of} started`, server.started);
    if (hostFacts) addHost(all, `Server${of} host`, hostFacts);
    for (const [what, value] of Object.entries(process ?? {}))
      all.set(`Server${of} ${what}`, { value, ofHost: `Server${of} process` });
    if (!description) continue;
    facts.set(`Server${of}`, `${description.product} ${description.version}`);
    if (description.tlsLibrary)
      all.set(`Server${of} TLS library`, { value: description.tlsLibrary, ofHost: `Server${of} TLS` });
    const { middleware } = description;
    if (middleware) facts.set(`Server${of} behind`, [middleware.product, middleware.version].filter(Boolean).join(' '));
  }
  for (const [name, value] of Object.entries(experiment.workload.options)) facts.set(`Option ${name}`, String(value));
  for (const factor of experiment.factors) facts.set(`Factor ${factor.name}`, levelsOf(factor).join(', '));
  facts.set('Warm-up (s)', String(experiment.measure.warmup));
  facts.set('Duration (s)', String(experiment.measure.duration));
  facts.set('Repeats', String(experiment.measure.repeats));
  detail.hosts.forEach((host, index) => {
    const word = index === 0 ? 'Generator' : `Generator ${index + 1}`;
    facts.set(word, host.name);
    if (!host.facts) return;
    addHost(all, word, host.facts);
  });
  return all;
}

function addHost(facts: Facts, word: string, host: HostFacts): void {
  const known = [
    ['OS', host.os],
    ['kernel', host.kernel],
    ['CPU', `${host.cpuCount} × ${host.cpuModel ?? host.architecture}`],
    ...(host.memoryBytes === undefined ? [] : [['memory', formatBytes(host.memoryBytes)] as const]),
  ] as const;
  for (const [name, value] of known) facts.set(`${word} ${name}`, { value, ofHost: word });
  const disks = host.disks.map(({ name }) => diskWords(name));
  for (const [name, value] of hostSettings(host)) {
    const isDisk = disks.some((disk) => name === disk || name.startsWith(`${disk} `));
    facts.set(`${word} ${name}`, { value, ofHost: word, isDisk });
  }
}

type Detail = Pick<SessionDetail, 'later'> & Omit<SessionDetail, 'findings'>;

/** First trials of the parts of a session with repeats that were added later. */
export const laterParts = ({ later = [] }: { later?: readonly LaterPart[] | undefined }): number[] =>
  later.filter(({ added }) => added > 0).map(({ from }) => from);

/** Facts of hosts and target that had changed when trials were added. `session`: its name, if there are several. */
export function changedSinceStart(detail: Detail, session?: string): Finding[] {
  return (detail.later ?? []).flatMap(({ from, at, facts }): Finding[] => {
    if (!facts) return [];
    const { target: _target, targets: _targets, toolVersion: _version, ...rest } = detail;
    const then = { ...rest, ...facts } as SessionDetail;
    const changed = [
      ...settingDifferencesOf(detail, facts)
        .filter(({ rank }) => rank === 'matters')
        .map(({ name, baseline, other }) => `${name} (${baseline} → ${other})`),
      ...changesOf(detail as SessionDetail, then).map(
        ({ what, baseline, other }) => `${what} (${baseline} → ${other})`,
      ),
    ];
    if (changed.length === 0) return [];
    const since = `${session ? `${session}: since` : 'Since'} trial ${from + 1} (added ${formatDateTime(at)})`;
    return [
      warning(
        'changed-since-start',
        `${since} the set-up differs: ${named(changed)}.`,
        'Repeats before and after have different set-ups. Run the experiment again as a separate session, and compare the two.',
      ),
    ];
  });
}
