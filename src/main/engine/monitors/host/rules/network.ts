import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { MIB } from './units.ts';

/** Megabits per second of a link in MiB/s. */
const MEGABIT = (1e6 / 8) * MIB;

type NetRule = Omit<SeriesRule, 'lane'>;
/** Interfaces and bridges of containers: one each; the physical link counts the same traffic. */
const OF_CONTAINERS = ['veth', 'docker', 'br-', 'virbr', 'cali', 'flannel', 'cni'];
const net = (id: string, rule: Omit<NetRule, 'id'>): SeriesRule => ({
  id: `net.*.${id}`,
  lane: 'network',
  aside: OF_CONTAINERS,
  elsewhere: 'net.*.elsewhere',
  ...rule,
});
/** Connections of the tool to the server, and of the server to its clients: read every ten seconds. */
const sockets = (id: string, rule: Omit<NetRule, 'id'>): SeriesRule => ({
  id: `sockets.*.${id}`,
  lane: 'network',
  digits: 0,
  ...rule,
});
const link = { of: 'net.*.speed_mbps', scale: MEGABIT, words: 'link speed' };

export const NETWORK: readonly SeriesRule[] = [
  net('rx_mib_s', {
    label: 'Received',
    unit: 'MiB/s',
    digits: 2,
    main: true,
    limit: link,
    reading: { kind: 'rate', of: ['net.*.rx_bytes'], scale: MIB },
  }),
  net('tx_mib_s', {
    label: 'Sent',
    unit: 'MiB/s',
    digits: 2,
    main: true,
    limit: link,
    reading: { kind: 'rate', of: ['net.*.tx_bytes'], scale: MIB },
  }),
  net('rx_packets', {
    label: 'Packets received',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['net.*.rx_packets'] },
  }),
  net('tx_packets', {
    label: 'Packets sent',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['net.*.tx_packets'] },
  }),
  net('drops', {
    label: 'Packets dropped',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['net.*.rx_dropped', 'net.*.tx_dropped'] },
  }),
  net('errors', {
    label: 'Packets with errors',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['net.*.rx_errors', 'net.*.tx_errors'] },
  }),
  sockets('unread', {
    label: 'Connections to * with unread data',
    unit: 'connections',
    reading: { kind: 'gauge', of: ['sockets.*.unread'] },
  }),
  sockets('unconfirmed', {
    label: 'Connections to * with data in flight',
    unit: 'connections',
    reading: { kind: 'gauge', of: ['sockets.*.unconfirmed'] },
  }),
  sockets('unconfirmed_kib', {
    label: 'Data in flight to *',
    unit: 'KiB',
    reading: { kind: 'gauge', of: ['sockets.*.unconfirmed_bytes'], scale: 1 / 1024 },
  }),
  sockets('least_ms', {
    label: 'Shortest round trip to *',
    unit: 'ms',
    digits: 3,
    reading: { kind: 'gauge', of: ['sockets.*.least_us'], scale: 1 / 1000 },
  }),
  {
    id: 'tcp.retransmitted',
    label: 'TCP segments retransmitted',
    unit: '/s',
    lane: 'network',
    digits: 0,
    reading: { kind: 'rate', of: ['tcp.retransmitted'] },
  },
  {
    id: 'tcp.established',
    label: 'TCP connections',
    unit: 'connections',
    lane: 'network',
    digits: 0,
    reading: { kind: 'gauge', of: ['tcp.established'] },
  },
];
