import { notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { testEngine } from '../testing/engine.ts';
import { renderWithEngine } from '../testing/render.tsx';
import { ExportMenu } from './ExportMenu.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('confirms the file that it has downloaded', async () => {
  const shown = vi.spyOn(notifications, 'show');
  // The DOM of tests has no files to download.
  Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined });
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined);
  const { link } = testEngine({
    reports: { make: () => ({ fileName: 'kneepoint-1.pdf', mediaType: 'application/pdf', bytes: new Uint8Array(4) }) },
  });
  renderWithEngine(link, <ExportMenu sessionId={1} warmup={undefined} />);
  fireEvent.click(screen.getByRole('button', { name: 'Export' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^PDF report/, hidden: true }));
  await waitFor(() => expect(shown).toHaveBeenCalledWith({ title: 'Downloaded the file', message: 'kneepoint-1.pdf' }));
  expect(clicked).toHaveBeenCalledTimes(1);
});
