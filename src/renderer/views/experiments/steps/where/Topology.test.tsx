import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Topology } from './Topology.tsx';

afterEach(cleanup);

const DRAWN = {
  generator: { name: 'load-1', known: true, address: '10.0.0.1', lines: [] },
  tool: { name: 'sysbench', missing: false },
  target: { name: 'haproxy', address: '10.0.0.7:3306', kind: 'MySQL' },
  behind: { name: 'maria', address: '10.0.0.8:3306', kind: 'MySQL' },
  missingTarget: undefined,
  wanting: false,
  shared: false,
};

it('draws a proxy between the generator and the server behind it', () => {
  render(<Topology {...DRAWN} />);
  expect(screen.getByRole('img', { name: 'load-1 drives haproxy at 10.0.0.7:3306, a proxy of maria' })).toBeTruthy();
  for (const words of ['load-1', 'haproxy', 'proxy, MySQL', 'maria', '10.0.0.8:3306']) screen.getAllByText(words);
});

it('draws only generator and target without a proxy', () => {
  render(<Topology {...DRAWN} behind={undefined} />);
  expect(screen.getByRole('img', { name: 'load-1 drives haproxy at 10.0.0.7:3306' })).toBeTruthy();
  expect(screen.queryByText('maria')).toBeNull();
});
