import { createHash, randomBytes } from 'node:crypto';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { ask, type Reply, unexpectedAnswer } from '../../jobs/protocol.ts';
import { notPossible } from '../problems.ts';
import type { Controlled } from '../server.ts';
import { ADVANCE, CLAIM, LOOK } from './scripts.ts';

/** Description of a managed server, read from its folder. */
export interface ManagedServer {
  readonly id: string;
  readonly product: string;
  /** Name of the target it was created for. */
  readonly target: string;
  /** Number of its current start; 0 if it was never started. */
  readonly generation: number;
  /** Digest of the account, database and password that were created last. */
  readonly accounts: string;
}

export interface Folder {
  readonly path: string;
  /** Undefined if the folder does not exist or is empty. */
  readonly server?: ManagedServer;
}

/** Converts a target's name to a part of a path. Different names have different paths. */
export function slugOf(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/g, '-');
  return plain === name ? name : `${plain}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** Name of the job of a start. Every library that starts the same server uses the same name, so it is started once. */
export const jobOf = ({ id, generation }: Pick<ManagedServer, 'id' | 'generation'>): string =>
  `server-${id}-${generation}`;

function managedServerOf(replies: readonly Reply[]): ManagedServer | undefined {
  const values = new Map(replies.map(({ word, rest }) => [word, rest]));
  const id = values.get('id') ?? '';
  if (!/^[0-9a-f]{24}$/.test(id)) return undefined;
  return {
    id,
    product: values.get('product') ?? '',
    target: values.get('target') ?? '',
    generation: Number(values.get('generation')) || 0,
    accounts: values.get('accounts') ?? '',
  };
}

/** Throws `change-not-possible` for a folder that holds anything other than this target's server. */
export async function inspectFolder(at: Controlled, asked: string, signal?: AbortSignal): Promise<Folder> {
  const { machine, spec } = at;
  const replies = await ask(machine, LOOK, { asked, slug: slugOf(spec.name) }, { signal, last: 'looked' });
  const path = replies.find(({ word }) => word === 'folder')?.rest;
  if (path === undefined) throw unexpectedAnswer(machine.name, replies.at(-1));
  if (replies.some(({ word }) => word === 'foreign')) {
    throw notPossible(
      at,
      `${path} on ${machine.name} is not empty and contains no server created by Kneepoint, or it cannot be read.`,
      'Choose another folder for the managed server; Kneepoint creates it.',
    );
  }
  const server = managedServerOf(replies);
  if (server && server.target !== spec.name) {
    throw notPossible(
      at,
      `${path} on ${machine.name} holds the server of target “${server.target}”.`,
      `Choose another folder for target “${spec.name}”, or remove that server first.`,
    );
  }
  return { path, ...(server && { server }) };
}

/** Creates the folder. Also returns the account that the server runs as; empty for the login account. */
export async function claim(
  at: Controlled,
  path: string,
  product: string,
  accounts: readonly string[],
  signal?: AbortSignal,
): Promise<{ server: ManagedServer; account: string }> {
  const { machine, spec } = at;
  const values = {
    folder: path,
    id: randomBytes(12).toString('hex'),
    product,
    target: spec.name,
    accounts: accounts.join(' '),
  };
  const replies = await ask(machine, CLAIM, values, { signal });
  const server = managedServerOf(replies);
  if (replies.at(-1)?.word !== 'claimed' || !server) throw claimProblem(at, path, replies.at(-1));
  if (server.product !== product) {
    throw notPossible(
      at,
      `${path} on ${machine.name} holds data of ${server.product}, and the program of target “${spec.name}” is ${product}.`,
      'Choose another folder for this program: data directories of different products do not mix.',
    );
  }
  return { server, account: replies.find(({ word }) => word === 'account')?.rest ?? '' };
}

function claimProblem(at: Controlled, path: string, answer: Reply | undefined): KneepointError {
  const { machine } = at;
  const words = answer?.rest ?? '';
  switch (answer?.word) {
    case 'no-folder':
      return notPossible(
        at,
        `The folder ${path} of the managed server cannot be used on ${machine.name}: ${words || 'it cannot be written'}.`,
        'Choose a folder that the account can write to.',
      );
    case 'no-account':
      return notPossible(
        at,
        `The program does not run as root, and ${machine.name} has no account ${words.replaceAll(' ', ' or ')} to run it as.`,
        `Let Kneepoint log in to ${machine.name} with an ordinary account.`,
      );
    case 'no-setpriv':
      return notPossible(
        at,
        `The program does not run as root, and ${machine.name} has no setpriv (util-linux) to run it as ${words}.`,
        `Let Kneepoint log in to ${machine.name} with an ordinary account.`,
      );
    case 'not-reachable':
      return notPossible(
        at,
        `The program does not run as root but as ${words}, and ${words} cannot reach the folder ${path} on ${machine.name}.`,
        `Choose a folder that ${words} can reach, such as one below /var/lib, or let Kneepoint log in with an ordinary account.`,
      );
    default:
      return unexpectedAnswer(machine.name, answer);
  }
}

/** Stores the number of a start before it begins. */
export async function advance(at: Controlled, folder: string, generation: number, signal: AbortSignal): Promise<void> {
  const replies = await ask(at.machine, ADVANCE, { folder, generation }, { signal });
  if (replies.at(-1)?.word === 'advanced') return;
  throw new KneepointError({
    code: 'disk-full',
    host: at.machine.name,
    target: at.spec.name,
    message: `The start of the managed server could not be recorded in ${folder} on ${at.machine.name}.`,
    safe: 'It was not started.',
    next: 'Free some space there, and check the owner of the folder.',
  });
}
