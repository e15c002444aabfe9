import type { Changed } from '../../shared/model/restore.ts';
import { useCall } from '../client/index.ts';
import { DataTable, Panel, ProblemBanner, TableSkeleton } from '../ui/index.ts';
import { CHANGED_COLUMNS } from './changedColumns.tsx';

interface Properties {
  places: readonly Changed['place'][];
  /** Text if nothing is changed; absent: then there is no panel. */
  nothing?: string;
}

/** Settings that sessions have changed on these hosts and servers, and not restored yet. */
export function ChangedHere({ places, nothing }: Properties) {
  const list = useCall('changes.list', {});
  const here = list.data?.filter(({ place }) =>
    places.some(({ kind, name }) => kind === place.kind && name === place.name),
  );
  if (list.error) return <ProblemBanner problem={list.error.problem} />;
  if (nothing === undefined && !here?.length) return null;
  return (
    <Panel
      title="Changed by sessions"
      note={here && here.length > 0 ? 'Restored when the session ends' : undefined}
      flush={here?.length !== 0}
    >
      {!here ? (
        <TableSkeleton rows={2} />
      ) : here.length === 0 ? (
        <p className="kp-dim">{nothing}</p>
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
