import type { TargetKind } from '../../../../shared/model/target.ts';
import { defineTool } from '../tool.ts';
import { ObservationOptions, observationParser, planObservation } from './wait.ts';

/** The generator comes first: without a target, it is monitored. */
const WATCHED: readonly TargetKind[] = ['host', 'mysql', 'postgres', 'mongodb', 'clickhouse', 'sqlite', 'storage'];

/** Trials without a load: hosts and servers are monitored in their normal operation. */
export const observationTool = defineTool(
  {
    id: 'observation',
    title: 'Observation',
    options: ObservationOptions,
    metrics: { primary: () => null },
    parser: observationParser,
  },
  {
    summary:
      'No load: monitors hosts and servers every second under their normal load, for a set time or until stopped.',
    drives: WATCHED,
    watchesOnly: true,
    needs: () => WATCHED,
    plan: planObservation,
    endsWhenTold: (options) => options['until-stopped'],
  },
);
