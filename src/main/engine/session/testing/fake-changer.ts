import type {
  AffectedSetting,
  At,
  Change,
  Changer,
  DesiredSetting,
  Examined,
  Found,
  SettingToRestore,
} from '../../factors/change.ts';
import type { FakeMachine } from '../../hosts/testing/fake-machines.ts';

/** A changer of a world in memory: its values by place and name. Values compare without regard to case. */
export class FakeChanger implements Changer {
  readonly name: string;
  /** “host one: swappiness” → value; absent: not set. */
  readonly world = new Map<string, string>();
  /** Actions done, in order. */
  readonly done: string[] = [];
  /** Called right before a step, which it can make fail. */
  before: (step: 'read' | 'beside' | 'apply' | 'applied' | 'restore', at: At) => void | Promise<void> = () => {};
  /** Other settings in a place; absent until `watch`. */
  affected?: NonNullable<Changer['affected']>;
  #moves: (what: string, value: string) => Readonly<Record<string, string>> = () => ({});
  /** Settings that change by themselves, and those that cannot be restored, with the reason. */
  readonly restless = new Set<string>();
  readonly stuck = new Map<string, string>();
  /** Value after it is set. */
  becomes: (value: string) => string = (value) => value;

  constructor(name = 'fake') {
    this.name = name;
  }

  async examine(at: At, settings: readonly DesiredSetting[]): Promise<readonly Examined[]> {
    return settings.map(({ what }) => ({ found: this.#found(at, what), cost: 'live' as const, findings: [] }));
  }

  async read(at: At, settings: readonly DesiredSetting[]): Promise<readonly Found[]> {
    await this.before('read', at);
    return settings.map(({ what }) => this.#found(at, what));
  }

  matches({ value }: DesiredSetting, found: string | null): boolean {
    return found?.toLowerCase() === value.toLowerCase();
  }

  async apply(at: At, changes: readonly Change[]): Promise<void> {
    await this.before('apply', at);
    for (const { setting } of changes) this.#set(at, setting.what, this.becomes(setting.value));
    this.done.push(`set ${changes.map(({ setting }) => `${setting.what}=${setting.value}`).join(' ')}`);
    await this.before('applied', at);
  }

  async restore(at: At, things: readonly SettingToRestore[]): Promise<void> {
    await this.before('restore', at);
    // Newest first, in the given order, and again for those that have moved.
    for (const { what, first } of [...things, ...things]) {
      if (first.value === null) this.world.delete(keyOf(at, what));
      else if (this.world.get(keyOf(at, what)) !== first.value) this.#set(at, what, first.value);
    }
    this.done.push(`back ${things.map(({ what, first }) => `${what}=${first.value}`).join(' ')}`);
  }

  /** `moves`: other settings that change with one, as servers do it. */
  watch(moves: (what: string, value: string) => Readonly<Record<string, string>>): void {
    this.#moves = moves;
    this.affected = (at, settings) => this.#affected(at, settings);
  }

  async #affected(at: At, settings: readonly DesiredSetting[]): Promise<readonly AffectedSetting[]> {
    await this.before('beside', at);
    for (const what of this.restless) this.world.set(keyOf(at, what), `${Number(this.world.get(keyOf(at, what))) + 1}`);
    const start = keyOf(at, '');
    return [...this.world].flatMap(([key, value]): AffectedSetting[] => {
      const what = key.slice(start.length);
      if (!key.startsWith(start) || settings.some((setting) => setting.what === what)) return [];
      const stuck = this.stuck.get(what);
      return [{ what, value, ...(stuck !== undefined && { stuck }) }];
    });
  }

  #set(at: At, what: string, value: string): void {
    this.world.set(keyOf(at, what), value);
    for (const [other, moved] of Object.entries(this.#moves(what, value))) this.world.set(keyOf(at, other), moved);
  }

  #found(at: At, what: string): Found {
    return { value: this.world.get(keyOf(at, what)) ?? null };
  }
}

const keyOf = ({ place }: At, what: string): string => `${place.kind} ${place.name}: ${what}`;

/** A host on which every claim is free: whoever asks holds it. */
export const grantsClaims: FakeMachine['answer'] = (script) => ({
  code: 0,
  stdout: `${/^ln -s '([^']*)'/.exec(script)?.[1] ?? ''}\n`,
  stderr: '',
});
