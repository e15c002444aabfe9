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
// The engine is reached while the app is fetched and read.
const door = openedNow(doorOf(window));

/** Not awaited by the module: where one waits at its top, the bundler makes a file of every few lines that views share. */
async function begin(): Promise<void> {
  await watchStyles().catch(loadAgain);
  // Fetched only now: whatever is imported above would be evaluated before that call.
  const app = await import('./app/App.tsx').catch(loadAgain);
  app.boot(door);
}

void begin();
