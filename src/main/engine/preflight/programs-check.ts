import type { Finding } from '../../../shared/model/finding.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Machine } from '../hosts/machine.ts';
import type { PreflightState } from './state.ts';

/** Programs beside the tool that a run would start and that this generator does not have: every trial would fail on it. */
export async function programFindings(
  { steps, tool }: PreflightState,
  machine: Machine,
  signal: AbortSignal,
): Promise<Finding[]> {
  const names = new Set(steps.flatMap(({ options }) => tool.programs?.(options) ?? []));
  if (names.size === 0) return [];
  const script = [...names].map((name) => `command -v ${shellQuote(name)} >/dev/null || echo ${shellQuote(name)}`);
  const { stdout } = await machine.exec(`${script.join('\n')}\nexit 0`, { signal, timeoutMs: 20_000 });
  const missing = stdout.split('\n').filter((name) => names.has(name));
  return missing.map((name) => ({
    code: 'program-missing',
    severity: 'block',
    message: `On ${machine.name}: “${name}”, with which the command begins, was not found.`,
    next: 'Install it there, or write its whole path.',
  }));
}
