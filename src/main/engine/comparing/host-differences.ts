import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import { formatBytes, formatCount, named } from '../../../shared/util/format.ts';
import { warning } from './found.ts';

export const diskWords = (name: string): string => `disk ${name}`;

/** Names and values of facts that change a result on the same hardware, as far as the host reports them. */
export function hostSettings(host: HostFacts): [name: string, value: string][] {
  const { cpuGovernor, cpuBoost, cpuFeatures, hugePages, virtualization, disks } = host;
  const all: [string, string | undefined][] = [
    ['CPU governor', cpuGovernor],
    ['CPU boost', cpuBoost === undefined ? undefined : cpuBoost ? 'on' : 'off'],
    ['CPU features', cpuFeatures?.join(' ')],
    ['huge pages', hugePages],
    ['virtualization', virtualization],
    ...disks.flatMap((disk): [string, string | undefined][] => [
      [diskWords(disk.name), [disk.model, disk.scheduler, disk.writeCache].filter(Boolean).join(', ') || undefined],
      // Each separately: earlier versions read none of them, and a fact that one side does not report is no difference.
      [`${diskWords(disk.name)} size`, formatBytes(disk.sizeBytes)],
      [`${diskWords(disk.name)} firmware`, disk.firmware],
      [`${diskWords(disk.name)} power saving`, disk.powerSaving],
      [`${diskWords(disk.name)} link`, disk.link],
    ]),
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

interface KnownHost {
  readonly word: string;
  readonly isServer?: true;
  readonly facts: HostFacts;
}

/** Generators and server hosts by role, so machines with different names are compared. */
function hostsOf(detail: SessionDetail): KnownHost[] {
  const targets = targetsOf(detail);
  return [
    ...detail.hosts.flatMap(({ facts }, index) =>
      facts ? [{ word: index === 0 ? 'generator' : `generator ${index + 1}`, facts }] : [],
    ),
    ...targets.flatMap(({ name, hostFacts }) =>
      hostFacts
        ? [
            {
              word: `server host${targets.length > 1 ? ` of ${name}` : ''}`,
              facts: hostFacts,
              isServer: true as const,
            },
          ]
        : [],
    ),
  ];
}

/** Hosts of the two sides that are configured differently; CPUs of generators have a finding of their own. */
export function differentHosts(a: SessionDetail, b: SessionDetail): Finding[] {
  const others = hostsOf(b);
  const differing = hostsOf(a).flatMap(({ word, facts, isServer }) => {
    const other = others.find((each) => each.word === word);
    if (!other) return [];
    const all = [...(isServer ? machineDifferences(facts, other.facts) : []), ...factDifferences(facts, other.facts)];
    return all.map((what) => `${what} (${word})`);
  });
  if (differing.length === 0) return [];
  return [
    warning(
      'different-hosts',
      `Hosts configured differently: ${named(differing)}.`,
      'Configure both sides alike, or report this with the result.',
    ),
  ];
}

/** The kernel's own memory differs between its versions: a smaller difference is no other machine. */
const SAME_MEMORY = 0.02;

function machineDifferences(one: HostFacts, other: HostFacts): string[] {
  const [model, otherModel] = [one.cpuModel, other.cpuModel];
  const [memory, otherMemory] = [one.memoryBytes, other.memoryBytes];
  return [
    ...(model !== undefined && otherModel !== undefined && model !== otherModel
      ? [`CPU ${model} and ${otherModel}`]
      : []),
    ...(one.cpuCount === other.cpuCount ? [] : [`${formatCount(one.cpuCount, 'CPU')} and ${other.cpuCount}`]),
    ...(memory !== undefined &&
    otherMemory !== undefined &&
    Math.abs(memory - otherMemory) > SAME_MEMORY * Math.max(memory, otherMemory)
      ? [`${formatBytes(memory)} and ${formatBytes(otherMemory)} of memory`]
      : []),
  ];
}

function factDifferences(one: HostFacts, other: HostFacts): string[] {
  const settings = new Map(hostSettings(other));
  const aes = [one, other].map(({ cpuFeatures }) => cpuFeatures?.includes('aes'));
  return [
    ...(one.kernel === other.kernel ? [] : [`kernel ${one.kernel} and ${other.kernel}`]),
    ...(aes[0] !== undefined && aes[1] !== undefined && aes[0] !== aes[1]
      ? ['AES instructions on one side only (encryption costs the other far more)']
      : []),
    ...diskDifferences(one, other),
    // A fact that one of them does not report, or does not have, is no known difference.
    ...hostSettings(one).flatMap(([name, value]) => {
      const theirs = settings.get(name);
      return name === 'CPU features' || theirs === undefined || theirs === value
        ? []
        : [`${name} ${value} and ${theirs}`];
    }),
  ];
}

/** Disks with the same name are compared one by one; if no names match, or their numbers differ, all are listed. */
function diskDifferences({ disks }: HostFacts, { disks: others }: HostFacts): string[] {
  const names = new Set(others.map(({ name }) => name));
  if (disks.length === 0 || others.length === 0) return [];
  if (disks.length === others.length && disks.some(({ name }) => names.has(name))) return [];
  const words = (all: HostFacts['disks']): string =>
    `${formatCount(all.length, 'disk')} (${named(all.map(({ name, model }) => [name, model].filter(Boolean).join(' ')))})`;
  return [`${words(disks)} and ${words(others)}`];
}
