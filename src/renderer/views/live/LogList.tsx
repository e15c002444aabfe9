import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { formatTimeOfDay } from '../../../shared/util/format.ts';
import type { LogView } from './stream/live-store.ts';

/** Height of an entry of one line, in pixels; long ones take as many as they need. */
const ROW = 24;

/** The session's log; stays at its end unless one has scrolled up. */
export function LogList({ entries }: { entries: LogView }) {
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const count = entries.length;
  useEffect(() => {
    if (atEnd.current && count > 0) rows.scrollToIndex(count - 1);
  }, [count, rows]);
  const remember = (): void => {
    const box = place.current;
    if (box) atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 2 * ROW;
  };
  if (count === 0) return <div className="kp-table-empty">Nothing has been logged yet.</div>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard, as axe asks.
    <div className="kp-log" ref={place} onScroll={remember} role="log" aria-label="Log" tabIndex={0}>
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map((item) => {
          const entry = entries.at(item.index);
          return entry ? (
            <div
              key={entry.id}
              ref={rows.measureElement}
              data-index={item.index}
              className="kp-log-line"
              data-level={entry.level}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <time>{formatTimeOfDay(entry.at)}</time>
              <span className="kp-log-level">{entry.level}</span>
              <span className="kp-log-words">{entry.message}</span>
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}
