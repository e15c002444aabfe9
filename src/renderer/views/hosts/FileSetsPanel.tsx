import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import { DATA_STATE_WORDS } from '../../../shared/model/data-set-words.ts';
import { type FileSet, fileWords, sizeWords } from '../../../shared/model/file-set.ts';
import type { Host } from '../../../shared/model/host.ts';
import { formatCount, formatDateTime } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import { type Column, ConfirmButton, DataTable, Panel, ProblemBanner, Status } from '../../ui/index.ts';

/** What workloads have laid out on the disks of a host; nothing is shown where there is none. */
export function FileSetsPanel({ host }: { host: Host }) {
  const sets = useCall('fileSets.list', { hostId: host.id });
  const check = useAction('fileSets.check');
  const remove = useAction('fileSets.remove');
  const problem = sets.error?.problem ?? remove.error?.problem ?? check.error?.problem;
  const forget = (): void => {
    check.reset();
    remove.reset();
  };
  if (!problem && !sets.data?.length) return null;
  const actions: Column<FileSet> = {
    id: 'actions',
    header: '',
    cell: (set) => (
      <Group gap={8} wrap="nowrap" justify="flex-end">
        <Button
          variant="default"
          aria-label={`Check ${fileWords(set)} again`}
          disabled={check.isPending || remove.isPending}
          loading={check.isPending && check.variables.id === set.id}
          onClick={() => {
            forget();
            check.mutate({ id: set.id });
          }}
        >
          Check again
        </Button>
        <ConfirmButton
          label="Remove"
          name={`Remove ${fileWords(set)}`}
          act={`Remove ${formatCount(set.files.length, 'file')}`}
          question={`Remove ${fileWords(set)} on ${set.host}? The clean-up step of ${set.tool} does it, and it cannot be taken back.`}
          busy={remove.isPending && remove.variables.id === set.id}
          onConfirm={() => {
            forget();
            remove.mutate({ id: set.id });
          }}
        />
      </Group>
    ),
  };
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
  {
    id: 'title',
    header: 'Files',
    grow: true,
    value: ({ title }) => title,
    cell: (set) => (
      <div>
        {set.title}
        <div className="kp-small kp-dim">{fileWords(set)}</div>
      </div>
    ),
  },
  { id: 'size', header: 'Size', align: 'right', value: (set) => sizeWords(set) },
  {
    id: 'state',
    header: 'State',
    value: ({ state }) => DATA_STATE_WORDS[state].word,
    cell: ({ state, writtenAt }) => (
      <Status
        tone={DATA_STATE_WORDS[state].tone}
        {...(writtenAt !== undefined && { title: `Last written to ${formatDateTime(writtenAt)}` })}
      >
        {DATA_STATE_WORDS[state].word}
      </Status>
    ),
  },
  {
    id: 'made',
    header: 'Made',
    value: ({ madeAt }) => madeAt,
    cell: ({ madeAt, madeBy, state }) => (
      <div>
        {madeAt === undefined ? 'before Kneepoint saw it' : formatDateTime(madeAt)}
        {madeBy !== undefined && (
          <div className="kp-small">
            <Link href={`/sessions/${madeBy}/${state === 'making' ? 'live' : 'results'}`}>session {madeBy}</Link>
          </div>
        )}
      </div>
    ),
  },
  {
    id: 'checked',
    header: 'Checked',
    value: ({ checkedAt }) => checkedAt,
    cell: ({ checkedAt }) => formatDateTime(checkedAt),
    minor: true,
  },
];
