import {
  breakEvenWords,
  lineWords,
  lotWords,
  pricePerLot,
  type SideRow,
  scaleWords,
  sideBySide,
  usableWords,
} from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type {
  Configuration,
  CostBreakEven,
  CostComponent,
  CostResult,
  CostSpec,
  Priced,
  ValueForMoney,
  ValueScale,
} from '../../../shared/model/cost.ts';
import { caveatWords } from '../../../shared/model/figure.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatLevels, formatMoney, formatNumber, formatPercent } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { print, printJson, slow, table } from '../terminal.ts';
import { type Common, type EngineClient, withEngine, withReader } from '../with-engine.ts';
import { showGoal } from './cost-goal.ts';

interface CostOptions extends Common {
  instance?: string[];
  volume?: string[];
  own?: string[];
  currency?: string;
  hours?: string;
  session?: string;
  search?: string;
  save?: string;
  use?: string;
  against?: string;
  saved?: boolean;
  remove?: string;
  goal?: string;
  latency?: string;
  metric?: string;
  assume?: string[];
  output?: string;
}

/** Prices a configuration. With `--session`, assigns it to that session and prints work per money. */
export async function costCommand(options: CostOptions): Promise<number> {
  const { search } = options;
  if (search !== undefined) return withReader(options, (engine) => searchCatalogue(engine, search, options));
  const sessionId = options.session === undefined ? undefined : idOf(options.session);
  if (options.saved) return withReader(options, (engine) => showSaved(engine, sessionId, options.json ?? false));
  const { goal } = options;
  if (goal !== undefined) return withReader(options, (engine) => showGoal(engine, { ...options, goal }));
  if ((options.latency ?? options.metric ?? options.assume ?? options.output) !== undefined)
    throw new UsageError('--latency, --metric, --assume and --output belong to a goal: add --goal RATE.');
  const { remove } = options;
  if (remove !== undefined) return withEngine(options, (engine) => removeSaved(engine, remove));
  const components = componentsOf(options);
  if (options.against !== undefined && options.session !== undefined)
    throw new UsageError('--against compares two configurations: omit --session.');
  if (components.length === 0 && sessionId === undefined && options.use === undefined)
    throw new UsageError(
      'Specify what to price: --instance, --volume or --own, --use for a saved configuration, or --session for a session with a price. Find ids with: kneepoint cost --search WORDS',
    );
  if (options.use !== undefined && components.length > 0)
    throw new UsageError('--use takes a saved configuration unchanged: omit --instance, --volume and --own.');
  if (options.save !== undefined && components.length === 0)
    throw new UsageError('--save needs components: --instance, --volume or --own.');
  const given: CostSpec = { label: '', components, currency: currencyOf(options, components), ...hoursOf(options) };
  return withEngine(options, async (engine) => {
    const spec = { ...(options.use === undefined ? given : await savedSpec(engine, options.use)), ...hoursOf(options) };
    if (options.save !== undefined) await save(engine, { ...spec, label: options.save });
    const named = options.save === undefined ? spec : { ...spec, label: options.save };
    const cost =
      sessionId === undefined ? await evaluated(engine, named) : await costOfSession(engine, sessionId, named);
    const value =
      sessionId === undefined
        ? undefined
        : await slow((call) => engine.costs.valueForMoney({ sessionIds: [sessionId], perCell: true }, call));
    const compared = options.against === undefined ? undefined : await savedSpec(engine, options.against);
    const breakEven = compared && (await engine.costs.breakEven({ one: compared, other: named }));
    if (options.json) printJson({ cost, value, breakEven });
    else {
      showCost(cost);
      if (value) showValue(value);
      if (breakEven) showBreakEven(breakEven, { one: options.against ?? '', other: named.label || 'this one' });
    }
    return EXIT.done;
  });
}

/** The total. If a part has no price, all parts are printed, and an error is thrown. */
async function evaluated(engine: EngineClient, spec: CostSpec): Promise<CostResult> {
  const { parts, total } = await engine.costs.evaluate({ spec });
  if (total) return total;
  if (parts.some(({ item }) => item)) for (const part of parts) print(partWords(part, spec.currency));
  const [problem] = parts.flatMap((part) => part.problem ?? []);
  throw new KneepointError(problem ?? { code: 'internal', message: 'The configuration could not be priced.' });
}

const partWords = ({ item, problem }: Priced['parts'][number], currency: string): string =>
  item ? `${item.label}: ${formatMoney(item.perMonth, currency)} per month` : `no price: ${problem?.message ?? ''}`;

async function searchCatalogue(engine: EngineClient, search: string, options: Common): Promise<number> {
  const words = search.toLowerCase().split(/\s+/);
  const { entries } = await engine.costs.catalogue({});
  const found = entries.filter((entry) => {
    const text = `${entry.id} ${entry.title} ${entry.provider} ${entry.region}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (options.json) printJson(found);
  else if (found.length === 0)
    print(`No catalogue entry matches “${search}”. For a custom item: --own LABEL,amount,hour`);
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

/** The session's price, after assigning these components or this month, if given. */
async function costOfSession(engine: EngineClient, sessionId: number, spec: Partial<CostSpec>): Promise<CostResult> {
  const { label = '', components = [], currency = 'USD', hoursPerMonth } = spec;
  const { spec: before } = await engine.costs.ofSession({ sessionId });
  const base = components.length > 0 ? { label, currency, components } : before;
  if (!base)
    throw new UsageError(`Session ${sessionId} has no price. Assign one with --instance, --volume, --own or --use.`);
  if (components.length > 0 || hoursPerMonth !== undefined)
    await engine.costs.setOfSession({
      sessionId,
      spec: { ...base, ...(hoursPerMonth !== undefined && { hoursPerMonth }) },
    });
  const { result } = await engine.costs.ofSession({ sessionId });
  if (!result) throw new UsageError(`The price of session ${sessionId} was removed.`);
  return result;
}

function showCost(cost: CostResult): void {
  const { perHour, perMonth, perYear, currency } = cost;
  const total = { label: 'Total', perHour, perMonth, perYear, how: '', asOf: cost.asOf };
  print(
    table(
      [...cost.items, total],
      [
        { title: 'component', value: (item) => item.label },
        { title: 'per hour', number: true, value: (item) => formatMoney(item.perHour, currency) },
        { title: 'per month', number: true, value: (item) => formatMoney(item.perMonth, currency) },
        { title: 'per year', number: true, value: (item) => formatMoney(item.perYear, currency) },
        { title: 'prices as of', value: (item) => item.asOf ?? '' },
        { title: 'how', value: (item) => item.how },
      ],
    ),
  );
  for (const { label, performance = [] } of cost.items) {
    for (const sentence of performance) print(`${label}: ${sentence}`);
  }
  const usable = usableWords(cost);
  if (usable !== undefined) print(usable);
  for (const item of cost.items) for (const warning of item.warnings) print(`note: ${item.label}: ${warning}`);
  for (const note of cost.notes ?? []) print(`note: ${note}`);
}

/** Prints what each of two configurations pays for, what the more expensive one needs, and where their cost lines cross. */
function showBreakEven(found: CostBreakEven, names: { one: string; other: string }): void {
  const { parts, lines, currency } = found;
  print('');
  print(
    table(parts, [
      { title: 'part, per month', value: ({ what }) => what },
      { title: names.one, number: true, value: ({ one }) => formatMoney(one, currency) },
      { title: names.other, number: true, value: ({ other }) => formatMoney(other, currency) },
      {
        title: 'ratio',
        number: true,
        value: ({ ratio }) => (ratio === undefined ? '' : `× ${formatNumber(ratio, 2)}`),
      },
    ]),
  );
  print(breakEvenWords(found, names));
  for (const line of lines) print(lineWords(line, names));
}

/** Prints a table for each scale, and the remaining rows. */
function showValue({ scales, left }: ValueForMoney): void {
  for (const scale of scales) {
    print('');
    print(
      table(scale.rows, [
        { title: 'cell', value: (row) => formatLevels(row.levels) || '(the only cell)' },
        { title: metricOf(scale.metric).unit, number: true, value: (row) => formatNumber(row.rate) },
        {
          title: lotWords(scale),
          number: true,
          value: (row) => formatMoney(pricePerLot(scale.metric, row), scale.currency),
        },
        {
          title: scaleWords(scale),
          number: true,
          value: (row) => formatNumber(row.operationsPerDollar),
        },
        { title: 'of best', number: true, value: (row) => formatPercent(row.percent / 100) },
        { title: 'errors', number: true, value: (row) => formatNumber(row.errors) },
        { title: '', value: (row) => caveatWords('list', row) },
      ]),
    );
  }
  for (const { levels, why } of left) print(`note: not ranked: ${levels ? `${formatLevels(levels)}: ` : ''}${why}`);
}

function numeric(text: string | undefined, option: string): number {
  const value = Number(text);
  if (text === undefined || text.trim() === '' || !(value >= 0))
    throw new UsageError(`${option} needs a number, not “${text ?? ''}”.`);
  return value;
}

const HOURS_OF_LONGEST_MONTH = 744;

function hoursOf({ hours }: CostOptions): { hoursPerMonth?: number } {
  if (hours === undefined) return {};
  const hoursPerMonth = numeric(hours, '--hours');
  if (hoursPerMonth < 1 || hoursPerMonth > HOURS_OF_LONGEST_MONTH)
    throw new UsageError(`--hours takes the hours per month, 1 to ${HOURS_OF_LONGEST_MONTH}, not “${hours}”.`);
  return { hoursPerMonth };
}

function currencyOf({ currency }: CostOptions, components: readonly CostComponent[]): string {
  if (currency === undefined) return 'USD';
  if (!/^[A-Z]{3}$/.test(currency))
    throw new UsageError(`--currency takes a code of three capitals such as EUR, not “${currency}”.`);
  if (components.length === 0)
    throw new UsageError('--currency needs components in that currency: Kneepoint does not convert currencies.');
  return currency;
}

/** `--instance ID[,count]`, `--volume ID,GB[,IOPS[,throughput]]`, `--own LABEL,amount,hour|month|year`. */
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

const configurationNamed = async (engine: EngineClient, name: string): Promise<Configuration | undefined> =>
  (await engine.costs.configurations({})).find(({ spec }) => spec.label === name);

async function requireConfiguration(engine: EngineClient, name: string): Promise<Configuration> {
  const found = await configurationNamed(engine, name);
  if (found) return found;
  throw new UsageError(`There is no saved configuration “${name}”. kneepoint cost --saved lists them.`);
}

const savedSpec = async (engine: EngineClient, name: string): Promise<CostSpec> =>
  (await requireConfiguration(engine, name)).spec;

/** Saves a configuration. An existing one with the same name is replaced. */
async function save(engine: EngineClient, spec: CostSpec): Promise<void> {
  const before = await configurationNamed(engine, spec.label.trim());
  await engine.costs.saveConfiguration({ spec, ...(before && { id: before.id }) });
}

async function removeSaved(engine: EngineClient, name: string): Promise<number> {
  const { id } = await requireConfiguration(engine, name);
  await engine.costs.removeConfiguration({ id });
  return EXIT.done;
}

/** Prints all saved configurations and, with a session, the cost of its work on each. */
async function showSaved(engine: EngineClient, sessionId: number | undefined, json: boolean): Promise<number> {
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
