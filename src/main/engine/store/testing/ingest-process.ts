import { randomFrom } from '../../../../shared/util/numbers.ts';
import { openStore } from '../open.ts';
import { outputOf, randomBatches } from './output.ts';

/**
 * Continues ingesting at the stored offset and prints each commit; then holds the library until it is killed: argv = folder, run, lines,
 * seed.
 */
const [folder = '', run = '', lines = '', seed = ''] = process.argv.slice(2);
const store = openStore(folder, { mode: 'test' });
const output = outputOf(Number(lines));
const offset = store.samples.offset(Number(run), 0, 'stdout');
for (const batch of randomBatches(Number(run), output, randomFrom(Number(seed)), offset)) {
  store.samples.ingest(batch);
  process.stdout.write(`${batch.offset + batch.bytes.length}\n`);
}
process.stdout.write('done\n');
setInterval(() => store.experiments.list(), 1_000);
