import { openStore } from '../open.ts';

/** Opens the library and holds it until it is killed: argv = folder. */
const store = openStore(process.argv[2] ?? '', { mode: 'cli' });
process.stdout.write(`holding ${store.sqliteVersion}\n`);
setInterval(() => store.experiments.list(), 1_000);
