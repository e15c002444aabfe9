import path from 'node:path';

interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly versions: { readonly electron?: string };
  readonly execPath: string;
  readonly platform: string;
}

/**
 * A Node that can run our own programs as jobs, which outlive this process. A package has one beside its archive
 * (`electron-builder.yml`): Electron's own program is forbidden to act as one (`docs/security.md`).
 */
export function nodePath(appFolder: string, self: Process = process): string {
  if (self.env.KNEEPOINT_NODE) return self.env.KNEEPOINT_NODE;
  if (!self.versions.electron) return self.execPath;
  return path.join(path.dirname(appFolder), 'node', self.platform === 'win32' ? 'node.exe' : 'node');
}
