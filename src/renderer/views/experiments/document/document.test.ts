import { describe, expect, test } from 'vitest';
import type { CheckedDocument } from '../../../../shared/contract/experiments.ts';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import { ExperimentDocument, shortPlan } from './document.ts';

const experiment = (name: string): Experiment => ({
  kneepoint: 1,
  name,
  workload: { tool: 'embedded', options: {}, data: 'create' },
  where: { generators: ['this computer'] },
  factors: [],
  measure: { warmup: 0, duration: 10, repeats: 1, order: 'rounds', seed: 1, pause: 0 },
});

/** Responses are sent when the test requests it, to test overtaking ones. */
function controlledEngine() {
  const waiting: { text: string; answer: (checked: CheckedDocument) => void; fail: (error: Error) => void }[] = [];
  return {
    waiting,
    check: (text: string) =>
      new Promise<CheckedDocument>((answer, fail) => {
        waiting.push({ text, answer, fail });
      }),
    format: async (document: Experiment, base: string) => `${document.name}|${base.split('|')[1] ?? ''}`,
  };
}

const read = (text: string): CheckedDocument => {
  const name = text.split('|')[0] ?? '';
  return name === 'broken'
    ? { problems: [{ path: '', message: 'Cannot be read.', line: 1 }] }
    : { problems: [], experiment: experiment(name) };
};
const engine = { check: async (text: string) => read(text), format: controlledEngine().format };

/** Enough for a busy machine; a fulfilled condition ends the wait immediately. */
const SOON = { timeout: 20_000 };

const until = (document: ExperimentDocument, holds: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (holds()) return resolve();
    const stop = document.onChanged(() => {
      if (!holds()) return;
      stop();
      resolve();
    });
  });

describe('an open document', () => {
  test('applies a form change to the existing text', async () => {
    const document = new ExperimentDocument({ text: 'first|comment' }, engine, 0);
    await document.settle();
    document.edit((now) => ({ ...now, name: 'second' }));
    expect(document.state().experiment?.name).toBe('second');
    expect(await document.settle()).toBe('second|comment');
    expect(document.state().checked?.experiment?.name).toBe('second');
  });

  test('keeps the forms as they were while the text is unreadable, and reports it', async () => {
    const document = new ExperimentDocument({ text: 'first|' }, engine, 0);
    await document.settle();
    document.setText('broken|');
    await document.settle();
    expect(document.state()).toMatchObject({ readable: false, experiment: { name: 'first' } });
    expect(document.state().checked?.problems).toHaveLength(1);
    document.setText('third|');
    await document.settle();
    expect(document.state()).toMatchObject({ readable: true, experiment: { name: 'third' } });
  });

  test('keeps the last change, even if an older response arrives later', async () => {
    const slow = controlledEngine();
    const document = new ExperimentDocument({ text: 'old|' }, slow, 0);
    await expect.poll(() => slow.waiting.length, SOON).toBe(1);
    document.setText('new|');
    await expect.poll(() => slow.waiting.length, SOON).toBe(2);
    slow.waiting[1]?.answer(read('new|'));
    await until(document, () => !document.state().busy);
    slow.waiting[0]?.answer(read('old|'));
    await Promise.resolve();
    expect(document.state().experiment?.name).toBe('new');
  });

  test('reports an unreachable engine as a problem, and retries', async () => {
    const slow = controlledEngine();
    const document = new ExperimentDocument({ text: 'one|' }, slow, 0);
    await expect.poll(() => slow.waiting.length, SOON).toBe(1);
    slow.waiting[0]?.fail(new Error('gone'));
    await expect(document.settle()).rejects.toThrow('gone');
    document.retry();
    await expect.poll(() => slow.waiting.length, SOON).toBe(2);
    slow.waiting[1]?.answer(read('one|'));
    expect(await document.settle()).toBe('one|');
  });

  test('undoes and redoes changes of forms and text, with continuous typing as one step', async () => {
    let clock = 0;
    const document = new ExperimentDocument({ text: 'first|# comment' }, engine, 0, () => clock);
    await until(document, () => !document.state().busy);
    expect(document.state()).toMatchObject({ canUndo: false, canRedo: false });
    for (const name of ['s', 'se', 'second']) {
      document.edit((now) => ({ ...now, name }));
      clock += 200;
    }
    clock += 5000;
    document.edit((now) => ({ ...now, name: 'third' }));
    document.edit((now) => ({ ...now, factors: [{ name: 'threads', kind: 'option', levels: [1] }] }));
    await document.settle();
    document.setText('fourth|# comment');
    await document.settle();
    expect(document.undo()).toBe('text');
    expect(await document.settle()).toBe('third|# comment');
    expect(document.undo()).toBe('factors.0');
    expect(document.undo()).toBe('name');
    expect(document.state().experiment).toMatchObject({ name: 'second', factors: [] });
    expect(document.undo()).toBe('name');
    expect(document.undo()).toBeUndefined();
    expect(await document.settle()).toBe('first|# comment');
    expect(document.redo()).toBe('name');
    expect(await document.settle()).toBe('second|# comment');
    document.edit((now) => ({ ...now, name: 'other' }));
    expect(document.state()).toMatchObject({ canUndo: true, canRedo: false });
    expect(document.undo()).toBe('name');
    expect(document.state().experiment?.name).toBe('second');
  });

  test('ignores a change without effect', async () => {
    const document = new ExperimentDocument({ text: 'same|' }, engine, 0);
    await document.settle();
    document.edit((now) => ({ ...now }));
    document.setText('same|');
    expect(document.state()).toMatchObject({ canUndo: false, busy: false });
  });

  test('starts from an experiment without text', async () => {
    const document = new ExperimentDocument({ experiment: experiment('blank') }, engine, 0);
    expect(await document.settle()).toBe('blank|');
  });
});

describe('a short plan', () => {
  const measure = { ...experiment('Long').measure, warmup: 10, duration: 60, repeats: 6, pause: 5 };
  const long: Experiment = { ...experiment('Long'), measure };
  // 24 trials of 75 s, and 90 s of other work.
  const size = { cells: 4, trials: 24, seconds: 24 * 75 + 90 };

  test('has fewer repeats and shorter trials, within five minutes where that is enough to measure', () => {
    // (300 - 90) / 16 trials are 13 s, of which 5 are warm-up and pause: less than is worth measuring.
    expect(shortPlan(long, size)).toEqual({
      measure: { repeats: 4, warmup: 3, pause: 2, duration: 10 },
      seconds: 90 + 16 * 15,
    });
    expect(shortPlan(long, { cells: 2, trials: 12, seconds: 900 })?.measure.duration).toBe(32);
  });

  test('is offered only if it saves half of the time, and not for documents with times of their own', () => {
    expect(shortPlan({ ...long, measure: { ...measure, duration: 10, warmup: 0 } }, { ...size, seconds: 360 })).toBe(
      undefined,
    );
    expect(shortPlan({ ...long, steps: [{ name: 'load', options: {}, duration: 300 }] }, size)).toBeUndefined();
  });
});
