/**
 * A stream of "something changed" signals for one reader. Signals that arrive while the reader is busy are merged into one, and the reader is woken
 * at most once per `spacingMs`: a slow page gets fewer and fresher answers, never a queue.
 */
export async function* eachChange(
  subscribe: (wake: () => void) => () => void,
  signal: AbortSignal,
  spacingMs: number,
): AsyncGenerator<void> {
  let dirty = true;
  let wake: (() => void) | undefined;
  const onChanged = (): void => {
    dirty = true;
    wake?.();
  };
  const unsubscribe = subscribe(onChanged);
  signal.addEventListener('abort', onChanged);
  try {
    while (!signal.aborted) {
      if (!dirty) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      dirty = false;
      yield;
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else setTimeout(resolve, spacingMs);
      });
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', onChanged);
  }
}
