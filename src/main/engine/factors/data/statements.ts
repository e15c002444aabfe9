import { z } from 'zod';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { TargetSession } from '../../targets/target.ts';
import type { At, Changer, Found, How } from '../change.ts';

export const STATEMENTS = 'statements';

type Run = (statement: string) => Promise<string | null>;

/**
 * Variants of data: custom statements, each with statements that undo it and a query that checks for it. The value is the name of the
 * variant that is present; null is the data as it was loaded.
 */
export const statementsChanger: Changer = {
  name: STATEMENTS,
  needsData: true,
  against: (at) =>
    at.connected(async ({ run }) => {
      const { message, next } = noStatements(at).problem;
      return run ? [] : [{ code: 'no-statements', severity: 'block', message, ...(next && { next }) }];
    }),
  async examine(at, settings) {
    const found = await reading(at, settings);
    return found.map((each) => ({ found: each, cost: 'live', findings: [] }));
  },
  read: reading,
  matches: ({ value: wanted }, value) => (value ?? '') === wanted,
  async apply(at, changes) {
    await running(at, async (run) => {
      for (const { setting } of changes) await applyVariants(run, readVariants(setting.how?.variants), [setting.value]);
    });
  },
  async restore(at, things) {
    await running(at, async (run) => {
      for (const { how, first } of things) {
        const variants = readVariants(how?.variants);
        const before = namesIn(first.value, variants);
        await applyVariants(run, variants, before);
        // A variant whose statements were interrupted is absent according to its check, but parts of it may exist.
        for (const { name, undo } of variants) if (!before.includes(name)) await undoQuietly(run, undo);
      }
    });
  },
};

function reading(at: At, things: readonly { readonly how?: How }[]): Promise<readonly Found[]> {
  return running(at, async (run) => {
    const found: Found[] = [];
    for (const { how } of things) {
      const names = await presentOf(run, readVariants(how?.variants));
      found.push({ value: names.length === 0 ? null : names.join(SEPARATOR) });
    }
    return found;
  });
}

/** Between the names of variants that are present at the same time; Kneepoint itself never makes two. */
const SEPARATOR = ' + ';

const namesIn = (value: string | null, variants: readonly Variant[]): string[] => {
  const names = (value ?? '').split(SEPARATOR);
  return variants.map(({ name }) => name).filter((name) => names.includes(name));
};

async function presentOf(run: Run, variants: readonly Variant[]): Promise<string[]> {
  const names: string[] = [];
  for (const { name, check } of variants) if (isThere(await run(check))) names.push(name);
  return names;
}

const isThere = (result: string | null): boolean =>
  result !== null && !['', '0', 'f', 'false'].includes(result.trim().toLowerCase());

async function applyVariants(run: Run, variants: readonly Variant[], wanted: readonly string[]): Promise<void> {
  const present = await presentOf(run, variants);
  for (const { name, undo } of variants)
    if (present.includes(name) && !wanted.includes(name)) for (const statement of undo) await run(statement);
  for (const { name, statements, undo } of variants) {
    if (present.includes(name) || !wanted.includes(name)) continue;
    await undoQuietly(run, undo);
    for (const statement of statements) await run(statement);
  }
}

/** Removes leftovers of an interrupted attempt, if any. */
async function undoQuietly(run: Run, undo: readonly string[]): Promise<void> {
  for (const statement of undo) {
    try {
      await run(statement);
    } catch (error) {
      if (!(error instanceof KneepointError) || error.code !== 'change-refused') throw error;
    }
  }
}

function running<T>(at: At, work: (run: Run) => Promise<T>): Promise<T> {
  return at.connected((session) => work(runnerOf(at, session)));
}

function runnerOf(at: At, session: TargetSession): Run {
  const { run } = session;
  if (!run) throw noStatements(at);
  return (statement) => {
    at.signal.throwIfAborted();
    return run(statement);
  };
}

function noStatements(at: At): KneepointError {
  const { name } = at.target();
  return new KneepointError({
    code: 'change-not-possible',
    message: `Kneepoint cannot run statements on the target “${name}”.`,
    target: name,
    safe: 'Nothing was changed.',
    next: 'Vary the data with tool options.',
  });
}

const Statement = z.string().min(1).max(10_000);

/** The statements of a level with which its data is varied. */
export const VariantFields = z.strictObject({
  statements: z.array(Statement).min(1).max(50).optional().meta({
    title: 'Statements',
    description:
      'Run one by one on the target, before the first trial of the level: create an index, triggers, partitions.',
  }),
  undo: z.array(Statement).min(1).max(50).optional().meta({
    title: 'Undo',
    description:
      'Undoes the statements, before the next level and at the end. Must be safe to run twice: DROP … IF EXISTS.',
  }),
  check: Statement.optional().meta({
    title: 'Check',
    description:
      'A query whose first value is neither empty nor 0 while the variant is in place. It must also succeed without it.',
  }),
});

const Variant = z.strictObject({
  name: z.string(),
  statements: z.array(Statement),
  undo: z.array(Statement),
  check: Statement,
});
/** A level made by statements. The level of the data as it was loaded has none. */
export type Variant = z.infer<typeof Variant>;

/** All variants of a factor as settings and the journal store them: making one removes the others. */
export const variantsText = (variants: readonly Variant[]): string => JSON.stringify(variants);

/** Throws if the text is not from `variantsText`. */
const readVariants = (text: string | undefined): Variant[] => z.array(Variant).parse(JSON.parse(text ?? '[]'));
