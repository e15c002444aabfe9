import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './ui/ui.css';
import './charts/charts.css';
import './app/frame.css';
import { connectNow } from './client/connector.ts';
import { reloadPage, watchStyles } from './client/reload-page.ts';
import { connectorOf } from './client/transport.ts';
import { validateWithoutEval } from './client/without-eval.ts';

validateWithoutEval();
// The engine is connected while the app is fetched and parsed.
const connector = connectNow(connectorOf(window));

/** Not a top-level await: with one, the bundler makes a file of every few lines that views share. */
async function start(): Promise<void> {
  await watchStyles().catch(reloadPage);
  // Fetched only now: static imports would be evaluated before that call.
  const app = await import('./app/App.tsx').catch(reloadPage);
  app.boot(connector);
}

void start();
