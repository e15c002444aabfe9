import { Link } from 'wouter';
import { type FileSet, fileWords, sizeWords } from '../../../shared/model/data-set.ts';
import type { Host, HostFacts, SyncTest } from '../../../shared/model/host.ts';
import type { Target } from '../../../shared/model/target.ts';
import { formatCount, formatDateTime, formatNumber, formatShort } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import { controlWords } from '../../domain/controlWords.ts';
import { FolderPicker } from '../../domain/FolderPicker.tsx';
import { actionsColumn, madeColumn, stateColumn, titleColumn } from '../../domain/setColumns.tsx';
import { type Column, DataTable, Panel, ProblemBanner, Status } from '../../ui/index.ts';
import classes from './hosts.module.css';

/** Files that workloads have created on the disks of a host; renders nothing without any. */
export function FileSetsPanel({ host }: { host: Host }) {
  const sets = useCall('dataSets.list', { kind: 'files', hostId: host.id });
  const look = useAction('dataSets.look');
  const remove = useAction('dataSets.remove');
  const problem = sets.error?.problem ?? remove.error?.problem ?? look.error?.problem;
  const rows = sets.data?.filter((set) => set.kind === 'files') ?? [];
  if (!problem && rows.length === 0) return null;
  const actions = actionsColumn<FileSet>({
    words: fileWords,
    verb: 'Check',
    look,
    removal: (set) => `Remove ${formatCount(set.files.length, 'file')}`,
    question: (set) =>
      `Remove ${fileWords(set)} on ${set.host}? This runs the cleanup phase of ${set.tool} and cannot be undone.`,
    remove,
  });
  return (
    <Panel title="File sets" note="Test files created by workloads; they stay until you remove them" flush>
      {problem && <ProblemBanner problem={problem} />}
      <DataTable
        label="File sets"
        rows={rows}
        rowId={({ id }) => String(id)}
        columns={[...FILE_SET_COLUMNS, actions]}
      />
    </Panel>
  );
}

/** Durable writes per second of folders of a host, and a test for another one. */
export function SyncsPanel({ host, facts }: { host: Host; facts: HostFacts }) {
  const test = useAction('hosts.testSyncs');
  const tests = facts.syncs ?? [];
  return (
    <Panel title="Synced writes" note="4 KiB, each durable before the next: about the commit rate of one client" flush>
      <div className={classes.syncs}>
        <FolderPicker
          host={host.spec.name}
          value={tests.at(-1)?.path ?? ''}
          onChoose={(path) => test.mutate({ id: host.id, path })}
        />
        {test.isPending && <Status tone="busy">Testing {test.variables.path}, about five seconds</Status>}
      </div>
      {test.error && <ProblemBanner problem={test.error.problem} />}
      <DataTable
        label="Synced writes"
        rows={tests}
        rowId={({ path }) => path}
        empty="Not tested. Choose a folder, such as the data folder of a server."
        columns={SYNC_COLUMNS}
      />
    </Panel>
  );
}

const SYNC_COLUMNS: readonly Column<SyncTest>[] = [
  { id: 'path', header: 'Folder', value: ({ path }) => path, grow: true },
  { id: 'system', header: 'File system', value: ({ fileSystem }) => fileSystem, minor: true },
  {
    id: 'rate',
    header: 'Writes/s',
    align: 'right',
    value: ({ perSecond }) => perSecond,
    cell: ({ perSecond, low, high }) => `${formatNumber(perSecond)} (${formatNumber(low)} – ${formatNumber(high)})`,
  },
  {
    id: 'each',
    header: 'Per write, ms',
    align: 'right',
    value: ({ perSecond }) => 1000 / perSecond,
    cell: ({ perSecond }) => formatShort(1000 / perSecond),
  },
  {
    id: 'tested',
    header: 'Tested',
    value: ({ testedAt }) => testedAt,
    cell: ({ testedAt }) => formatDateTime(testedAt),
    minor: true,
  },
];

const FILE_SET_COLUMNS: readonly Column<FileSet>[] = [
  titleColumn<FileSet>('Files', fileWords, ({ tool }) => tool),
  { id: 'size', header: 'Size', align: 'right', value: (set) => sizeWords(set) },
  stateColumn(),
  madeColumn(),
  {
    id: 'checked',
    header: 'Checked',
    value: ({ checkedAt }) => checkedAt,
    cell: ({ checkedAt }) => formatDateTime(checkedAt),
    minor: true,
  },
];

const SERVER_COLUMNS: readonly Column<Target>[] = [
  {
    id: 'target',
    header: 'Target',
    value: ({ spec }) => spec.name,
    cell: ({ id, spec }) => <Link href={`/targets/${id}/server`}>{spec.name}</Link>,
  },
  { id: 'control', header: 'Control', value: ({ spec }) => spec.server && controlWords(spec.server.control) },
];

/** Targets whose server runs on a host. */
export function ServersHere({ host }: { host: string }) {
  const here = (useCall('targets.list', {}).data ?? []).filter(({ spec }) => spec.server?.host === host);
  if (here.length === 0) return null;
  return (
    <Panel title="Servers on this host" flush>
      <DataTable label="Servers on this host" columns={SERVER_COLUMNS} rows={here} rowId={({ id }) => String(id)} />
    </Panel>
  );
}
