import { definedIn, definitionOf, measuresOf } from '../../../shared/measures/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import { DerivedMeasure } from '../../../shared/model/derived.ts';
import { issueWords } from '../../../shared/util/issue-words.ts';
import { idOf, UsageError } from '../exit.ts';
import { print, printJson, table } from '../terminal.ts';
import { type Common, withEngine, withReader } from '../with-engine.ts';

interface MeasuresOptions extends Common {
  name?: string;
  is?: string;
  series?: string;
  of?: string;
  take?: string;
  unit?: string;
  better?: string;
  remove?: string;
}

/** Lists the measures of a session. `--name` adds one or replaces an added one, `--remove` removes it. */
export async function measuresCommand(id: string, options: MeasuresOptions): Promise<number> {
  const sessionId = idOf(id);
  const { name, remove } = options;
  if (name !== undefined && remove !== undefined) throw new UsageError('Use --name or --remove, not both.');
  const measure = name === undefined ? undefined : measureOf(options);
  const changes = measure !== undefined || remove !== undefined;
  return (changes ? withEngine : withReader)(options, async (engine) => {
    const before = await engine.sessions.get({ id: sessionId });
    const others = (before.measures ?? []).filter((each) => each.name !== (measure?.name ?? remove));
    if (remove !== undefined && others.length === (before.measures ?? []).length)
      throw new UsageError(
        `No measure named “${remove}” was added to session ${sessionId}. Added: ${others.map((each) => each.name).join(', ') || 'none'}.`,
      );
    if (changes)
      await engine.sessions.edit({ id: sessionId, measures: [...others, ...(measure === undefined ? [] : [measure])] });
    const detail = changes ? await engine.sessions.get({ id: sessionId }) : before;
    const measures = measuresOf(definedIn(detail));
    const rows = definedIn(detail).flatMap((each) => {
      const found = [...measures.values()].findLast((known) => known.name === each.name);
      return found ? [{ ...each, id: found.id, words: definitionOf(measures, found.id) ?? '' }] : [];
    });
    if (options.json) printJson(rows);
    else if (rows.length === 0) print(`Session ${sessionId} has no measures.`);
    else
      print(
        table(rows, [
          { title: 'measure', value: (row) => row.name },
          { title: 'unit', value: (row) => metricOf(row.id).unit },
          { title: 'better', value: (row) => metricOf(row.id).better },
          {
            title: 'from',
            value: (row) => ((detail.measures ?? []).some((each) => each.name === row.name) ? 'added' : 'document'),
          },
          { title: 'formula', value: (row) => row.words },
        ]),
      );
    return 0;
  });
}

/** Throws a usage error for an invalid measure. */
function measureOf({ name, is, series, of, take, unit, better }: MeasuresOptions): DerivedMeasure {
  if ((is === undefined) === (series === undefined)) throw new UsageError('A measure takes either --is or --series.');
  const given = Object.entries({ name, is, series, of, take, unit, better }).filter(([, value]) => value !== undefined);
  const read = DerivedMeasure.safeParse(Object.fromEntries(given));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(issue ? `--${issue.path.join('.')}: ${issueWords(issue)}` : 'This is not a valid measure.');
}
