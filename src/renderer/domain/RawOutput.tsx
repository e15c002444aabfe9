import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Run } from '../../shared/model/session.ts';
import { formatBytes } from '../../shared/util/format.ts';
import { useCall } from '../client/index.ts';
import { CodeBlock, ProblemBanner, TableSkeleton } from '../ui/index.ts';

/** Bytes shown at once, from the end. */
const WINDOW = 65_536;

interface RawProperties {
  run: Pick<Run, 'id' | 'generators'>;
  /** Requests it again every two seconds while the run continues. */
  following?: boolean;
  maxHeight?: number;
}

/** Unmodified output of the tool. */
export function RawOutput({ run, following = false, maxHeight = 420 }: RawProperties) {
  const runId = run.id;
  const hosts = run.generators?.map(({ host }) => host) ?? [];
  const [generator, setGenerator] = useState(0);
  const [stream, setStream] = useState<'stdout' | 'stderr'>('stdout');
  const again = following ? 2000 : (false as const);
  const size = useCall('results.raw', { runId, generator, stream, limit: 0 }, { refetchInterval: again, staleTime: 0 });
  const total = size.data?.total;
  const offset = Math.max(0, (total ?? 0) - WINDOW);
  const query = useCall(
    'results.raw',
    { runId, generator, stream, offset, limit: WINDOW },
    { enabled: total !== undefined, refetchInterval: again, staleTime: 0, placeholderData: (before) => before },
  );
  const problem = (query.error ?? size.error)?.problem;
  const text = query.data ? new TextDecoder().decode(query.data.bytes) : '';
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      <div className="kp-bar">
        {hosts.length > 1 ? (
          <SegmentedControl
            aria-label="Generator"
            data={hosts.map((host, index) => ({ value: String(index), label: host }))}
            value={String(generator)}
            onChange={(value) => setGenerator(Number(value))}
          />
        ) : null}
        <SegmentedControl
          aria-label="Stream"
          data={[
            { value: 'stdout', label: 'Output' },
            { value: 'stderr', label: 'Error output' },
          ]}
          value={stream}
          onChange={setStream}
        />
        <span className="kp-small kp-figures">
          {total === undefined
            ? ''
            : offset > 0
              ? `the last ${formatBytes(WINDOW)} of ${formatBytes(total)}`
              : formatBytes(total)}
        </span>
      </div>
      {problem ? <ProblemBanner problem={problem} /> : null}
      {query.isPending && !problem ? <TableSkeleton rows={4} /> : null}
      {query.data && text === '' ? <span className="kp-dim">This stream is empty.</span> : null}
      {text ? <CodeBlock text={text} label="Copy output" maxHeight={maxHeight} /> : null}
    </div>
  );
}
