import { Link } from 'wouter';
import type { Target } from '../../../shared/model/target.ts';
import { useCall } from '../../client/index.ts';
import { controlWords } from '../../domain/controlWords.ts';
import { type Column, DataTable, Panel } from '../../ui/index.ts';

const COLUMNS: readonly Column<Target>[] = [
  {
    id: 'target',
    header: 'Target',
    value: ({ spec }) => spec.name,
    cell: ({ id, spec }) => <Link href={`/targets/${id}/server`}>{spec.name}</Link>,
  },
  { id: 'control', header: 'Control', value: ({ spec }) => spec.server && controlWords(spec.server.control) },
];

/** Targets whose server lives on a host. */
export function ServersHere({ host }: { host: string }) {
  const here = (useCall('targets.list', {}).data ?? []).filter(({ spec }) => spec.server?.host === host);
  if (here.length === 0) return null;
  return (
    <Panel title="Servers on this host" flush>
      <DataTable label="Servers on this host" columns={COLUMNS} rows={here} rowId={({ id }) => String(id)} />
    </Panel>
  );
}
