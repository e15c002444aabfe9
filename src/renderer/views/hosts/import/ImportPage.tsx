import { Button } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { SshConfigEntry } from '../../../../shared/model/host.ts';
import type { Problem } from '../../../../shared/model/problem.ts';
import { formatCount, NO_VALUE } from '../../../../shared/util/format.ts';
import { useAction, useCall } from '../../../client/index.ts';
import { type DroppedConfig, droppedConfig } from '../../../domain/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  FormFooter,
  Page,
  PageHeader,
  Panel,
  ProblemBanner,
  Status,
  TableSkeleton,
  useCrumbs,
} from '../../../ui/index.ts';
import classes from '../hosts.module.css';
import { addressOf, loginOf } from '../words.tsx';

/** Hosts of the SSH configuration, to select those to import. */
export function ImportPage() {
  useCrumbs([{ label: 'Import' }]);
  const [parameters] = useSearchParams();
  const wanted = parameters.get('dropped');
  const dropped = useMemo(() => (wanted === null ? undefined : droppedConfig(wanted)), [wanted]);
  const config = useCall('hosts.sshConfig', sourceOf(dropped));
  return (
    <Page>
      <PageHeader
        title="Import from SSH config"
        subtitle={`Hosts of ${dropped?.name ?? config.data?.file ?? '~/.ssh/config'} and included files, as read by OpenSSH. Commands in them are not run.`}
      />
      {config.error ? (
        <NotRead problem={config.error.problem} onRetry={() => void config.refetch()} />
      ) : !config.data ? (
        <Panel label="Hosts" flush>
          <TableSkeleton rows={6} />
        </Panel>
      ) : (
        <Choose entries={config.data.entries} notes={config.data.notes} dropped={dropped} />
      )}
    </Page>
  );
}

const sourceOf = (dropped: DroppedConfig | undefined): { file?: string; text?: string } =>
  dropped ? { file: dropped.name, text: dropped.text } : {};

function NotRead({ problem, onRetry }: { problem: Problem; onRetry(): void }) {
  if (problem.code === 'not-found') {
    return (
      <Panel label="Hosts">
        <EmptyState
          icon={<IconFileSearch size={28} stroke={1.4} />}
          title="No SSH configuration"
          action={
            <Button component={Link} href="/hosts/new" variant="default">
              Add a host
            </Button>
          }
        >
          {problem.message}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <ProblemBanner
      problem={problem}
      actions={
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}

interface ChooseProperties {
  entries: readonly Entry[];
  notes: readonly string[];
  dropped: DroppedConfig | undefined;
}

function Choose({ entries, notes, dropped }: ChooseProperties) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [, go] = useLocation();
  const add = useAction('hosts.importSshConfig', {
    onSuccess: ({ skipped }) => {
      if (skipped.length === 0) go('/hosts');
    },
  });
  const free = entries.filter(isImportable).map(({ name }) => name);
  if (entries.length === 0) {
    return (
      <Panel label="Hosts">
        <EmptyState icon={<IconFileSearch size={28} stroke={1.4} />} title="No hosts found">
          Only patterns, such as Host *, but no named hosts.
        </EmptyState>
        <Notes notes={notes} />
      </Panel>
    );
  }
  return (
    <>
      <Panel label="Hosts" flush>
        <DataTable
          label="Hosts of the SSH configuration"
          rows={entries}
          rowId={({ name }) => name}
          rowLabel={({ name }) => name}
          columns={entryColumns}
          selected={chosen}
          onSelect={(names) => setChosen(names.filter((name) => free.includes(name)))}
        />
      </Panel>
      <Notes notes={notes} />
      <FormFooter
        problem={
          add.error ? (
            <ProblemBanner problem={add.error.problem} />
          ) : add.data && add.data.skipped.length > 0 ? (
            <ProblemBanner
              tone="warn"
              problem={{ message: add.data.skipped.map(({ name, why }) => `${name}: ${why}`).join(' ') }}
            />
          ) : undefined
        }
      >
        <Button
          disabled={chosen.length === 0}
          loading={add.isPending}
          onClick={() => add.mutate({ names: [...chosen], ...sourceOf(dropped) })}
        >
          {chosen.length === 0 ? 'Import hosts' : `Import ${formatCount(chosen.length, 'host')}`}
        </Button>
        <Button component={Link} href="/hosts" variant="subtle" color="gray">
          Cancel
        </Button>
        <span className="kp-dim">Jump hosts are imported with the hosts that need them.</span>
      </FormFooter>
    </>
  );
}

const Notes = ({ notes }: { notes: readonly string[] }) =>
  notes.length === 0 ? null : (
    <Panel title="Not imported">
      <ul className={classes.notes}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  );

type Entry = SshConfigEntry & { saved: boolean };

const isImportable = ({ spec, saved }: Entry): boolean => spec !== undefined && !saved;

const entryColumns: readonly Column<Entry>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, width: 220 },
  { id: 'address', header: 'Address', value: ({ spec }) => (spec ? addressOf(spec) : NO_VALUE), width: 240 },
  {
    id: 'login',
    header: 'Authentication',
    width: 110,
    value: ({ spec }) => (spec ? loginOf(spec) : NO_VALUE),
    cell: ({ spec }) =>
      spec ? <span title={spec.auth.method === 'key' ? spec.auth.keyFile : ''}>{loginOf(spec)}</span> : NO_VALUE,
  },
  { id: 'via', header: 'Jump hosts', value: ({ spec }) => spec?.jumps.join(' → ') || NO_VALUE, width: 190 },
  { id: 'notes', header: 'Notes', grow: true, cell: (entry) => <EntryNotes entry={entry} /> },
];

function EntryNotes({ entry: { saved, problem, notes } }: { entry: Entry }) {
  if (saved) return <Status tone="idle">already saved</Status>;
  if (problem !== undefined) return <Status tone="bad">{problem}</Status>;
  return notes.length === 0 ? null : (
    <span className={classes.wrap} title={notes.join('\n')}>
      {notes.join(' ')}
    </span>
  );
}
