import { Button, Drawer, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { baselineBars } from '../../../../shared/chart-models/index.ts';
import type { Answer } from '../../../../shared/model/answer.ts';
import type { FactorRatios, SessionResult } from '../../../../shared/model/result.ts';
import { againstWords } from '../../../../shared/model/result-words.ts';
import { moreRepeatsWords, stepOf } from '../../../../shared/model/settling.ts';
import { bestSentence } from '../../../../shared/stats/index.ts';
import { formatCount, formatDuration, formatLevel } from '../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useAction } from '../../../client/index.ts';
import { repeatsPlace } from '../../../domain/index.ts';
import { Panel, ProblemBanner } from '../../../ui/index.ts';
import type { ResultsState } from '../useResults.ts';

/** With more, the ratios have a separate panel. */
const MOST_RATIOS = 12;

interface Properties {
  result: SessionResult;
  /** The part of it within the filter. */
  shown: SessionResult;
  state: Pick<ResultsState, 'id' | 'setBaseline'>;
  /** A line on what was measured. */
  basis: string;
  /** All known facts about the session, on demand. */
  facts: ReactNode;
  /** Content below the sentences. */
  children?: ReactNode;
}

/** The answer of the session: the effect of its factor under test, the ratio at each place, and what is missing to be conclusive. */
export function AnswerPanel({ result, shown, state, basis, facts, children }: Properties) {
  const { answer } = result;
  const [open, setOpen] = useState(false);
  const best = useMemo(() => bestSentence(shown), [shown]);
  const part =
    shown.cells.length < result.cells.length
      ? `Showing ${shown.cells.length} of ${formatCount(result.cells.length, 'cell')}. `
      : '';
  const [headline, ...more] = answer?.sentences ?? [];
  const ratios = result.ratios?.find(({ factor }) => factor === answer?.factor);
  return (
    <Panel label="Answer">
      <div className="kp-answer-card">
        <div className="kp-answer">
          {headline ? (
            <Sentence pieces={headline} />
          ) : (
            <p>
              {part}
              {best}
            </p>
          )}
          <div className="kp-answer-best">
            {headline && part ? (
              <p>Covers all {formatCount(result.cells.length, 'cell')}: the filter does not apply to the answer.</p>
            ) : null}
            {more.map((pieces) => (
              <Sentence key={pieces.map(({ text }) => text).join('')} pieces={pieces} />
            ))}
            {headline && best ? (
              <p>
                {part}
                {best}
              </p>
            ) : null}
            {children}
          </div>
          {answer?.choices ? <Choose id={state.id} choices={answer.choices} /> : null}
          {answer?.more ? <MoreRepeats id={state.id} more={answer.more} /> : null}
          {answer?.next ? <p className="kp-small">{answer.next}</p> : null}
          <div className="kp-small kp-answer-basis">
            {basis}
            <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
              All facts
            </Button>
          </div>
          <Drawer opened={open} onClose={() => setOpen(false)} position="right" title="Session">
            {facts}
          </Drawer>
        </div>
        {ratios && answer ? <Ratios {...{ ratios, result, shown, state }} /> : null}
      </div>
    </Panel>
  );
}

const Sentence = ({ pieces }: { pieces: Answer['sentences'][number] }) => (
  <p>
    {pieces.map(({ text, tone }) =>
      tone ? (
        <span key={text} className={`kp-answer-${tone}`}>
          {text}
        </span>
      ) : (
        text
      ),
    )}
  </p>
);

/** Several factors could be under test: only the user knows. */
function Choose({ id, choices }: { id: number; choices: readonly string[] }) {
  const edit = useAction('sessions.edit', {});
  return (
    <fieldset className="kp-answer-ask">
      <legend className="kp-visually-hidden">Factor under test</legend>
      <span>Which factor is under test?</span>
      {choices.map((name) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          loading={edit.isPending && edit.variables.tested === name}
          onClick={() => edit.mutate({ id, tested: name })}
        >
          {name}
        </Button>
      ))}
      {edit.error ? <ProblemBanner problem={edit.error.problem} /> : null}
    </fieldset>
  );
}

function MoreRepeats({ id, more }: { id: number; more: NonNullable<Answer['more']> }) {
  const [, go] = useLocation();
  const step = stepOf(more);
  return (
    <div className="kp-answer-ask">
      <Button
        size="xs"
        variant={step.isWhole ? 'filled' : 'default'}
        leftSection={<IconPlus size={14} />}
        onClick={() => go(repeatsPlace(id, step.repeats, more.cells))}
      >
        Add {formatCount(step.repeats, 'repeat')} ({formatDuration(step.seconds)})
      </Button>
      <span className="kp-small">{moreRepeatsWords(more)}</span>
    </div>
  );
}

interface RatiosProperties extends Pick<Properties, 'result' | 'shown' | 'state'> {
  ratios: FactorRatios;
}

/** The ratio at each place, with a selectable baseline. */
function Ratios({ ratios, result, shown, state }: RatiosProperties) {
  const theme = useChartTheme();
  const levels = result.factors.find(({ name }) => name === ratios.factor)?.levels ?? [];
  const model = useMemo(() => baselineBars(shown, ratios, theme), [shown, ratios, theme]);
  const cells = new Set(shown.cells.map(({ cell }) => cell));
  const rows = ratios.cells.filter(({ cell, ratio }) => cells.has(cell) && ratio !== undefined).length;
  return (
    <div className="kp-answer-ratios">
      <Select
        label="Baseline"
        aria-label={`Baseline of ${ratios.factor}`}
        // The title of the chart below has the name of the factor, which may be too long for both.
        data={levels.map((level) => ({ value: String(level), label: formatLevel(level) }))}
        allowDeselect={false}
        value={String(ratios.level)}
        onChange={(value) =>
          state.setBaseline(
            ratios.factor,
            levels.find((level) => String(level) === value),
          )
        }
      />
      {rows === 0 ? <span className="kp-small">{ratios.verdict}</span> : null}
      {rows > 0 && rows <= MOST_RATIOS ? (
        <Chart model={model} height={72 + 22 * rows} title={`Ratio ${againstWords(ratios)}`} />
      ) : null}
      {rows > MOST_RATIOS ? (
        <span className="kp-small">{ratios.verdict} The ratio of each cell is in the table below.</span>
      ) : null}
    </div>
  );
}
