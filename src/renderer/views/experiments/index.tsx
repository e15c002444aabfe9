import { Button } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useCall } from '../../client/index.ts';
import { BlockSkeleton, EmptyState, Page, ProblemBanner, TableSkeleton } from '../../ui/index.ts';
import { blankExperiment, toolOfNew } from './document/drafts.ts';
import { EditorPage } from './editor/EditorPage.tsx';
import { ExperimentList } from './list/ExperimentList.tsx';

export { openFile } from './document/dropped.ts';

/** `/experiments`, `/experiments/new`, `/experiments/new/TOOL/STEP`, `/experiments/ID/STEP`. */
export function ExperimentsView() {
  const [path] = useLocation();
  const [, , first, second, third] = path.split('/').map(decodeURIComponent);
  if (!first) return <ExperimentList />;
  if (first === 'new')
    return second ? <Editor key={`new-${second}`} begun={second} step={third} /> : <ExperimentList choosing />;
  return <Editor key={first} id={first} step={second} />;
}

interface Properties {
  /** Id of a template or a saved document; absent: a blank one. */
  id?: string;
  /** Last part of a new one's id: its tool, with a number if several were begun. */
  begun?: string;
  step: string | undefined;
}

/** Opens the document at the address. */
function Editor({ id, begun, step }: Properties) {
  const toolId = begun === undefined ? undefined : toolOfNew(begun);
  // A blank one does not wait until all templates are read.
  const files = useCall('experiments.list', {}, { enabled: id !== undefined });
  const tools = useCall('experiments.tools', {});
  const problem = files.error ?? tools.error;
  if (problem) {
    return (
      <Page>
        <ProblemBanner
          problem={problem.problem}
          actions={
            <Button variant="default" onClick={() => void Promise.all([files.refetch(), tools.refetch()])}>
              Try again
            </Button>
          }
        />
      </Page>
    );
  }
  if ((id !== undefined && !files.data) || !tools.data) {
    return (
      <Page>
        <BlockSkeleton height={48} />
        <TableSkeleton rows={10} />
      </Page>
    );
  }
  const file = id === undefined ? undefined : files.data?.find((entry) => entry.id === id);
  const tool = tools.data.find((entry) => entry.id === toolId);
  if (file) return <EditorPage file={file} id={file.id} origin={{ text: file.text }} tools={tools.data} step={step} />;
  if (tool) {
    const origin = { experiment: blankExperiment(tool) };
    return <EditorPage id={`new/${begun}`} origin={origin} tools={tools.data} step={step} />;
  }
  return (
    <EmptyState
      icon={<IconFileUnknown size={28} stroke={1.4} />}
      title={id === undefined ? `There is no tool named “${toolId}”` : 'Experiment not found'}
      action={<Link href="/experiments">All experiments</Link>}
    >
      It may have been removed, or the link is incomplete.
    </EmptyState>
  );
}
