/** Whoever reads what is printed may stop reading (`| head`): that is no reason to break off what is under way. */
export function ignoreClosedPipe(...streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
