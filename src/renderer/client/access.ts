import { LINK_PARAMETER, SESSION_PATH } from '../../shared/contract/browser.ts';

/** Why this tab cannot connect to the engine. */
export type Obstacle =
  /** It was not opened by a link, and no other tab shared its access. */
  | 'no-link'
  /** Its link was already used, or was printed by an earlier start. */
  | 'link-used'
  /** It had access, but Kneepoint was restarted since. */
  | 'restarted'
  /** The server does not respond. */
  | 'unreachable';

/** Messages between tabs of one origin; scripts of another port have another origin and receive none. */
type TabMessage = { wanted: true } | { session: string };

const KEY = 'kneepoint-session';
/** Marks in `sessionStorage` that this tab had access to an earlier start: it may be reloaded before the user has read that. */
const RESTARTED = 'kneepoint-restarted';
const CHANNEL = 'kneepoint-session';
/** A tab that can answer does so immediately. A frozen one answers when it wakes up, and is still heard then. */
const ANSWER_MS = 400;

/**
 * This tab's right to use its engine: a secret obtained with its link, or from another tab, and stored in `sessionStorage`, which survives
 * a reload and is not sent to servers.
 */
export class TabAccess {
  readonly #page: Window;
  readonly #channel = new BroadcastChannel(CHANNEL);
  #link: string | undefined;
  #obstacle: Obstacle = 'no-link';
  #granted: (() => void) | undefined;

  /** `granted` is called when a tab without access gets it, by a new link or from another tab. */
  constructor(page: Window, granted: () => void) {
    this.#page = page;
    this.#granted = granted;
    if (page.sessionStorage.getItem(RESTARTED) !== null) this.#obstacle = 'restarted';
    this.#takeLink('');
    page.addEventListener('hashchange', this.#onAddress);
    this.#channel.addEventListener('message', this.#onTab);
  }

  get obstacle(): Obstacle {
    return this.#obstacle;
  }

  /** The session's secret; undefined if there is none, for the reason in `obstacle`. Rejects if the server cannot be reached. */
  async secret(): Promise<string | undefined> {
    if (this.#link !== undefined) await this.#exchange(this.#link);
    return this.#kept ?? (await this.#fromOtherTab());
  }

  /** Whether the server knows the secret; removes it if not. Rejects if the server cannot be reached. */
  async isKnown(secret: string): Promise<boolean> {
    const answer = await fetch(SESSION_PATH, { headers: { Authorization: `Bearer ${secret}` } });
    if (answer.status !== 401) return true;
    // Another tab may have shared a newer one in the meantime.
    if (this.#kept === secret) this.#page.sessionStorage.removeItem(KEY);
    this.#obstacle = 'restarted';
    this.#page.sessionStorage.setItem(RESTARTED, '');
    return false;
  }

  close(): void {
    this.#granted = undefined;
    this.#page.removeEventListener('hashchange', this.#onAddress);
    this.#channel.close();
  }

  get #kept(): string | undefined {
    return this.#page.sessionStorage.getItem(KEY) ?? undefined;
  }

  #keep(secret: string): void {
    this.#page.sessionStorage.setItem(KEY, secret);
    this.#page.sessionStorage.removeItem(RESTARTED);
  }

  async #exchange(link: string): Promise<void> {
    const answer = await fetch(SESSION_PATH, { method: 'POST', headers: { Authorization: `Bearer ${link}` } });
    this.#link = undefined;
    if (answer.ok) {
      const session = await answer.text();
      this.#keep(session);
      this.#post({ session });
    } else this.#obstacle = 'link-used';
  }

  #fromOtherTab(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#channel.removeEventListener('message', done);
        resolve(this.#kept);
      };
      const timer = setTimeout(done, ANSWER_MS);
      // Runs after #onTab, which stores the secret of the other tab.
      this.#channel.addEventListener('message', done);
      this.#post({ wanted: true });
    });
  }

  #post(message: TabMessage): void {
    this.#channel.postMessage(message);
  }

  readonly #onTab = ({ data }: MessageEvent<TabMessage>): void => {
    const kept = this.#kept;
    if ('session' in data) {
      if (kept !== undefined) return;
      this.#keep(data.session);
      this.#granted?.();
    } else if (kept !== undefined) this.#post({ session: kept });
  };

  /** Pasting a link into the address of an open tab does not reload it. */
  readonly #onAddress = (event: HashChangeEvent): void => {
    if (this.#takeLink(new URL(event.oldURL).hash)) this.#granted?.();
  };

  /** Removes the link's secret from the address, so that it is not copied from there, and restores `hash`. */
  #takeLink(hash: string): boolean {
    const { location, history } = this.#page;
    const link = new URLSearchParams(location.hash.slice(1)).get(LINK_PARAMETER);
    if (!link) return false;
    history.replaceState(null, '', `${location.pathname}${location.search}${hash}`);
    this.#link = link;
    return true;
  }
}
