interface Dated {
  label: string;
  asOf?: string | undefined;
}

const DAY = 86_400_000;
const FULL_YEAR = 365 * DAY;

/** Of when prices are, in words: "2024-07-01 to 2026-07-20", "2026-08, some undated". Undefined: none is from a list. */
export function datesOf(items: readonly Dated[]): string | undefined {
  const given = items.flatMap(({ asOf }) => (asOf === undefined ? [] : [asOf]));
  const dated = given.filter(isDate).sort();
  const [first, last] = [dated[0], dated.at(-1)];
  if (first === undefined) return given.length > 0 ? 'undated' : undefined;
  return `${first}${last === first ? '' : ` to ${last}`}${dated.length < given.length ? ', some undated' : ''}`;
}

/** What to say about prices that are older than a year, or of no known day. */
export function oldPrices(items: readonly Dated[], at: number): string[] {
  const oldest = items
    .flatMap(({ asOf }) => (asOf !== undefined && isDate(asOf) ? [asOf] : []))
    .sort()
    .find((date) => at - Date.parse(date) > FULL_YEAR);
  const undated = items.filter(({ asOf }) => asOf !== undefined && !isDate(asOf)).map(({ label }) => label);
  return [
    ...(oldest === undefined
      ? []
      : [`The oldest price is dated ${oldest}, more than a year ago. Check it before deciding.`]),
    ...(undated.length === 0 ? [] : [`Undated: the price of ${undated.join(', ')}. Check it before deciding.`]),
  ];
}

const isDate = (text: string): boolean => /^\d{4}(-\d\d){0,2}$/.test(text);
