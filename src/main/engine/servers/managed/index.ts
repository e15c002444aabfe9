import { scryptSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { KneepointError, problemOf } from '../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { type JobSpec, type JobStatus, mayBeAtWork } from '../../jobs/job.ts';
import { ask, assignments, isLinkLoss, newNonce } from '../../jobs/protocol.ts';
import { plainSettings, targetByKind } from '../../targets/index.ts';
import type { ManagedPlan, ManagedSignals, ManagedType } from '../../targets/target.ts';
import { notPossible, serverOf } from '../problems.ts';
import type { Control, Controlled, IsGone, SettingsFile } from '../server.ts';
import { createSettingsFile } from '../settings-file.ts';
import { advance, claim, inspectFolder, jobOf, type ManagedServer, slugOf } from './folder.ts';
import { findProgram, type Managed } from './program.ts';
import { FOLDER, LOG_END, REMOVE_SECRET, runFiles, runScript, SETTINGS, SETTLED, SIGNAL } from './scripts.ts';

/** A server runs until it is stopped: the limits are ten years, and more output than a disk holds. */
const NO_LIMIT = { limitSeconds: 315_360_000, outputLimitBytes: 2 ** 50 };
const KILL_GRACE_SECONDS = 5;
const POLL_MS = 250;
/** Time for the port of a stopped server to become free. */
const PORT_FREE_MS = 5_000;
/** Extra time to create a data directory, which takes minutes on slow disks and happens once. */
const NEW_DATA_MS = 180_000;

/** A server that Kneepoint starts itself, as a job without a follower, in its own folder. */
export function managedControl(controlled: Controlled, managed: Managed, settingsFile: SettingsFile): Control {
  const at: At = { ...controlled, managed, settingsFile, asked: managed.folder ?? '' };
  /** Work left for when the server responds after the current start. */
  let first = false;
  let unsettled: { folder: string; directory: string; key: string } | undefined;

  async function start(signal: AbortSignal): Promise<void> {
    const { plan, folder, program, root } = await planned(at, signal);
    const { server, account } = await claim(at, folder, plan.product, root ? plan.accountsForRoot : [], signal);
    const key = keyOf(server, plan);
    const accounts = server.accounts !== key;
    const spec: Omit<JobSpec, 'id'> = {
      argv: ['/bin/sh', '@run.sh@'],
      env: {},
      files: runFiles(plan, runScript(plan, { folder, program, account }), accounts),
      ...NO_LIMIT,
    };
    const { generation, directory } = await launch(at, server, folder, spec, signal);
    first = generation === 1;
    unsettled = { folder, directory, key: accounts ? key : '' };
    await clearEarlier(at, server, generation, signal);
  }

  async function started(signal: AbortSignal): Promise<void> {
    if (!unsettled) return;
    await ask(at.machine, SETTLED, unsettled, { signal });
    unsettled = undefined;
  }

  return {
    kind: 'managed',
    reportsEarlyExit: true,
    extraMs: () => (first ? NEW_DATA_MS : 0),
    present: (signal) => present(at, signal),
    start,
    started,
    stop: (signal) => stop(at, signal),
    kill: (signal) => kill(at, signal),
    reload: (signal) => reload(at, signal),
    logEnd: (signal) => logEnd(at, signal),
  };
}

interface At extends Controlled {
  readonly managed: Managed;
  readonly settingsFile: SettingsFile;
  /** Its folder, if the user has set one. */
  readonly asked: string;
}

const statusOf = (at: At, ours: ManagedServer, signal: AbortSignal): Promise<JobStatus> =>
  ours.generation === 0 ? Promise.resolve({ state: 'gone' }) : at.context.jobs.status(at.machine, jobOf(ours), signal);

async function present(at: At, signal: AbortSignal): Promise<boolean> {
  const { server } = await inspectFolder(at, at.asked, signal);
  return server !== undefined && mayBeAtWork(await statusOf(at, server, signal));
}

async function findFree(at: At, facts: ConnectionFacts, signal: AbortSignal) {
  const end = performance.now() + PORT_FREE_MS;
  for (;;) {
    const found = await findProgram(at, at.managed, facts.port, signal);
    if (!found.taken) return found;
    if (performance.now() > end) {
      throw notPossible(
        at,
        `Port ${facts.port} on ${at.machine.name} is taken by another program, so the managed server of target “${at.spec.name}” was not started.`,
        'Choose another port for the target.',
      );
    }
    await delay(POLL_MS, undefined, { signal });
  }
}

function passwordOf(at: At, { password }: ConnectionFacts): string {
  if (password !== undefined && password !== '') return password;
  if (!managedType(at).needsPassword) return '';
  throw new KneepointError({
    code: 'secret-missing',
    target: at.spec.name,
    message: `Target “${at.spec.name}” has no password, and the account of its managed server needs one.`,
    safe: 'Nothing was started.',
    next: 'Enter a password for the target; the account is created with it.',
  });
}

async function planned(at: At, signal: AbortSignal) {
  const type = managedType(at);
  const facts = await at.context.targets.connection(at.spec.name);
  const behind = at.spec.behind === undefined ? undefined : await at.context.targets.connection(at.spec.behind);
  const folder = (await inspectFolder(at, at.asked, signal)).path;
  const { program, version, root } = await findFree(at, facts, signal);
  const settings = { ...texts(at.managed.settings), ...(await at.settingsFile.read()) };
  const config = targetByKind(at.spec.kind).config.parse(at.spec.config);
  const wanted = { config, password: passwordOf(at, facts), settings, ...(behind && { behind }) };
  return { plan: type.plan(wanted, { folder, program, version, root }), folder, program, root };
}

/** Joins a start that another library has begun, or whose launch was lost on the way, under its number; otherwise starts anew. */
async function launch(at: At, ours: ManagedServer, folder: string, spec: Omit<JobSpec, 'id'>, signal: AbortSignal) {
  const { state } = await statusOf(at, ours, signal);
  for (let generation = Math.max(1, ours.generation + (state === 'ended' ? 1 : 0)); ; generation += 1) {
    await advance(at, folder, generation, signal);
    const id = jobOf({ id: ours.id, generation });
    try {
      const { how, directory } = await at.context.jobs.launch(at.machine, { ...spec, id }, signal);
      if (how === 'new' || mayBeAtWork(await at.context.jobs.status(at.machine, id, signal)))
        return { generation, directory };
    } catch (error) {
      // A launch with this number was interrupted halfway: nothing runs.
      const broken = error instanceof KneepointError && error.code === 'job-lost';
      if (!broken || generation > ours.generation + 1) throw error;
    }
  }
}

/** Removes the password of the previous start, and everything of the one before that. */
async function clearEarlier(at: At, { id }: ManagedServer, generation: number, signal: AbortSignal): Promise<void> {
  try {
    if (generation > 1)
      await at.context.jobs.removeSecrets(at.machine, jobOf({ id, generation: generation - 1 }), signal);
    if (generation > 2) await at.context.jobs.remove(at.machine, jobOf({ id, generation: generation - 2 }));
  } catch (error) {
    if (isLinkLoss(error)) throw error;
    at.context.log.warn(problemOf(error).message);
  }
}

async function signalTo(at: At, ours: ManagedServer, name: string, signal: AbortSignal): Promise<void> {
  await ask(at.machine, SIGNAL, { job_id: jobOf(ours), signal_name: name }, { signal });
}

const signalsOf = (at: At, { product }: ManagedServer): ManagedSignals => managedType(at).signals(product);

async function stop(at: At, signal: AbortSignal): Promise<void> {
  const { path, server } = await inspectFolder(at, at.asked, signal);
  if (!server) return;
  const { end, endSeconds } = signalsOf(at, server);
  const endMs = endSeconds === undefined ? at.limitMs : endSeconds * 1000;
  await signalTo(at, server, end, signal);
  const limit = performance.now() + endMs;
  while (mayBeAtWork(await statusOf(at, server, signal)) && performance.now() < limit)
    await delay(POLL_MS, undefined, { signal });
  if (mayBeAtWork(await statusOf(at, server, signal)))
    at.context.log.warn(`${serverOf(at)} did not end within ${endMs / 1000} s after SIG${end}, so it was killed.`);
  await at.context.jobs.stop(at.machine, jobOf(server), { graceSeconds: KILL_GRACE_SECONDS, signal });
  await ask(at.machine, REMOVE_SECRET, { folder: path }, { signal });
}

/** The next start removes its leftovers. */
async function kill(at: At, signal: AbortSignal): Promise<IsGone> {
  const { server } = await inspectFolder(at, at.asked, signal);
  if (!server) return async () => true;
  await signalTo(at, server, 'KILL', signal);
  return async (later) => !mayBeAtWork(await statusOf(at, server, later));
}

async function logEnd(at: At, signal: AbortSignal): Promise<string> {
  const { server } = await inspectFolder(at, at.asked, signal);
  if (!server || server.generation === 0) return '';
  const nonce = newNonce();
  const values = assignments({ nonce, job_id: jobOf(server) });
  const { stdout } = await at.machine.exec(`${values}\n${LOG_END}`, { signal });
  const mark = `@@${nonce} log \n`;
  return stdout.slice(stdout.indexOf(mark) + mark.length);
}

/** Files are written at a start only; this makes the server read the existing ones. */
async function reload(at: At, signal: AbortSignal): Promise<void> {
  const { server } = await inspectFolder(at, at.asked, signal);
  const wanted = server && signalsOf(at, server).reload;
  if (server && wanted) await signalTo(at, server, wanted, signal);
  else
    throw notPossible(
      at,
      `${serverOf(at)} cannot reload its configuration files while it runs.`,
      'Restart it, or change the setting in the running server.',
    );
}

function managedType({ spec, machine }: Controlled): ManagedType<Record<string, unknown>> {
  const type = targetByKind(spec.kind);
  if (type.managed) return type.managed;
  throw notPossible(
    { spec, machine },
    `Kneepoint cannot start servers of kind ${type.title}.`,
    'Choose another control for the server of this target.',
  );
}

const texts = (settings: Managed['settings']): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));

/** Detects a change of account, database or password. A slow digest, as the password must not be guessed from it. */
function keyOf({ id }: ManagedServer, { accounts }: ManagedPlan): string {
  return accounts === undefined ? '' : scryptSync(accounts, id, 16).toString('hex');
}

/** Settings of a managed server besides those of its target: it gets both at each start. */
export function managedSettings(at: Controlled, { folder = '' }: Managed): SettingsFile {
  const { spec } = at;
  const slug = slugOf(spec.name);
  const script = `${FOLDER}\npath=$folder/${SETTINGS}`;
  const shown = folder === '' ? `~/.local/state/kneepoint/servers/${slug}` : folder;
  return createSettingsFile(
    at,
    { path: `${shown}/${SETTINGS}`, find: { script, values: { asked: folder, slug } } },
    targetByKind(spec.kind).settingsFormat ?? plainSettings,
  );
}
