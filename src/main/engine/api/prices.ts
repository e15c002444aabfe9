import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type PriceCatalogue, parseCatalogue } from '../../../shared/costs/index.ts';

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
