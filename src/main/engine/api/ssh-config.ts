import type { AppContract } from '../../../shared/contract/index.ts';
import type { Host, SshConfigEntry, SshHostSpec } from '../../../shared/model/host.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { defaultAgent, readSshConfig } from '../hosts/index.ts';
import type { ApiContext } from './context.ts';

type Calls = Pick<Implementation<AppContract['hosts']>, 'sshConfig' | 'importSshConfig'>;

/** `save` adds a host and tells of it. */
export function sshConfigApi({ store }: ApiContext, save: (spec: SshHostSpec) => Promise<Host>): Calls {
  const read = (file: string | undefined) => readSshConfig({ file, hasAgent: defaultAgent() !== undefined });
  const isSaved = (name: string): boolean => store.hosts.byName(name) !== undefined;
  return {
    async sshConfig({ file: given }) {
      const { file, files, entries, notes } = await read(given);
      return { file, files, notes, entries: entries.map((entry) => ({ ...entry, saved: isSaved(entry.name) })) };
    },
    async importSshConfig({ file, names }) {
      const { entries, jumps } = await read(file);
      const known = new Map([...entries, ...jumps].map((entry) => [entry.name, entry]));
      const added: Host[] = [];
      const skipped: { name: string; why: string }[] = [];
      for (const name of names) {
        const entry = known.get(name);
        const why = whyNot(entry, isSaved(name) && !added.some(({ spec }) => spec.name === name));
        if (why !== undefined) skipped.push({ name, why });
        else for (const spec of withJumps(entry, known)) if (!isSaved(spec.name)) added.push(await save(spec));
      }
      return { added, skipped };
    },
  };
}

function whyNot(entry: SshConfigEntry | undefined, isSaved: boolean): string | undefined {
  if (!entry) return 'The configuration has no host of this name.';
  if (isSaved) return 'A host of this name is saved already; it stays as it is.';
  return entry.problem;
}

/** A host behind those that it passes through, each once. */
function withJumps(entry: SshConfigEntry | undefined, known: ReadonlyMap<string, SshConfigEntry>): SshHostSpec[] {
  if (!entry?.spec) return [];
  return [...entry.spec.jumps.flatMap((jump) => withJumps(known.get(jump), known)), entry.spec];
}
