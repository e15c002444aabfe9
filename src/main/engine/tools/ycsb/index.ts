import { defineTool } from '../tool.ts';
import { dataNeed } from './data.ts';
import { YcsbOptions } from './options.ts';
import { YcsbParser } from './parse.ts';
import { planYcsb } from './plan.ts';

export const ycsbTool = defineTool({
  id: 'ycsb',
  title: 'YCSB',
  summary:
    'Reads, updates, inserts and scans of records by key, on databases of many kinds, with Java on the generator.',
  options: YcsbOptions,
  drives: ['mysql', 'postgres', 'host'],
  // YCSB itself is where the option directory says, so what can be looked for is its Java.
  probe: {
    argv: ['java', '-version'],
    version(output) {
      const version = /version "(\d[\w.+-]*)"/.exec(output)?.[1];
      return version === undefined ? undefined : `Java ${version}`;
    },
    oldest: '1.7',
    install:
      'YCSB needs a Java runtime: apt-get install default-jre-headless (Debian, Ubuntu), dnf install java-headless (Fedora). Unpack YCSB itself into the folder that the option directory names.',
  },
  primaryMetric: () => 'ops',
  needs: (options) => (options.binding === 'jdbc' ? ['mysql', 'postgres'] : ['host']),
  data: dataNeed,
  plan: planYcsb,
  connections: (options) => (options.binding === 'jdbc' ? options.threads : 0),
  parser: (step, options, events) => new YcsbParser(step, options, events),
});
