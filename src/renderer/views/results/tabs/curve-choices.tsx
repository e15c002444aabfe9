import { Select, Switch } from '@mantine/core';
import { type CurveAxis, scalingSentences, spreadOfRepeats } from '../../../../shared/chart-models/index.ts';
import { isAveraged } from '../../../../shared/metrics/index.ts';
import type { CurveSpread } from '../../../../shared/model/chart.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import { errorSentence } from '../../../../shared/model/result-words.ts';
import { crossingSentences } from '../../../../shared/stats/index.ts';
import { WarningNotes } from '../../../domain/index.ts';
import { type LevelFilter, passes, shownOf, useChoice } from '../useResults.ts';

const AUTOMATIC = 'automatic';
const AXES: readonly { value: CurveAxis | typeof AUTOMATIC; label: string }[] = [
  { value: AUTOMATIC, label: 'Axis: automatic' },
  { value: 'zero', label: 'Axis: from zero' },
  { value: 'cut', label: 'Axis: truncated' },
  { value: 'log', label: 'Axis: log' },
];

const SPREADS: readonly { value: CurveSpread; label: string }[] = [
  { value: 'repeats', label: 'Whiskers: repeats' },
  { value: 'seconds', label: 'Whiskers: per second' },
  { value: 'extremes', label: 'Whiskers: extremes' },
];

/** Display of a load curve, and its controls. Stored in the address, so that both tabs with a curve draw it the same. */
export function useCurveChoices({ cells, metric, pick }: Pick<SessionResult, 'cells' | 'metric' | 'pick'>) {
  const [axisChosen, setAxis] = useChoice('axis');
  const [spreadChosen, setSpread] = useChoice('whiskers');
  const axis = AXES.flatMap(({ value }) => (value !== AUTOMATIC && value === axisChosen ? [value] : []))[0];
  const usual = spreadOfRepeats(cells);
  // For percentiles and extremes only repeats have a spread; a single repeat has none.
  const hasSeconds = pick === undefined && isAveraged(metric) && cells.some((cell) => cell.spread ?? cell.generators);
  const spreads = SPREADS.filter(({ value }) => (value === 'repeats' ? usual === 'repeats' : hasSeconds));
  const spread = spreads.find(({ value }) => value === spreadChosen)?.value ?? usual;
  const controls = (
    <>
      {spreads.length > 1 ? (
        <Select
          aria-label="Whiskers"
          w={170}
          allowDeselect={false}
          data={[...spreads]}
          value={spread}
          onChange={(value) => setSpread(value === usual ? undefined : (value ?? undefined))}
        />
      ) : null}
      <Select
        aria-label="Vertical axis"
        w={142}
        allowDeselect={false}
        data={[...AXES]}
        value={axis ?? AUTOMATIC}
        onChange={(value) => setAxis(value === AUTOMATIC ? undefined : (value ?? undefined))}
      />
    </>
  );
  return { axis, spread, controls };
}

const ASKED = ['log', 'zero'] as const;

/** Whether an axis is logarithmic: as requested in the address under `name`; absent, the chart decides by its values. */
export function useLogChoice(name: string, isUsual: boolean) {
  const [chosen, setChosen] = useChoice(name);
  const asked = ASKED.find((each) => each === chosen);
  const isLog = asked ? asked === 'log' : isUsual;
  const control = (
    <Switch
      label="Log axis"
      checked={isLog}
      onChange={(event) => {
        const next = event.currentTarget.checked;
        setChosen(next === isUsual ? undefined : next ? 'log' : 'zero');
      }}
    />
  );
  return { asked, isLog, control };
}

/** More sentences are folded: the curve comes first. */
const MOST_OPEN = 4;

/** Sentences about knee and fit of every visible line, about crossings of lines, and about cells with errors. */
export function ScalingSentences({ result, filter }: { result: SessionResult; filter: LevelFilter }) {
  const cells = result.cells.filter(({ levels }) => passes(levels, filter));
  const errors = errorSentence(cells);
  const sentences = [
    ...scalingSentences(result, filter),
    ...crossingSentences(shownOf(result, filter)),
    ...(errors === undefined ? [] : [errors]),
  ];
  // Never folded: a knee of the generator looks like one of the server.
  const warning = <WarningNotes cells={cells} />;
  if (sentences.length === 0) return warning;
  const list = (
    <ul className="kp-small kp-scaling">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
  return (
    <>
      {warning}
      {sentences.length > MOST_OPEN ? (
        <details className="kp-small">
          <summary>Knees, fits and crossings, line by line ({sentences.length})</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </>
  );
}
