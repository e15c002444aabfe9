import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../index.ts';
import { onTerminal } from '../terminal.ts';

/** Runs a command in this process, on the library in a folder. */
export async function commandOn(
  library: string,
  args: readonly (string | number)[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const place = { stdin: Readable.from([]), stdout, stderr, env: { KNEEPOINT_DATA: library } };
  const code = await onTerminal(place, () => runCli(args.map(String)));
  stdout.end();
  stderr.end();
  const [out, err] = await output;
  return { code, stdout: out, stderr: err };
}

/** Standard error without the progress that a command shows once it takes longer than a second, as on a busy machine. */
export const withoutProgress = (stderr: string): string => stderr.replaceAll(/^.+: \S.* [\d,]+ of [\d,]+\n/gm, '');
