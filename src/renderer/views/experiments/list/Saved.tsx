import { Button, Group, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowRight, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { formatDateTime, formatDuration } from '../../../../shared/util/format.ts';
import { useAction } from '../../../client/index.ts';
import {
  DataTable,
  MenuAction,
  Panel,
  ProblemBanner,
  RenameDialog,
  RowMenu,
  TableSkeleton,
} from '../../../ui/index.ts';
import { pathOf } from '../document/document.ts';
import { copyAsDraft, withName } from '../document/drafts.ts';
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
              width: 52,
              cell: (file) => <Actions file={file} onRemove={() => remove(file)} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

/** Actions of a document: a right-click on its row opens them too. */
function Actions({ file, onRemove }: { file: ExperimentFile; onRemove(): void }) {
  const [, go] = useLocation();
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      {renaming ? <Rename file={file} onClose={() => setRenaming(false)} /> : null}
      <RowMenu name={file.name}>
        <MenuAction label="Open" icon={IconArrowRight} onClick={() => go(pathOf(file))} />
        <MenuAction label="Rename" icon={IconPencil} onClick={() => setRenaming(true)} />
        <MenuAction
          label="Duplicate as a draft"
          icon={IconCopy}
          onClick={() => go(addressOf(copyAsDraft(file), 'workload'))}
        />
        <Menu.Divider />
        <MenuAction label="Remove" icon={IconTrash} onClick={onRemove} />
      </RowMenu>
    </>
  );
}

function Rename({ file: { id, name, text }, onClose }: { file: ExperimentFile; onClose(): void }) {
  const save = useAction('experiments.save', { onSuccess: onClose });
  return (
    <RenameDialog
      title="Rename experiment"
      name={name}
      note="Sessions that were measured with it keep the previous name."
      busy={save.isPending}
      problem={save.error?.problem}
      onRename={(next) => save.mutate({ id, text: withName(text, name, next) })}
      onClose={onClose}
    />
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
