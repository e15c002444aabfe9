import type { Configuration, Priced, ValueForMoney, ValueRow, ValueScale } from '../model/cost.ts';
import { caveatSentence, warningsOf } from '../model/figure.ts';
import { formatMoney } from '../util/format.ts';
import { isAtRisk } from './goal.ts';
import { pricePerLot } from './value.ts';

/** A configuration with its price and, if something was measured on it or is priced with it, the price of that work. */
export interface SideRow {
  key: string;
  name: string;
  /** Id of the saved configuration with this name. */
  configurationId?: number | undefined;
  parts: Priced['parts'];
  currency: string;
  perHour?: number | undefined;
  perMonth?: number | undefined;
  work?: ValueRow | undefined;
  /** Money per million operations, or per TiB. */
  perLot?: number | undefined;
  /** Why there is no price, no work, or a price other than the saved one; caveats of the work. */
  notes: readonly string[];
}

/** Cheapest work first, then rows with only a price, then rows without one. `scale`: the work that is priced. */
export function sideBySide(
  configurations: readonly Configuration[],
  scale: ValueScale | undefined,
  left: ValueForMoney['left'] = [],
): SideRow[] {
  const byName = new Map(configurations.map((one) => [one.spec.label, one]));
  const measured = (scale?.rows ?? []).map((work) => measuredRow(work, scale, byName.get(work.configuration ?? '')));
  const used = new Set(measured.map(({ configurationId }) => configurationId));
  const others = configurations
    .filter(({ id }) => !used.has(id))
    .map((one) => unmeasuredRow(one, whyNot(one, scale, left)));
  const last = Number.POSITIVE_INFINITY;
  return [
    ...measured.sort((one, other) => (one.perLot ?? last) - (other.perLot ?? last)),
    ...others.sort((one, other) => (one.perMonth ?? last) - (other.perMonth ?? last)),
  ];
}

const whyNot = (
  { spec }: Configuration,
  scale: ValueScale | undefined,
  left: ValueForMoney['left'],
): string | undefined =>
  left.find(({ configuration }) => configuration === spec.label)?.why ??
  (scale && scale.currency !== spec.currency
    ? `Priced in ${spec.currency}: not ranked with prices in ${scale.currency}.`
    : undefined);

function measuredRow(work: ValueRow, scale: ValueScale | undefined, saved: Configuration | undefined): SideRow {
  const { metric = '', currency = '' } = scale ?? {};
  const { perHour, perYear, sessionId, name } = work;
  const now = saved?.total;
  const isSame = now === undefined || (now.currency === currency && Math.abs(now.perHour - perHour) <= 1e-9 * perHour);
  return {
    key: `${saved?.id ?? ''} ${sessionId}`,
    name: work.system,
    configurationId: saved?.id,
    parts: isSame && saved ? saved.parts : [],
    ...{ currency, perHour, perMonth: perYear / 12, work, perLot: pricePerLot(metric, work) },
    notes: [
      ...(isSame
        ? []
        : [`Priced as assigned to ${name}. Saved now: ${formatMoney(now.perHour, now.currency)} per hour.`]),
      ...(work.volumes ? [work.volumes.words] : []),
      ...(work.durability && isAtRisk(work) ? [work.durability.why] : []),
      ...warningsOf(work).map(caveatSentence),
    ],
  };
}

function unmeasuredRow({ id, spec, parts, total }: Configuration, why: string | undefined): SideRow {
  const missing = parts.flatMap(({ problem }) => (problem ? [problem.message] : []));
  return {
    ...{ key: String(id), name: spec.label, configurationId: id, parts, currency: spec.currency },
    perHour: total?.perHour,
    perMonth: total?.perMonth,
    notes: total ? (why === undefined ? [] : [why]) : ['No total: a price is missing.', ...missing],
  };
}
