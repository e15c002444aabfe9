import type { ServerControl } from '../../shared/model/target.ts';

/** How a server is started and stopped, in one line. */
export function controlWords(control: ServerControl): string {
  switch (control.kind) {
    case 'none':
      return 'not controlled by Kneepoint';
    case 'systemd':
      return `systemd unit ${control.unit}${control.sudo ? ', with sudo' : ''}`;
    case 'commands':
      return `custom commands: ${['start', 'stop', 'restart', 'reload', 'kill', 'status'].filter((name) => name in control).join(', ')}`;
    case 'managed':
      return 'managed by Kneepoint';
  }
}
