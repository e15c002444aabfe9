import { openStore } from '../src/main/engine/store/open.ts';
import { randomFrom } from '../src/main/engine/store/testing/output.ts';

const WATCHED_SECONDS = 36_000;
const START = 1_700_000_000;
const ROWS_PER_BATCH = 2_000;
const DISKS = 12;
const LINKS = 8;

const DISK = ['read_ios', 'write_ios', 'read_sectors', 'write_sectors', 'read_ms', 'write_ms', 'busy_ms', 'queue_ms'];
const LINK = ['rx_bytes', 'tx_bytes', 'rx_packets', 'tx_packets', 'rx_dropped', 'tx_dropped', 'rx_errors', 'tx_errors'];

/** Growth by the second of each kind of counter, about. */
const PACE: Readonly<Record<string, number>> = {
  read_ios: 900,
  write_ios: 4_000,
  read_sectors: 30_000,
  write_sectors: 260_000,
  read_ms: 700,
  write_ms: 2_500,
  busy_ms: 640,
  queue_ms: 3_200,
  rx_bytes: 11_000_000,
  tx_bytes: 95_000_000,
  rx_packets: 40_000,
  tx_packets: 70_000,
};

/** Stores what was read of a host with many devices for ten hours, counters as the kernel tells them: some 180 series. */
export function addWatchedHost(dataDir: string, sessionId: number): void {
  const store = openStore(dataDir, { mode: 'test' });
  try {
    const random = randomFrom(20);
    const source = store.sources.ensure(sessionId, { kind: 'host', name: 'server-1', position: 0 });
    store.sources.setAbout(source.id, { roles: ['server'] });
    for (let hour = 0; hour <= 10; hour += 1)
      store.sources.addClock(source.id, { t: START + 3600 * hour, offsetMs: 3 + random(), errorMs: 1 });
    const counters = new Map<string, number>();
    for (let disk = 0; disk < DISKS; disk += 1)
      for (const name of DISK) counters.set(`disk.nvme${disk}n1.${name}`, 1e6);
    for (let link = 0; link < LINKS; link += 1) for (const name of LINK) counters.set(`net.eno${link}.${name}`, 1e6);
    for (let first = 0; first < WATCHED_SECONDS; first += ROWS_PER_BATCH) {
      const rows = Array.from({ length: ROWS_PER_BATCH }, (_, index) => {
        for (const [name, value] of counters) {
          const pace = PACE[name.slice(name.lastIndexOf('.') + 1)] ?? 0;
          counters.set(name, value + Math.floor(pace * (0.9 + 0.2 * random())));
        }
        return { t: START + first + index + Math.floor(random() * 20) / 1000, metrics: Object.fromEntries(counters) };
      });
      store.monitored.ingest({ sourceId: source.id, rows });
    }
    store.monitored.seal(source.id);
  } finally {
    store.close();
  }
}
