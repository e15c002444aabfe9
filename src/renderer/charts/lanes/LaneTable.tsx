import { useEffect, useState } from 'react';
import { type ChartLane, laneSummary } from '../../../shared/chart-models/index.ts';
import { TableFallback } from '../ChartTableFallback.tsx';
import type { LaneWindow } from './lane-window.ts';

interface TableProperties {
  shared: LaneWindow;
  loaded: ReadonlyMap<string, ChartLane>;
  names: ReadonlyMap<string, string>;
  title: string;
}

/** What is seen as figures, for readers that cannot see it; made anew when what is seen has settled. */
export function LaneTable({ shared, loaded, names, title }: TableProperties) {
  const [lanes, setLanes] = useState<readonly ChartLane[]>([]);
  const { from, to } = shared.view;
  useEffect(() => {
    const take = (): void => setLanes([...loaded.values()]);
    take();
    return shared.onSettle(take);
  }, [shared, loaded]);
  return (
    <TableFallback
      caption={`${title}: each line of the lanes that are seen`}
      table={laneSummary(lanes, names, { from, to })}
    />
  );
}
