import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './ui/ui.css';
import './charts/charts.css';
import './app/frame.css';
import { loadAgain } from './client/load-again.ts';
import { watchStyles } from './client/styles.ts';
import { validateWithoutEval } from './client/without-eval.ts';

validateWithoutEval();
await watchStyles().catch(loadAgain);
// Fetched only now: whatever is imported above would be evaluated before that call.
const app = await import('./app/boot.tsx').catch(loadAgain);
app.boot();
