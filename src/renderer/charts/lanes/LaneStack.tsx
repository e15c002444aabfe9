import './lanes.css';
import { useElementSize } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  type ChartLane,
  drawHead,
  GUTTER,
  HEAD_HEIGHT,
  type LaneClock,
  type LaneHead,
  type LaneScene,
  laneSummary,
  NAMES_WIDTH,
} from '../../../shared/chart-models/index.ts';
import { TableFallback } from '../ChartTableFallback.tsx';
import type { PlotEdges } from '../plot-edges.ts';
import { useChartTheme } from '../useChartTheme.ts';
import { penFor } from './canvas-pen.ts';
import { LaneCursor } from './LaneCursor.tsx';
import { type FilePicture, LaneMenu } from './LaneMenu.tsx';
import { LaneOverview } from './LaneOverview.tsx';
import { type LanePlace, PlaceContext } from './LanePlace.ts';
import { RIGHT } from './LaneRow.tsx';
import type { LaneWindow } from './lane-window.ts';
import { type Row, rowsOf, type ShownGroup } from './layout.ts';
import { usePointer } from './usePointer.ts';
import { useSeen } from './useSeen.ts';

export interface LaneStackProperties {
  title: string;
  note?: ReactNode;
  controls?: ReactNode;
  shared: LaneWindow;
  groups: readonly ShownGroup[];
  scene: LaneScene;
  clock: LaneClock;
  /** The plot above them, between whose edges they stand where there is room. */
  below?: PlotEdges | undefined;
  /** What the lanes may take before they scroll, pixels or as a style says it; absent: as many as they are high. */
  height?: number | string | undefined;
  /** Groups of which only the head is shown. */
  collapsed?: ReadonlySet<string>;
  /** Lanes that stand out, as a sentence rests on them: the first of them is scrolled to. */
  evidence?: ReadonlySet<string>;
  onCollapse?: ((group: string) => void) | undefined;
  onMove?: LanePlace['onMove'];
  onHide?: LanePlace['onHide'];
  measureOf?: LanePlace['measureOf'];
  /** A lane with its values: a `LaneRow`. It is asked for where the lane is seen, or will be soon. */
  renderLane: (lane: LaneHead) => ReactNode;
  /** Every lane that is shown with all its values of what is seen, for a file. Absent: no files. */
  loadAll?: (() => Promise<readonly ChartLane[]>) | undefined;
  /** Picture in a file, where it differs from the one on the screen: with the time that the axis leaves out. */
  file?: FilePicture | undefined;
  /** Stands left of the lanes, or right of those below a plot: what they are chosen from. */
  aside?: ReactNode;
}

/** Pixels of what stands above a lane that is scrolled to. */
const ABOVE = 40;
const NONE: ReadonlySet<string> = new Set();

/** Lanes below one another on one axis, with one cursor and one zoom. Only those that are seen are there. */
export function LaneStack(properties: LaneStackProperties) {
  const { title, note, controls, shared, groups, scene, clock, height, collapsed = NONE, aside, below } = properties;
  const { evidence = NONE } = properties;
  const { onMove, onHide, measureOf, renderLane, loadAll } = properties;
  const [full, setFull] = useState(false);
  const { ref: sized, width } = useElementSize();
  const [loaded] = useState(() => new Map<string, ChartLane>());
  const { rows, height: whole } = useMemo(() => rowsOf(groups, collapsed), [groups, collapsed]);
  const { scroller, seen, isSeen } = useSeen(rows, shared);
  useFirstInSight(scroller, rows, evidence);
  const surface = useRef<HTMLDivElement>(null);
  usePointer(surface, shared);
  const figure = useRef<HTMLElement>(null);
  const [left, setLeft] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it stands may change with how wide it is, and with what it stands below
  useLayoutEffect(() => setLeft(figure.current?.getBoundingClientRect().left ?? 0), [width, below]);
  const { names: side, picture: pictureWidth, gutter } = arranged(Math.floor(width), left, full ? undefined : below);
  const load = useCallback(
    (lane: ChartLane) => {
      loaded.set(lane.id, lane);
      return () => {
        if (loaded.get(lane.id) === lane) loaded.delete(lane.id);
      };
    },
    [loaded],
  );
  const place = useMemo(
    (): LanePlace => ({ shared, width: pictureWidth, gutter, load, isSeen, onMove, onHide, measureOf }),
    [shared, pictureWidth, gutter, load, isSeen, onMove, onHide, measureOf],
  );
  const names = useMemo(() => new Map(groups.map(({ id, name }) => [id, name])), [groups]);
  const wide = { width: pictureWidth, gutter };
  const picture = { groups: names, ...(properties.file ?? { scene, clock, view: () => shared.view }) };

  return (
    <figure
      className="kp-chart kp-lanes"
      data-full={full || undefined}
      data-names={side}
      style={{ '--kp-lanes-picture': `${pictureWidth}px` } as CSSProperties}
      ref={figure}
      aria-label={`${title}: lanes on one axis of time`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setFull(false);
      }}
    >
      <div className="kp-chart-head">
        <h2>{title}</h2>
        {controls}
        <LaneMenu
          {...{ title, shared, picture, full, width: Math.floor(width), load: loadAll }}
          onFull={() => setFull(!full)}
        />
      </div>
      {note === undefined ? null : <div className="kp-chart-note kp-small">{note}</div>}
      <div className="kp-lanes-body" data-aside={side}>
        {aside}
        <div className="kp-lanes-column" ref={sized}>
          <PlaceContext value={place}>
            <div className="kp-lanes-head">
              <LaneCursor shared={shared} clock={clock} scene={scene} />
              <div className="kp-lanes-axes">
                <LaneOverview shared={shared} scene={scene} clock={clock} {...wide} />
                <LaneAxis shared={shared} scene={scene} clock={clock} {...wide} />
              </div>
            </div>
            <div
              className="kp-lanes-scroll"
              ref={scroller}
              style={height === undefined || full ? undefined : { maxHeight: height }}
              {...(height !== undefined && { tabIndex: 0, role: 'group', 'aria-label': `${title}, lanes` })}
            >
              <div className="kp-lanes-rows" style={{ height: whole }}>
                {seen.map((row) => (
                  <div
                    key={row.key}
                    className="kp-lanes-row"
                    data-kind={row.kind}
                    data-evidence={evidence.has(row.key) || undefined}
                    style={{ top: row.top, height: row.height }}
                  >
                    {row.kind === 'lane' ? (
                      renderLane(row.lane)
                    ) : (
                      <GroupHead
                        group={row.group}
                        isOpen={!collapsed.has(row.group.id)}
                        onCollapse={properties.onCollapse}
                      />
                    )}
                  </div>
                ))}
                {/* What the pointer is over, and where the cursor is drawn: all pictures, not the names. */}
                <div
                  className="kp-lanes-surface"
                  ref={surface}
                  style={
                    side === 'left'
                      ? { left: NAMES_WIDTH + gutter, right: RIGHT }
                      : { left: gutter, width: pictureWidth - gutter - RIGHT }
                  }
                  aria-hidden="true"
                >
                  <div className="kp-lanes-line" />
                  <div className="kp-lanes-range" />
                </div>
              </div>
            </div>
          </PlaceContext>
        </div>
      </div>
      <LaneTable {...{ shared, loaded, names, title }} />
    </figure>
  );
}

/** Scrolls to the first lane that stands out, once for each set of them: from then on a person scrolls. */
function useFirstInSight(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  evidence: ReadonlySet<string>,
): void {
  const first = rows.find(({ key }) => evidence.has(key));
  const key = first?.key;
  const top = useRef(0);
  useLayoutEffect(() => {
    top.current = first?.top ?? 0;
  });
  useLayoutEffect(() => {
    if (key !== undefined && scroller.current) scroller.current.scrollTop = Math.max(0, top.current - ABOVE);
  }, [scroller, key]);
}

function GroupHead({
  group,
  isOpen,
  onCollapse,
}: {
  group: ShownGroup;
  isOpen: boolean;
  onCollapse: ((group: string) => void) | undefined;
}) {
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className="kp-lanes-group">
      {onCollapse ? (
        <button type="button" aria-expanded={isOpen} onClick={() => onCollapse(group.id)}>
          <Icon size={14} aria-hidden="true" />
          {group.name}
        </button>
      ) : (
        <b>{group.name}</b>
      )}
      <span className="kp-small kp-ellipsis">{group.notes.join(' · ')}</span>
      {group.problem ? (
        <span className="kp-lanes-problem kp-small kp-ellipsis" title={group.problem}>
          {group.problem}
        </span>
      ) : null}
    </div>
  );
}

interface TableProperties {
  shared: LaneWindow;
  loaded: ReadonlyMap<string, ChartLane>;
  names: ReadonlyMap<string, string>;
  title: string;
}

/** What is seen as figures, for readers that cannot see it; made anew when what is seen has settled. */
function LaneTable({ shared, loaded, names, title }: TableProperties) {
  const [lanes, setLanes] = useState<readonly ChartLane[]>([]);
  const { from, to } = shared.view;
  useEffect(() => {
    const take = (): void => setLanes([...loaded.values()]);
    take();
    return shared.onSettle(take);
  }, [shared, loaded]);
  return (
    <TableFallback
      caption={`${title}: each line of the lanes that are seen`}
      table={laneSummary(lanes, names, { from, to })}
    />
  );
}

/** Share of the width that pictures take at least: a plot next to another panel is too narrow for them. */
const LEAST_PICTURE = 0.6;
/** Pixels that names need right of the pictures. */
const LEAST_NAMES = 170;
const LEAST_GUTTER = 30;

/** Where pictures and names of lanes stand. */
interface Arrangement {
  names: 'left' | 'right';
  /** Pixels of a picture with its ticks, and of these alone. */
  picture: number;
  gutter: number;
}

/**
 * Names left of pictures as wide as there is room for, or below a plot that takes most of the width between its edges, names right of them.
 * `left`: of the lanes, on the page.
 */
export function arranged(width: number, left: number, below: PlotEdges | undefined): Arrangement {
  const usual = { names: 'left', picture: Math.max(0, width - NAMES_WIDTH), gutter: GUTTER } as const;
  if (!below) return usual;
  const gutter = Math.round(below.left - left);
  const picture = gutter + below.width + RIGHT;
  const isWide = picture >= LEAST_PICTURE * width;
  return isWide && gutter >= LEAST_GUTTER && width - picture >= LEAST_NAMES
    ? { names: 'right', picture, gutter }
    : usual;
}

interface AxisProperties {
  shared: LaneWindow;
  scene: LaneScene;
  clock: LaneClock;
  /** Pixels of a lane's picture with its ticks, and of these alone. */
  width: number;
  gutter: number;
}

/** Trials, what happened, and the time, above all lanes. */
function LaneAxis({ shared, scene, clock, width, gutter }: AxisProperties) {
  const theme = useChartTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = (): void => {
      const pen = canvas.current && penFor(canvas.current, width, HEAD_HEIGHT, theme.font);
      if (!pen || width <= gutter + RIGHT) return;
      const box = { x: gutter, y: 0, width: width - gutter - RIGHT, height: HEAD_HEIGHT };
      drawHead(pen, scene, clock, { box, view: shared.view, theme });
    };
    let seen = shared.view;
    draw();
    return shared.onFrame(() => {
      if (shared.view !== seen) draw();
      seen = shared.view;
    });
  }, [shared, scene, clock, width, gutter, theme]);
  return (
    <div className="kp-lanes-axis" aria-hidden="true" style={{ height: HEAD_HEIGHT }}>
      <canvas ref={canvas} />
    </div>
  );
}
