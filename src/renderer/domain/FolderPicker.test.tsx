import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { testEngine } from '../testing/engine.ts';
import { renderWithEngine } from '../testing/render.tsx';
import { FolderPicker } from './FolderPicker.tsx';

afterEach(cleanup);

it('floats over the page on request, starts at the last folder, and closes with Escape', async () => {
  const chosen: string[] = [];
  const asked: string[] = [];
  const folder = ({ path }: { path: string }) => {
    asked.push(path);
    return { path, writable: true, folders: ['a'] };
  };
  const picker = <FolderPicker floating host="db1" value="/mnt/ext4" onChoose={(path) => chosen.push(path)} />;
  renderWithEngine(testEngine({ hosts: { folder } }).link, picker);
  fireEvent.click(screen.getByRole('button', { name: 'Browse db1' }));
  await screen.findByText('File system unknown');
  fireEvent.keyDown(screen.getByRole('group', { name: 'Folders on db1' }), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Folders on db1' })).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Browse db1' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Parent folder' }));
  await screen.findByText('/mnt');
  const use = screen.getByRole<HTMLButtonElement>('button', { name: 'Use this folder' });
  await waitFor(() => expect(use.disabled).toBe(false));
  fireEvent.click(use);
  expect(chosen).toEqual(['/mnt']);
  expect(asked[0]).toBe('/mnt/ext4');
});
