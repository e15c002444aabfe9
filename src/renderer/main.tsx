import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './ui/ui.css';
import './charts/charts.css';
import './app/frame.css';
import { validateWithoutEval } from './client/without-eval.ts';

const LOADED_AGAIN = 'kneepoint-loaded-again';

validateWithoutEval();
// Fetched only now: whatever is imported above would be evaluated before that call.
const app = await import('./app/boot.tsx').catch(loadAgain);
app?.boot();
if (app) sessionStorage.removeItem(LOADED_AGAIN);

/** A network that changed in this moment, or a new build, took the file away: the page is loaded again, once. */
function loadAgain(error: unknown): undefined {
  if (sessionStorage.getItem(LOADED_AGAIN) !== null) throw error;
  sessionStorage.setItem(LOADED_AGAIN, 'yes');
  location.reload();
}
