import { Button, Menu, TextInput } from '@mantine/core';
import { IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { formatDateTime, NO_VALUE } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { DataTable, IconAction, Page, PageHeader, Panel, ProblemBanner, useCrumbs } from '../../../ui/index.ts';
import { type Draft, drafts, dropDraft, newDocument } from '../document/drafts.ts';
import { addressOf } from '../document/useDocumentActions.ts';
import { Saved } from './Saved.tsx';
import { fits, useWanted } from './search.ts';
import { Templates } from './Templates.tsx';

/** Saved documents, and templates by topic. `choosing`: to select the start of a new experiment. */
export function ExperimentList({ choosing = false }: { choosing?: boolean }) {
  const files = useCall('experiments.list', {});
  const tools = useCall('experiments.tools', {});
  const [wanted, setWanted] = useWanted();
  useCrumbs(choosing ? [{ label: 'New' }] : []);
  const problem = files.error ?? tools.error;
  const known = tools.data ?? [];
  const found = (origin: ExperimentFile['origin']): readonly ExperimentFile[] | undefined =>
    files.data?.filter(
      (file) =>
        file.origin === origin &&
        fits(
          file,
          known.find(({ id }) => id === file.tool),
          wanted.words,
        ),
    );
  return (
    <Page>
      <PageHeader
        title={choosing ? 'New experiment' : 'Experiments'}
        subtitle={
          choosing
            ? 'Start from a template, or from a blank experiment for a tool.'
            : 'Documents that define what to measure, where and how often.'
        }
        actions={
          <>
            <TextInput
              aria-label="Find an experiment"
              placeholder="Name, question, tool, target, option"
              w={300}
              leftSection={<IconSearch size={14} />}
              value={wanted.words}
              onChange={(event) => setWanted({ ...wanted, words: event.currentTarget.value })}
            />
            <BlankMenu tools={known} />
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
      {!choosing && <Drafts files={files.data} />}
      {!choosing && <Saved files={found('saved')} tools={known} words={wanted.words} />}
      <Templates files={found('template')} tools={known} wanted={wanted} onWanted={setWanted} />
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
          <Menu.Item key={tool.id} onClick={() => go(addressOf(newDocument(tool.id), 'workload'))}>
            <div>{tool.title}</div>
            <div className="kp-small">{tool.summary}</div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The document or file that a draft changes or began with, by its name. */
function originOf({ id, origin }: Draft, files: readonly ExperimentFile[] | undefined): string {
  if (origin !== undefined) return origin;
  if (id.startsWith('new/')) return 'new experiment';
  if (!files) return NO_VALUE;
  const file = files.find((each) => each.id === id);
  if (!file) return 'a removed experiment';
  return `${file.origin === 'template' ? 'template' : 'saved experiment'} ${file.name}`;
}

/** Documents with unsaved changes. */
function Drafts({ files }: { files: readonly ExperimentFile[] | undefined }) {
  const [kept, setKept] = useState(drafts);
  if (kept.length === 0) return null;
  return (
    <Panel title="Drafts" note="Not saved; discarded when this window closes" flush>
      <DataTable
        label="Drafts"
        rows={kept}
        rowId={({ id }) => id}
        columns={[
          {
            id: 'name',
            header: 'Name',
            grow: true,
            value: ({ name }) => name,
            cell: ({ id, name }) => (
              <Link href={addressOf(id, 'workload')} title={name}>
                {name}
              </Link>
            ),
          },
          {
            id: 'of',
            header: 'Started from',
            value: (draft) => originOf(draft, files),
          },
          {
            id: 'changed',
            header: 'Changed',
            value: ({ at }) => at,
            cell: ({ at }) => formatDateTime(at),
            align: 'right',
          },
          {
            id: 'discard',
            header: '',
            label: 'Discard',
            width: 44,
            cell: ({ id, name }) => (
              <IconAction
                label={`Discard the draft ${name}`}
                onClick={() => {
                  dropDraft(id);
                  setKept(drafts());
                }}
              >
                <IconTrash size={16} stroke={1.6} />
              </IconAction>
            ),
          },
        ]}
      />
    </Panel>
  );
}
