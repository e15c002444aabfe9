import type { SettingObject } from './setting.ts';

export const networkInterface: SettingObject = {
  title: 'a network interface',
  example: 'eth1',
  pattern: /^[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,14}$/,
};

export const FIND_INTERFACE = `
[ -d "/sys/class/net/$of" ] || lacks "There is no network interface $of on this host."
file=
`;
