import type { LinkState, SshHostSpec } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { SecretOf } from './credentials.ts';
import { Link } from './link.ts';
import { type Hop, type OpenContext, openHost } from './open-host.ts';

/** Not part of any host name. */
const PATH_SEPARATOR = '\n';

/** Returns a saved host; throws `not-found`. */
export type SshHostOf = (name: string) => { spec: SshHostSpec; secret: SecretOf };

/** One link per host, and an additional one for a host that is also a jump host over another path than its own. */
export class Links {
  readonly #hostOf: SshHostOf;
  readonly #context: OpenContext;
  readonly #idleAfterMs: number;
  readonly #links = new Map<string, Link>();
  readonly #listeners = new Set<(link: LinkState) => void>();

  constructor(hostOf: SshHostOf, context: OpenContext, idleAfterMs: number) {
    this.#hostOf = hostOf;
    this.#context = context;
    this.#idleAfterMs = idleAfterMs;
  }

  /** The link to a host; `path` overrides the jump hosts it is saved with. */
  to(name: string, path?: readonly string[]): Link {
    const key = path ? [...path, name].join(PATH_SEPARATOR) : name;
    const known = this.#links.get(key);
    if (known) return known;
    const link = new Link({
      name,
      idleAfterMs: this.#idleAfterMs,
      // A link over another path is not reported as the host's link.
      onChanged: () => path === undefined && this.#notify(link.state),
      open: async (limitMs, latch) => {
        const { spec, secret } = this.#hostOf(name);
        return openHost(spec, secret, this.#hopBefore(name, path ?? spec.jumps), this.#context, { limitMs, latch });
      },
    });
    this.#links.set(key, link);
    return link;
  }

  /** Every link to a host that is in use, over any path. */
  of(name: string): Link[] {
    return [...this.#links].filter(([key]) => key.split(PATH_SEPARATOR).at(-1) === name).map(([, link]) => link);
  }

  states(): LinkState[] {
    return [...this.#links].filter(([key]) => !key.includes(PATH_SEPARATOR)).map(([, link]) => link.state);
  }

  onChanged(listener: (link: LinkState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    for (const link of this.#links.values()) link.close();
    this.#listeners.clear();
  }

  #hopBefore(name: string, jumps: readonly string[]): Hop | undefined {
    const via = jumps.at(-1);
    if (via === undefined) return undefined;
    this.#refuseCircle(name, jumps);
    const before = jumps.slice(0, -1);
    const own = this.#hostOf(via).spec.jumps;
    // With its saved path, the shared connection is used. Only the first hop keeps its own jump hosts.
    const shared = before.length === 0 || before.join(PATH_SEPARATOR) === own.join(PATH_SEPARATOR);
    return { name: via, link: shared ? this.to(via) : this.to(via, before) };
  }

  #refuseCircle(name: string, jumps: readonly string[]): void {
    const seen = new Set([name]);
    let rest: readonly string[] = jumps;
    while (rest.length > 0) {
      for (const jump of rest) {
        if (seen.has(jump)) throw circle(name, jump);
        seen.add(jump);
      }
      rest = rest[0] === undefined ? [] : this.#hostOf(rest[0]).spec.jumps;
    }
  }

  #notify(link: LinkState): void {
    for (const listener of this.#listeners) listener(link);
  }
}

function circle(name: string, jump: string): KneepointError {
  return new KneepointError({
    code: 'bad-request',
    host: name,
    message: `The jump hosts of ${name} form a loop: ${jump} appears twice.`,
    next: 'Correct the jump hosts in the host settings.',
  });
}
