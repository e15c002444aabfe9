import { IconFlask } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { ExperimentOutline } from '../../../../shared/model/outline.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { formatBytes, formatDuration } from '../../../../shared/util/format.ts';
import { ExpectedPicture } from '../../../charts/index.ts';
import { EmptyState, Panel, TableSkeleton } from '../../../ui/index.ts';
import { pathOf } from '../document/document.ts';
import classes from './list.module.css';
import { topicsOf, type Wanted } from './search.ts';

interface Properties {
  /** Those that fit the words looked for. */
  files: readonly ExperimentFile[] | undefined;
  tools: readonly ToolInfo[];
  wanted: Wanted;
  onWanted: (wanted: Wanted) => void;
}

/** Documents that come with the app, by the question that they answer. */
export function Templates({ files, tools, wanted, onWanted }: Properties) {
  if (files === undefined)
    return (
      <Panel title="Templates">
        <TableSkeleton />
      </Panel>
    );
  const topics = topicsOf(files);
  const shown = topics.filter(({ id }) => wanted.topic === '' || id === wanted.topic);
  const topicLink = (id: string, title: string, count: number) => (
    <li key={id}>
      <button
        type="button"
        aria-current={wanted.topic === id ? 'true' : undefined}
        onClick={() => onWanted({ ...wanted, topic: id })}
      >
        <span>{title}</span>
        <span className="kp-figures">{count}</span>
      </button>
    </li>
  );
  return (
    <div className={classes.byQuestion}>
      <nav aria-label="Questions" className={classes.questions}>
        <h2>Templates by question</h2>
        <ul>
          {topicLink('', 'All questions', files.length)}
          {topics.map(({ id, title, files: members }) => topicLink(id, title, members.length))}
        </ul>
        <p className="kp-small">Pictures show the kind of chart to expect; nothing in them was measured.</p>
      </nav>
      <div className={classes.topics}>
        {shown.length === 0 ? <NothingFound words={wanted.words} /> : null}
        {shown.map(({ id, title, files: members }) => (
          <Panel key={id} title={title} flush>
            <ul className={classes.templates}>
              {members.map((file) => (
                <li key={file.id}>
                  <Template file={file} tool={tools.find((tool) => tool.id === file.tool)} />
                </li>
              ))}
            </ul>
          </Panel>
        ))}
      </div>
    </div>
  );
}

const NothingFound = ({ words }: { words: string }) => (
  <Panel label="Templates">
    <EmptyState
      icon={<IconFlask size={28} stroke={1.4} />}
      title={words ? 'No template matches' : 'There are no templates'}
    >
      {words
        ? `No template under this question has “${words}” in its name, question, tool, targets, options or description.`
        : 'Start with a blank experiment for a tool.'}
    </EmptyState>
  </Panel>
);

function Template({ file, tool }: { file: ExperimentFile; tool: ToolInfo | undefined }) {
  const { outline } = file;
  return (
    <Link href={pathOf(file)} className={classes.template ?? ''}>
      {outline ? (
        <span className={classes.picture}>
          <ExpectedPicture chart={outline.chart} />
          <span className="kp-small kp-ellipsis">{outline.chart.over}</span>
        </span>
      ) : null}
      <span className={classes.words}>
        <strong>{file.name}</strong>
        <span>{file.question}</span>
        <em>{[tool?.title ?? file.tool, ...(outline ? factsOf(outline) : [])].join(' · ')}</em>
      </span>
    </Link>
  );
}

/** More kinds than this are any database. */
const MOST_TARGETS = 3;

function factsOf({ seconds, bytes, targets }: ExperimentOutline): string[] {
  const needs = targets.length > MOST_TARGETS ? 'any database' : targets.join(', ');
  return [
    `${formatDuration(seconds > 600 ? Math.round(seconds / 60) * 60 : seconds)} planned`,
    ...(bytes === undefined ? [] : [`up to ${formatBytes(bytes)} of data`]),
    ...(needs === '' ? [] : [needs]),
  ];
}
