import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import { formatBytes, formatCount } from '../../../shared/util/format.ts';
import { named } from '../../../shared/util/named.ts';
import { warning } from './warnings.ts';

export const diskWords = (name: string): string => `disk ${name}`;

/** Words and value of what changes a result on the same hardware, as far as the host tells. */
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
      // Each by itself: earlier versions asked for none of them, and what one side does not tell is no difference.
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

/** Generators and hosts of servers by what they do, so that machines of other names meet. */
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
              word: `host of the server${targets.length > 1 ? ` ${name}` : ''}`,
              facts: hostFacts,
              isServer: true as const,
            },
          ]
        : [],
    ),
  ];
}

/** Hosts of the two sides that are not set up alike; CPUs of generators are told by another finding. */
export function differentHosts(a: SessionDetail, b: SessionDetail): Finding[] {
  const others = hostsOf(b);
  const unlike = hostsOf(a).flatMap(({ word, facts, isServer }) => {
    const other = others.find((each) => each.word === word);
    if (!other) return [];
    const all = [...(isServer ? unlikeMachines(facts, other.facts) : []), ...unlikeOf(facts, other.facts)];
    return all.map((what) => `${what} (${word})`);
  });
  if (unlike.length === 0) return [];
  return [
    warning(
      'different-hosts',
      `Hosts configured differently: ${named(unlike)}.`,
      'Configure both sides alike, or report this with the result.',
    ),
  ];
}

/** What the kernel keeps for itself differs between its versions: less of a difference is no other machine. */
const SAME_MEMORY = 0.02;

function unlikeMachines(one: HostFacts, other: HostFacts): string[] {
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

function unlikeOf(one: HostFacts, other: HostFacts): string[] {
  const settings = new Map(hostSettings(other));
  const aes = [one, other].map(({ cpuFeatures }) => cpuFeatures?.includes('aes'));
  return [
    ...(one.kernel === other.kernel ? [] : [`kernel ${one.kernel} and ${other.kernel}`]),
    ...(aes[0] !== undefined && aes[1] !== undefined && aes[0] !== aes[1]
      ? ['AES instructions on one side only (encryption costs the other far more)']
      : []),
    ...unlikeDisks(one, other),
    // What one of them does not tell, or does not have, is no difference that anybody knows.
    ...hostSettings(one).flatMap(([name, value]) => {
      const theirs = settings.get(name);
      return name === 'CPU features' || theirs === undefined || theirs === value
        ? []
        : [`${name} ${value} and ${theirs}`];
    }),
  ];
}

/** Disks of the same name are compared one by one; where none has the name of another, or there are more of them, all are named. */
function unlikeDisks({ disks }: HostFacts, { disks: others }: HostFacts): string[] {
  const names = new Set(others.map(({ name }) => name));
  if (disks.length === 0 || others.length === 0) return [];
  if (disks.length === others.length && disks.some(({ name }) => names.has(name))) return [];
  const words = (all: HostFacts['disks']): string =>
    `${formatCount(all.length, 'disk')} (${named(all.map(({ name, model }) => [name, model].filter(Boolean).join(' ')))})`;
  return [`${words(disks)} and ${words(others)}`];
}
