import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { everySetting } from '../../shared/model/settings.ts';
import { renderPiece } from '../testing/render.tsx';
import { SettingsTable } from './SettingsTable.tsx';

afterEach(cleanup);

const DESCRIBED = {
  ...{ product: 'PostgreSQL', version: '17.5', readAt: 0 },
  settings: [
    { name: 'shared_buffers', value: '256MB', why: 'Data beyond it is read from the disk.' },
    { name: 'fsync', value: 'on', why: 'off: nothing waits for the disk.' },
  ],
};
const LIST = [
  { name: 'fsync', value: 'on', default: 'on', source: 'default' },
  { name: 'jit', value: 'on', default: 'on', source: 'default' },
  { name: 'port', value: '5433', default: '5432', source: 'command line' },
  { name: 'shared_buffers', value: '268435456', unit: 'bytes', default: '134217728', source: 'configuration file' },
  { name: 'work_mem', value: '8388608', unit: 'bytes', default: '4194304', source: 'configuration file' },
];

const names = () => [...document.querySelectorAll('tbody code')].map((cell) => cell.textContent);
const show = (settings: ReturnType<typeof everySetting>) => renderPiece(<SettingsTable settings={settings} />);

it('shows relevant and changed settings, and finds any other', () => {
  show(everySetting(DESCRIBED, LIST));
  expect(names()).toEqual(['shared_buffers', 'fsync', 'work_mem', 'port']);
  const table = screen.getByRole('table', { name: 'Settings' });
  expect(table.textContent).toContain('256 MiB128 MiBconfiguration fileData beyond it is read from the disk.');
  fireEvent.click(screen.getByRole('radio', { name: 'Changed from the default (3)' }));
  expect(names()).toEqual(['shared_buffers', 'work_mem', 'port']);
  fireEvent.click(screen.getByRole('radio', { name: 'Short list (4)' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Search 5 settings' }), { target: { value: 'JIT' } });
  expect(names()).toEqual(['jit']);
});

it('shows the settings stored with an old session', () => {
  show(everySetting(DESCRIBED));
  expect(names()).toEqual(['shared_buffers', 'fsync']);
  expect(screen.queryByRole('radio')).toBeNull();
});
