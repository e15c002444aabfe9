import type { CallOptions } from '../../shared/rpc/define.ts';
import { formatNumber } from '../../shared/util/format.ts';
import { plainText, printStatus } from './output.ts';
import { terminal } from './terminal.ts';

/** Milliseconds after which a user wonders what the command is doing: progress is shown from then on. */
const LONG_MS = 1000;
/** Milliseconds between progress lines where lines cannot be rewritten. */
const LINE_MS = 10_000;

/** Shows the progress of a call on standard error once it takes longer than a second. */
export async function slow<Answer>(
  call: (options: CallOptions) => Promise<Answer>,
  now: () => number = () => performance.now(),
): Promise<Answer> {
  const { stderr } = terminal();
  const isTerminal = stderr.isTTY === true;
  let next = now() + LONG_MS;
  let drawn = false;
  const onProgress: CallOptions['onProgress'] = ({ what, unit, done, of }) => {
    if (now() < next) return;
    const words = plainText(`${what}: ${unit} ${formatNumber(done)} of ${formatNumber(of)}`);
    if (!isTerminal) {
      next = now() + LINE_MS;
      printStatus(words);
      return;
    }
    drawn = true;
    stderr.write(`\r\x1b[K${words.slice(0, (stderr.columns || 80) - 1)}`);
  };
  try {
    return await call({ onProgress });
  } finally {
    if (drawn) stderr.write('\r\x1b[K');
  }
}
