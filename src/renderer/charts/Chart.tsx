import { Select } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type ChartModel, type ChartTable, optionAt } from '../../shared/chart-models/index.ts';
import { formatFigure } from '../../shared/util/format.ts';
import { ChartMenu } from './ChartMenu.tsx';
import { type Cut, CutHandle } from './CutHandle.tsx';
import { createInstance, followZoom, type Instance, resetZoom, show } from './engine.ts';
import { type Below, useBelow } from './useBelow.ts';
import { useChartTheme } from './useChartTheme.ts';

interface ChartProperties {
  model: ChartModel;
  /** Pixels; `fill` uses the height of the parent. */
  height?: number | 'fill';
  /** Pixels of the picture if it is taller than its place, which then scrolls. */
  pictureHeight?: number;
  /** Whether the x axis can be zoomed. */
  zoomable?: boolean;
  /** Called when a point with the index of its cell is clicked. */
  onCell?: (cell: number) => void;
  title: string;
  /** Small text below the title, never cut. An empty one keeps its space. */
  note?: ReactNode;
  /** Content left of the chart's own buttons. */
  controls?: ReactNode;
  /** A moment on the x axis that can be dragged. */
  cut?: Cut;
  /** Lanes on the same time axis, below. */
  below?: Below | undefined;
  /** Content between the title and the picture. */
  children?: ReactNode;
}

/** Shown with the titles of all charts below it: the size of the data against the server's cache. */
export const ChartSubject = createContext<string | undefined>(undefined);

/** Owns one chart instance: draws the model, follows size and theme, offers copy, download, zoom reset and full screen. */
export function Chart(properties: ChartProperties) {
  const {
    model,
    height = 280,
    pictureHeight,
    zoomable = false,
    onCell,
    title,
    note,
    controls,
    cut,
    below,
    children,
  } = properties;
  const subject = useContext(ChartSubject);
  const place = useRef<HTMLDivElement>(null);
  const [instance, setInstance] = useState<Instance>();
  const [full, setFull] = useState(false);
  const { ref: sized, width, height: room } = useElementSize();
  const { ground } = useChartTheme();

  useEffect(() => {
    if (!place.current) return;
    const made = createInstance(place.current);
    made.getZr().on('dblclick', () => resetZoom(made));
    setInstance(made);
    return () => {
      setInstance(undefined);
      made.dispose();
    };
  }, []);

  // The layout around the lines depends on the available width.
  const wide = Math.floor(width);
  const option = useMemo(() => (wide >= 1 ? optionAt(model, { width: wide }) : undefined), [model, wide]);

  const moved = useBelow(instance, below);
  useEffect(() => {
    // A canvas half a pixel larger than its content is stretched, which blurs text.
    if (!instance || wide < 1 || room < 1) return;
    instance.resize({ width: wide, height: Math.floor(room) });
    moved();
  }, [instance, wide, room, moved]);

  useEffect(() => {
    if (!instance || !option) return;
    show(instance, option, zoomable);
    moved();
    return zoomable ? followZoom(instance, option) : undefined;
  }, [instance, option, zoomable, moved]);

  useEffect(() => {
    if (!instance || !onCell) return;
    const click = (event: { data?: unknown }): void => {
      const cell = typeof event.data === 'object' && event.data !== null && 'cell' in event.data && event.data.cell;
      if (typeof cell === 'number') onCell(cell);
    };
    instance.on('click', click);
    return () => {
      if (!instance.isDisposed()) instance.off('click', click);
    };
  }, [instance, onCell]);

  const isTaller = pictureHeight !== undefined && typeof height === 'number' && pictureHeight > height;
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setFull(false);
  };
  return (
    <figure
      className="kp-chart"
      data-full={full || undefined}
      data-fill={height === 'fill' || undefined}
      aria-label={model.description}
      onKeyDown={closeOnEscape}
    >
      <div className="kp-chart-head">
        <h2 title={title}>{title}</h2>
        {model.listed ? <FindLine names={model.listed} instance={instance} /> : null}
        {controls}
        <ChartMenu
          title={title}
          instance={instance}
          model={model}
          ground={ground}
          full={full}
          onFull={() => setFull(!full)}
          zoomable={zoomable}
        />
      </div>
      {subject !== undefined || note !== undefined ? (
        <div className="kp-chart-note kp-small">
          {subject}
          {subject && note ? ' · ' : null}
          {note}
        </div>
      ) : null}
      {children}
      {/* Scrollable content must also be reachable by keyboard. */}
      <div
        className="kp-chart-room"
        style={height === 'fill' || full ? undefined : { height }}
        {...(isTaller && { 'data-scrolls': true, tabIndex: 0, role: 'group', 'aria-label': `${title}, scrolls` })}
      >
        <div className="kp-chart-picture" style={isTaller ? { height: pictureHeight } : undefined} ref={sized}>
          <div ref={place} className="kp-chart-place" aria-hidden="true" />
          {cut && instance ? <CutHandle cut={cut} instance={instance} /> : null}
        </div>
      </div>
      <ChartTableFallback model={model} />
    </figure>
  );
}

interface FindProperties {
  /** In the order of the lines. */
  names: readonly string[];
  instance: Instance | undefined;
}

/** For lines that are too many for a legend: the selected one is highlighted. */
export function FindLine({ names, instance }: FindProperties) {
  const [chosen, setChosen] = useState<string | null>(null);
  const seriesName = chosen !== null && names.includes(chosen) ? chosen : undefined;
  useEffect(() => {
    if (!instance || seriesName === undefined) return;
    // A redrawn picture loses its highlight.
    const bringForward = (): void => instance.dispatchAction({ type: 'highlight', seriesName });
    bringForward();
    instance.on('finished', bringForward);
    return () => {
      if (instance.isDisposed()) return;
      instance.off('finished', bringForward);
      instance.dispatchAction({ type: 'downplay', seriesName });
    };
  }, [instance, seriesName]);
  return (
    <Select
      aria-label="Line to highlight"
      placeholder={`Highlight one of ${names.length}`}
      w={230}
      searchable
      clearable
      nothingFoundMessage="No matching line"
      data={[...names]}
      value={seriesName ?? null}
      onChange={setChosen}
    />
  );
}

const MOST_ROWS = 60;

/** The chart's figures for screen readers; long ones are thinned evenly. */
function ChartTableFallback({ model }: { model: ChartModel }) {
  const settled = useDeferredValue(model);
  const table = useMemo(() => {
    const { columns, rows } = settled.table();
    const step = Math.max(1, Math.ceil(rows.length / MOST_ROWS));
    return { columns, rows: rows.filter((_row, index) => index % step === 0) };
  }, [settled]);
  return <TableFallback caption={settled.description} table={table} />;
}

/** A table for screen readers only. */
export function TableFallback({ caption, table: { columns, rows } }: { caption: string; table: ChartTable }) {
  return (
    <div className="kp-visually-hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have the same name
              <th key={place}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be the same, such as two equal seconds
            <tr key={place}>
              {row.map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell belongs to its column
                <td key={index}>{typeof value === 'number' ? formatFigure(value, 2) : value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
