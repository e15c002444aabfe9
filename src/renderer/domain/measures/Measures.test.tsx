import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { sampleDetail } from '../../testing/documents.ts';
import { sampleSession, testEngine } from '../../testing/engine.ts';
import { renderWithEngine } from '../../testing/render.tsx';
import { MeasuresDialog } from './Measures.tsx';

vi.setConfig({ testTimeout: 60_000 });
afterEach(cleanup);

const SESSION = sampleSession({ id: 7 });

interface Properties {
  initial: Partial<DerivedMeasure>;
  detail: SessionDetail;
  onMetric(metric: string): void;
}

function Opened({ initial, detail, onMetric }: Properties) {
  const [now, setNow] = useState<Partial<DerivedMeasure> | undefined>(initial);
  const metrics = ['read_mib_s', 'write_mib_s'];
  return <MeasuresDialog {...{ detail, metrics, onMetric }} initial={now} onClose={() => setNow(undefined)} />;
}

/** The dialog for a session with these measures; records which are saved, and the selected metric. */
function open(initial: Partial<DerivedMeasure>, measures: DerivedMeasure[] = [], refused?: string) {
  const saved: (readonly DerivedMeasure[] | undefined)[] = [];
  const shown: string[] = [];
  const detail: SessionDetail = {
    ...sampleDetail(SESSION, 'name: Ladder\n'),
    ...(measures.length > 0 && { measures }),
  };
  const { link } = testEngine({
    monitors: { sources: () => [] },
    sessions: {
      edit: ({ measures: next }) => {
        if (refused !== undefined) throw new KneepointError({ code: 'bad-request', message: refused });
        saved.push(next);
        return SESSION;
      },
    },
  });
  renderWithEngine(link, <Opened initial={initial} detail={detail} onMetric={(metric) => shown.push(metric)} />);
  return { saved, shown };
}

const field = (name: string) => screen.findByRole('textbox', { name });
const button = (name: string) => screen.findByRole('button', { name });

it('adds a formula, and shows its figures', async () => {
  const { saved, shown } = open({}, [{ name: 'before', is: 'tps' }]);
  fireEvent.change(await field('Name'), { target: { value: 'traffic' } });
  fireEvent.change(await field('Formula'), { target: { value: 'read_mib_s +' } });
  expect(await screen.findByText('The formula ends where a value is expected. Character 13.')).toBeDefined();
  expect(await button('Use as measure')).toHaveProperty('disabled', true);
  fireEvent.change(await field('Formula'), { target: { value: 'read_mib_s + write_mib_s' } });
  expect(await field('Unit')).toHaveProperty('placeholder', 'MiB/s');
  fireEvent.click(await button('Use as measure'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(saved).toEqual([
    [
      { name: 'before', is: 'tps' },
      { name: 'traffic', is: 'read_mib_s + write_mib_s' },
    ],
  ]);
  expect(shown.map(metricOf)).toMatchObject([{ label: 'traffic', unit: 'MiB/s', better: 'higher' }]);
});

it('starts with the series of a lane', async () => {
  const { saved } = open({ name: 'CPU busy', of: 'host', series: 'cpu.busy', unit: '%' });
  fireEvent.click(await button('Use as measure'));
  await waitFor(() => expect(saved).toEqual([[{ name: 'CPU busy', of: 'host', series: 'cpu.busy', unit: '%' }]]));
});

it('stays open with the reason if a measure is refused', async () => {
  const { shown } = open({ name: 'twice', is: 'tps' }, [], 'Two measures are named “twice”.');
  fireEvent.click(await button('Use as measure'));
  expect(await screen.findByText('Two measures are named “twice”.')).toBeDefined();
  expect(shown).toEqual([]);
});

it('edits and removes added measures', async () => {
  const [first, second] = [
    { name: 'first', is: 'tps' },
    { name: 'second', is: 'first + 1' },
  ];
  const { saved } = open({}, [first, second]);
  fireEvent.click(await button('Remove second'));
  await waitFor(() => expect(saved).toEqual([[first]]));
  fireEvent.click(await button('Edit first'));
  fireEvent.change(await field('Formula'), { target: { value: 'qps' } });
  fireEvent.click(await button('Save'));
  await waitFor(() => expect(saved[1]).toEqual([{ name: 'first', is: 'qps' }, second]));
});
