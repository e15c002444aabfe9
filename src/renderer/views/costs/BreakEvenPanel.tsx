import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { costLines } from '../../../shared/chart-models/index.ts';
import { breakEvenWords, lineWords, pictureOf } from '../../../shared/costs/index.ts';
import type { Configuration, CostBreakEven } from '../../../shared/model/cost.ts';
import { formatMoney, formatNumber, formatPercent, NO_VALUE } from '../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';
import { type Column, DataTable, Panel, ProblemBanner } from '../../ui/index.ts';
import classes from './costs.module.css';

/** Two saved configurations compared: what the more expensive one needs, and where their cost lines cross. */
export function BreakEvenPanel({ configurations }: { configurations: readonly Configuration[] }) {
  const whole = configurations.filter(({ total }) => total !== undefined);
  const [chosen, choose] = useState<{ one?: string; other?: string }>({});
  const one = whole.find(({ id }) => String(id) === chosen.one) ?? whole[0];
  const alike = whole.filter(({ id, spec }) => id !== one?.id && spec.currency === one?.spec.currency);
  const other = alike.find(({ id }) => String(id) === chosen.other) ?? alike[0];
  const asked = { one: one?.spec ?? EMPTY, other: other?.spec ?? EMPTY };
  const { data, error } = useCall('costs.breakEven', asked, { enabled: one !== undefined && other !== undefined });
  if (!one || !other) return null;
  const names = { one: one.spec.label, other: other.spec.label };
  const options = (of: readonly Configuration[]) =>
    of.map(({ id, spec }) => ({ value: String(id), label: spec.label }));
  return (
    <Panel
      title="Break-even"
      flush
      actions={
        <>
          <Select
            aria-label="One configuration"
            w={340}
            allowDeselect={false}
            data={options(whole)}
            value={String(one.id)}
            onChange={(id) => id && choose({ ...chosen, one: id })}
          />
          <Select
            aria-label="The other configuration"
            w={340}
            allowDeselect={false}
            data={options(alike)}
            value={String(other.id)}
            onChange={(id) => id && choose({ ...chosen, other: id })}
          />
        </>
      }
    >
      {error && <ProblemBanner problem={error.problem} />}
      {data && (
        <>
          <p className={classes.breakEven}>{breakEvenWords(data, names)}</p>
          {data.lines.length > 0 && (
            <div className={classes.lines}>
              {data.lines.map((line) => (
                <Line key={line.axis} line={line} names={names} currency={data.currency} />
              ))}
            </div>
          )}
          <DataTable
            label="Parts of both prices"
            columns={columnsOf(data, names)}
            rows={data.parts}
            rowId={({ what }) => what}
          />
        </>
      )}
    </Panel>
  );
}

interface LineProperties {
  line: CostBreakEven['lines'][number];
  names: { one: string; other: string };
  currency: string;
}

/** The cost lines of both along an axis. */
function Line({ line, names, currency }: LineProperties) {
  const theme = useChartTheme();
  const { one, other } = names;
  const picture = useMemo(() => pictureOf(line), [line]);
  const model = useMemo(
    () => costLines({ ...picture, currency, names: { one, other }, points: line.points }, theme),
    [picture, line, one, other, currency, theme],
  );
  return (
    <Chart model={model} height={260} title={picture.axis.label}>
      <p className={classes.most}>{lineWords(line, names)}</p>
    </Chart>
  );
}

const EMPTY = { label: '', currency: 'USD', components: [] };
type Part = CostBreakEven['parts'][number];

function columnsOf({ parts, currency }: CostBreakEven, names: { one: string; other: string }): Column<Part>[] {
  const total = parts.at(-1);
  const side = (of: 'one' | 'other'): Column<Part> => ({
    id: of,
    header: `${names[of]}, per month`,
    align: 'right',
    value: (part) => part[of],
    cell: (part) =>
      formatMoney(part[of], currency) + (total && total[of] > 0 ? ` (${formatPercent(part[of] / total[of])})` : ''),
  });
  return [
    { id: 'what', header: 'Part', value: ({ what }) => what },
    side('one'),
    side('other'),
    {
      id: 'ratio',
      header: 'Ratio',
      hint: `${names.other} / ${names.one}`,
      align: 'right',
      value: ({ ratio }) => ratio,
      cell: ({ ratio }) => (ratio === undefined ? NO_VALUE : `× ${formatNumber(ratio, 2)}`),
    },
  ];
}
