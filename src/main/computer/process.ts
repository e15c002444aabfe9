/** What was measured is committed within this time, or is read again from the job's files at the next start. */
const LONGEST_MS = 2000;

/** Returns a function that closes and then ends this process; also called by Ctrl+C and by a request to terminate. */
export function endOnSignals(close: () => Promise<void>, report: (error: unknown) => void): () => void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), LONGEST_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        report(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  return end;
}

/** Whoever reads what is printed may stop reading (`| head`): that is no reason to break off what is under way. */
export function ignoreClosedPipe(...streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
