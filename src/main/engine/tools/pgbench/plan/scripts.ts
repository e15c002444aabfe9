import { invalidOptions } from '../../option-problem.ts';
import type { PgbenchOptions } from '../options/index.ts';

/** A user's script: its file name without extension, its weight and its text. */
export interface OwnScript {
  name: string;
  weight: number;
  text: string;
}

/** One of the scripts of a run. */
export type WeightedScript = { builtin: string; weight: number } | OwnScript;

const HEADING = /^--[ \t]*script:[ \t]*([^\s@]+)(?:[ \t]*@[ \t]*(\d+))?[ \t]*$/;
const LARGEST_WEIGHT = 1_000_000;

/** Splits the text of own scripts at its headings. A text without headings is a single script called `own`. Throws `experiment-invalid`. */
export function ownScripts(text: string): OwnScript[] {
  const scripts: OwnScript[] = [];
  const before: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const heading = HEADING.exec(line);
    if (heading) scripts.push({ name: heading[1] ?? '', weight: Number(heading[2] ?? 1), text: '' });
    const open = scripts.at(-1);
    if (open && !heading) open.text += `${line}\n`;
    else if (!open) before.push(line);
  }
  const lead = before.join('\n');
  if (scripts.length === 0) return lead.trim() === '' ? [] : [{ name: 'own', weight: 1, text: `${lead}\n` }];
  if (before.some((line) => line.trim() !== '' && !line.startsWith('--')))
    throw invalidOptions(
      'The own script has lines before the first “-- script: name” heading, so it is not clear which script they belong to.',
      'Begin the text with a heading, or omit the headings.',
    );
  for (const { name, weight, text: body } of scripts) {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,60}$/.test(name))
      throw invalidOptions(`“${name}” is not a valid script name.`, 'Use letters, digits, hyphens and underscores.');
    if (scripts.filter((other) => other.name === name).length > 1)
      throw invalidOptions(`Two own scripts are called “${name}”.`, 'Give each its own name.');
    if (weight > LARGEST_WEIGHT)
      throw invalidOptions(`The weight ${weight} of script “${name}” is too large.`, 'Use weights up to 1,000,000.');
    if (body.trim() === '')
      throw invalidOptions(`The own script “${name}” is empty.`, 'Write its statements below its heading.');
  }
  return scripts;
}

/** The scripts of the run. Throws `experiment-invalid` if there are none. */
export function weightedScripts(options: PgbenchOptions): WeightedScript[] {
  const { script } = options;
  if (script !== 'own' && script !== 'mix') return [{ builtin: script, weight: 1 }];
  const share = script === 'own' ? 1 : options['own-weight'];
  const own = share > 0 ? ownScripts(options['own-script']) : [];
  if (share > 0 && own.length === 0)
    throw invalidOptions(
      'The workload runs an own script, but none is written.',
      'Write it into the option own-script.',
    );
  const builtins =
    script === 'own'
      ? []
      : (['tpcb-like', 'simple-update', 'select-only'] as const).map((builtin) => ({
          builtin,
          weight: options[`${builtin}-weight`],
        }));
  const drawn = [...builtins, ...own.map((entry) => ({ ...entry, weight: entry.weight * share }))].filter(
    ({ weight }) => weight > 0,
  );
  if (drawn.length === 0)
    throw invalidOptions(
      'Every script of the mix has the weight 0, so there is nothing to run.',
      'Give one of them a weight.',
    );
  return drawn;
}
