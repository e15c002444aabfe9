import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** With fewer lines, all are rendered: for find in page, printing and tests. */
const WINDOWED_FROM = 100;
const OVERSCAN = 10;

const isScrolling = (element: Element): boolean => ['auto', 'scroll'].includes(getComputedStyle(element).overflowY);

function scrollerOf(element: Element): Element | undefined {
  for (let above = element.parentElement; above; above = above.parentElement) if (isScrolling(above)) return above;
  return undefined;
}

/** Width of an element, pixels; 0 until it is known. */
export function useRoom(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = (): void => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/**
 * Keeps the first columns visible while the others scroll below them, and returns whether there is more to the right. Offsets of these
 * columns are variables of the table, so that no row is rendered again.
 */
export function usePinned(element: RefObject<HTMLElement | null>, pinned: number): boolean {
  const [more, setMore] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = (): void => {
      setMore(current.scrollLeft + current.clientWidth < current.scrollWidth - 1);
      let left = 0;
      for (const [index, head] of [...current.querySelectorAll('thead th')].slice(0, pinned).entries()) {
        current.style.setProperty(`--kp-pin-${index}`, `${left}px`);
        left += head.getBoundingClientRect().width;
      }
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    current.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', measure);
    };
  }, [element, pinned]);
  return more;
}

const FOCUSABLE = 'a[href], button, input, [tabindex]';

/** Whether an element scrolls and contains nothing focusable: then it must be focusable itself. */
export function useScrollsAlone(element: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = (): void => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = current;
      const overflows = scrollWidth > clientWidth || scrollHeight > clientHeight;
      setScrolls(overflows && current.querySelector(FOCUSABLE) === null);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    return () => observer.disconnect();
  }, [element]);
  return scrolls;
}

export interface TableWindow {
  /** First rendered line and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Space of the lines that are not rendered, pixels. */
  readonly above: number;
  readonly below: number;
  /** Scrolls to a line that may not be rendered yet. */
  reach(line: number): void;
}

/** The rendered lines of a long table: those visible in the page that scrolls it. `sizeOf`: height of a line, pixels. */
export function useTableWindow(
  body: RefObject<HTMLElement | null>,
  count: number,
  sizeOf: ((line: number) => number) | undefined,
): TableWindow {
  const enabled = sizeOf !== undefined && count > WINDOWED_FROM;
  const [scroller, setScroller] = useState<Element>();
  const [margin, setMargin] = useState(0);
  // Content above the table may have changed its height.
  useLayoutEffect(() => {
    const element = body.current;
    const found = enabled && element ? scrollerOf(element) : undefined;
    if (found !== scroller) setScroller(found);
    if (!found || !element) return;
    const top = element.getBoundingClientRect().top - found.getBoundingClientRect().top + found.scrollTop;
    if (Math.round(top) !== margin) setMargin(Math.round(top));
  });
  const virtual = useVirtualizer({
    count,
    enabled,
    estimateSize: (line) => sizeOf?.(line) ?? 0,
    getScrollElement: () => scroller ?? null,
    overscan: OVERSCAN,
    scrollMargin: margin,
  });
  const drawn = virtual.getVirtualItems();
  const [first, last] = [drawn[0], drawn.at(-1)];
  if (!enabled) return { from: 0, to: count, above: 0, below: 0, reach: () => undefined };
  const reach = (line: number): void => virtual.scrollToIndex(line);
  if (!first || !last) return { from: 0, to: Math.min(count, WINDOWED_FROM), above: 0, below: 0, reach };
  return {
    from: first.index,
    to: last.index + 1,
    above: first.start - margin,
    below: virtual.getTotalSize() - (last.end - margin),
    reach,
  };
}
