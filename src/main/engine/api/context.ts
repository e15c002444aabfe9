import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AppEvent } from '../../../shared/contract/app.ts';
import { type PriceCatalogue, parseCatalogue } from '../../../shared/costs/index.ts';
import { headlineStep, type SessionStep } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatCount } from '../../../shared/util/format.ts';
import type { HostMachines, Tunnels } from '../hosts/index.ts';
import type { Outside } from '../outside.ts';
import type { Overviews } from '../results/index.ts';
import type { Secrets } from '../secrets/index.ts';
import type { SessionContext, Sessions } from '../session/index.ts';
import type { RunRow, SessionRow, Store } from '../store/store.ts';
import type { PendingFigures } from './figures.ts';
import type { Rejudging } from './rejudging.ts';

/** Shared context of the contract's topics. */
export interface ApiContext {
  outside: Outside;
  store: Store;
  secrets: Secrets;
  machines: HostMachines;
  tunnels: Tunnels;
  runs: SessionContext;
  sessions: Sessions;
  overviews: Overviews;
  figures: PendingFigures;
  prices: Prices;
  judging: Rejudging;
  events: Events;
  now(): number;
}

type Topic = Extract<AppEvent, { kind: 'changed' }>['topic'];

/** Notifies every open page that a topic changed. */
export class Events {
  readonly #listeners = new Set<(topic: Topic) => void>();

  changed(topic: Topic): void {
    for (const listener of this.#listeners) listener(topic);
  }

  listen(listener: (topic: Topic) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The price catalogue that ships with the app, read at first use. */
export class Prices {
  readonly #file: string;
  #catalogue: PriceCatalogue | undefined;

  constructor(assetsDir: string) {
    this.#file = path.join(assetsDir, 'assets', 'prices', 'catalogue.json');
  }

  catalogue(): PriceCatalogue {
    this.#catalogue ??= parseCatalogue(JSON.parse(readFileSync(this.#file, 'utf8')));
    return this.#catalogue;
  }
}

/** Applies a form's secret: text sets it, null deletes it, undefined leaves it. */
export async function changeSecret(
  context: ApiContext,
  owner: string,
  secret: string | null | undefined,
): Promise<void> {
  if (secret === undefined) return;
  await context.secrets.set(owner, secret);
  context.events.changed('secrets');
  context.sessions.wake();
}

export const hostOwner = (id: number): string => `host:${id}`;
export const targetOwner = (id: number): string => `target:${id}`;

/** Throws not-found. */
export function requireSession(context: Pick<ApiContext, 'store'>, id: number): SessionRow {
  const row = context.store.sessions.get(id);
  if (!row) throw new KneepointError({ code: 'not-found', message: `There is no session ${id}.`, session: id });
  return row;
}

/** A step of a session with its place in the trial. Without `place`, the step shown in lists. Throws bad-request. */
export function requireStep(
  { id, steps }: Pick<SessionRow, 'id' | 'steps'>,
  place = headlineStep(steps),
): SessionStep & { place: number } {
  const step = steps[place];
  if (step) return { ...step, place };
  throw new KneepointError({
    code: 'bad-request',
    message: `Trials of session ${id} have ${formatCount(steps.length, 'step')}, but no step ${place + 1}.`,
    session: id,
  });
}

/** Throws not-found, also for a run of another session. */
export function requireRun(context: Pick<ApiContext, 'store'>, sessionId: number, id: number): RunRow {
  const run = context.store.runs.get(id);
  if (run?.sessionId === sessionId) return run;
  throw new KneepointError({
    code: 'not-found',
    message: `Session ${sessionId} has no run ${id}.`,
    session: sessionId,
    run: id,
  });
}
