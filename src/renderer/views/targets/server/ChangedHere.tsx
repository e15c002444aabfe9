import { useCall } from '../../../client/index.ts';
import { CHANGED_COLUMNS } from '../../../domain/changedColumns.tsx';
import { DataTable, Panel, ProblemBanner, TableSkeleton } from '../../../ui/index.ts';

/** What sessions have changed on a server and its host, and not put back yet. */
export function ChangedHere({ target, host }: { target: string; host: string }) {
  const list = useCall('changes.list', {});
  const here = list.data?.filter(({ place }) => place.name === (place.kind === 'server' ? target : host));
  if (list.error) return <ProblemBanner problem={list.error.problem} />;
  return (
    <Panel
      title="Changed by sessions"
      note={here && here.length > 0 ? 'Put back when the session ends' : undefined}
      flush={here?.length !== 0}
    >
      {!here ? (
        <TableSkeleton rows={2} />
      ) : here.length === 0 ? (
        <p className="kp-dim">Nothing: the server and {host} are as they were.</p>
      ) : (
        <DataTable
          label="Changed by sessions"
          columns={CHANGED_COLUMNS}
          rows={here}
          rowId={({ entry }) => String(entry)}
        />
      )}
      {here?.flatMap(({ entry, what, message }) =>
        message === undefined ? [] : [<p key={entry} className="kp-small">{`${what}: ${message}`}</p>],
      )}
    </Panel>
  );
}
