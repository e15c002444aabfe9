import { describe, expect, it } from 'vitest';
import { TOOLS } from '../tools/index.ts';
import { checkDocument } from './index.ts';

const MEASURE = { duration: 10, repeats: 1 };

/** Paths and messages of the problems of a document with these parts. */
function against(
  parts: Record<string, unknown>,
  workload: unknown = { tool: 'command', options: { command: 'true' } },
) {
  const text = JSON.stringify({ kneepoint: 1, name: 'x', workload, where: {}, measure: MEASURE, ...parts });
  const { problems } = checkDocument(text, {
    tools: TOOLS,
    steps: () => ({ run: 'true' }),
    connection: () => ({ kind: 'host' }),
  });
  return problems.map(({ path, message }) => `${path}: ${message}`);
}
const setting = (more: Record<string, unknown>) => ({
  factors: [
    {
      name: 'fs',
      kind: 'host-setting',
      setting: 'commands',
      apply: 'true',
      read: 'true',
      undo: 'true',
      levels: ['ext4', 'xfs'],
      ...more,
    },
  ],
});

/** Each place of a document that can have a command, and its path. */
const PLACES: readonly [string, (command: string) => Record<string, unknown>][] = [
  ['factors.0.apply', (apply) => setting({ apply })],
  ['factors.0.read', (read) => setting({ read })],
  ['factors.0.undo', (undo) => setting({ undo })],
  [
    'factors.0.apply',
    (apply) => ({
      factors: [{ name: 'volume', kind: 'price', apply, levels: [{ name: 'gp3', price: { amount: 80 } }] }],
    }),
  ],
  ['measure.events.0.command', (command) => ({ measure: { ...MEASURE, events: [{ at: 1, do: 'run', command }] } })],
  [
    'monitors.commands.0.command',
    (command) => ({ monitors: { commands: [{ name: 'own', command, pattern: '(?<x>.)' }] } }),
  ],
];

const DESTROYING = [
  'mkfs.ext4 -q /dev/sdb',
  'dd if=/dev/zero of=/dev/sdb bs=1M',
  'wipefs -a /dev/sdb',
  'blkdiscard /dev/sdb',
  'sh -c "mkfs.ext4 /dev/sdb"',
  `sudo sh -c 'cat x | tee /dev/sdb'`,
  'cat image >/dev/sdb',
  'nvme format /dev/sdb',
  'mdadm --create /dev/sdb --level=0 a b',
  'parted -s /dev/sdb mklabel gpt',
  'sgdisk -Z /dev/sdb',
  'hdparm --security-erase x /dev/sdb',
  'cryptsetup luksFormat /dev/sdb',
  'pvcreate /dev/sdb',
  'echo /dev/sdb | xargs wipefs -a',
  'dd of=/proc/../dev/sdb',
  'dd of=//dev/./sdb',
  'a-program-nobody-knows /dev/sdb',
];

describe.each(PLACES)('a command at %s', (path, document) => {
  it.each(DESTROYING)('%s is refused with the name of the device', (command) => {
    const problems = against(document(command));
    expect(problems).toEqual([expect.stringContaining(`${path}: This names the device /dev/sdb without declaring`)]);
  });

  it.each([
    'mkfs.ext4 $D',
    'find /sys -name x -exec blkdiscard {} +',
    'lvremove -f vg0/data',
    'dd of=/dev/$D',
    'zpool destroy tank',
  ])('%s is refused, as its device is not visible', (command) =>
    expect(against(document(command))).toEqual([expect.stringContaining(`${path}: This `)]),
  );

  it('that uses no device is accepted', () => {
    for (const command of [
      'echo 1 >/sys/block/sdb/queue/nomerges',
      'sync; df / >/dev/null 2>&1',
      'dd if=/dev/zero of="$HOME/file" bs=1M count=1',
      'exec 3>/dev/cpu_dma_latency',
    ])
      expect(against(document(command)), command).toEqual([]);
  });
});

it('detects a device from a level', () => {
  const problems = against(setting({ apply: 'wipefs -a $level', levels: ['/dev/sdb', '/dev/sdc'] }));
  expect(problems).toEqual([
    expect.stringContaining('the device /dev/sdb'),
    expect.stringContaining('the device /dev/sdc'),
  ]);
});

it('accepts commands that only read a named device, but not destructive ones', () => {
  const readAhead = { apply: 'blockdev --setra 8 /dev/sdb', 'only-reads': '/dev/sdb' };
  expect(against(setting(readAhead))).toEqual([]);
  expect(against(setting({ ...readAhead, undo: 'mkfs.ext4 /dev/sdb' }))).toEqual([
    expect.stringContaining('factors.0.undo: /dev/sdb is declared read-only, but this writes to it (mkfs.ext4).'),
  ]);
  const events = [{ at: 1, do: 'run', command: 'smartctl -A /dev/sdb', 'only-reads': '/dev/sdb' }];
  expect(against({ measure: { ...MEASURE, events } })).toEqual([]);
});

it('detects commands run by the server or pgbench through statements', () => {
  const copy = "COPY t TO PROGRAM 'dd of=/dev/sdb'";
  expect(against({ measure: { ...MEASURE, before: { statement: copy } } })).toEqual([
    expect.stringContaining('measure.before.statement: This names the device /dev/sdb'),
  ]);
  const levels = [{ name: 'a', statements: ["COPY t TO PROGRAM 'mkfs $D'"], undo: ['SELECT 1'], check: 'SELECT 1' }];
  expect(against({ factors: [{ name: 'v', kind: 'data', levels }] })).toEqual([
    expect.stringContaining('factors.0.levels.0.statements: This runs mkfs'),
  ]);
  const script = '\\setshell x mkfs.ext4 /dev/sdb\nSELECT :x;';
  const workload = { tool: 'pgbench', options: { script: 'own', 'own-script': script } };
  expect(against({}, workload)).toContainEqual(
    expect.stringContaining('workload.options.own-script: This names the device /dev/sdb'),
  );
  expect(against({ measure: { ...MEASURE, before: { statement: "SELECT '/srv/dev/x' || '/dev/null'" } } })).toEqual([]);
});
