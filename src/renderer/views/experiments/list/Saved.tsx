import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { formatDateTime, formatDuration } from '../../../../shared/util/format.ts';
import { useAction } from '../../../client/index.ts';
import { DataTable, IconAction, Panel, ProblemBanner, TableSkeleton } from '../../../ui/index.ts';
import { pathOf } from '../document/document.ts';
import { copyAsDraft } from '../document/drafts.ts';
import { addressOf } from '../document/useDocumentActions.ts';
import classes from './list.module.css';

interface Properties {
  files: readonly ExperimentFile[] | undefined;
  tools: readonly ToolInfo[];
  words: string;
}

/** Documents saved by the user. */
export function Saved({ files, tools, words }: Properties) {
  const [, go] = useLocation();
  const { remove, problem } = useRemoval();
  return (
    <Panel title="Your experiments" flush>
      {problem && <ProblemBanner problem={problem} />}
      {files === undefined ? (
        <TableSkeleton rows={3} />
      ) : files.length === 0 ? (
        <div className="kp-table-empty">
          {words
            ? `No saved experiment contains “${words}”.`
            : 'None saved yet. Open a template, change it and save it. It will appear here.'}
        </div>
      ) : (
        <DataTable
          label="Your experiments"
          rows={files}
          rowId={(file) => file.id}
          onRowClick={(file) => go(pathOf(file))}
          columns={[
            {
              id: 'name',
              header: 'Name',
              value: (file) => file.name,
              cell: (file) => (
                <Link href={pathOf(file)} title={file.name} className={`kp-ellipsis ${classes.name}`}>
                  {file.name}
                </Link>
              ),
            },
            {
              id: 'question',
              header: 'Question',
              grow: true,
              value: (file) => file.question,
              cell: (file) => <span title={file.question}>{file.question ?? '–'}</span>,
            },
            {
              id: 'tool',
              header: 'Tool',
              value: (file) => tools.find(({ id }) => id === file.tool)?.title ?? file.tool,
            },
            {
              id: 'planned',
              header: 'Planned',
              hint: 'Time for all trials, without preparing data',
              value: (file) => file.outline?.seconds,
              cell: (file) => formatDuration(file.outline?.seconds),
              align: 'right',
            },
            {
              id: 'changed',
              header: 'Changed',
              value: (file) => file.changedAt,
              cell: (file) => formatDateTime(file.changedAt),
              align: 'right',
            },
            {
              id: 'actions',
              header: '',
              label: 'Actions',
              width: 80,
              cell: (file) => (
                <Group gap={0} wrap="nowrap">
                  <IconAction
                    label={`Duplicate ${file.name} as a draft`}
                    onClick={() => go(addressOf(copyAsDraft(file), 'workload'))}
                  >
                    <IconCopy size={16} stroke={1.6} />
                  </IconAction>
                  <IconAction label={`Remove ${file.name}`} onClick={() => remove(file)}>
                    <IconTrash size={16} stroke={1.6} />
                  </IconAction>
                </Group>
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

/** Removes a document; undoing saves its text again. */
function useRemoval() {
  const save = useAction('experiments.save');
  const removal = useAction('experiments.remove');
  const remove = ({ id, name, text }: ExperimentFile): void => {
    const notice = `experiment removed ${id}`;
    const undo = (): void => {
      notifications.hide(notice);
      save.mutate({ text });
    };
    removal.mutate(
      { id },
      {
        onSuccess: () =>
          notifications.show({
            id: notice,
            autoClose: 8000,
            message: (
              <Group justify="space-between" wrap="nowrap">
                <span>“{name}” removed.</span>
                <Button variant="light" onClick={undo}>
                  Undo
                </Button>
              </Group>
            ),
          }),
      },
    );
  };
  return { remove, problem: (removal.error ?? save.error)?.problem };
}
