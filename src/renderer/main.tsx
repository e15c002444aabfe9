import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './ui/ui.css';
import './charts/charts.css';
import './app/frame.css';
import { openedNow } from './client/door.ts';
import { loadAgain } from './client/load-again.ts';
import { watchStyles } from './client/styles.ts';
import { doorOf } from './client/transport.ts';
import { validateWithoutEval } from './client/without-eval.ts';

validateWithoutEval();
// The engine is connected while the app is fetched and parsed.
const door = openedNow(doorOf(window));

/** Not a top-level await: with one, the bundler makes a file of every few lines that views share. */
async function begin(): Promise<void> {
  await watchStyles().catch(loadAgain);
  // Fetched only now: static imports would be evaluated before that call.
  const app = await import('./app/App.tsx').catch(loadAgain);
  app.boot(door);
}

void begin();
