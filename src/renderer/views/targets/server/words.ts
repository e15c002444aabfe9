import type { ServerControl, ServerState } from '../../../../shared/model/target.ts';
import type { Tone } from '../../../ui/index.ts';
import type { ServerAct } from './useServer.ts';

export const STATE_WORDS: Readonly<Record<ServerState, string>> = {
  running: 'Running',
  starting: 'Starting: its process is there and does not answer yet',
  stopped: 'Stopped',
};
export const STATE_TONES: Readonly<Record<ServerState, Tone>> = { running: 'ok', starting: 'busy', stopped: 'idle' };

export const ACT_WORDS: Readonly<Record<ServerAct, { under: string }>> = {
  start: { under: 'Starting' },
  stop: { under: 'Stopping' },
  restart: { under: 'Restarting' },
};

/** How it is started and stopped, on one line. */
export function controlWords(control: ServerControl): string {
  switch (control.kind) {
    case 'none':
      return 'not controlled by Kneepoint';
    case 'systemd':
      return `systemd unit ${control.unit}${control.sudo ? ', through sudo' : ''}`;
    case 'commands':
      return `own commands: ${['start', 'stop', 'restart', 'reload', 'status'].filter((name) => name in control).join(', ')}`;
    case 'managed':
      return 'managed by Kneepoint';
  }
}
