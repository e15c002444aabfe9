import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AnyAuthMethod, AuthenticationType, ParsedKey } from 'ssh2';
import type { SshHostSpec } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';

const AGENT_LIMIT_MS = 10_000;

/** The library is large, so it is loaded on demand. */
export type Ssh2 = typeof import('ssh2');

/** Returns the password or key passphrase of a host. Undefined if none is stored. */
export type SecretOf = () => Promise<string | undefined>;

/** One login method for one connection, tried once. `refusal` is set if the server asks for something unavailable. */
export interface Credentials {
  /** The next method among those that the server still allows; false if none is left. */
  next(allowed: readonly AuthenticationType[] | null): AnyAuthMethod | false;
  refusal(): string | undefined;
  /** Whether it was sent to the server: what happens next may be its response. */
  offered(): boolean;
}

/**
 * Prepares everything on this computer before contacting the host, so that a locked key, a missing agent or a wrong passphrase never costs
 * a login attempt there. Returns a function that creates the credentials of each connection.
 */
export async function prepareCredentials(
  ssh2: Ssh2,
  spec: SshHostSpec,
  secret: SecretOf,
  agentSocket: string | undefined,
): Promise<() => Credentials> {
  const { auth, user: username } = spec;
  if (auth.method === 'agent') {
    const agent = await agentAt(ssh2, spec, agentSocket);
    return () => once({ type: 'agent', username, agent }, 'publickey');
  }
  if (auth.method === 'key') {
    const key = await readKey(ssh2, spec, auth.keyFile, await secret());
    return () => once({ type: 'publickey', username, key }, 'publickey');
  }
  const password = await secret();
  if (password === undefined) {
    throw new KneepointError({
      code: 'secret-missing',
      host: spec.name,
      message: `No password is stored for ${spec.name}.`,
      safe: 'The host was not contacted.',
      next: 'Open the host, enter its password and save.',
    });
  }
  return () => passwordCredentials(username, password);
}

/** First asks the server which methods it accepts (`none` does not count as a failed login), then tries the given one once. */
function once(method: AnyAuthMethod, needs: AuthenticationType): Credentials {
  let tried = false;
  let refusal: string | undefined;
  return {
    next(allowed) {
      if (allowed === null) return { type: 'none', username: method.username };
      if (tried) return false;
      if (!allowed.includes(needs)) {
        refusal = `it accepts only ${allowed.join(', ')}`;
        return false;
      }
      tried = true;
      return method;
    },
    refusal: () => refusal,
    offered: () => tried,
  };
}

/** One attempt: as `password` if allowed, else in reply to a single hidden keyboard-interactive question. */
function passwordCredentials(username: string, password: string): Credentials {
  let tried = false;
  let refusal: string | undefined;
  const keyboard: AnyAuthMethod = {
    type: 'keyboard-interactive',
    username,
    prompt(_name, _instructions, _language, prompts, finish) {
      const [only] = prompts;
      const plain = prompts.length === 1 && only?.echo !== true;
      if (!plain)
        refusal = `it asks for more than a password (${prompts.map((each) => each.prompt.trim()).join(', ')})`;
      finish(plain ? [password] : prompts.map(() => ''));
    },
  };
  return {
    next(allowed) {
      if (allowed === null) return { type: 'none', username };
      if (tried) return false;
      tried = true;
      if (allowed.includes('password')) return { type: 'password', username, password };
      if (allowed.includes('keyboard-interactive')) return keyboard;
      refusal = `it accepts only ${allowed.join(', ')}`;
      return false;
    },
    refusal: () => refusal,
    offered: () => tried,
  };
}

async function agentAt(ssh2: Ssh2, spec: SshHostSpec, socket: string | undefined) {
  if (!socket)
    throw locked(spec, 'No SSH agent is running for this app.', 'Start an agent and add the key, or use a key file.');
  const agent = ssh2.createAgent(socket);
  const keys = await new Promise<readonly unknown[]>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no response within ${AGENT_LIMIT_MS / 1000} s`)), AGENT_LIMIT_MS);
    agent.getIdentities((error, found) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(found ?? []);
    });
  }).catch((error: unknown) => {
    throw locked(
      spec,
      `The SSH agent does not respond: ${words(error)}.`,
      'Start or unlock the agent; Kneepoint then retries.',
    );
  });
  if (keys.length === 0) {
    throw locked(spec, 'The SSH agent holds no key.', 'Add the key with ssh-add; Kneepoint then retries.');
  }
  return agent;
}

async function readKey(
  ssh2: Ssh2,
  spec: SshHostSpec,
  keyFile: string,
  passphrase: string | undefined,
): Promise<ParsedKey> {
  const path = keyFile.startsWith('~/') ? join(homedir(), keyFile.slice(2)) : keyFile;
  const text = await readFile(path).catch((error: unknown) => {
    throw locked(
      spec,
      `The key file ${keyFile} cannot be read: ${words(error)}.`,
      'Choose another key file for this host.',
    );
  });
  const parsed = ssh2.utils.parseKey(text, passphrase);
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key instanceof Error || key === undefined) {
    const encrypted = /encrypted|passphrase|integrity/i.test(key?.message ?? '');
    if (encrypted && passphrase === undefined) {
      throw secretMissing(
        spec,
        `The key file ${keyFile} is locked with a passphrase, and none is stored for ${spec.name}.`,
      );
    }
    if (encrypted)
      throw secretMissing(spec, `The passphrase stored for ${spec.name} does not open the key file ${keyFile}.`);
    throw locked(
      spec,
      `The key file ${keyFile} is not a supported private key.`,
      'Choose another key file for this host.',
    );
  }
  if (!key.isPrivateKey()) {
    throw locked(spec, `The file ${keyFile} holds a public key.`, 'Choose the private key, the file without “.pub”.');
  }
  return key;
}

function secretMissing(spec: SshHostSpec, message: string): KneepointError {
  return new KneepointError({
    code: 'secret-missing',
    host: spec.name,
    message,
    safe: 'The host was not contacted.',
    next: 'Open the host, enter the passphrase and save.',
  });
}

function locked(spec: SshHostSpec, message: string, next: string): KneepointError {
  const text = `Cannot log in to ${spec.name}. ${message}`;
  return new KneepointError({
    code: 'host-auth-failed',
    host: spec.name,
    message: text,
    safe: 'The host was not contacted.',
    next,
  });
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
