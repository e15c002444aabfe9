import type { FactorKindInfo } from '../../../shared/model/factor.ts';
import { EXIT, UsageError } from '../exit.ts';
import { print, printJson, table } from '../output.ts';
import { type Common, withReader } from '../with-engine.ts';

/** Lists the kinds of factors, or prints details of one kind. */
export async function factorsCommand(kind: string | undefined, options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const kinds = await engine.experiments.factorKinds({});
    if (kind === undefined) {
      if (options.json) printJson(kinds);
      else print(list(kinds));
      return EXIT.done;
    }
    const found = kinds.find((entry) => entry.kind === kind);
    if (!found)
      throw new UsageError(
        `There is no kind of factor named “${kind}”; there are ${kinds.map((entry) => entry.kind).join(', ')}.`,
      );
    if (options.json) printJson(found);
    else print(wordsOn(found));
    return EXIT.done;
  });
}

const list = (kinds: readonly FactorKindInfo[]): string =>
  table(kinds, [
    { title: 'kind', value: (entry) => entry.kind },
    { title: 'changes', value: (entry) => entry.changes },
    { title: 'what it varies', value: (entry) => entry.description },
  ]);

function wordsOn({ title, description, schema, level, takes, undone, example }: FactorKindInfo): string {
  const levels = level ? fieldsOf(level) : '';
  return [
    `${title}. ${description}`,
    `Cost of a change:       ${takes}`,
    `Verification and undo:  ${undone}`,
    ...[fieldsOf(schema)].filter(Boolean),
    levels === '' ? 'A level is a plain value.' : `A level has a name, and\n${levels}`,
    `factors:\n  - ${example.replaceAll('\n', '\n    ')}`,
  ].join('\n\n');
}

interface Described {
  readonly title?: string;
  readonly description?: string;
}

function fieldsOf({ properties = {} }: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(properties as Record<string, Described>);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, { description }]) => `  ${name.padEnd(width)}  ${description ?? ''}`).join('\n');
}
