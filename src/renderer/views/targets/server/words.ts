import type { ServerState } from '../../../../shared/model/target.ts';
import type { Tone } from '../../../ui/index.ts';
import type { ServerAct } from './useServer.ts';

export const STATE_WORDS: Readonly<Record<ServerState, string>> = {
  running: 'Running',
  starting: 'Starting: its process runs and does not answer yet',
  stopped: 'Stopped',
};
export const STATE_TONES: Readonly<Record<ServerState, Tone>> = { running: 'ok', starting: 'busy', stopped: 'idle' };

export const ACT_WORDS: Readonly<Record<ServerAct, { under: string }>> = {
  start: { under: 'Starting' },
  stop: { under: 'Stopping' },
  restart: { under: 'Restarting' },
};
