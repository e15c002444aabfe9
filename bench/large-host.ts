import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CORES = 64;
const INTERRUPT_LINES = 4500;
const DISKS = 24;
const PARTITIONS = 3;
const LINKS = 8;
const PROCESSES = 1200;

/** An endless, reproducible sequence of digits: only the length of the numbers matters. */
function digits(): (count: number) => string {
  let seed = 7;
  return (count) =>
    Array.from({ length: count }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return String(1 + (seed % 9));
    }).join('');
}

/**
 * Writes /proc and /sys of a host with 64 cores, 24 disks and 1,200 processes into a folder. They exclude the kernel's cost of formatting them, and
 * include only that of reading and forwarding. The uptime and the reader's own files are those of this computer.
 */
export function writeLargeHost(folder: string): { proc: string; sys: string } {
  const [proc, sys] = [join(folder, 'proc'), join(folder, 'sys')];
  const number = digits();
  const numbers = (count: number, length: number): string =>
    Array.from({ length: count }, () => number(length)).join(' ');
  const write = (root: string, name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const cores = Array.from({ length: CORES }, (_, core) => `cpu${core} ${numbers(10, 8)}\n`).join('');
  const kernel = 'btime 1795393870\nprocesses 1527352\nprocs_running 33\nprocs_blocked 1\n';
  const interrupts = `intr ${number(11)}${' 0'.repeat(INTERRUPT_LINES)}\nctxt ${number(11)}\n`;
  write(proc, 'stat', `cpu  ${numbers(10, 9)}\n${cores}${interrupts}${kernel}softirq ${numbers(11, 9)}\n`);
  for (const name of ['meminfo', 'vmstat', 'pressure', 'loadavg', 'uptime', 'self', 'net/snmp']) {
    mkdirSync(dirname(join(proc, name)), { recursive: true });
    symlinkSync(join('/proc', name), join(proc, name));
  }
  const disks = Array.from({ length: DISKS }, (_, index) => `nvme${index}n1`);
  const parts = disks.flatMap((disk) => [disk, ...Array.from({ length: PARTITIONS }, (_, part) => `${disk}p${part}`)]);
  write(proc, 'diskstats', parts.map((name) => ` 259       0 ${name} ${numbers(17, 8)}\n`).join(''));
  for (const disk of disks) mkdirSync(join(sys, 'block', disk), { recursive: true });
  const links = ['lo', ...Array.from({ length: LINKS }, (_, index) => `eth${index}`)];
  write(proc, 'net/dev', `Inter-|\n face |\n${links.map((name) => `  ${name}: ${numbers(16, 10)}\n`).join('')}`);
  for (const name of links) {
    const facts = { operstate: 'up', flags: '0x1003', speed: '25000' };
    for (const [fact, value] of Object.entries(facts)) write(sys, `class/net/${name}/${fact}`, `${value}\n`);
  }
  for (let core = 0; core < CORES; core += 1)
    write(sys, `devices/system/cpu/cpu${core}/cpufreq/scaling_cur_freq`, '2400000\n');
  for (let pid = 2; pid <= PROCESSES; pid += 1) writeProcess(pid, (name, text) => write(proc, `${pid}/${name}`, text));
  return { proc, sys };
}

function writeProcess(pid: number, write: (name: string, text: string) => void): void {
  const name = pid === 900 ? 'mysqld' : pid === 901 ? 'sysbench' : `worker-${pid}`;
  const fields = ['S', 1, pid, pid, 0, -1, 0, 10, 0, 0, 0, 4711, 815, 0, 0, 20, 0, 64, 0, 5000, 99_999, 12_345];
  write('stat', `${pid} (${name}) ${fields.join(' ')}${' 0'.repeat(28)}\n`);
  write('status', `Name:\t${name}\nTgid:\t${pid}\n`);
  write('statm', '24000 12345 2000 100 0 9000 0\n');
  write(
    'io',
    'rchar: 1\nwchar: 1\nsyscr: 1\nsyscw: 1\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 0\n',
  );
}
