import { IconArrowDown, IconArrowUp, IconEyeOff, IconMathFunction } from '@tabler/icons-react';
import { createContext, type KeyboardEvent, useContext, useEffect, useRef } from 'react';
import {
  type ChartLane,
  colourOfLine,
  drawLane,
  firstFrom,
  GUTTER,
  heatStep,
  heightOf,
  type LaneHead,
  type LaneLine,
  type LaneScene,
  reachOf,
  type Span,
  titleOfLane,
  valueAt,
} from '../../../shared/chart-models/index.ts';
import { formatDuration, formatFigure } from '../../../shared/util/format.ts';
import { useChartTheme } from '../useChartTheme.ts';
import { penFor } from './canvas-pen.ts';
import { LaneWindow } from './lane-window.ts';

/** Surroundings of a lane. */
export interface LanePlace {
  shared: LaneWindow;
  /** Width of a lane's picture with its ticks, and of the ticks alone, pixels. */
  width: number;
  gutter: number;
  /** Registers a lane with its values; returns a function that removes it. */
  load: (lane: ChartLane) => () => void;
  /** Whether a lane is visible now, and not only soon. */
  isSeen: (lane: string) => boolean;
  onMove?: ((lane: LaneHead, by: number) => void) | undefined;
  onHide?: ((lane: LaneHead) => void) | undefined;
  /** Returns a function that makes a lane a figure of each cell; undefined if it cannot be one, or already is. */
  measureOf?: ((lane: LaneHead) => (() => void) | undefined) | undefined;
}

const NOWHERE = { from: 0, to: 1 };

export const PlaceContext = createContext<LanePlace>({
  shared: new LaneWindow(NOWHERE, NOWHERE),
  width: 0,
  gutter: GUTTER,
  load: () => () => undefined,
  isSeen: () => true,
});

const usePlace = (): LanePlace => useContext(PlaceContext);

interface RowProperties {
  lane: LaneHead;
  /** Undefined while they are requested. */
  lines: readonly LaneLine[] | undefined;
  gaps?: ChartLane['gaps'];
  scene: LaneScene;
  /** Why there is nothing to draw, a sentence. */
  problem?: string | undefined;
}

/** Room to the right of the picture, as in the head. */
export const RIGHT = 8;
const NONE: readonly LaneLine[] = [];
/** Minimum time between two updates of figures while the view moves. */
const READABLE_MS = 120;

/** One lane: its name, its lines with their values at the cursor, and its picture. */
export function LaneRow({ lane, lines, gaps, scene, problem }: RowProperties) {
  const place = usePlace();
  const theme = useChartTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const figures = useRef<HTMLFieldSetElement>(null);
  const height = heightOf(lane);
  const { width, gutter, shared, isSeen } = place;

  useEffect(() => {
    const drawn: ChartLane = { ...lane, lines: lines ?? NONE, ...(gaps && { gaps }) };
    const draw = (): void => {
      const pen = canvas.current && penFor(canvas.current, width, height, theme.font);
      if (!pen || width <= gutter + RIGHT) return;
      const box = { x: gutter, y: 0, width: width - gutter - RIGHT, height };
      drawLane(pen, drawn, scene, { box, view: shared.view, theme, gutter });
    };
    let seen: typeof shared.view | undefined;
    let lastAnnounced = Number.NEGATIVE_INFINITY;
    const frame = (): void => {
      // Parts beyond the edges are drawn when they are scrolled to.
      if (!isSeen(lane.id)) return;
      const isOther = shared.view !== seen;
      // The cursor moves over the existing drawing.
      if (isOther) draw();
      seen = shared.view;
      // Figures that change with every frame cannot be read.
      if (isOther && performance.now() - lastAnnounced < READABLE_MS) return;
      lastAnnounced = performance.now();
      writeFigures(figures.current, drawn, shared.cursor, shared.view);
      writeTile(figures.current, drawn, shared.view, width - gutter - RIGHT);
    };
    frame();
    const stop = shared.onFrame(frame);
    const settle = shared.onSettle(() => writeFigures(figures.current, drawn, shared.cursor, shared.view));
    return () => {
      stop();
      settle();
    };
  }, [lane, lines, gaps, scene, width, gutter, height, theme, shared, isSeen]);

  useEffect(() => {
    if (!lines) return;
    return place.load({ ...lane, lines, ...(gaps && { gaps }) });
  }, [place, lane, lines, gaps]);

  return (
    <>
      <fieldset className="kp-lane-names" aria-label={lane.title} ref={figures}>
        <div className="kp-lane-title">
          <span className="kp-ellipsis" title={titleOfLane(lane)}>
            {lane.title}
          </span>
          <span className="kp-lane-unit">{lane.unit}</span>
          <LaneActions lane={lane} />
        </div>
        {lane.shape === 'heat' ? (
          <div className="kp-lane-line">
            <span className="kp-lane-heat" aria-hidden="true" />
            <span className="kp-ellipsis" data-tile="" />
            <output data-line="" />
          </div>
        ) : (
          (lines ?? NONE).map((line) => (
            <div key={line.key} className="kp-lane-line">
              <span className="kp-lane-swatch" style={{ background: colourOfLine(line, theme) }} />
              <span className="kp-ellipsis" title={line.label}>
                {line.label}
              </span>
              <output data-line={line.key} />
            </div>
          ))
        )}
      </fieldset>
      <div className="kp-lane-picture" style={{ height }}>
        <div className="kp-lane-canvas" aria-hidden="true">
          <canvas ref={canvas} />
        </div>
        {problem ? (
          <div className="kp-lane-problem kp-small" style={{ left: gutter }}>
            {problem}
          </div>
        ) : null}
      </div>
    </>
  );
}

/** Values at the cursor, or means of the visible part; written without React, as they change with every move of the pointer. */
function writeFigures(
  place: HTMLElement | null,
  lane: ChartLane,
  cursor: number | undefined,
  view: { from: number; to: number },
): void {
  for (const output of place?.querySelectorAll<HTMLOutputElement>('output') ?? []) {
    const line = lane.lines.find(({ key }) => key === output.dataset.line);
    const words =
      lane.shape === 'heat'
        ? rangeWords(lane, cursor, view)
        : line
          ? formatFigure(figureOf(line, cursor, view), lane.digits)
          : '';
    if (output.textContent !== words) output.textContent = words;
  }
}

/** Value of a heat map's tile: the highest of several. */
function writeTile(
  place: HTMLElement | null,
  lane: ChartLane,
  view: { from: number; to: number },
  width: number,
): void {
  const tile = place?.querySelector('[data-tile]');
  if (!tile) return;
  const step = Math.round(heatStep(lane.lines, view, width));
  const words = step > 1 ? `highest of ${formatDuration(step)}` : 'low to high';
  if (tile.textContent !== words) tile.textContent = words;
}

function rangeWords(lane: ChartLane, cursor: number | undefined, view: { from: number; to: number }): string {
  const values = lane.lines.map((line) => figureOf(line, cursor, view)).filter((value) => !Number.isNaN(value));
  if (values.length === 0) return '';
  return [Math.min(...values), Math.max(...values)].map((value) => formatFigure(value, 0)).join(' … ');
}

/** Actions of a lane; Alt and an arrow key do the same while the focus is on them. */
function LaneActions({ lane }: { lane: LaneHead }) {
  const { onMove, onHide, measureOf } = usePlace();
  const measure = measureOf?.(lane);
  if (!onMove || !onHide) return null;
  const key = (event: KeyboardEvent): void => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(lane, by);
  };
  const words = (what: string): { 'aria-label': string; title: string } => ({
    'aria-label': `${what} ${lane.title}`,
    title: what,
  });
  return (
    <span className="kp-lane-actions" role="toolbar" aria-label={`Position of ${lane.title}`} onKeyDown={key}>
      {measure ? (
        <button type="button" {...words('Use as measure:')} title="Use as measure" onClick={measure}>
          <IconMathFunction size={13} />
        </button>
      ) : null}
      <button type="button" {...words('Move up')} onClick={() => onMove(lane, -1)}>
        <IconArrowUp size={13} />
      </button>
      <button type="button" {...words('Move down')} onClick={() => onMove(lane, 1)}>
        <IconArrowDown size={13} />
      </button>
      <button type="button" {...words('Hide')} onClick={() => onHide(lane)}>
        <IconEyeOff size={13} />
      </button>
    </span>
  );
}

/** The value of a line at the cursor; without a cursor the mean of the visible part. NaN if there is none. */
function figureOf(line: LaneLine, cursor: number | undefined, view: Span): number {
  return cursor === undefined ? meanOf(line, view) : valueAt(line, cursor, reachOf(line));
}

function meanOf({ t, v }: LaneLine, { from, to }: Span): number {
  let [sum, count] = [0, 0];
  for (let index = firstFrom(t, from); index < t.length && (t[index] ?? 0) <= to; index += 1) {
    const value = v[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return count > 0 ? sum / count : Number.NaN;
}
