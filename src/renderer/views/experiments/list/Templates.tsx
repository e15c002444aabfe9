import { IconFlask } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { EmptyState, Panel, TableSkeleton } from '../../../ui/index.ts';
import { pathOf } from '../document/paths.ts';
import classes from './list.module.css';

/** Documents that come with the app, by tool. */
export function Templates({
  files,
  tools,
  query,
}: {
  files: readonly ExperimentFile[] | undefined;
  tools: readonly ToolInfo[];
  query: string;
}) {
  if (files === undefined)
    return (
      <Panel title="Templates">
        <TableSkeleton />
      </Panel>
    );
  if (files.length === 0) {
    return (
      <Panel title="Templates">
        <EmptyState
          icon={<IconFlask size={28} stroke={1.4} />}
          title={query ? 'No template matches' : 'There are no templates'}
        >
          {query
            ? `Nothing among the templates matches “${query}”.`
            : 'Begin with a blank experiment for a tool instead.'}
        </EmptyState>
      </Panel>
    );
  }
  const ids = [...new Set([...tools.map((tool) => tool.id), ...files.map((file) => file.tool)])];
  return ids
    .map((id) => ({
      id,
      tool: tools.find((tool) => tool.id === id),
      members: files.filter((file) => file.tool === id),
    }))
    .filter(({ members }) => members.length > 0)
    .map(({ id, tool, members }) => (
      <Panel key={id} title={tool?.title ?? id} note={tool?.summary} flush>
        <ul className={classes.templates}>
          {members.map((file) => (
            <li key={file.id}>
              <Link href={pathOf(file)} className={classes.template ?? ''}>
                <strong>{file.name}</strong>
                <span>{file.question}</span>
                <em>{file.tags.join(' · ')}</em>
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    ));
}
