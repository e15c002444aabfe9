import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadedWell, reloadPage } from './reload-page.ts';

const reload = vi.fn();
const page = { protocol: 'http:', reload };
const failingFetch = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));
const ask = vi.fn(failingFetch);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', page);
  vi.stubGlobal('fetch', ask);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  loadedWell();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

it('waits for an unreachable server, then reloads the page', async () => {
  ask.mockImplementation(failingFetch);
  const missing = new Error('a view did not arrive');
  void reloadPage(missing);
  expect(console.warn).toHaveBeenCalledWith(expect.any(String), missing);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ask.mock.calls.length).toBeGreaterThan(3);
  expect(reload).not.toHaveBeenCalled();
  ask.mockResolvedValue(new Response(null, { status: 404 }));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(reload).toHaveBeenCalledOnce();
});

it('gives up after the third consecutive attempt', async () => {
  ask.mockResolvedValue(new Response());
  for (let time = 0; time < 3; time += 1) void reloadPage(new Error('a view did not arrive'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reload).toHaveBeenCalledTimes(3);
  await expect(reloadPage(new Error('a view did not arrive'))).rejects.toThrow('a view did not arrive');
});
