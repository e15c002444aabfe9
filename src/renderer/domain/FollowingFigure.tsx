import { type ReactNode, useEffect } from 'react';
import { ask, type EngineLink, useLink } from '../client/index.ts';
import classes from './following-figure.module.css';

interface Properties {
  /** Sessions whose figures are still to be worked out. */
  ids: readonly number[];
  /** What was there before; absent: nothing. */
  children?: ReactNode;
}

/** In place of a figure that is still to be worked out. It is then worked out before those that nobody looks at. */
export function FollowingFigure({ ids, children }: Properties) {
  const link = useLink();
  const wanted = ids.join(' ');
  useEffect(() => {
    want(link, wanted.split(' ').map(Number));
  }, [link, wanted]);
  if (children)
    return (
      <span className={classes.before} title="Being worked out again. This is the figure of before.">
        {children}
      </span>
    );
  return <span className={classes.place} role="img" aria-label="Being worked out" title="Being worked out" />;
}

/** Rows of one screen are asked for together, milliseconds. */
const TOGETHER_MS = 50;
/** As many as one question takes. */
const MOST = 1000;

const waiting = new WeakMap<EngineLink, Set<number>>();

/** The answer comes like that of all others, as news of the list. */
function want(link: EngineLink, ids: readonly number[]): void {
  const some = waiting.get(link);
  if (some) {
    for (const id of ids) some.add(id);
    return;
  }
  const all = new Set(ids);
  waiting.set(link, all);
  setTimeout(() => {
    waiting.delete(link);
    // Without an answer they are worked out in their turn.
    ask(link, 'sessions.figures', { ids: [...all].slice(0, MOST) }).catch(() => undefined);
  }, TOGETHER_MS);
}
