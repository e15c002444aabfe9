import { Link } from 'wouter';
import { type FileSet, fileWords, sizeWords } from '../../../shared/model/data-set.ts';
import type { Host } from '../../../shared/model/host.ts';
import type { Target } from '../../../shared/model/target.ts';
import { formatCount, formatDateTime } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import { controlWords } from '../../domain/controlWords.ts';
import { actionsColumn, madeColumn, stateColumn, titleColumn } from '../../domain/setColumns.tsx';
import { type Column, DataTable, Panel, ProblemBanner } from '../../ui/index.ts';

/** What workloads have laid out on the disks of a host; nothing is shown where there is none. */
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
      `Remove ${fileWords(set)} on ${set.host}? This runs the clean-up step of ${set.tool} and cannot be undone.`,
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

/** Targets whose server lives on a host. */
export function ServersHere({ host }: { host: string }) {
  const here = (useCall('targets.list', {}).data ?? []).filter(({ spec }) => spec.server?.host === host);
  if (here.length === 0) return null;
  return (
    <Panel title="Servers on this host" flush>
      <DataTable label="Servers on this host" columns={SERVER_COLUMNS} rows={here} rowId={({ id }) => String(id)} />
    </Panel>
  );
}
