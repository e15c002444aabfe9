import { levelsOf } from '../../../shared/model/factor.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { Comparison } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import { formatBytes, NO_VALUE } from '../../../shared/util/format.ts';
import { diskWords, hostSettings } from './unlike-hosts.ts';

/** Facts of the two set-ups that differ, settings of the targets left out. */
export const differencesOf = (a: SessionDetail, b: SessionDetail): Comparison['differences'] =>
  unlike(flatten(a), flatten(b), () => true);

/** The same without what a host did not tell once: it could not be asked, or an earlier version did not ask it. */
export const changesOf = (a: SessionDetail, b: SessionDetail): Comparison['differences'] =>
  unlike(flatten(a), flatten(b), ({ ofHost, isDisk }, others) => {
    if (ofHost === undefined) return true;
    // Of a host that tells its disks one that is not among them is gone.
    return isDisk === true && [...others.values()].some((other) => other.ofHost === ofHost && other.isDisk);
  });

interface Fact {
  readonly value: string;
  /** Told by the host of these words itself. */
  readonly ofHost?: string;
  readonly isDisk?: boolean;
}
type Facts = Map<string, Fact>;

/** `counts`: whether a fact that only one side has is a difference. */
function unlike(left: Facts, right: Facts, counts: (fact: Fact, others: Facts) => boolean): Comparison['differences'] {
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((what) => {
    const [one, other] = [left.get(what), right.get(what)];
    if (one?.value === other?.value) return [];
    if ((one && !other && !counts(one, right)) || (other && !one && !counts(other, left))) return [];
    return [{ what, baseline: one?.value ?? NO_VALUE, other: other?.value ?? NO_VALUE }];
  });
}

/** What could explain a difference, by its words. */
function flatten(detail: SessionDetail): Facts {
  const all: Facts = new Map();
  const facts = { set: (name: string, value: string): void => void all.set(name, { value }) };
  const { experiment } = detail;
  facts.set('Tool', [detail.session.tool, detail.toolVersion].filter(Boolean).join(' '));
  const targets = targetsOf(detail);
  const named = targets.map(({ name, address }) => `${name}${address ? ` (${address})` : ''}`);
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
  const told = [
    ['OS', host.os],
    ['kernel', host.kernel],
    ['CPU', `${host.cpuCount} × ${host.cpuModel ?? host.architecture}`],
    ...(host.memoryBytes === undefined ? [] : [['memory', formatBytes(host.memoryBytes)] as const]),
  ] as const;
  for (const [name, value] of told) facts.set(`${word} ${name}`, { value, ofHost: word });
  const disks = host.disks.map(({ name }) => diskWords(name));
  for (const [name, value] of hostSettings(host)) {
    const isDisk = disks.some((disk) => name === disk || name.startsWith(`${disk} `));
    facts.set(`${word} ${name}`, { value, ofHost: word, isDisk });
  }
}
