import { type FileSet, fileWords, sizeWords } from '../../../shared/model/file-set.ts';
import type { Host } from '../../../shared/model/host.ts';
import { formatCount, formatDateTime } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import { actionsColumn, madeColumn, stateColumn, titleColumn } from '../../parts/setColumns.tsx';
import { type Column, DataTable, Panel, ProblemBanner } from '../../ui/index.ts';

/** What workloads have laid out on the disks of a host; nothing is shown where there is none. */
export function FileSetsPanel({ host }: { host: Host }) {
  const sets = useCall('fileSets.list', { hostId: host.id });
  const look = useAction('fileSets.check');
  const remove = useAction('fileSets.remove');
  const problem = sets.error?.problem ?? remove.error?.problem ?? look.error?.problem;
  if (!problem && !sets.data?.length) return null;
  const actions = actionsColumn<FileSet>({
    words: fileWords,
    verb: 'Check',
    look,
    removal: (set) => `Remove ${formatCount(set.files.length, 'file')}`,
    question: (set) =>
      `Remove ${fileWords(set)} on ${set.host}? The clean-up step of ${set.tool} does it, and it cannot be taken back.`,
    remove,
  });
  return (
    <Panel title="File sets" note="Test files that workloads have laid out here; they stay until you remove them" flush>
      {problem && <ProblemBanner problem={problem} />}
      <DataTable
        label="File sets"
        rows={sets.data ?? []}
        rowId={({ id }) => String(id)}
        columns={[...COLUMNS, actions]}
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<FileSet>[] = [
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
