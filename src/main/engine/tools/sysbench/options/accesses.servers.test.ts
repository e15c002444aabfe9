import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessShares } from '../../accesses.ts';
import { rowAccesses } from './accesses.ts';
import { SysbenchOptions } from './index.ts';

const PARTS = 200;
const DRAWS = 4_000_000;
/** Draws ids as sysbench's tests do, and prints how often each part was drawn. */
const SCRIPT = `
sysbench.cmdline.options = {}
function event()
  local counts = {}
  for i = 1, ${PARTS} do counts[i] = 0 end
  for i = 1, ${DRAWS} do
    local part = math.floor((sysbench.rand.default(1, 1000000) - 1) / ${1_000_000 / PARTS}) + 1
    counts[part] = counts[part] + 1
  end
  for i = 1, ${PARTS} do print("PART " .. counts[i]) end
end
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-accesses-'));
  writeFileSync(path.join(folder, 'draw.lua'), SCRIPT);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  { 'rand-type': 'uniform' },
  { 'rand-type': 'gaussian' },
  { 'rand-type': 'special' },
  { 'rand-type': 'special', 'rand-spec-pct': 5, 'rand-spec-res': 50 },
  { 'rand-type': 'special', 'rand-spec-pct': 20, 'rand-spec-res': 60 },
  { 'rand-type': 'pareto' },
  { 'rand-type': 'pareto', 'rand-pareto-h': 0.1 },
])('the described distribution of %o matches the draws of sysbench', async (options) => {
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const script = path.join(folder, 'draw.lua');
  const args = [script, '--events=1', '--time=0', '--threads=1', '--rand-seed=5', ...flags, 'run'];
  const { stdout } = await promisify(execFile)('sysbench', args, { maxBuffer: 1 << 24 });
  const counts = [...stdout.matchAll(/^PART (\d+)$/gm)].map(([, count]) => Number(count));
  expect(counts).toHaveLength(PARTS);
  counts.sort((left, right) => right - left);
  const [expected] = rowAccesses(SysbenchOptions.parse({ script: 'oltp_read_only', ...options }));
  if (!expected) throw new Error('Nothing is told.');
  for (const { accesses, rows } of accessShares(expected).shares) {
    let sum = 0;
    const drawn =
      (counts.findIndex((count) => {
        sum += count;
        return sum >= accesses * DRAWS;
      }) +
        1) /
      PARTS;
    // Tolerance: one part, plus the uncertainty of this number of draws.
    expect(Math.abs(rows - drawn), `${accesses}`).toBeLessThan(0.015);
  }
});
