import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TabAccess } from './access.ts';

/** A stand-in for the server: one link at a time, and the sessions it has granted. */
class Door {
  link = 'first-link';
  sessions: string[] = [];
  asked: string[] = [];
  /** Like `fetch`, for the two requests about sessions. */
  readonly answer = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const secret = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? '';
    this.asked.push(`${init.method ?? 'GET'} ${path}`);
    if (init.method !== 'POST') return new Response(null, { status: this.sessions.includes(secret) ? 204 : 401 });
    if (secret !== this.link) return new Response('used', { status: 401 });
    this.link = 'none';
    this.sessions.push(`session of ${secret}`);
    return new Response(this.sessions.at(-1));
  };
}

/** A tab, as far as access needs one. `kept` is its storage, which survives a reload. */
class Tab extends EventTarget {
  readonly kept = new Map<string, string>();
  readonly location: { hash: string; pathname: string; search: string };
  readonly sessionStorage = {
    getItem: (key: string) => this.kept.get(key) ?? null,
    setItem: (key: string, value: string) => this.kept.set(key, value),
    removeItem: (key: string) => this.kept.delete(key),
  };
  readonly history = {
    replaceState: (_state: unknown, _title: string, address: string) => {
      this.location.hash = new URL(address, 'http://127.0.0.1:1').hash;
    },
  };
  grants = 0;

  constructor(hash = '') {
    super();
    this.location = { hash, pathname: '/', search: '' };
  }

  open(): TabAccess {
    const access = new TabAccess(this as never, () => {
      this.grants++;
    });
    opened.push(access);
    return access;
  }

  paste(hash: string): void {
    const oldURL = `http://127.0.0.1:1/${this.location.hash}`;
    this.location.hash = hash;
    this.dispatchEvent(Object.assign(new Event('hashchange'), { oldURL }));
  }
}

let door: Door;
const opened: TabAccess[] = [];

beforeEach(() => {
  door = new Door();
  vi.stubGlobal('fetch', door.answer);
});
afterEach(() => {
  for (const access of opened.splice(0)) access.close();
  vi.unstubAllGlobals();
});

describe('the access of a tab', () => {
  it('is exchanged for the link, which leaves the address at once, and survives a reload', async () => {
    const tab = new Tab('#link=first-link');
    const access = tab.open();
    expect(tab.location.hash).toBe('');
    expect(await access.secret()).toBe('session of first-link');
    access.close();
    expect(await tab.open().secret()).toBe('session of first-link');
    expect(door.asked).toEqual(['POST /session']);
  });

  it('survives opening a used link again, while a tab with only that link is refused', async () => {
    const tab = new Tab('#link=first-link');
    const access = tab.open();
    await access.secret();
    tab.paste('#link=first-link');
    expect(await access.secret()).toBe('session of first-link');
    access.close();
    const late = new Tab('#link=first-link').open();
    expect(await late.secret()).toBeUndefined();
    expect(late.obstacle).toBe('link-used');
  });

  it('is shared with another tab of the same address, if any has it', async () => {
    const alone = new Tab().open();
    expect(await alone.secret()).toBeUndefined();
    expect(alone.obstacle).toBe('no-link');
    await new Tab('#link=first-link').open().secret();
    expect(await new Tab('#/hosts').open().secret()).toBe('session of first-link');
  });

  it('is granted to waiting tabs when another opens a link', async () => {
    const waiting = new Tab('#/sessions/3');
    const access = waiting.open();
    expect(await access.secret()).toBeUndefined();
    await new Tab('#link=first-link').open().secret();
    await vi.waitFor(() => expect(waiting.grants).toBe(1), { timeout: 20_000 });
    expect(await access.secret()).toBe('session of first-link');
  });

  it('is granted by a link pasted into an open tab, which then shows its page again', async () => {
    const tab = new Tab('#/sessions/3');
    const access = tab.open();
    expect(await access.secret()).toBeUndefined();
    tab.paste('#link=first-link');
    expect([tab.grants, tab.location.hash]).toEqual([1, '#/sessions/3']);
    expect(await access.secret()).toBe('session of first-link');
  });

  it('is forgotten when the server, after a restart, does not know it', async () => {
    const tab = new Tab('#link=first-link');
    const access = tab.open();
    const secret = (await access.secret()) ?? '';
    expect(await access.isKnown(secret)).toBe(true);
    door.sessions = [];
    expect(await access.isKnown(secret)).toBe(false);
    expect(await access.secret()).toBeUndefined();
    expect(access.obstacle).toBe('restarted');
  });

  it('is kept while the server is unreachable', async () => {
    const tab = new Tab('#link=first-link');
    const access = tab.open();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(access.secret()).rejects.toThrow('Failed to fetch');
    vi.stubGlobal('fetch', door.answer);
    const secret = (await access.secret()) ?? '';
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(access.isKnown(secret)).rejects.toThrow('Failed to fetch');
    expect(await access.secret()).toBe(secret);
  });
});
