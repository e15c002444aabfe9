import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEverywhere, longLine, nonsense, someOf, tries, withInsertedPiece } from '../../testing/damage.ts';
import { RECORDINGS, readOutput, recordingNamed } from '../testing/recordings.ts';

const NAMES = ['jdbc-maria-a', 'e-scan', 'f-rmw', 'a-histogram', 'a-raw', 'flaky-stall', 'a-locale-de'];
const keyOf = (value: unknown): string => JSON.stringify(value);

describe('damaged output', () => {
  it.each(NAMES)('of %s, cut at every byte, has only original samples', (name) => {
    const { stderr } = recordingNamed(name);
    const known = readOutput('', stderr).samples.map(keyOf);
    const from = stderr.indexOf(' 0 sec: ');
    const limit = stderr.indexOf('\n', stderr.indexOf(' 2 sec: ') + 1);
    cutEverywhere(stderr.slice(from, limit < 0 ? undefined : limit), (end) => {
      const { samples } = readOutput('', stderr.slice(0, from + end));
      expect(samples.map(keyOf)).toEqual(known.slice(0, samples.length));
    });
  });

  it.each(NAMES)('of %s, with each line twice, has the same samples', (name) => {
    const { stdout, stderr } = recordingNamed(name);
    const doubled = stderr
      .split('\n')
      .flatMap((line, index, all) => (index < all.length - 1 ? [line, line] : [line]))
      .join('\n');
    expect(readOutput(stdout, doubled).samples).toEqual(readOutput(stdout, stderr).samples);
  });

  it('with carriage returns, merged streams, and foreign bytes between lines, has the same samples', () => {
    for (const name of NAMES) {
      const { stdout, stderr } = recordingNamed(name);
      const { samples } = readOutput(stdout, stderr);
      expect(readOutput(stdout, stderr.replaceAll('\n', '\r\n')).samples, name).toEqual(samples);
      expect(readOutput(`${stderr}${stdout}`, '').samples, name).toEqual(samples);
      const noisy = stderr.replaceAll('\n', '\n\uFFFD\u0000 not YCSB [ 1 sec\n');
      const read = readOutput(stdout, noisy);
      expect(read.samples, name).toEqual(samples);
      expect(read.unparsed.length, name).toBeGreaterThan(0);
    }
  });

  it('with lines run together has only printed figures', () => {
    const { stderr } = recordingNamed('jdbc-maria-a');
    const known = new Map(readOutput('', stderr).samples.map(({ t, metrics }) => [t, metrics]));
    fc.assert(
      fc.property(withInsertedPiece(stderr, 300), (mixed) => {
        for (const { t, metrics } of readOutput('', mixed).samples) {
          // A duplicated digit is indistinguishable from a printed one; a lost group is absent, not 0.
          const printed = known.get(t);
          if (!printed) continue;
          const unexpected = Object.keys(metrics).filter((id) => !(id in printed) && !id.startsWith('latency_'));
          expect(unexpected).toEqual([]);
        }
      }),
      tries(300),
    );
  });

  it('of a megabyte on one line loses that line only', () => {
    const lines = [
      '2026-11-21 00:11:24:835 0 sec: 0 operations; est completion in 0 second ',
      '2026-11-21 00:11:25:835 1 sec: 900 operations; 900 current ops/sec; [READ: Count=900, Max=9, Min=1, Avg=5, 90=8, 99=9, 99.9=9, 99.99=9] ',
    ];
    const pieces = [
      'x',
      ' ',
      '[READ: Count=1, ',
      '1 sec: 1 operations; ',
      'a.',
      'Error',
      '"metric" : ',
      '[A], ',
      '-',
      '9,',
    ];
    fc.assert(
      fc.property(longLine(pieces), (long) => {
        const read = readOutput(`${long}\n`, `${long}\n${lines.join('\n')}\n`);
        expect(read.samples).toHaveLength(1);
        expect(read.unparsed.join('').length).toBeLessThan(20_000);
      }),
      tries(20),
    );
  });

  it('without meaning is ignored', () => {
    fc.assert(
      fc.property(nonsense('[]{}(),.:%=/ s0123456789secoperationsREADCount\t\r\n\u0000\uFFFD"\'`-'), (text) => {
        expect(readOutput(text, text, { exit: { code: 0 } }).samples).toEqual([]);
      }),
      tries(500),
    );
  });

  it('reads every recording the same when fed again', () => {
    for (const { stdout, stderr, name } of someOf(RECORDINGS)) {
      const read = readOutput(stdout, stderr);
      expect(readOutput(stdout, stderr), name).toEqual(read);
    }
  });
});
