import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { Profiler, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { ladder } from '../../../testing/documents.ts';
import { testEngine } from '../../../testing/engine.ts';
import { renderWithEngine } from '../../../testing/render.tsx';
import { TryPattern } from '../steps/measurement/monitors/OwnFigures.tsx';
import { OpenToolFile } from '../steps/workload/OpenToolFile.tsx';
import { TryOutput } from '../steps/workload/TryOutput.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  // A growing text area measures itself again when fonts change; the test page has none.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
});
afterEach(() => {
  cleanup();
  Reflect.deleteProperty(document, 'fonts');
  vi.useRealTimers();
});

const PLACES: readonly [name: string, place: ReactNode][] = [
  ['Test the pattern', <TryPattern key="pattern" monitor={{ name: 'Load', pattern: '(?P<load>.*)' }} />],
  ['Test the parser', <TryOutput key="parser" tool={{ id: 'fio' } as ToolInfo} options={{}} />],
  [
    'Open a job file',
    <OpenToolFile
      key="file"
      file={{ title: 'Job file', name: 'job' }}
      tool="fio"
      experiment={ladder}
      edit={() => undefined}
    />,
  ],
];

it.each(PLACES)('%s: does not re-render without input', async (name, place) => {
  let drawn = 0;
  renderWithEngine(
    testEngine({}).link,
    <Profiler id="place" onRender={() => (drawn += 1)}>
      {place}
    </Profiler>,
  );
  const button = screen.queryByRole('button', { name });
  if (button) fireEvent.click(button);
  // Only blanks: there is nothing to request yet.
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '  ' } });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  const settled = drawn;
  expect(settled).toBeGreaterThan(0);
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(drawn).toBe(settled);
});
