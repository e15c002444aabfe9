import { LINK_PARAMETER, SESSION_PATH } from '../../shared/contract/browser.ts';

/** Why this tab has no way to the engine. */
export type Obstacle =
  /** It was not opened by a link, and no other tab gave it access. */
  | 'no-link'
  /** Its link was used before, or was printed by an earlier start. */
  | 'link-used'
  /** It had access, but Kneepoint was started again since. */
  | 'restarted'
  /** Nobody answers. */
  | 'unreachable';

/** What the tabs of one origin tell each other; scripts of another port are of another origin and hear nothing. */
type TabMessage = { wanted: true } | { session: string };

const KEY = 'kneepoint-session';
/** Says in `sessionStorage` that this tab had access to an earlier start: it may be loaded again before a person has read that. */
const RESTARTED = 'kneepoint-restarted';
const CHANNEL = 'kneepoint-session';
/** A tab that can answer does so at once. One that is frozen answers when it wakes up, and is heard then too. */
const ANSWER_MS = 400;

/**
 * This tab's right to talk to its engine: a secret that it got for its link, or from another tab, and keeps in
 * `sessionStorage`, which survives a reload and goes to no server.
 */
export class TabAccess {
  readonly #page: Window;
  readonly #channel = new BroadcastChannel(CHANNEL);
  #link: string | undefined;
  #obstacle: Obstacle = 'no-link';
  #granted: (() => void) | undefined;

  /** `granted` is called when a tab without access gets it, by a new link or by another tab. */
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

  /** The session's secret; undefined when there is none to be had, for the reason in `obstacle`. Rejects when the server cannot be asked. */
  async secret(): Promise<string | undefined> {
    if (this.#link !== undefined) await this.#exchange(this.#link);
    return this.#kept ?? (await this.#fromOtherTab());
  }

  /** Whether the server knows the secret. Forgets it if not. Rejects when the server cannot be asked. */
  async isKnown(secret: string): Promise<boolean> {
    const answer = await fetch(SESSION_PATH, { headers: { Authorization: `Bearer ${secret}` } });
    if (answer.status !== 401) return true;
    // Another tab may have brought a newer one in the meantime.
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
      this.#tell({ session });
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
      // Hears it after #onTab, which keeps what the other tab says.
      this.#channel.addEventListener('message', done);
      this.#tell({ wanted: true });
    });
  }

  #tell(message: TabMessage): void {
    this.#channel.postMessage(message);
  }

  readonly #onTab = ({ data }: MessageEvent<TabMessage>): void => {
    const kept = this.#kept;
    if ('session' in data) {
      if (kept !== undefined) return;
      this.#keep(data.session);
      this.#granted?.();
    } else if (kept !== undefined) this.#tell({ session: kept });
  };

  /** A link pasted into the address of an open tab loads nothing again. */
  readonly #onAddress = (event: HashChangeEvent): void => {
    if (this.#takeLink(new URL(event.oldURL).hash)) this.#granted?.();
  };

  /** Takes the link's secret out of the address, so that nobody copies it from there, and puts `hash` back. */
  #takeLink(hash: string): boolean {
    const { location, history } = this.#page;
    const link = new URLSearchParams(location.hash.slice(1)).get(LINK_PARAMETER);
    if (!link) return false;
    history.replaceState(null, '', `${location.pathname}${location.search}${hash}`);
    this.#link = link;
    return true;
  }
}
