import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { HostSpec, type SshConfigEntry, type SshHostSpec } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';

/** Maximum number of jumps to follow; OpenSSH itself has no limit and can loop. */
const MOST_JUMPS = 8;

/** Settings that change how a host is reached or trusted, but that Kneepoint does not support. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  proxycommand: 'ProxyCommand',
  certificatefile: 'CertificateFile',
  hostkeyalias: 'HostKeyAlias',
  identityagent: 'IdentityAgent',
  pkcs11provider: 'PKCS11Provider',
};

export interface Resolver {
  /** The copy of the configuration that is passed to OpenSSH. */
  config: string;
  home: string;
  /** Names in the configuration. */
  names: readonly string[];
  /** Whether an SSH agent is available for logins. */
  hasAgent: boolean;
}

/** A host as ProxyJump names it: `[user@]host[:port]`, also as `ssh://`. */
interface Hop {
  name: string;
  host: string;
  options: string[];
}

/** Reads hosts of a configuration, each once, and their jump hosts. */
export class Entries {
  readonly #resolver: Resolver;
  /** Settings by name, not entries: two hosts that are each other's jump host would wait for each other. */
  readonly #settings = new Map<string, Promise<Settings>>();
  readonly #jumps = new Map<string, SshConfigEntry>();
  #defaults: Promise<readonly string[]> | undefined;

  constructor(resolver: Resolver) {
    this.#resolver = resolver;
  }

  /** Jump hosts that were read so far. */
  get jumps(): SshConfigEntry[] {
    return [...this.#jumps.values()];
  }

  /** Reads a host by its name in the configuration. The entry has the problem if OpenSSH or Kneepoint does not support it. */
  of(name: string): Promise<SshConfigEntry> {
    return this.#entry({ name, host: name, options: [] }, []);
  }

  async #entry({ name, host, options }: Hop, behind: readonly string[]): Promise<SshConfigEntry> {
    try {
      const asked = this.#settings.get(name) ?? askSsh(this.#resolver.config, host, options);
      this.#settings.set(name, asked);
      return await this.#toEntry(name, host, await asked, behind);
    } catch (error) {
      if (!(error instanceof KneepointError) || error.code !== 'host-refused') throw error;
      return { name, problem: error.message, notes: [] };
    }
  }

  async #toEntry(name: string, host: string, settings: Settings, behind: readonly string[]): Promise<SshConfigEntry> {
    const value = (key: string): string => settings.get(key)?.[0] ?? '';
    const notes = Object.entries(NOT_IMPORTED)
      .filter(([key]) => isSet(value(key)))
      .map(([key, title]) => `${title} is not imported: ${value(key)}`);
    const hops = isSet(value('proxyjump'))
      ? value('proxyjump')
          .split(',')
          .map((text) => this.#hop(text))
      : [];
    const circle = [...behind, name].find((other) => hops.some((hop) => hop.name === other));
    if (circle !== undefined || behind.length >= MOST_JUMPS)
      return { name, problem: `Its ProxyJump is circular, via ${circle ?? name}.`, notes };
    // Read here so they can be saved with it. Only the first one keeps its own jump hosts, as with OpenSSH.
    for (const [index, hop] of hops.entries()) {
      const jump = await this.#entry(hop, [...behind, name]);
      this.#jumps.set(hop.name, jump);
      if (jump.problem !== undefined) return { name, problem: `Jump host ${hop.name}: ${jump.problem}`, notes };
      if (index > 0 && jump.spec && jump.spec.jumps.length > 0)
        notes.push(`Jump hosts of ${hop.name} itself are ignored here.`);
    }
    const read = HostSpec.safeParse({
      kind: 'ssh',
      name,
      address: value('hostname'),
      port: Number(value('port') || 22),
      user: value('user'),
      auth: await this.#auth(host, settings, notes),
      jumps: hops.map((hop) => hop.name),
    });
    if (!read.success) {
      const issue = read.error.issues[0];
      return {
        name,
        problem: `${String(issue?.path.at(-1) ?? 'host')}: ${issue?.message ?? 'not valid.'}`,
        notes,
      };
    }
    return { name, spec: read.data as SshHostSpec, notes };
  }

  #hop(text: string): Hop {
    const [, user, bracketed, plain, port] =
      /^(?:ssh:\/\/)?(?:(.*)@)?(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?\/?$/.exec(text.trim()) ?? [];
    const host = bracketed ?? plain ?? text.trim();
    if (user === undefined && port === undefined && this.#resolver.names.includes(host))
      return { name: host, host, options: [] };
    const words = [user === undefined ? host : `${user}@${host}`, port === undefined ? '' : `(${port})`];
    return {
      name: words.filter(Boolean).join(' ').replaceAll(':', '-'),
      host,
      options: [...(user === undefined ? [] : ['-l', user]), ...(port === undefined ? [] : ['-p', port])],
    };
  }

  /** The key file in the configuration, else the agent, else the first key that OpenSSH would try. */
  async #auth(host: string, settings: Settings, notes: string[]): Promise<SshHostSpec['auth']> {
    this.#defaults ??= askSsh('none', 'localhost').then((plain) => plain.get('identityfile') ?? []);
    const defaults = await this.#defaults;
    const files = settings.get('identityfile') ?? [];
    const named = files.filter((file) => !defaults.includes(file));
    if (named.includes('none')) return { method: 'agent' };
    const wanted = (named.length > 0 ? named : this.#resolver.hasAgent ? [] : defaults).flatMap((file) => {
      const full = this.#expanded(file, host, settings);
      if (full === undefined) notes.push(`IdentityFile is not imported because its file is unclear: ${file}`);
      return full === undefined || full.endsWith('.pub') ? [] : full;
    });
    const there = wanted.find((file) => existsSync(file));
    if (there === undefined && named.length > 0 && wanted[0] !== undefined)
      notes.push(`Its key file does not exist: ${wanted[0]}`);
    const keyFile = there ?? (named.length > 0 ? wanted[0] : undefined);
    return keyFile === undefined ? { method: 'agent' } : { method: 'key', keyFile };
  }

  /** Expands `~` and the tokens with known values. Undefined if there are others. */
  #expanded(file: string, host: string, settings: Settings): string | undefined {
    const tokens: Readonly<Record<string, string | undefined>> = {
      '%%': '%',
      '%d': this.#resolver.home,
      '%h': settings.get('hostname')?.[0],
      '%n': host,
      '%p': settings.get('port')?.[0],
      '%r': settings.get('user')?.[0],
    };
    let isKnown = !file.includes('${');
    const text = file.replace(/%./g, (token) => {
      const value = tokens[token];
      if (value === undefined) isKnown = false;
      return value ?? token;
    });
    if (!isKnown || /^~[^/\\]/.test(text)) return undefined;
    return text.startsWith('~') ? path.join(this.#resolver.home, text.slice(1)) : text;
  }
}

const isSet = (value: string): boolean => value !== '' && value.toLowerCase() !== 'none' && value !== 'SSH_AUTH_SOCK';

const LIMIT_MS = 10_000;

/** A host's settings according to OpenSSH: values in order by lower-case name. */
type Settings = ReadonlyMap<string, readonly string[]>;

/**
 * Asks OpenSSH itself, because no other program fully interprets its configuration. Throws `unsupported` if it is not installed,
 * `host-refused` with its message.
 */
async function askSsh(config: string, host: string, more: readonly string[] = []): Promise<Settings> {
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      'ssh',
      ['-G', '-F', config, ...more, '--', host],
      { timeout: LIMIT_MS, maxBuffer: 1_000_000, windowsHide: true },
      (error, stdout, stderr) => (error ? reject(problemOf(error, host, stderr)) : resolve(stdout)),
    );
  });
  const settings = new Map<string, string[]>();
  for (const line of output.split(/\r?\n/)) {
    const [, name, value] = /^(\S+) (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined)
      settings.set(name.toLowerCase(), [...(settings.get(name.toLowerCase()) ?? []), value]);
  }
  return settings;
}

function problemOf(error: Error, host: string, stderr: string): KneepointError {
  if ('code' in error && error.code === 'ENOENT')
    return new KneepointError({
      code: 'unsupported',
      message: 'The program ssh was not found on this computer; it is needed to interpret the configuration.',
      safe: 'Nothing was imported.',
      next: 'Install the OpenSSH client, or add the hosts by hand.',
    });
  return new KneepointError(
    {
      code: 'host-refused',
      host,
      message: `ssh cannot read the settings of ${host}: ${stderr.trim() || error.message}`,
    },
    { cause: error },
  );
}
