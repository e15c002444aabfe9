import { z } from 'zod';
import type { Problem } from '../../../../shared/model/problem.ts';
import { CodeBlock, Panel, ProblemBanner } from '../../../ui/index.ts';

const WithLog = z.object({ log: z.array(z.string()) });

/** Why something could not be done to a server, with the end of its log where there is one. */
export function StartProblem({ problem }: { problem: Problem }) {
  const { data } = WithLog.safeParse(problem.details);
  return (
    <>
      <ProblemBanner problem={problem} />
      {data && (
        <Panel title="Last lines of its log">
          <CodeBlock text={data.log.join('\n')} label="Copy the lines" maxHeight={320} atEnd />
        </Panel>
      )}
    </>
  );
}
