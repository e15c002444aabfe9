import { lotWords, type SideRow, scaleWords, sideBySide } from '../../../shared/costs/index.ts';
import type { Configuration, CostSpec, ValueForMoney, ValueScale } from '../../../shared/model/cost.ts';
import { formatMoney, formatNumber } from '../../../shared/util/format.ts';
import { EXIT, UsageError } from '../exit.ts';
import { print, printJson, table } from '../output.ts';
import { slow } from '../slow.ts';
import type { EngineClient } from '../with-engine.ts';

const configurationNamed = async (engine: EngineClient, name: string): Promise<Configuration | undefined> =>
  (await engine.costs.configurations({})).find(({ spec }) => spec.label === name);

async function requireConfiguration(engine: EngineClient, name: string): Promise<Configuration> {
  const found = await configurationNamed(engine, name);
  if (found) return found;
  throw new UsageError(`There is no saved configuration “${name}”. kneepoint cost --saved lists them.`);
}

export const savedSpec = async (engine: EngineClient, name: string): Promise<CostSpec> =>
  (await requireConfiguration(engine, name)).spec;

/** Saves a configuration. An existing one with the same name is replaced. */
export async function save(engine: EngineClient, spec: CostSpec): Promise<void> {
  const before = await configurationNamed(engine, spec.label.trim());
  await engine.costs.saveConfiguration({ spec, ...(before && { id: before.id }) });
}

export async function removeSaved(engine: EngineClient, name: string): Promise<number> {
  const { id } = await requireConfiguration(engine, name);
  await engine.costs.removeConfiguration({ id });
  return EXIT.done;
}

/** Prints all saved configurations and, with a session, the cost of its work on each. */
export async function showSaved(engine: EngineClient, sessionId: number | undefined, json: boolean): Promise<number> {
  const configurations = await engine.costs.configurations({});
  const configurationIds = configurations.map(({ id }) => id);
  const value =
    sessionId === undefined
      ? undefined
      : await slow((call) => engine.costs.valueForMoney({ sessionIds: [sessionId], configurationIds }, call));
  if (json) printJson({ configurations, value });
  else if (configurations.length === 0) print('No saved configurations. Add --save NAME to a price.');
  else {
    showTables(configurations, value);
    if (value) print('note: assumes the throughput of that session on each configuration.');
  }
  return EXIT.done;
}

/** Prints a table for each currency of work. The first one also contains configurations in other currencies. */
function showTables(configurations: readonly Configuration[], value: ValueForMoney | undefined): void {
  const { scales = [], left } = value ?? {};
  const [first] = scales;
  for (const scale of scales.length > 0 ? scales : [undefined]) {
    const others = scales.filter((other) => other !== scale).map(({ currency }) => currency);
    const shown = configurations.filter(({ spec }) =>
      scale === first ? !others.includes(spec.currency) : spec.currency === scale?.currency,
    );
    print(table(sideBySide(shown, scale, left), columnsOf(scale)));
  }
}

const columnsOf = (scale: ValueScale | undefined): Parameters<typeof table<SideRow>>[1] => [
  { title: 'configuration', value: (row) => row.name },
  ...(scale
    ? [
        { title: lotWords(scale), number: true, value: (row: SideRow) => formatMoney(row.perLot, row.currency) },
        {
          title: scaleWords(scale),
          number: true,
          value: (row: SideRow) => formatNumber(row.work?.operationsPerDollar),
        },
      ]
    : []),
  { title: 'per hour', number: true, value: (row) => formatMoney(row.perHour, row.currency) },
  { title: 'per month', number: true, value: (row) => formatMoney(row.perMonth, row.currency) },
  { title: 'note', value: (row) => row.notes.join(' ') },
];
