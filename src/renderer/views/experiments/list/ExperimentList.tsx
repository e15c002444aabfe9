import { Button, Menu, TextInput } from '@mantine/core';
import { IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { formatDateTime } from '../../../../shared/util/format.ts';
import { useAction, useCall } from '../../../client/index.ts';
import {
  DataTable,
  IconAction,
  Page,
  PageHeader,
  Panel,
  ProblemBanner,
  TableSkeleton,
  useCrumbs,
} from '../../../ui/index.ts';
import { pathOf } from '../document/paths.ts';
import classes from './list.module.css';
import { Templates } from './Templates.tsx';

const matches = (file: ExperimentFile, query: string): boolean =>
  [file.name, file.question ?? '', file.tool, ...file.tags]
    .join(' ')
    .toLowerCase()
    .includes(query.trim().toLowerCase());

/** Templates by tool, and one's own documents. `choosing`: what a new experiment begins with. */
export function ExperimentList({ choosing = false }: { choosing?: boolean }) {
  const files = useCall('experiments.list', {});
  const tools = useCall('experiments.tools', {});
  const [query, setQuery] = useState('');
  useCrumbs(choosing ? [{ label: 'New' }] : []);
  const problem = files.error ?? tools.error;
  const found = (files.data ?? []).filter((file) => matches(file, query));
  return (
    <Page>
      <PageHeader
        title={choosing ? 'New experiment' : 'Experiments'}
        subtitle={
          choosing
            ? 'Begin with a template, or with a blank sheet for a tool.'
            : 'What to measure, where, and how often: documents that can be run again, changed and shared.'
        }
        actions={
          <>
            <TextInput
              aria-label="Find an experiment"
              placeholder="Find by name, question, tool, tag"
              w={260}
              leftSection={<IconSearch size={14} />}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
            <BlankMenu tools={tools.data ?? []} />
          </>
        }
      />
      {problem && (
        <ProblemBanner
          problem={problem.problem}
          actions={
            <Button variant="default" onClick={() => void files.refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {!choosing && <Saved files={files.data && found.filter((file) => file.origin === 'saved')} query={query} />}
      <Templates
        files={files.data && found.filter((file) => file.origin === 'template')}
        tools={tools.data ?? []}
        query={query}
      />
    </Page>
  );
}

function BlankMenu({ tools }: { tools: readonly ToolInfo[] }) {
  const [, go] = useLocation();
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} />}>Blank experiment</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {tools.map((tool) => (
          <Menu.Item key={tool.id} onClick={() => go(`/experiments/new/${encodeURIComponent(tool.id)}`)}>
            <div>{tool.title}</div>
            <div className="kp-small">{tool.summary}</div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Saved({ files, query }: { files: readonly ExperimentFile[] | undefined; query: string }) {
  const [, go] = useLocation();
  const remove = useAction('experiments.remove');
  return (
    <Panel title="Your experiments" flush>
      {remove.error && <ProblemBanner problem={remove.error.problem} />}
      {files === undefined ? (
        <TableSkeleton rows={3} />
      ) : (
        <DataTable
          label="Your experiments"
          rows={files}
          rowId={(file) => file.id}
          onRowClick={(file) => go(pathOf(file))}
          empty={
            query
              ? `None of yours matches “${query}”.`
              : 'None saved yet. Open a template below, change it and save it: it then stands here.'
          }
          columns={[
            {
              id: 'name',
              header: 'Name',
              value: (file) => file.name,
              cell: (file) => <Link href={pathOf(file)}>{file.name}</Link>,
            },
            {
              id: 'question',
              header: 'Question',
              value: (file) => file.question,
              cell: (file) => <div className={classes.question}>{file.question ?? '–'}</div>,
            },
            { id: 'tool', header: 'Tool', value: (file) => file.tool, width: 110 },
            { id: 'tags', header: 'Tags', value: (file) => file.tags.join(', '), width: 160 },
            {
              id: 'changed',
              header: 'Changed',
              value: (file) => file.changedAt,
              cell: (file) => formatDateTime(file.changedAt),
              align: 'right',
              width: 150,
            },
            {
              id: 'remove',
              header: '',
              width: 44,
              cell: (file) => (
                <IconAction label={`Remove ${file.name}`} onClick={() => remove.mutate({ id: file.id })}>
                  <IconTrash size={16} stroke={1.6} />
                </IconAction>
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}
