import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  makeKey,
  type SshdOptions,
  startPasswordServer,
  startSshd,
  type TestSshd,
} from '../../../../../e2e/testbed/sshd/index.ts';
import { HostKey } from '../../../../shared/model/host.ts';
import { createTestLibrary, problemFrom, specOf, type TestLibrary } from '../testing/library.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  while (closers.length > 0) await closers.pop()?.();
});

async function sshd(options: SshdOptions = {}): Promise<TestSshd> {
  const server = await startSshd(options);
  closers.push(() => server.close());
  return server;
}

function library(options: Parameters<typeof createTestLibrary>[0] = {}): TestLibrary {
  const made = createTestLibrary(options);
  closers.push(() => made.machines.close());
  return made;
}

/** A trusted host `web-1`, ready to use. */
async function trusted(options: SshdOptions = {}) {
  const server = await sshd(options);
  const home = library();
  home.save(specOf('web-1', server));
  home.trustServer(server);
  return { server, home, machine: home.machines.get('web-1') };
}

const logins = (server: TestSshd): number => server.log().match(/Accepted publickey/g)?.length ?? 0;
const attempts = (server: TestSshd): number => server.log().match(/Connection from/g)?.length ?? 0;

describe('the key of a host', () => {
  it('is shown at first contact, before any login, and accepted once the user trusts it', async () => {
    const server = await sshd();
    const home = library();
    home.save(specOf('web-1', server));
    const machine = home.machines.get('web-1');
    const problem = await problemFrom(machine.exec('true'));
    expect(problem.code).toBe('host-key-unknown');
    const key = HostKey.parse(problem.details);
    expect(key).toEqual({
      host: 'web-1',
      address: server.address,
      port: server.port,
      algorithm: 'ssh-ed25519',
      fingerprint: server.fingerprint(),
    });
    expect(server.log()).not.toContain('userauth');
    expect(machine.link()).toMatchObject({ state: 'down' });

    const before = attempts(server);
    expect((await problemFrom(machine.exec('true'))).code).toBe('host-key-unknown');
    expect(attempts(server)).toBe(before);

    home.trust(key);
    expect((await machine.exec('echo in')).stdout).toBe('in\n');
    expect(machine.hostKey?.()).toBe(server.fingerprint());
  });

  it('blocks everything when it changes, shows both, and continues when the original is back', async () => {
    const { server, home, machine } = await trusted();
    await machine.exec('true');
    const known = server.fingerprint();
    await server.swapHostKey();
    server.signalSessions('SIGKILL');
    await linkState(home, 'down');
    const log = server.log().length;
    const problem = await problemFrom(machine.exec('true'));
    expect(problem.code).toBe('host-key-changed');
    expect(problem.details).toMatchObject({
      key: { fingerprint: server.fingerprint() },
      known: { fingerprint: known },
    });
    expect(problem.message).toContain(known);
    expect(problem.message).toContain(server.fingerprint());
    expect(server.log().slice(log)).not.toMatch(/userauth|publickey/);

    await server.restoreHostKey();
    home.machines.retry('web-1');
    expect((await machine.exec('echo back')).stdout).toBe('back\n');
  });

  it('is trusted or changed according to known_hosts of the account', async () => {
    const server = await sshd();
    const file = join(server.home, 'known_hosts');
    writeFileSync(file, `[${server.address}]:${server.port} ${server.hostKey()}\n`);
    execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'ignore' });
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^\|1\|/);
    const home = library({ knownHostsFile: file });
    home.save(specOf('web-1', server));
    const machine = home.machines.get('web-1');
    await machine.exec('true');
    expect(machine.link()).toMatchObject({ state: 'up', message: expect.stringContaining('known_hosts') });

    await server.swapHostKey();
    home.machines.drop('web-1');
    expect((await problemFrom(machine.exec('true'))).code).toBe('host-key-changed');
    writeFileSync(file, `@revoked * ${server.hostKey()}\n`);
    home.trustServer(server);
    home.machines.retry('web-1');
    const problem = await problemFrom(machine.exec('true'));
    expect(problem.code).toBe('host-key-changed');
    expect(problem.message).toContain('revoked');
  });

  it('is requested in a known type', async () => {
    const server = await sshd();
    const ecdsa = join(server.home, 'ecdsa');
    execFileSync('ssh-keygen', ['-q', '-t', 'ecdsa', '-N', '', '-f', ecdsa]);
    const both = await sshd({ settings: { HostKey: ecdsa } });
    const fingerprint = execFileSync('ssh-keygen', ['-lf', ecdsa], { encoding: 'utf8' }).split(' ')[1] ?? '';
    const home = library();
    home.save(specOf('web-1', both));
    const { address, port } = both;
    home.trust({ host: 'web-1', address, port, algorithm: 'ecdsa-sha2-nistp256', fingerprint });
    expect((await home.machines.get('web-1').exec('echo in')).stdout).toBe('in\n');
  });
});

describe('a login', () => {
  it('that is refused is not retried until the user acts', async () => {
    const { server, home, machine } = await trusted();
    const otherKey = makeKey(join(server.home, 'stranger'));
    home.save(specOf('web-1', server, { auth: { method: 'key', keyFile: otherKey } }));
    const problem = await problemFrom(machine.exec('true'));
    expect(problem.code).toBe('host-auth-failed');
    expect(problem.message).toContain('web-1');
    const release = home.machines.need('web-1');
    expect((await problemFrom(machine.exec('true'))).code).toBe('host-auth-failed');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(server.log().match(/Failed publickey/g)).toHaveLength(1);

    home.save(specOf('web-1', server));
    home.machines.retry('web-1');
    await machine.ready();
    // sshd may accept a login a moment before it logs it; once a command has run, it has.
    await machine.exec('true');
    release();
    expect(logins(server)).toBe(1);
  });

  it('that is interrupted is not a refusal and is retried after a pause', async () => {
    const server = await startPasswordServer({ user: 'ada', password: 'right', brokenLogins: 2 });
    closers.push(() => server.close());
    const home = library();
    const { port, fingerprint } = server;
    home.trust({ host: '', address: '127.0.0.1', port, algorithm: 'ssh-ed25519', fingerprint });
    home.secrets.set('guarded', 'right');
    home.save({
      kind: 'ssh',
      name: 'guarded',
      address: '127.0.0.1',
      port,
      user: 'ada',
      auth: { method: 'password' },
      jumps: [],
    });
    const machine = home.machines.get('guarded');
    const problem = await problemFrom(machine.exec('true'));
    expect(problem).toMatchObject({ code: 'host-unreachable', host: 'guarded' });
    expect(problem.message).toContain('closed the connection during login');
    const release = home.machines.need('guarded');
    await machine.ready();
    expect((await machine.exec('echo in')).stdout).toBe('in\n');
    expect(server.refused()).toBe(0);
    release();
  });

  it('opens an encrypted key file with its passphrase, and asks for it without contacting the host', async () => {
    const keys = await sshd();
    const locked = makeKey(join(keys.home, 'locked'), 'correct horse');
    const { server, home, machine } = await trusted({ authorizedKeys: [readFileSync(`${locked}.pub`, 'utf8').trim()] });
    home.save(specOf('web-1', server, { auth: { method: 'key', keyFile: locked } }));
    expect((await problemFrom(machine.exec('true'))).code).toBe('secret-missing');
    home.secrets.set('web-1', 'wrong horse');
    const wrong = await problemFrom(machine.exec('true'));
    expect(wrong.code).toBe('secret-missing');
    expect(JSON.stringify(wrong)).not.toContain('wrong horse');
    expect(attempts(server)).toBe(0);
    home.secrets.set('web-1', 'correct horse');
    expect((await machine.exec('echo in')).stdout).toBe('in\n');
  });

  it('by the agent works, and without agent or keys asks for input', async () => {
    const socketDir = await sshd();
    const socket = join(socketDir.home, 'agent');
    const { server, home: _, machine: __ } = await trusted();
    const home = library({ agentSocket: () => socket });
    home.save(specOf('web-1', server, { auth: { method: 'agent' } }));
    home.trustServer(server);
    const machine = home.machines.get('web-1');
    expect((await problemFrom(machine.exec('true'))).message).toContain('agent');
    const agent = execFileSync('ssh-agent', ['-a', socket], { encoding: 'utf8' });
    const pid = Number(/SSH_AGENT_PID=(\d+)/.exec(agent)?.[1]);
    closers.push(async () => void process.kill(pid));
    expect((await problemFrom(machine.exec('true'))).message).toContain('holds no key');
    expect(attempts(server)).toBe(0);
    execFileSync('ssh-add', ['-q', server.keyFile], {
      env: { ...process.env, SSH_AUTH_SOCK: socket },
      stdio: 'ignore',
    });
    expect((await machine.exec('echo "[$SSH_AUTH_SOCK]"')).stdout).toBe('[]\n');
  });

  for (const ask of ['password', 'keyboard'] as const) {
    it(`by password (requested by ${ask}) works, and a wrong one costs one attempt`, async () => {
      const server = await startPasswordServer({ user: 'ann', password: 'Tr0ub4dor', ask });
      closers.push(() => server.close());
      const home = library();
      const spec = { kind: 'ssh', name: 'box', address: '127.0.0.1', port: server.port, user: 'ann' } as const;
      home.save({ ...spec, auth: { method: 'password' }, jumps: [] });
      home.trust({ ...spec, host: 'box', algorithm: 'ssh-ed25519', fingerprint: server.fingerprint });
      const machine = home.machines.get('box');
      expect((await problemFrom(machine.exec('true'))).code).toBe('secret-missing');
      home.secrets.set('box', 'guess');
      const problem = await problemFrom(machine.exec('true'));
      expect(problem.code).toBe('host-auth-failed');
      expect(JSON.stringify(problem)).not.toContain('guess');
      expect(server.refused()).toBe(1);
      home.secrets.set('box', 'Tr0ub4dor');
      home.machines.retry('box');
      expect((await machine.exec('echo in')).stdout).toBe('in\n');
    });
  }

  it('that needs a one-time code reports that', async () => {
    const server = await startPasswordServer({ user: 'ann', password: 'x', ask: 'keyboard-and-code' });
    closers.push(() => server.close());
    const home = library();
    const spec = { kind: 'ssh', name: 'box', address: '127.0.0.1', port: server.port, user: 'ann' } as const;
    home.save({ ...spec, auth: { method: 'password' }, jumps: [] });
    home.trust({ ...spec, host: 'box', algorithm: 'ssh-ed25519', fingerprint: server.fingerprint });
    home.secrets.set('box', 'x');
    const problem = await problemFrom(home.machines.get('box').exec('true'));
    expect(problem.message).toContain('Verification code');
  });
});

describe('a connection failure', () => {
  it('is reported as refused, not found, not SSH, or outdated', async () => {
    const { server, home, machine } = await trusted();
    await server.stopListening();
    const refused = await problemFrom(machine.exec('true'));
    expect(refused).toMatchObject({ code: 'host-refused', host: 'web-1' });
    expect(refused.message).toContain(`${server.address}:${server.port}`);

    // Too long to be a host name, so no name server has to be asked, which might not respond.
    home.save(specOf('nowhere', server, { address: `${'no-such-host-'.repeat(6)}.invalid` }));
    const lost = await problemFrom(home.machines.get('nowhere').exec('true'));
    expect(lost.code).toBe('host-unreachable');
    expect(lost.message).toContain('cannot be resolved');

    const others = [
      ['HTTP/1.1 400 Bad Request\r\n\r\n', 'is not an SSH server: a web server is listening on that port.'],
      [
        '\x5a\0\0\0\x0a5.5.5-10.11.6-MariaDB\0',
        'is not an SSH server: a MySQL or MariaDB server is listening on that port.',
      ],
      ['\x46\0\0\0\xff\x6a\x04Host is not allowed', 'is not an SSH server: a MySQL or MariaDB server is listening'],
      ['hello\r\n', 'is not an SSH server: the service on that port does not speak SSH.'],
      // Like PostgreSQL, which closes the connection after any invalid message.
      ['', 'closed the connection before login.'],
    ] as const;
    for (const [greeting, words] of others) {
      let connections = 0;
      const other = createServer((socket) => {
        connections += 1;
        socket.on('error', () => undefined);
        socket.resume().end(greeting, 'latin1');
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      closers.push(() => new Promise((resolve) => other.close(() => resolve())));
      const address = other.address();
      home.save(specOf('other', server, { port: typeof address === 'object' && address ? address.port : 0 }));
      const problem = await problemFrom(home.machines.get('other').exec('true'));
      expect(problem.code).toBe('host-refused');
      expect(problem.message).toContain(words);
      expect(problem.next).toContain('port of its SSH server');
      // A server that responded is not contacted again: MySQL blocks clients that cause such errors.
      if (greeting !== '') expect(connections).toBe(1);
    }

    const old = await sshd({ settings: { KexAlgorithms: 'diffie-hellman-group14-sha1' } });
    home.save(specOf('old', old));
    home.trustServer(old);
    const weak = await problemFrom(home.machines.get('old').exec('true'));
    expect(weak.code).toBe('host-refused');
    expect(weak.next).toContain('Outdated');
  });

  it('includes SHA-1 signatures and message digests, which are refused', async () => {
    for (const settings of [{ MACs: 'hmac-sha1', Ciphers: 'aes128-ctr' }, { HostKeyAlgorithms: 'ssh-rsa' }]) {
      const rsa = join((await sshd()).home, 'rsa');
      execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', rsa]);
      const server = await sshd({ settings: { ...settings, HostKey: rsa } });
      const home = library();
      home.save(specOf('old', server));
      home.trustServer(server);
      expect((await problemFrom(home.machines.get('old').exec('true'))).code).toBe('host-refused');
    }
  });

  it('is reported for an unknown host', () => {
    const home = library();
    expect(() => home.machines.get('ghost')).toThrow('no host named ghost');
  });
});

describe('the shell of an account', () => {
  it('may print any text before scripts start', async () => {
    const noise =
      'i=0; while [ $i -lt 200 ]; do echo "Welcome to this wonderful machine, line $i"; i=$((i+1)); done; echo -n "no newline"';
    const { machine } = await trusted({ bashrc: `${noise}\n(echo warning; echo -n more) >&2\n` });
    const spawned = await machine.spawn('echo first; echo second >&2');
    let text = '';
    for await (const chunk of spawned.stdout) text += Buffer.from(chunk).toString();
    expect(text).toBe('first\n');
    expect(spawned.stderr()).toBe('second\n');
    expect(await machine.exec('echo a; echo b >&2')).toEqual({ code: 0, stdout: 'a\n', stderr: 'b\n' });
  });

  it('needs to understand only plain words', async () => {
    // Like fish or csh: no quoting, redirection or && of a POSIX shell reaches it.
    const script = `#!/bin/sh\nset -f\nset -- $SSH_ORIGINAL_COMMAND\n[ "$#" = 3 ] || exit 99\nshift\nexec "$@"\n`;
    const server = await sshd();
    const shell = join(server.home, 'plain-shell');
    writeFileSync(shell, script, { mode: 0o755 });
    const { machine } = await trusted({ settings: { ForceCommand: shell } });
    expect((await machine.exec('echo "$((6*7))"; exit 3')).stdout).toBe('42\n');
  });

  it('may be missing, which is reported by its cause', async () => {
    const { machine } = await trusted({ settings: { ForceCommand: '/usr/sbin/nologin' } });
    // Repeated, because its end may arrive together with its start.
    const problems = await Promise.all(Array.from({ length: 40 }, () => problemFrom(machine.exec('true'))));
    for (const problem of problems) {
      expect(problem.code).toBe('host-refused');
      expect(problem.message).toContain('not available');
    }
  });
});

describe('jump hosts', () => {
  async function chain() {
    const [outer, inner, last] = [await sshd(), await sshd(), await sshd()];
    const home = library();
    home.save(specOf('outer', outer));
    home.save(specOf('inner', inner));
    home.save(specOf('db', last, { jumps: ['outer', 'inner'] }));
    for (const server of [outer, inner, last]) home.trustServer(server);
    return { outer, inner, last, home, machine: home.machines.get('db') };
  }

  it('carry a connection through two of them', async () => {
    const { outer, inner, last, machine } = await chain();
    expect((await machine.exec('echo deep')).stdout).toBe('deep\n');
    expect([outer, inner, last].map(logins)).toEqual([1, 1, 1]);
    expect(machine.link().roundTripMs).toBeGreaterThan(0);
  });

  it('name the hop that fails, with its reason', async () => {
    const { outer, inner, last, home, machine } = await chain();
    await last.stopListening();
    const behind = await problemFrom(machine.exec('true'));
    expect(behind).toMatchObject({ code: 'host-refused', host: 'db' });
    expect(behind.message).toContain('inner is connected');

    home.keys.delete(`${inner.address} ${inner.port}`);
    home.machines.drop('inner');
    const key = await problemFrom(machine.exec('true'));
    expect(key).toMatchObject({ code: 'host-key-unknown', host: 'inner' });
    expect(HostKey.parse(key.details).host).toBe('inner');

    await outer.stopListening();
    outer.signalSessions('SIGKILL');
    home.trustServer(inner);
    await linkState(home, 'down', 'outer');
    const first = await problemFrom(machine.exec('true'));
    expect(first).toMatchObject({ code: 'host-refused', host: 'outer' });
    expect(first.message).toContain('db is connected via inner');
  });

  it('that forbid forwarding report that', async () => {
    const outer = await sshd({ settings: { AllowTcpForwarding: 'no' } });
    const { home, server } = await trusted();
    home.save(specOf('outer', outer));
    home.trustServer(outer);
    home.save(specOf('web-1', server, { jumps: ['outer'] }));
    const problem = await problemFrom(home.machines.get('web-1').exec('true'));
    expect(problem.code).toBe('host-refused');
    expect(problem.next).toContain('AllowTcpForwarding');
    const dial = await problemFrom(home.machines.get('outer').dial('127.0.0.1', 1, 'x'));
    expect(dial.code).toBe('host-refused');
  });

  it('that form a cycle are refused', async () => {
    const { server, home } = await trusted();
    home.save(specOf('a', server, { jumps: ['b'] }));
    home.save(specOf('b', server, { jumps: ['a'] }));
    expect((await problemFrom(home.machines.get('a').exec('true'))).message).toContain('loop');
  });
});

describe('one connection', () => {
  it('is shared by everything, with six commands at a time', async () => {
    const { server, home, machine } = await trusted({ settings: { MaxSessions: '10' } });
    let most = 0;
    home.machines.onLinks(({ channels = 0 }) => {
      most = Math.max(most, channels);
    });
    const script = 'while [ ! -e ~/go ]; do sleep 0.05; done; echo';
    const running = Promise.all(Array.from({ length: 15 }, (_, n) => machine.exec(`${script} ${n}`)));
    // None ends before the maximum number is running.
    while (most < 6) await new Promise((resolve) => setTimeout(resolve, 10));
    writeFileSync(join(server.home, 'go'), '');
    expect((await running).map((result) => Number(result.stdout))).toEqual(Array.from({ length: 15 }, (_, n) => n));
    expect(most).toBe(6);
    expect(logins(server)).toBe(1);
  });

  it('uses fewer sessions if the host allows fewer', async () => {
    const { machine } = await trusted({ settings: { MaxSessions: '2' } });
    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => machine.exec(`sleep 0.05; echo ${n}`)));
    expect(results.map((result) => result.code)).toEqual(Array.from({ length: 8 }, () => 0));
  });

  it('always has room for a short command next to long ones', async () => {
    const { machine } = await trusted();
    const staying = await Promise.all(Array.from({ length: 5 }, () => machine.spawn('cat >/dev/null')));
    expect((await machine.exec('echo still there')).stdout).toBe('still there\n');
    const abort = new AbortController();
    const sixth = problemFrom(machine.spawn('cat', { signal: abort.signal }));
    abort.abort();
    expect((await sixth).code).toBe('cancelled');
    for (const each of staying) each.close();
    await Promise.all(staying.map((each) => each.done));
  });

  it('starts at most eight logins at a time to one address', async () => {
    // A busy sshd still counts a login for a moment after accepting it: at most twice eight, while all at once would be 24.
    const { server, home } = await trusted({ settings: { MaxStartups: '16:100:16' } });
    const names = Array.from({ length: 24 }, (_, n) => `node-${n}`);
    for (const name of names) home.save(specOf(name, server));
    const results = await Promise.all(names.map((name) => home.machines.get(name).exec('echo in')));
    expect(results.every((result) => result.stdout === 'in\n')).toBe(true);
  });

  it('that is killed fails its commands and reconnects for the next one', async () => {
    const { server, home, machine } = await trusted();
    const spawned = await machine.spawn('echo one; cat >/dev/null');
    const read: string[] = [];
    const reading = (async () => {
      for await (const chunk of spawned.stdout) {
        read.push(Buffer.from(chunk).toString());
        server.signalSessions('SIGKILL');
      }
    })();
    const problem = await problemFrom(reading);
    expect(problem).toMatchObject({ code: 'host-unreachable', host: 'web-1' });
    expect(read.join('')).toBe('one\n');
    await spawned.done;
    await linkState(home, 'down');
    await machine.ready();
    expect((await machine.exec('echo again')).stdout).toBe('again\n');
    expect(logins(server)).toBe(2);
  });

  it('reports a channel closed by the host as lost, never as the end of the script', async () => {
    const { machine } = await trusted({ settings: { ChannelTimeout: 'session:*=1s' } });
    const spawned = await machine.spawn('echo begin; sleep 100');
    const reading = (async () => {
      for await (const chunk of spawned.stdout) expect(chunk.length).toBeGreaterThan(0);
    })();
    const problem = await problemFrom(reading);
    expect(problem.code).toBe('host-unreachable');
    expect(await spawned.done).toEqual({});
  });

  it('survives a server that is frozen for several seconds', async () => {
    const { server, machine } = await trusted();
    const spawned = await machine.spawn('for i in 1 2 3 4 5 6; do echo $i; sleep 0.5; done');
    let text = '';
    for await (const chunk of spawned.stdout) {
      if (text === '') {
        server.signalSessions('SIGSTOP');
        setTimeout(() => server.signalSessions('SIGCONT'), 4_000);
      }
      text += Buffer.from(chunk).toString();
    }
    expect(text).toBe('1\n2\n3\n4\n5\n6\n');
    expect(logins(server)).toBe(1);
  });

  it('is closed when unused, but not while in use', async () => {
    const server = await sshd();
    const home = library({ idleAfterMs: 150 });
    home.save(specOf('web-1', server));
    home.trustServer(server);
    const machine = home.machines.get('web-1');
    const echo = createServer((socket) => socket.pipe(socket));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => echo.close(() => resolve())));
    const address = echo.address();
    const stream = await machine.dial('127.0.0.1', typeof address === 'object' && address ? address.port : 0, 'echo');
    const spawned = await machine.spawn('cat >/dev/null');
    await new Promise((resolve) => setTimeout(resolve, 400));
    spawned.close();
    await spawned.done;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(machine.link().state).toBe('up');
    stream.destroy();
    await linkState(home, 'idle');
    while (server.sessions().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await machine.exec('echo again')).stdout).toBe('again\n');
    expect(logins(server)).toBe(2);
  });

  it('is not opened again after everything was closed', async () => {
    const { server, home, machine } = await trusted();
    await machine.exec('true');
    await home.machines.close();
    expect((await problemFrom(machine.exec('true'))).code).toBe('cancelled');
    expect(logins(server)).toBe(1);
  });

  it('is opened with the new settings if a host was changed during login', async () => {
    const { server, home, machine } = await trusted();
    const other = await sshd();
    home.trustServer(other);
    const first = machine.exec('true');
    const outcome = problemFrom(first);
    home.save(specOf('web-1', other));
    await new Promise((resolve) => setImmediate(resolve));
    home.machines.drop('web-1');
    expect((await outcome).code).toBe('host-unreachable');
    await machine.exec('true');
    expect(logins(other)).toBe(1);
    // Sessions that had started there are closed.
    while (server.sessions().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('survives forced re-keying during a stream', async () => {
    const { server, machine } = await trusted({ settings: { RekeyLimit: '1M' } });
    const result = await machine.exec('head -c 4000000 /dev/zero | tr "\\0" x');
    expect(result.stdout.length).toBe(4_000_000);
    expect(logins(server)).toBe(1);
  });

  it('counts the bytes of its streams, one row per label', async () => {
    const { home, machine } = await trusted();
    const echo = createServer((socket) => socket.pipe(socket));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => echo.close(() => resolve())));
    const address = echo.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const streams = [await machine.dial('127.0.0.1', port, 'orders'), await machine.dial('127.0.0.1', port, 'orders')];
    for (const stream of streams) {
      stream.write('hello');
      await new Promise((resolve) => stream.once('data', resolve));
    }
    expect(home.machines.streams()).toEqual([
      expect.objectContaining({
        id: 0,
        kind: 'stream',
        name: 'orders',
        host: 'web-1',
        connections: 2,
        bytesIn: 10,
        bytesOut: 10,
      }),
    ]);
    for (const stream of streams) {
      const closed = new Promise((resolve) => stream.once('close', resolve));
      stream.destroy();
      await closed;
    }
    expect(home.machines.streams()).toEqual([]);
  });
});

/** Waits until a link is in a state. */
async function linkState(home: TestLibrary, state: string, name = 'web-1'): Promise<void> {
  const is = () => home.machines.links().some((link) => link.host === name && link.state === state);
  if (is()) return;
  await new Promise<void>((resolve) => {
    const forget = home.machines.onLinks(() => {
      if (!is()) return;
      forget();
      resolve();
    });
  });
}
