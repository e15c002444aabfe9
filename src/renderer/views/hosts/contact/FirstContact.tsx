import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { HostKey } from '../../../../shared/model/host.ts';
import { useAction } from '../../../client/index.ts';
import { CodeBlock, KeyValueList, ProblemBanner } from '../../../ui/index.ts';
import classes from '../hosts.module.css';

interface Properties {
  hostKey: HostKey;
  onTrusted(): void;
  onCancel(): void;
}

/** Shows the key of an unknown host. Nothing is sent to it until the user accepts the key. */
export function FirstContact({ hostKey, onTrusted, onCancel }: Properties) {
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
