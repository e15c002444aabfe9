import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconCircle, IconCircleCheck, IconLoader2, IconShieldX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { HostKey, HostTest, LinkState } from '../../../../shared/model/host.ts';
import { problemOf } from '../../../../shared/model/problem.ts';
import { formatClock, formatDuration } from '../../../../shared/util/format.ts';
import { useAction } from '../../../client/index.ts';
import { VaultUnlock } from '../../../domain/problems.tsx';
import { CodeBlock, KeyValueList, Panel, ProblemBanner, useNow } from '../../../ui/index.ts';
import classes from '../hosts.module.css';

interface Properties {
  test: RunningTest;
  /** The connection's own reports while the test runs. */
  link: LinkState | undefined;
  /** Words for a success: what was done, and where the facts are. */
  success: { done: string; next: string };
}

/** Progress and result of a test. Never accepts a key by itself. */
export function TestPanel({ test, link, success }: Properties) {
  if (test.since !== undefined) return <Progress since={test.since} link={link} />;
  const { result } = test;
  switch (result?.result) {
    case undefined:
      return null;
    case 'ok':
      return (
        <ProblemBanner
          tone="ok"
          problem={{
            message: `${success.done}; one round trip takes ${formatDuration(result.roundTripMs / 1000)}.`,
            next: success.next,
          }}
        />
      );
    case 'key-unknown':
      return <FirstContact hostKey={result.key} onTrusted={test.run} onCancel={test.clear} />;
    case 'key-changed':
      return <ChangedKey seen={result.key} known={result.known} onForgotten={test.run} />;
    case 'failed':
      if (result.problem.code === 'vault-locked') return <VaultUnlock problem={result.problem} onUnlocked={test.run} />;
      return (
        <ProblemBanner
          problem={result.problem}
          actions={
            <Button variant="default" onClick={test.run}>
              Try again
            </Button>
          }
        />
      );
  }
}

function Progress({ since, link }: { since: number; link: LinkState | undefined }) {
  const now = useNow(500);
  const up = link?.state === 'up';
  const steps = [
    { words: 'Reach the address, compare the key, log in', state: up ? 'done' : 'busy' },
    { words: 'Read system, disks, networks and clock; look for tools', state: up ? 'busy' : 'waiting' },
  ];
  return (
    <Panel title="Test" note={formatClock((now - since) / 1000)}>
      <ol className={classes.progress} aria-live="polite">
        {steps.map(({ words, state }) => {
          const Icon = state === 'done' ? IconCircleCheck : state === 'busy' ? IconLoader2 : IconCircle;
          return (
            <li key={words} data-state={state}>
              <Icon size={18} stroke={1.8} aria-hidden="true" />
              {words}
            </li>
          );
        })}
      </ol>
      {link?.message && <p className="kp-dim">{link.message}</p>}
    </Panel>
  );
}

interface ChangedKeyProperties {
  seen: HostKey;
  known: HostKey;
  onForgotten(): void;
}

/** A hard stop: the only way forward is to remove the known key deliberately. */
function ChangedKey({ seen, known, onForgotten }: ChangedKeyProperties) {
  const [asking, setAsking] = useState(false);
  return (
    <section className={classes.changed} role="alert" aria-label="The key of the host changed">
      <header>
        <IconShieldX size={22} stroke={1.7} color="var(--kp-bad)" aria-hidden="true" />
        <h2>{seen.host} presents a different key than before: not connected</h2>
      </header>
      <p>
        Either the host was reinstalled or its key replaced, or another machine responds at {seen.address}. Nothing was
        sent. Ask the administrator before you continue.
      </p>
      <dl>
        <dt>Known key</dt>
        <dd>
          <code>{known.fingerprint}</code>
          <span>{known.algorithm}</span>
        </dd>
        <dt>Presented key</dt>
        <dd>
          <code data-new>{seen.fingerprint}</code>
          <span>{seen.algorithm}</span>
        </dd>
      </dl>
      <button type="button" className={classes.forget} onClick={() => setAsking(true)}>
        Forget the known key…
      </button>
      <Modal
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Forget the key of ${seen.address}, port ${seen.port}`}
        size={520}
      >
        {asking && <ForgetForm hostKey={seen} onForgotten={onForgotten} onCancel={() => setAsking(false)} />}
      </Modal>
    </section>
  );
}

function ForgetForm({ hostKey, onForgotten, onCancel }: { hostKey: HostKey; onForgotten(): void; onCancel(): void }) {
  const [typed, setTyped] = useState('');
  const forget = useAction('hosts.forgetKey', { onSuccess: onForgotten });
  const same = typed.trim() === hostKey.host;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (same) forget.mutate({ address: hostKey.address, port: hostKey.port });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          Do this only if you know why the key changed. The next test then shows the new key for comparison.
        </Text>
        <TextInput
          label={`Type the name of the host: ${hostKey.host}`}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {forget.error && <ProblemBanner problem={forget.error.problem} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={!same} loading={forget.isPending}>
            Forget the known key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FirstContactProperties {
  hostKey: HostKey;
  onTrusted(): void;
  onCancel(): void;
}

/** Shows the key of an unknown host. Nothing is sent to it until the user accepts the key. */
function FirstContact({ hostKey, onTrusted, onCancel }: FirstContactProperties) {
  const trust = useAction('hosts.trustKey', { onSuccess: onTrusted });
  return (
    <Modal opened onClose={onCancel} title={`First contact with ${hostKey.host}`} size={620}>
      <Stack gap="md">
        <KeyValueList
          pairs={[
            ['Address', `${hostKey.address}, port ${hostKey.port}`],
            ['Key type', hostKey.algorithm],
          ]}
        />
        <code className={classes.fingerprint}>{hostKey.fingerprint}</code>
        <Text size="sm">The fingerprint must match the host’s own. Check it on the host’s console:</Text>
        <CodeBlock text={`ssh-keygen -lf ${keyFileOf(hostKey.algorithm)}`} label="Copy the command" />
        <Text size="sm" c="dimmed">
          Nothing has been sent to it. Once trusted, this key is stored for this address, and the connection is refused
          if it changes.
        </Text>
        {trust.error && <ProblemBanner problem={trust.error.problem} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" data-autofocus onClick={onCancel}>
            Cancel
          </Button>
          <Button loading={trust.isPending} onClick={() => trust.mutate({ key: hostKey })}>
            Trust this key
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const FILES: readonly (readonly [RegExp, string])[] = [
  [/ed25519/, 'ed25519'],
  [/ecdsa/, 'ecdsa'],
  [/rsa/, 'rsa'],
];

/** File in which OpenSSH stores the public part of a host's key of this algorithm. */
function keyFileOf(algorithm: string): string {
  const kind = FILES.find(([pattern]) => pattern.test(algorithm))?.[1] ?? 'ed25519';
  return `/etc/ssh/ssh_host_${kind}_key.pub`;
}

export interface RunningTest {
  /** Start, epoch milliseconds; absent while none runs. */
  since: number | undefined;
  result: HostTest | undefined;
  run(): void;
  clear(): void;
}

/** One test at a time, whose result is kept until the next. */
export function useHostTest(test: () => Promise<HostTest>): RunningTest {
  const [since, setSince] = useState<number>();
  const [result, setResult] = useState<HostTest>();
  const run = async (): Promise<void> => {
    setSince(Date.now());
    setResult(undefined);
    try {
      setResult(await test());
    } catch (error) {
      setResult({ result: 'failed', problem: problemOf(error) });
    } finally {
      setSince(undefined);
    }
  };
  return { since, result, run: () => void run(), clear: () => setResult(undefined) };
}
