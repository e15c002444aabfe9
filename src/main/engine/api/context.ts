import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AppEvent } from '../../../shared/contract/app.ts';
import { type PriceCatalogue, parseCatalogue } from '../../../shared/costs/index.ts';
import type { HostMachines, Tunnels } from '../hosts/index.ts';
import type { Outside } from '../outside.ts';
import type { Overviews } from '../results/index.ts';
import type { Secrets } from '../secrets/index.ts';
import type { SessionContext, Sessions } from '../session/index.ts';
import type { Store } from '../store/store.ts';
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
