import { levelsOf } from '../../../shared/model/factor.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { Comparison } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import { formatBytes, NO_VALUE } from '../../../shared/util/format.ts';
import { hostSettings } from './unlike-hosts.ts';

/** Facts of the two set-ups that differ, settings of the targets left out. */
export function differencesOf(a: SessionDetail, b: SessionDetail): Comparison['differences'] {
  const left = flatten(a);
  const right = flatten(b);
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names
    .filter((name) => left.get(name) !== right.get(name))
    .map((what) => ({ what, baseline: left.get(what) ?? NO_VALUE, other: right.get(what) ?? NO_VALUE }));
}

/** What could explain a difference, as words → value. */
function flatten(detail: SessionDetail): Map<string, string> {
  const facts = new Map<string, string>();
  const { experiment } = detail;
  facts.set('Tool', [detail.session.tool, detail.toolVersion].filter(Boolean).join(' '));
  const targets = targetsOf(detail);
  const named = targets.map(({ name, address }) => `${name}${address ? ` (${address})` : ''}`);
  facts.set('Target', named.join(', '));
  for (const { name, description, server, hostFacts } of targets) {
    const of = targets.length > 1 ? ` of ${name}` : '';
    if (server) facts.set(`Server${of} started`, server.started);
    if (hostFacts) addHost(facts, `Server${of} host`, hostFacts);
    if (!description) continue;
    facts.set(`Server${of}`, `${description.product} ${description.version}`);
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
    addHost(facts, word, host.facts);
  });
  return facts;
}

function addHost(facts: Map<string, string>, word: string, host: HostFacts): void {
  facts.set(`${word} OS`, host.os);
  facts.set(`${word} kernel`, host.kernel);
  facts.set(`${word} CPU`, `${host.cpuCount} × ${host.cpuModel ?? host.architecture}`);
  if (host.memoryBytes !== undefined) facts.set(`${word} memory`, formatBytes(host.memoryBytes));
  for (const [name, value] of hostSettings(host)) facts.set(`${word} ${name}`, value);
}
