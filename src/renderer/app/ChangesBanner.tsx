import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Changed, PutBackResult } from '../../shared/model/restore.ts';
import { formatCount } from '../../shared/util/format.ts';
import { useAction, useCall } from '../client/index.ts';
import { CHANGED_COLUMNS, changedPlace, settingValue } from '../domain/ChangedHere.tsx';
import { type Column, ConfirmButton, DataTable, ProblemBanner, TypedConfirmation } from '../ui/index.ts';

/** Settings of hosts and servers that an inactive session has left changed. Shown on every screen until they are restored. */
export function ChangesBanner() {
  const [opened, setOpened] = useState(false);
  const changed = (useCall('changes.list', {}).data ?? []).filter(({ active }) => !active);
  const places = [...new Set(changed.map(changedPlace))];
  if (changed.length === 0 && !opened) return null;
  return (
    <div className="kp-link-banner">
      {changed.length > 0 && (
        <ProblemBanner
          tone="warn"
          problem={{
            message: `A session changed ${formatCount(changed.length, 'setting')} on ${places.join(', ')} that ${changed.length === 1 ? 'is' : 'are'} not restored yet.`,
            next: `Restore ${changed.length === 1 ? 'it' : 'them'} before using ${places.length === 1 ? places[0] : 'these hosts and servers'}. If you resume the session, it restores ${changed.length === 1 ? 'it' : 'them'} when it ends.`,
          }}
          actions={<Button onClick={() => setOpened(true)}>Restore…</Button>}
        />
      )}
      <ChangesDialog changed={changed} opened={opened} onClose={() => setOpened(false)} />
    </div>
  );
}

interface DialogProperties {
  changed: readonly Changed[];
  opened: boolean;
  onClose(): void;
}

function ChangesDialog({ changed, opened, onClose }: DialogProperties) {
  const list = useCall('changes.list', {});
  const again = (): void => void list.refetch();
  const putBack = useAction('changes.putBack', { onSuccess: again });
  const leave = useAction('changes.leave', { onSuccess: again });
  const problem = putBack.error?.problem ?? leave.error?.problem;
  const left = (putBack.data ?? []).some(({ outcome }) => outcome === 'left');
  const uncertain = [
    ...new Map(
      (putBack.data ?? []).flatMap(({ place, confirm }) => (confirm ? [[confirm, { place, confirm }]] : [])),
    ).values(),
  ];
  const columns: Column<Changed>[] = [
    ...CHANGED_COLUMNS,
    {
      id: 'leave',
      header: '',
      value: () => '',
      cell: (entry) => (
        <ConfirmButton
          label="Keep current value"
          name={`Keep current value of ${entry.what}`}
          question={`“${entry.what}” of ${changedPlace(entry)} keeps its current value, and Kneepoint forgets the original value ${settingValue(entry.first)}.`}
          onConfirm={() => leave.mutate({ entry: entry.entry })}
        />
      ),
    },
  ];
  return (
    <Modal opened={opened} onClose={onClose} title="Settings to restore" size="min(1100px, 95vw)">
      <Stack gap="md">
        {problem && <ProblemBanner problem={problem} />}
        {putBack.data && <Outcome results={putBack.data} />}
        {changed.length > 0 && (
          <DataTable
            label="Settings to restore"
            columns={columns}
            rows={[...changed]}
            rowId={({ entry }) => String(entry)}
          />
        )}
        {changed.flatMap(({ entry, what, message }) =>
          message === undefined ? [] : [<Text key={entry} size="sm">{`${what}: ${message}`}</Text>],
        )}
        {uncertain.map(({ place, confirm }) => (
          <TypedConfirmation
            key={confirm}
            phrase={confirm}
            label={`Type ${confirm} to confirm that this is the ${place.kind} that was changed`}
            act="Restore there"
            busy={putBack.isPending}
            onConfirm={(name) => putBack.mutate({ force: false, confirm: [name] })}
          />
        ))}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {left && changed.length > 0 && (
            <Button variant="default" loading={putBack.isPending} onClick={() => putBack.mutate({ force: true })}>
              Restore anyway
            </Button>
          )}
          {changed.length > 0 && (
            <Button loading={putBack.isPending} onClick={() => putBack.mutate({ force: false })}>
              Restore and read back
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** The outcome in one sentence, as the reasons are shown with the remaining settings. */
function Outcome({ results }: { results: readonly PutBackResult[] }) {
  const restored = results.filter(({ outcome }) => outcome === 'restored').length;
  const all = restored === results.length;
  const rest = results.length - restored;
  return (
    <ProblemBanner
      tone={all ? 'ok' : 'warn'}
      problem={{
        message: all
          ? `${formatCount(restored, 'setting')} restored and read back.`
          : [
              ...(restored > 0 ? [`${formatCount(restored, 'setting')} restored and read back.`] : []),
              `${formatCount(rest, 'setting')} not restored.`,
            ].join(' '),
      }}
    />
  );
}
