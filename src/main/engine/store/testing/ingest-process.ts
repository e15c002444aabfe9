import { openStore } from '../open.ts';
import { outputOf, randomBatches, randomFrom } from './output.ts';

/* Goes on ingesting where the library stands and tells each commit, until it is killed or done: argv = folder, run, lines, seed. */
const [folder = '', run = '', lines = '', seed = ''] = process.argv.slice(2);
const store = openStore(folder, { mode: 'test' });
const output = outputOf(Number(lines));
const offset = store.samples.offset(Number(run), 0, 'stdout');
for (const batch of randomBatches(Number(run), output, randomFrom(Number(seed)), offset)) {
  store.samples.ingest(batch);
  process.stdout.write(`${batch.offset + batch.bytes.length}\n`);
}
store.close();
process.stdout.write('done\n');
