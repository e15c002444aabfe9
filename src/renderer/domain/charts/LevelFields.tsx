import { MultiSelect, Select } from '@mantine/core';
import type { FactorLevels } from '../../../shared/chart-models/index.ts';
import { MOST_GROUPINGS } from '../../../shared/model/chart.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import { type ChartDraft, hasGroups, hasLevels, hasPanels, hasRatios } from './draft.ts';

interface Properties {
  draft: ChartDraft;
  put(part: Partial<ChartDraft>): void;
  /** Factors with several levels. */
  varied: readonly FactorLevels[];
  problems: Readonly<Record<string, string>>;
}

interface LevelProperties extends Properties {
  /** The factor along the axis, chosen or not, and the one that is used if none is chosen. */
  along: FactorLevels | undefined;
  ladder: FactorLevels | undefined;
  /** Factors whose levels are groups of bars. */
  inGroups: readonly string[];
}

/** Where the levels of factors are drawn: along the axis, as groups of bars, in panels. */
export function LevelFields({ draft, put, varied, along, ladder, inGroups, problems }: LevelProperties) {
  const { kind } = draft;
  const isLaidOver = kind === 'curve' && draft.over !== null;
  return (
    <>
      {hasLevels(kind) && varied.length > 0 ? (
        <Select
          label={kind === 'table' ? 'Columns' : 'Along'}
          placeholder={ladder?.name ?? ''}
          clearable
          data={varied.map(({ name }) => name).filter((name) => name !== draft.panels && !inGroups.includes(name))}
          value={draft.x}
          error={problems.x}
          onChange={(x) => put({ x })}
        />
      ) : null}
      {hasGroups(kind) ? <BarFields {...{ draft, put, varied, problems }} along={along?.name} /> : null}
      {varied.length > (hasLevels(kind) ? 1 : 0) && inGroups.length === 0 && hasPanels(kind) && !isLaidOver ? (
        <Select
          label="Panels"
          placeholder="one for all cells"
          clearable
          data={varied
            .filter(({ name }) => name !== along?.name)
            .map(({ name }) => ({ value: name, label: `one for each ${name}` }))}
          value={draft.panels}
          error={problems.panels}
          onChange={(panels) => put({ panels })}
        />
      ) : null}
    </>
  );
}

/** Separator between a factor and its level in the value of an option: no name contains it. */
const BETWEEN = '\n';

/** Grouping of bars, and the baseline of their ratios. */
function BarFields({ draft, put, varied, along, problems }: Properties & { along: string | undefined }) {
  const [baseline] = Object.entries(draft.against ?? {});
  const levels = varied.flatMap((factor) => factor.levels.map((level) => ({ factor, level })));
  const idOf = (name: string, level: unknown): string => `${name}${BETWEEN}${level}`;
  return (
    <>
      {varied.length > 1 && (draft.panels === null || !hasPanels(draft.kind)) ? (
        <MultiSelect
          label={draft.kind === 'table' ? 'Rows' : 'Groups'}
          placeholder={draft.groups.length > 0 ? '' : draft.kind === 'table' ? 'all other factors' : 'none'}
          clearable
          maxValues={Math.min(MOST_GROUPINGS, varied.length - 1)}
          data={varied.map(({ name }) => name).filter((name) => name !== along)}
          value={[...draft.groups]}
          error={problems.groups}
          onChange={(groups) => put({ groups })}
        />
      ) : null}
      {varied.length > 0 && hasRatios(draft.kind) ? (
        <Select
          label="Ratio to"
          placeholder="figures, no ratios"
          clearable
          searchable
          data={varied.map(({ name, levels: own }) => ({
            group: name,
            items: own.map((level) => ({ value: idOf(name, level), label: formatLevels({ [name]: level }) })),
          }))}
          value={baseline ? idOf(...baseline) : null}
          error={problems.against}
          onChange={(value) => {
            const chosen = levels.find(({ factor, level }) => idOf(factor.name, level) === value);
            put({ against: chosen ? { [chosen.factor.name]: chosen.level } : null });
          }}
        />
      ) : null}
    </>
  );
}

/** Selects the cells to draw, by their levels. */
export function OnlyField({ draft, put, varied, problems }: Properties) {
  const idOf = (name: string, level: unknown): string => `${name}${BETWEEN}${level}`;
  const chosen = Object.entries(draft.only).flatMap(([name, levels]) => levels.map((level) => idOf(name, level)));
  return (
    <MultiSelect
      label="Only"
      placeholder={chosen.length === 0 ? 'all cells' : ''}
      clearable
      searchable
      data={varied.map(({ name, levels }) => ({
        group: name,
        items: levels.map((level) => ({ value: idOf(name, level), label: formatLevels({ [name]: level }) })),
      }))}
      value={chosen}
      error={Object.entries(problems).find(([path]) => path.startsWith('only'))?.[1]}
      onChange={(values) =>
        put({
          only: Object.fromEntries(
            varied
              .map(({ name, levels }) => [name, levels.filter((level) => values.includes(idOf(name, level)))] as const)
              .filter(([, levels]) => levels.length > 0),
          ),
        })
      }
    />
  );
}
