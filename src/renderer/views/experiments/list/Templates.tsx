import { IconFlask } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { ExperimentOutline } from '../../../../shared/model/plan.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { formatBytes, formatDuration, formatNumber } from '../../../../shared/util/format.ts';
import { ExpectedPicture } from '../../../charts/index.ts';
import { EmptyState, Panel, TableSkeleton } from '../../../ui/index.ts';
import { pathOf } from '../document/document.ts';
import classes from './list.module.css';
import { PUBLISHED, topicsOf, type Wanted } from './search.ts';

interface Properties {
  /** Those that match the search. */
  files: readonly ExperimentFile[] | undefined;
  tools: readonly ToolInfo[];
  wanted: Wanted;
  onWanted: (wanted: Wanted) => void;
}

/** Documents included in the app, by topic. */
export function Templates({ files, tools, wanted, onWanted }: Properties) {
  if (files === undefined)
    return (
      <Panel title="Templates">
        <TableSkeleton />
      </Panel>
    );
  const topics = topicsOf(files);
  const published = files.filter(({ row }) => row !== undefined);
  const shown = topics.filter(({ id }) => wanted.topic === '' || id === wanted.topic);
  // A search covers all topics.
  const showsPublished = wanted.topic === PUBLISHED || (wanted.topic === '' && wanted.words !== '');
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
          {topicLink(PUBLISHED, 'Published experiments, by id', published.length)}
          {topicLink('', 'All questions', files.length - published.length)}
          {topics.map(({ id, title, files: members }) => topicLink(id, title, members.length))}
        </ul>
        <p className="kp-small">Pictures show the kind of chart to expect; nothing in them was measured.</p>
      </nav>
      <div className={classes.topics}>
        {shown.length === 0 && !(showsPublished && published.length > 0) ? <NothingFound words={wanted.words} /> : null}
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
        {showsPublished && published.length > 0 ? <Published files={published} tools={tools} /> : null}
      </div>
    </div>
  );
}

/** Published experiments by id: title and question, and missing parts. */
function Published({ files, tools }: Required<Pick<Properties, 'tools'>> & { files: readonly ExperimentFile[] }) {
  const full = files.filter(({ row }) => row?.state === 'full').length;
  const more = full < files.length ? `, ${formatNumber(files.length - full)} in part` : '';
  return (
    <Panel title="Published experiments" note={`${formatNumber(full)} can be repeated in full${more}`} flush>
      <ul className={classes.templates}>
        {files.map((file) => (
          <li key={file.id}>
            <Template file={file} tool={tools.find((tool) => tool.id === file.tool)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const NothingFound = ({ words }: { words: string }) => (
  <Panel label="Templates">
    <EmptyState
      icon={<IconFlask size={28} stroke={1.4} />}
      title={words ? 'No template matches' : 'There are no templates'}
    >
      {words
        ? `No template for this question has “${words}” in its name, question, tool, targets, options or description.`
        : 'Start with a blank experiment for a tool.'}
    </EmptyState>
  </Panel>
);

function Template({ file, tool }: { file: ExperimentFile; tool: ToolInfo | undefined }) {
  const { outline, row } = file;
  return (
    <Link href={pathOf(file)} className={classes.template ?? ''}>
      {outline ? (
        <span className={classes.picture}>
          <ExpectedPicture chart={outline.chart} />
          <span className="kp-small kp-ellipsis">{outline.chart.over}</span>
        </span>
      ) : null}
      <span className={classes.words}>
        <strong>
          {file.name} {row ? <span className="kp-tag">{row.id}</span> : null}
        </strong>
        <span>{file.question}</span>
        {row?.missing === undefined ? null : <em>Missing: {row.missing}</em>}
        <em>{[tool?.title ?? file.tool, ...(outline ? factsOf(outline) : [])].join(' · ')}</em>
      </span>
    </Link>
  );
}

/** More kinds than this are shown as any database. */
const MOST_TARGETS = 3;

function factsOf({ seconds, bytes, targets }: ExperimentOutline): string[] {
  const needs = targets.length > MOST_TARGETS ? 'any database' : targets.join(', ');
  return [
    `${formatDuration(seconds > 600 ? Math.round(seconds / 60) * 60 : seconds)} planned`,
    ...(bytes === undefined ? [] : [`up to ${formatBytes(bytes)} of data`]),
    ...(needs === '' ? [] : [needs]),
  ];
}
