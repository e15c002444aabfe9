import { formatCount } from '../../../shared/util/format.ts';
import { idOf } from '../exit.ts';
import { printStatus } from '../output.ts';
import { type Common, withEngine } from '../with-engine.ts';
import { followSession } from './run.ts';

interface LevelsOptions extends Common {
  beside?: string[];
  confirm?: string[];
}

/** Levels are written as in a document. Cell numbers count from 1, as displayed. */
export async function levelsCommand(
  id: string,
  factor: string,
  levels: readonly string[],
  options: LevelsOptions,
): Promise<number> {
  const sessionId = idOf(id);
  const baseCells = options.beside?.map((cell) => idOf(cell, 'number of a cell') - 1);
  return withEngine(options, async (engine) => {
    const { session: before } = await engine.sessions.get({ id: sessionId });
    const session = await engine.sessions.addLevels({
      id: sessionId,
      factor,
      levels: levels.join(', '),
      destroy: options.confirm ?? [],
      ...(baseCells && { beside: baseCells }),
    });
    const cells = formatCount(session.cells - before.cells, 'cell');
    const trials = formatCount(session.trialsTotal - before.trialsTotal, 'trial');
    printStatus(`Adding ${cells} to session ${session.id}: ${session.name}. ${trials}.`);
    return followSession(engine, session.id, options);
  });
}
