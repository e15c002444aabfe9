import type { ServerControl } from '../../../../shared/model/target.ts';
import { ask, oddAnswer } from '../../jobs/protocol.ts';
import { targetByKind } from '../../targets/index.ts';
import type { ManagedHost } from '../../targets/target.ts';
import type { Controlled } from '../context.ts';
import { notPossible } from '../problems.ts';
import { FIND } from './scripts.ts';

export type Managed = Extract<ServerControl, { kind: 'managed' }>;

/** What its host tells of the program, and whether somebody listens on its port. Throws `change-not-possible`. */
export async function findProgram(
  at: Controlled,
  { program: name }: Managed,
  port: number | undefined,
  signal: AbortSignal,
): Promise<Omit<ManagedHost, 'folder'> & { taken: boolean }> {
  const { machine, spec } = at;
  const folders = targetByKind(spec.kind).managed?.folders ?? [];
  const port_hex = port === undefined ? '' : port.toString(16).toUpperCase().padStart(4, '0');
  const replies = await ask(machine, FIND, { name, folders: folders.join('\n'), port_hex }, { signal });
  if (replies.at(-1)?.word !== 'found') throw oddAnswer(machine.name, replies.at(-1));
  const told = new Map(replies.map(({ word, rest }) => [word, rest]));
  const program = told.get('program');
  if (program === undefined) {
    throw notPossible(
      at,
      `The program ${name} was not found on ${machine.name}, or may not be executed there. Searched in PATH, ${folders.join(', ')}.`,
      'Install it, or give its full path in the target.',
    );
  }
  return { program, version: told.get('version') ?? '', root: told.get('user') === '0', taken: told.has('taken') };
}
