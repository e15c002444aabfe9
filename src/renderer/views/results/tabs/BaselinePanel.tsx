import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { baselineBars } from '../../../../shared/chart-models/index.ts';
import type { FactorRatios, SessionResult } from '../../../../shared/model/result.ts';
import { againstWords } from '../../../../shared/model/result-words.ts';
import { formatLevel } from '../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { WarningNotes } from '../../../domain/index.ts';
import { Panel } from '../../../ui/index.ts';
import type { ResultsState } from '../useResults.ts';

interface Properties {
  result: SessionResult;
  /** The part of it within the filter. */
  shown: SessionResult;
  state: Pick<ResultsState, 'setBaseline'>;
}

/** With more bars the picture scrolls. */
const MOST_ROWS = 24;

/** The baselines of the factors that are not under test, and every cell compared with them. */
export function BaselinePanel({ result, shown, state }: Properties) {
  const ratios = (result.ratios ?? []).filter(({ factor }) => factor !== result.answer?.factor);
  // Levels of a load are only compared with one of them if the document or the address requests it.
  const factors = result.factors.filter(
    ({ name, levels, load }) =>
      levels.length > 1 &&
      name !== result.answer?.factor &&
      (load === undefined || ratios.some(({ factor }) => factor === name)),
  );
  // A session that is mechanics only compares nothing.
  if (factors.length === 0 || result.mechanics) return null;
  return (
    <Panel
      title="Compare with baseline"
      note="each cell vs. the cell with this level and the same other levels; lines: 95 % interval"
    >
      <div className="kp-bar kp-said">
        {factors.map(({ name, levels }) => {
          const chosen = ratios.find(({ factor }) => factor === name)?.level;
          return (
            <div className="kp-filter" key={name}>
              <span className="kp-small">{name}</span>
              <Select
                aria-label={`Baseline of ${name}`}
                w={200}
                data={[
                  { value: '', label: 'no baseline' },
                  ...levels.map((level) => ({ value: String(level), label: formatLevel(level) })),
                ]}
                allowDeselect={false}
                value={chosen === undefined ? '' : String(chosen)}
                onChange={(value) =>
                  state.setBaseline(
                    name,
                    levels.find((level) => value !== '' && String(level) === value),
                  )
                }
              />
            </div>
          );
        })}
      </div>
      {ratios.map((each) => (
        <Ratios key={each.factor} result={shown} ratios={each} />
      ))}
    </Panel>
  );
}

function Ratios({ result, ratios }: { result: SessionResult; ratios: FactorRatios }) {
  const theme = useChartTheme();
  const model = useMemo(() => baselineBars(result, ratios, theme), [result, ratios, theme]);
  const shown = new Set(result.cells.map(({ cell }) => cell));
  const rows = ratios.cells.filter(({ cell, ratio }) => shown.has(cell) && ratio !== undefined).length;
  return (
    <div>
      <div className="kp-said">
        {ratios.verdict}
        <WarningNotes cells={result.cells} />
      </div>
      {rows > 0 ? (
        <div className={rows > MOST_ROWS ? 'kp-ratio-rows' : undefined}>
          <Chart model={model} height={72 + 22 * rows} title={`Ratio ${againstWords(ratios)}`} />
        </div>
      ) : null}
    </div>
  );
}
