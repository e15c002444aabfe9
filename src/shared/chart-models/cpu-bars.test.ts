import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import type { HostCpu } from '../model/analysis.ts';
import { cpuBars, cpuBarsHeight, cpuPanels } from './index.ts';
import { chartTheme } from './theme.ts';

const theme = chartTheme('light');
const cpu = (host: string, roles: HostCpu['roles'], cores: number, user: number, more: Partial<HostCpu> = {}) => ({
  ...{ host, roles, cores, modes: { user, system: user / 2, iowait: 1 } },
  ...more,
});
const factors = [
  { name: 'proxy', levels: ['none', 'cache'] },
  { name: 'threads', levels: [4, 1] },
];
const cells = [
  { cell: 0, levels: { proxy: 'none', threads: 4 } },
  { cell: 1, levels: { proxy: 'none', threads: 1 } },
  { cell: 2, levels: { proxy: 'cache', threads: 4 } },
];
/** Two generators, a proxy, a server: each uses twice as much in cell 0 as in the others. */
const runOf = (cell: number, more: readonly HostCpu[] = []): HostCpu[] => {
  const load = cell === 0 ? 2 : 1;
  return [
    cpu('db', ['server'], 8, load),
    cpu('c1', ['generator'], 8, load),
    cpu('c2', ['generator'], 8, 2 * load),
    cpu('proxy', ['other'], 2, load / 4),
    ...more,
  ];
};
const uses = cells.map(({ cell }) => ({ cell, runs: [runOf(cell)] }));

describe('CPU of the hosts', () => {
  it('is grouped by role, in the order of a request, with the number of cores', () => {
    const panels = cpuPanels(uses, 'role');
    expect(panels.map(({ name, cores }) => [name, cores])).toEqual([
      ['Load generators: c1, c2', 16],
      ['Host: proxy', 2],
      ['System under test: db', 8],
    ]);
    expect(panels[0]?.uses.get(0)?.modes).toEqual({ user: 6, system: 3, iowait: 2 });
    expect(cpuPanels(uses, 'host').map(({ hosts }) => hosts)).toEqual([['c1'], ['c2'], ['proxy'], ['db']]);
  });

  it('names proxies by their role, between generators and server', () => {
    const proxied = uses.map(({ cell }) => ({ cell, runs: [runOf(cell, [cpu('lb', ['proxy'], 4, 1)])] }));
    expect(cpuPanels(proxied, 'role').map(({ name }) => name)).toEqual([
      ...['Load generators: c1, c2', 'Proxy: lb', 'Host: proxy', 'System under test: db'],
    ]);
  });

  it('is the mean of the runs of a cell, and missing if a host of the role has no figures', () => {
    const twice = [{ cell: 0, runs: [runOf(0), runOf(1)] }];
    expect(cpuPanels(twice, 'role')[2]?.uses.get(0)?.modes.user).toBe(1.5);
    const half = [...uses.slice(1), { cell: 0, runs: [runOf(0).filter(({ host }) => host !== 'c2')] }];
    const [generators, , server] = cpuPanels(half, 'role');
    expect(generators?.uses.has(0)).toBe(false);
    expect(server?.uses.has(0)).toBe(true);
  });

  it('covers the hosts that a cell uses, if generators or targets are a factor', () => {
    const other = (cell: number) => [
      cpu('c1', ['generator'], 8, 3),
      cpu('c2', cell === 0 ? [] : ['generator'], 8, cell === 0 ? 0.01 : 3),
      cpu('db1', cell === 0 ? ['server'] : [], 8, cell === 0 ? 6 : 0.01),
      cpu('db2', cell === 0 ? [] : ['server'], 16, cell === 0 ? 0.01 : 9),
    ];
    const panels = cpuPanels(
      [0, 1].map((cell) => ({ cell, runs: [other(cell)] })),
      'role',
    );
    expect(panels.map(({ hosts }) => hosts)).toEqual([
      ['c1', 'c2'],
      ['db1', 'db2'],
    ]);
    const used = panels.map(({ cores, uses: own }) =>
      [cores, ...own.values()].map((use) => (typeof use === 'number' ? use : [use.cores, use.modes.user])),
    );
    expect(used).toEqual([
      [16, [8, 3], [16, 6]],
      [16, [8, 6], [16, 9]],
    ]);
    const ofHosts = cpuPanels(
      [0, 1].map((cell) => ({ cell, runs: [other(cell)] })),
      'host',
    );
    expect(ofHosts.map(({ hosts }) => hosts)).toEqual([['c1'], ['c2'], ['db1'], ['db2']]);
    for (const { uses: own } of ofHosts) expect([...own.keys()]).toEqual([0, 1]);
  });

  it('omits a mode that one of several hosts does not report', () => {
    const [generators] = cpuPanels(
      [{ cell: 0, runs: [[...runOf(0), cpu('c3', ['generator'], 4, 1, { modes: { user: 1 } })]] }],
      'role',
    );
    expect(generators?.uses.get(0)?.modes).toEqual({ user: 7 });
  });

  it('is in the order of the load, line by line, with a gap for a missing cell', () => {
    const chart = { panels: cpuPanels(uses, 'role'), cells, factors };
    const { option } = cpuBars(chart, theme);
    const axes = [option.xAxis].flat();
    expect(axes).toHaveLength(6);
    expect(axes[0]).toMatchObject({ data: ['1', '4', '1', '4'] });
    expect(axes[1]).toMatchObject({ data: ['proxy none', 'proxy cache'] });
    const user = [option.series].flat().find((series) => series?.id === '2 user');
    expect(user?.data).toEqual([{ value: 1, cell: 1 }, { value: 2, cell: 0 }, '-', { value: 1, cell: 2 }]);
    const plain = { ...chart, cells: cells.slice(0, 2), factors: factors.slice(1) };
    expect(cpuBarsHeight(chart)).toBeGreaterThan(cpuBarsHeight(plain));
  });

  it('goes up to all cores if they are nearly used, and otherwise names their number', () => {
    const chart = { panels: cpuPanels(uses, 'role'), cells, factors };
    const axes = [cpuBars(chart, theme).option.yAxis].flat();
    expect(axes.map((axis) => axis && 'max' in axis && axis.max)).toEqual([16, 2, 8]);
    const idle = { ...chart, panels: chart.panels.map((panel) => ({ ...panel, cores: 100 })) };
    const first = [cpuBars(idle, theme).option.yAxis].flat()[0];
    expect(first).toMatchObject({ max: 15, name: expect.stringContaining('of 100 cores') });
  });

  it('draws every panel with its name, and lists all figures in a table', () => {
    const chart = { panels: cpuPanels(uses, 'role'), cells, factors };
    const model = cpuBars(chart, theme);
    const drawn = init(null, null, { renderer: 'svg', ssr: true, width: 900, height: cpuBarsHeight(chart) });
    drawn.setOption(model.at?.(900) ?? {});
    const svg = drawn.renderToSVGString();
    drawn.dispose();
    for (const words of ['Load generators: c1, c2', 'Host: proxy', 'I/O wait', 'proxy cache', '>threads<'])
      expect(svg).toContain(words);
    expect(svg).not.toContain('Steal');
    const { columns, rows } = model.table();
    expect(rows).toHaveLength(9);
    const row = Object.fromEntries(columns.map((name, index) => [name, rows[0]?.[index]]));
    expect(row).toMatchObject({ hosts: 'Load generators: c1, c2', cell: 'proxy none · threads 4', cores: 16 });
    expect(row['busy (cores)']).toBe(9);
    expect(row['steal (cores)']).toBe('');
  });
});
