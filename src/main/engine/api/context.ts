import type { AppEvent } from '../../../shared/contract/app.ts';
import type { HostMachines, Tunnels } from '../hosts/index.ts';
import type { Outside } from '../outside.ts';
import type { Overviews } from '../results/index.ts';
import type { Secrets } from '../secrets/index.ts';
import type { SessionContext, Sessions } from '../session/index.ts';
import type { Store } from '../store/store.ts';
import type { FollowingFigures } from './figures.ts';
import type { JudgingAgain } from './judging-again.ts';
import type { Prices } from './prices.ts';

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
  figures: FollowingFigures;
  prices: Prices;
  judging: JudgingAgain;
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
