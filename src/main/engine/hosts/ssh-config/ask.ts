import { execFile } from 'node:child_process';
import { KneepointError } from '../../../../shared/model/problem.ts';

const LIMIT_MS = 10_000;

/** What OpenSSH makes of a host: its settings by name in small letters, each with its values in order. */
export type Settings = ReadonlyMap<string, readonly string[]>;

/** Asks OpenSSH itself, which alone knows what a configuration means. Throws `unsupported` where there is none, `host-refused` with its words. */
export async function askSsh(config: string, host: string, more: readonly string[] = []): Promise<Settings> {
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      'ssh',
      ['-G', '-F', config, ...more, '--', host],
      { timeout: LIMIT_MS, maxBuffer: 1_000_000, windowsHide: true },
      (error, stdout, stderr) => (error ? reject(problemOf(error, host, stderr)) : resolve(stdout)),
    );
  });
  const settings = new Map<string, string[]>();
  for (const line of output.split(/\r?\n/)) {
    const [, name, value] = /^(\S+) (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined)
      settings.set(name.toLowerCase(), [...(settings.get(name.toLowerCase()) ?? []), value]);
  }
  return settings;
}

function problemOf(error: Error, host: string, stderr: string): KneepointError {
  if ('code' in error && error.code === 'ENOENT')
    return new KneepointError({
      code: 'unsupported',
      message: 'The program ssh was not found on this computer; only it can tell what its configuration means.',
      safe: 'Nothing was imported.',
      next: 'Install the OpenSSH client, or add the hosts by hand.',
    });
  return new KneepointError(
    {
      code: 'host-refused',
      host,
      message: `ssh cannot read the settings of ${host}: ${stderr.trim() || error.message}`,
    },
    { cause: error },
  );
}
