import type { Host, HostFacts, LinkState } from '../../../../../shared/model/host.ts';
import { countOfAddresses, type Target, type TargetKindInfo } from '../../../../../shared/model/target.ts';
import { formatBytes, formatCount } from '../../../../../shared/util/format.ts';
import { Status, type Tone } from '../../../../ui/index.ts';
import { targetAddress, targetPath } from './places.ts';

/** Whether a tool that drives these kinds can run without a selected target. */
export const mayRunWithout = (drives: readonly string[] | undefined, kinds: readonly TargetKindInfo[]): boolean =>
  !drives?.length || kinds.some(({ kind, withoutTarget }) => withoutTarget && drives.includes(kind));

export function addressWords(target: Target, kind: TargetKindInfo | undefined): { address: string } {
  const address = targetAddress(target, kind);
  if (address) {
    const more = countOfAddresses(target.spec) - 1;
    const one = address.port ? `${address.host}:${address.port}` : address.host;
    return { address: more > 0 ? `${one} and ${more} more` : one };
  }
  return { address: targetPath(target) ?? '' };
}

export function generatorLines(facts: HostFacts | undefined): string[] {
  if (!facts) return [];
  return [
    facts.os,
    [formatCount(facts.cpuCount, 'CPU'), facts.memoryBytes !== undefined && formatBytes(facts.memoryBytes)]
      .filter(Boolean)
      .join(' · '),
  ];
}

const TONES: Readonly<Record<LinkState['state'], Tone>> = { up: 'ok', connecting: 'busy', down: 'bad', idle: 'idle' };
const LINK_WORDS: Readonly<Record<LinkState['state'], string>> = {
  up: 'connected',
  connecting: 'connecting',
  down: 'not reachable',
  idle: 'not connected',
};

export function hostItem(host: Host, links: readonly LinkState[]) {
  const link = links.find((entry) => entry.host === host.spec.name);
  const local = host.spec.kind === 'local';
  return {
    name: host.spec.name,
    title: host.spec.name,
    words: host.spec.kind === 'ssh' ? `${host.spec.user}@${host.spec.address}` : 'No SSH needed: good for a first try.',
    aside: local ? undefined : (
      <Status tone={link ? TONES[link.state] : 'idle'}>{LINK_WORDS[link?.state ?? 'idle']}</Status>
    ),
  };
}
