import { KneepointError } from '../../../../shared/model/problem.ts';
import type { ServerControl, ServerProgram, TargetKind } from '../../../../shared/model/target.ts';
import type { Machine } from '../../hosts/machine.ts';
import { ask, unexpectedAnswer } from '../../jobs/protocol.ts';
import { targetByKind } from '../../targets/index.ts';
import type { ManagedHost } from '../../targets/target.ts';
import { notPossible } from '../problems.ts';
import type { Controlled } from '../server.ts';
import { FIND } from './scripts.ts';

export type Managed = Extract<ServerControl, { kind: 'managed' }>;

interface Found {
  readonly program?: string;
  readonly version: string;
  readonly root: boolean;
  readonly taken: boolean;
}

async function find(
  machine: Machine,
  name: string,
  folders: readonly string[],
  port: number | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const port_hex = port === undefined ? '' : port.toString(16).toUpperCase().padStart(4, '0');
  const replies = await ask(machine, FIND, { name, folders: folders.join('\n'), port_hex }, { signal });
  if (replies.at(-1)?.word !== 'found') throw unexpectedAnswer(machine.name, replies.at(-1));
  const values = new Map(replies.map(({ word, rest }) => [word, rest]));
  const program = values.get('program');
  return {
    ...(program !== undefined && { program }),
    version: values.get('version') ?? '',
    root: values.get('user') === '0',
    taken: values.has('taken'),
  };
}

/** Facts of the program on its host, and whether its port is in use. Throws `change-not-possible`. */
export async function findProgram(
  at: Controlled,
  { program: name }: Managed,
  port: number | undefined,
  signal: AbortSignal,
): Promise<Omit<ManagedHost, 'folder'> & { taken: boolean }> {
  const { machine, spec } = at;
  const folders = targetByKind(spec.kind).managed?.folders ?? [];
  const { program, ...rest } = await find(machine, name, folders, port, signal);
  if (program === undefined) {
    throw notPossible(
      at,
      `The program ${name} was not found on ${machine.name}, or the account has no permission to execute it. Searched in PATH, ${folders.join(', ')}.`,
      'Install it, or give its full path in the target.',
    );
  }
  return { program, ...rest };
}

/** Programs of a kind on a host. `also` is a name given by the user. Throws `unsupported` for a kind that is not managed. */
export async function findPrograms(
  machine: Machine,
  kind: TargetKind,
  also: string | undefined,
  signal: AbortSignal,
): Promise<ServerProgram[]> {
  const { managed, title } = targetByKind(kind);
  if (!managed)
    throw new KneepointError({
      code: 'unsupported',
      message: `Kneepoint cannot start servers of kind ${title}.`,
    });
  const names = new Set([...managed.programs, ...(also === undefined ? [] : [also])]);
  const found: ServerProgram[] = [];
  for (const name of names) {
    const { program, version } = await find(machine, name, managed.folders, undefined, signal);
    found.push({ name, ...(program !== undefined && { path: program, version }) });
  }
  return found;
}
