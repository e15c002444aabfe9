import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fetchViews, lazyView, ShownView } from './lazyView.ts';

afterEach(cleanup);

const Words = () => <p>its words</p>;
const opened = () =>
  lazyView(
    () => Promise.resolve({ Words }),
    (module) => module.Words,
  );
const show = (view: ReturnType<typeof opened>) => render(<ShownView view={view} waiting={<p>waiting</p>} />);

it('waits for a view that is loaded on display', async () => {
  show(opened());
  expect(screen.getByText('waiting')).toBeDefined();
  await screen.findByText('its words');
});

it('shows a preloaded view at once', async () => {
  const view = opened();
  await fetchViews();
  show(view);
  expect(screen.queryByText('waiting')).toBeNull();
  expect(screen.getByText('its words')).toBeDefined();
});
