import { createRoot } from 'react-dom/client';
import { createQueryClient, type EngineDoor, EngineLink } from '../client/index.ts';
import { shareStyleNonce } from '../ui/index.ts';
import { App } from './App.tsx';
import { fetchViews } from './lazyView.ts';

/** By then the first view is there, and is not kept waiting. */
const FETCH_AFTER_MS = 1500;

/** Puts the app into the page, with the way to its engine. */
export function boot(door: EngineDoor): void {
  const place = document.getElementById('root');
  if (!place) throw new Error('The page has no root element.');
  shareStyleNonce();
  createRoot(place).render(<App link={new EngineLink(door)} queries={createQueryClient()} />);
  window.setTimeout(() => void fetchViews(), FETCH_AFTER_MS);
}
