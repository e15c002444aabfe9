import type { CostComponent, CostResult, ValueForMoney } from '../../../shared/model/cost.ts';
import { formatLevels, formatMoney, formatNumber, formatPercent } from '../../../shared/util/format.ts';
import { EXIT, UsageError } from '../exit.ts';
import { print, printJson, table } from '../output.ts';
import { type Common, type EngineClient, withEngine, withReader } from '../with-engine.ts';
import { idOf } from './id.ts';

interface CostOptions extends Common {
  instance?: string[];
  volume?: string[];
  own?: string[];
  session?: string;
  search?: string;
}

/** Prices a configuration; with `--session` it becomes that session's, and work per money is shown. */
export async function costCommand(options: CostOptions): Promise<number> {
  const { search } = options;
  if (search !== undefined) return withReader(options, (engine) => searchCatalogue(engine, search, options));
  const components = componentsOf(options);
  const sessionId = options.session === undefined ? undefined : idOf(options.session);
  if (components.length === 0 && sessionId === undefined)
    throw new UsageError(
      'Give what is to be priced: --instance, --volume or --own (kneepoint cost --search WORDS finds ids), or --session for one that has a price.',
    );
  return withEngine(options, async (engine) => {
    const cost =
      sessionId === undefined
        ? await engine.costs.evaluate({ spec: { components } })
        : await costOfSession(engine, sessionId, components);
    const value =
      sessionId === undefined
        ? undefined
        : await engine.costs.valueForMoney({ sessionIds: [sessionId], perCell: true });
    if (options.json) printJson({ cost, value });
    else {
      showCost(cost);
      if (value && value.rows.length > 0) showValue(value);
    }
    return EXIT.done;
  });
}

async function searchCatalogue(engine: EngineClient, search: string, options: Common): Promise<number> {
  const words = search.toLowerCase().split(/\s+/);
  const { entries } = await engine.costs.catalogue({});
  const found = entries.filter((entry) => {
    const text = `${entry.id} ${entry.title} ${entry.provider} ${entry.region}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (options.json) printJson(found);
  else if (found.length === 0)
    print(`The price catalogue has nothing for “${search}”. Own figures: --own LABEL,amount,hour`);
  else
    print(
      table(found, [
        { title: 'id', value: (entry) => entry.id },
        { title: 'what', value: (entry) => entry.summary },
        { title: 'as of', value: (entry) => entry.asOf },
      ]),
    );
  return EXIT.done;
}

/** The session's price, after giving it these components if there are any. */
async function costOfSession(
  engine: EngineClient,
  sessionId: number,
  components: CostComponent[],
): Promise<CostResult> {
  if (components.length > 0)
    await engine.costs.setOfSession({ sessionId, spec: { label: '', currency: 'USD', components } });
  const { result } = await engine.costs.ofSession({ sessionId });
  if (!result)
    throw new UsageError(`Session ${sessionId} has no price yet; give it one with --instance, --volume or --own.`);
  return result;
}

function showCost(cost: CostResult): void {
  const total = {
    label: 'Total',
    perHour: cost.perHour,
    perMonth: cost.perMonth,
    perYear: cost.perYear,
    how: '',
    warnings: [],
  };
  print(
    table(
      [...cost.items, total],
      [
        { title: 'component', value: (item) => item.label },
        { title: 'per hour', number: true, value: (item) => formatMoney(item.perHour, cost.currency) },
        { title: 'per month', number: true, value: (item) => formatMoney(item.perMonth, cost.currency) },
        { title: 'per year', number: true, value: (item) => formatMoney(item.perYear, cost.currency) },
        { title: 'how', value: (item) => item.how },
      ],
    ),
  );
  for (const item of cost.items) for (const warning of item.warnings) print(`note: ${item.label}: ${warning}`);
}

function showValue(value: ValueForMoney): void {
  print('');
  print(
    table(value.rows, [
      { title: 'cell', value: (row) => formatLevels(row.levels) || '(the only one)' },
      { title: 'rate per s', number: true, value: (row) => formatNumber(row.rate) },
      {
        title: `operations per ${value.currency}`,
        number: true,
        value: (row) => formatNumber(row.operationsPerDollar),
      },
      { title: 'of best', number: true, value: (row) => formatPercent(row.percent / 100) },
    ]),
  );
}

function numeric(text: string | undefined, option: string): number {
  const value = Number(text);
  if (text === undefined || text.trim() === '' || !(value >= 0))
    throw new UsageError(`${option} needs a number, not “${text ?? ''}”.`);
  return value;
}

/** `--instance ID[,count]`, `--volume ID,GB[,IOPS[,MiB/s]]`, `--own LABEL,amount,hour|month|year`. */
function componentsOf(options: CostOptions): CostComponent[] {
  const instances = (options.instance ?? []).map((text): CostComponent => {
    const [id = '', count] = text.split(',');
    return { kind: 'instance', id, count: count === undefined ? 1 : numeric(count, '--instance') };
  });
  const volumes = (options.volume ?? []).map((text): CostComponent => {
    const [id = '', size, iops, throughput] = text.split(',');
    return {
      kind: 'volume',
      id,
      sizeGb: numeric(size, '--volume'),
      count: 1,
      ...(iops !== undefined && { iops: numeric(iops, '--volume') }),
      ...(throughput !== undefined && { throughputMibS: numeric(throughput, '--volume') }),
    };
  });
  const own = (options.own ?? []).map((text): CostComponent => {
    const [label = '', amount, per] = text.split(',');
    if (per !== 'hour' && per !== 'month' && per !== 'year')
      throw new UsageError('--own takes LABEL,amount,hour|month|year.');
    return { kind: 'own', label, amount: numeric(amount, '--own'), per };
  });
  return [...instances, ...volumes, ...own];
}
