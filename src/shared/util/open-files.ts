/** Whether the operating system refused because this process, or the whole computer, has too many files open. */
export const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');

export const OUT_OF_FILES = 'this program has as many files open as this computer allows it';
export const OUT_OF_FILES_NEXT =
  'Raise the limit of open files where Kneepoint is started (ulimit -n 1024), then start again.';
