import type { CatalogueEntry, CostComponent, CostSpec } from '../model/cost.ts';

/** A catalogue entry as a part of a configuration: one instance, or a volume with 100 GB. */
export const componentOf = (entry: CatalogueEntry): CostComponent =>
  entry.kind === 'instance'
    ? { kind: 'instance', id: entry.id, count: 1 }
    : { kind: 'volume', id: entry.id, sizeGb: 100, count: 1 };

/** The name of an entry in the provider's own interfaces: the end of its id. */
const nameOf = ({ id }: CatalogueEntry): string => (id.split('/').at(-1) ?? id).toLowerCase();

const AMOUNT = /(\d[\d,]*(?:\.\d+)?)\s*(gib|gb|tib|tb|iops|mib\/s|mb\/s)(?![\w/])/gi;

interface Amounts {
  sizeGb?: number;
  iops?: number;
  throughputMibS?: number;
}

/** Sizes and performance in a text, and the text without them. */
function amountsIn(text: string): { amounts: Amounts; rest: string } {
  const amounts: Amounts = {};
  const rest = text.replace(AMOUNT, (_, digits: string, unit: string) => {
    const value = Number(digits.replaceAll(',', ''));
    const of = unit.toLowerCase();
    if (of === 'iops') amounts.iops = value;
    else if (of.endsWith('/s')) amounts.throughputMibS = value;
    else amounts.sizeGb = of.startsWith('t') ? value * 1024 : value;
    return ' ';
  });
  return { amounts, rest };
}

const count = (value: number): string => value.toLocaleString('en-US');

/** A configuration from a line of words, such as “m5.large gp3 500 GB 6000 IOPS”; or the reason why it is none. */
export function readQuick(
  text: string,
  entries: readonly CatalogueEntry[],
): { spec: CostSpec; problem?: undefined } | { problem: string; spec?: undefined } {
  const { amounts, rest } = amountsIn(text);
  const parts: { name: string; found: CatalogueEntry[] }[] = [];
  const places: string[] = [];
  for (const word of rest
    .toLowerCase()
    .split(/[\s+,;]+/)
    .filter(Boolean)) {
    const found = entries.filter((entry) => nameOf(entry) === word);
    if (found.length > 0) parts.push({ name: word, found });
    else if (/^\d+$/.test(word) && amounts.iops === undefined) amounts.iops = Number(word);
    else if (entries.some(({ id }) => id.toLowerCase().split('/').includes(word))) places.push(word);
    else return { problem: `The catalogue has no “${word}”. Build other configurations from the catalogue below.` };
  }
  if (parts.length === 0) return { problem: 'Enter an instance, a volume or both: m5.large gp3 500 GB.' };
  // All parts in one region: the first one that has them all.
  const regionOf = ({ id }: CatalogueEntry): string => id.split('/').slice(0, -2).join('/');
  const regions = [...new Set((parts[0]?.found ?? []).map(regionOf))].filter(
    (region) =>
      places.every((place) => region.toLowerCase().split('/').includes(place)) &&
      parts.every(({ found }) => found.some((entry) => regionOf(entry) === region)),
  );
  const [region] = regions;
  if (region === undefined)
    return { problem: `No region of the catalogue has ${parts.map(({ name }) => name).join(' and ')}.` };
  const chosen = parts.flatMap(({ found }) => found.find((entry) => regionOf(entry) === region) ?? []);
  const volume = chosen.find(({ kind }) => kind === 'volume');
  if (!volume && Object.keys(amounts).length > 0)
    return { problem: 'Size, IOPS and throughput belong to a volume: add one, such as gp3.' };
  if (volume?.included?.iops === 0 && amounts.iops === undefined)
    return { problem: `${volume.title} sells IOPS separately: add their number, such as 3000 IOPS.` };
  const components = chosen.map((entry): CostComponent => {
    const component = componentOf(entry);
    return component.kind === 'volume' ? { ...component, ...amounts } : component;
  });
  const label = chosen
    .map((entry, place) => {
      const name = entry.id.split('/').at(-1) ?? entry.id;
      const component = components[place];
      if (component?.kind !== 'volume') return name;
      const { sizeGb, iops, throughputMibS } = component;
      return [
        `${name} ${count(sizeGb)} GB`,
        ...(iops === undefined ? [] : [`${count(iops)} IOPS`]),
        ...(throughputMibS === undefined ? [] : [`${count(throughputMibS)} ${entry.throughputUnit ?? 'MiB/s'}`]),
      ].join(', ');
    })
    .join(' + ');
  return { spec: { label, currency: chosen[0]?.currency ?? 'USD', components } };
}
