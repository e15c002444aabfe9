import { expect, it } from 'vitest';
import { readRows } from './sample.ts';

it.each([
  ['load', 'Loading of buffer pool not started', 0],
  ['load', 'Loading buffer pool(s) from /var/lib/mysql/ib_buffer_pool', 1],
  ['load', 'Loaded 4097/16384 pages', 1],
  ['load', 'Buffer pool(s) load completed at 261123  9:01:02', 0],
  ['load', 'Buffer pool(s) load aborted on request', 0],
  ['load', "Cannot open '/var/lib/mysql/ib_buffer_pool' for reading: No such file or directory", 0],
  ['load', '', 0],
  ['dump', 'Dumping of buffer pool not started', 0],
  ['dump', 'Dumping buffer pool(s) to /var/lib/mysql/ib_buffer_pool', 1],
  ['dump', 'Dumping buffer pool 1/8, page 129/2000', 1],
  ['dump', 'Buffer pool(s) dump completed at 261123  9:01:02', 0],
])('%s of the buffer pool: “%s”', (what, words, atWork) => {
  const name = `Innodb_buffer_pool_${what}_status`;
  expect(readRows([[name, words]]).metrics).toEqual({ [`${name}.at_work`]: atWork });
});
