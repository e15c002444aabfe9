import type { At, Change, Changer, Examined, Found, PutBack, Wish } from '../../factors/change.ts';
import type { FakeMachine } from '../../hosts/testing/fake-machines.ts';

/** A changer of a world in memory: its values by place and name. Values compare without regard to case. */
export class FakeChanger implements Changer {
  readonly name: string;
  /** “host one: swappiness” → value; absent: not set. */
  readonly world = new Map<string, string>();
  /** What was done, in order. */
  readonly done: string[] = [];
  /** Called right before a step, which it can make fail. */
  before: (step: 'read' | 'apply' | 'applied' | 'restore', at: At) => void | Promise<void> = () => {};
  /** What a value becomes when it is set. */
  becomes: (value: string) => string = (value) => value;

  constructor(name = 'fake') {
    this.name = name;
  }

  async examine(at: At, wishes: readonly Wish[]): Promise<readonly Examined[]> {
    return wishes.map(({ what }) => ({ found: this.#found(at, what), cost: 'live' as const, findings: [] }));
  }

  async read(at: At, wishes: readonly Wish[]): Promise<readonly Found[]> {
    await this.before('read', at);
    return wishes.map(({ what }) => this.#found(at, what));
  }

  isSo({ value }: Wish, found: string | null): boolean {
    return found?.toLowerCase() === value.toLowerCase();
  }

  async apply(at: At, changes: readonly Change[]): Promise<void> {
    await this.before('apply', at);
    for (const { wish } of changes) this.world.set(keyOf(at, wish.what), this.becomes(wish.value));
    this.done.push(`set ${changes.map(({ wish }) => `${wish.what}=${wish.value}`).join(' ')}`);
    await this.before('applied', at);
  }

  async restore(at: At, things: readonly PutBack[]): Promise<void> {
    await this.before('restore', at);
    for (const { what, first } of things) {
      if (first.value === null) this.world.delete(keyOf(at, what));
      else this.world.set(keyOf(at, what), first.value);
    }
    this.done.push(`back ${things.map(({ what, first }) => `${what}=${first.value}`).join(' ')}`);
  }

  #found(at: At, what: string): Found {
    return { value: this.world.get(keyOf(at, what)) ?? null };
  }
}

const keyOf = ({ place }: At, what: string): string => `${place.kind} ${place.name}: ${what}`;

/** A host on which every claim is free: it is held by whoever asks. */
export const grantsClaims: FakeMachine['answer'] = (script) => ({
  code: 0,
  stdout: `${/^ln -s '([^']*)'/.exec(script)?.[1] ?? ''}\n`,
  stderr: '',
});
