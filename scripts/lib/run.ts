import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Electron } from './electron.ts';
import { openLink } from './open-link.ts';
import { printStatus, root } from './terminal.ts';

/** Electron before 28 cannot load the engine's modules in its own utility process, and older Node lacks features that SQLite needs. */
const OWN_ENGINE_SINCE = 28;

/** Opens the window and exits with its exit code. */
export function runWindow(electron: Electron): void {
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (asRoot)
    printStatus(
      'Chromium refuses its sandbox to root, so the window runs without it; start as a normal user to have it.',
    );
  const env = { ...process.env };
  if (Number.parseInt(electron.version, 10) < OWN_ENGINE_SINCE) env.KNEEPOINT_ENGINE_NODE = process.execPath;
  const window = spawn(electron.binary, [...(asRoot ? ['--no-sandbox'] : []), root], { stdio: 'inherit', env });
  passSignals((signal) => window.kill(signal));
  window.on('exit', (code) => process.exit(code ?? 1));
}

/** Starts the server, prints its one-time link and opens it if there is an opener. */
export async function runBrowserMode(port: number): Promise<void> {
  const command = [...process.execArgv, path.join(root, 'dist/main/server.mjs'), '--port', String(port)];
  const server = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  passSignals((signal) => server.kill(signal));
  server.on('exit', (code) => process.exit(code ?? 0));
  let used = (): void => undefined;
  for await (const line of createInterface({ input: server.stdout })) {
    const link = /^READY (\S+)/.exec(line)?.[1];
    if (link) used = openInBrowser(link);
    else if (line === 'USED') used();
    else process.stdout.write(`${line}\n`);
  }
}

const END = 'Ctrl+C ends Kneepoint; runs on hosts continue.';

/** Returns a function to call once the link was used. */
function openInBrowser(link: string): () => void {
  const byHand = (): void =>
    printStatus(`ready. Open this link in a browser on this computer, it works once:\n  ${link}\n${END}`);
  const opener = openerHere();
  if (!opener) {
    byHand();
    return () => undefined;
  }
  const { done, forget } = openLink(link, opener);
  void done.then((opened) =>
    opened
      ? printStatus(`ready in your browser. If it shows nothing, open this link, which works once:\n  ${link}\n${END}`)
      : byHand(),
  );
  return forget;
}

function openerHere(): [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

function passSignals(kill: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => kill(signal));
}
