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
  type LaneClock,
  type LaneHead,
  type LaneScene,
  laneSummary,
  NAMES_WIDTH,
} from '../../../shared/chart-models/index.ts';
import { TableFallback } from '../Chart.tsx';
import type { PlotEdges } from '../useBelow.ts';
import { LaneCursor } from './LaneCursor.tsx';
import { type FilePicture, LaneMenu } from './LaneMenu.tsx';
import { LaneAxis, LaneOverview } from './LaneOverview.tsx';
import { type LanePlace, PlaceContext, RIGHT } from './LaneRow.tsx';
import type { LaneWindow } from './lane-window.ts';
import { arranged, type Row, rowsOf, type ShownGroup, useSeen } from './layout.ts';
import { usePointer } from './usePointer.ts';

export interface LaneStackProperties {
  title: string;
  note?: ReactNode;
  controls?: ReactNode;
  shared: LaneWindow;
  groups: readonly ShownGroup[];
  scene: LaneScene;
  clock: LaneClock;
  /** The plot above the lanes, whose edges they align with if there is room. */
  below?: PlotEdges | undefined;
  /** Maximum height before the lanes scroll, in pixels or as a style; absent: their full height. */
  height?: number | string | undefined;
  /** Groups that only show their head. */
  collapsed?: ReadonlySet<string>;
  /** Highlighted lanes, which a sentence is based on: scrolls to the first of them. */
  evidence?: ReadonlySet<string>;
  onCollapse?: ((group: string) => void) | undefined;
  onMove?: LanePlace['onMove'];
  onHide?: LanePlace['onHide'];
  measureOf?: LanePlace['measureOf'];
  /** Renders a lane with its values: a `LaneRow`. Called for lanes that are visible, or will be soon. */
  renderLane: (lane: LaneHead) => ReactNode;
  /** Loads every shown lane with all values of the visible part, for a file. Absent: no files. */
  loadAll?: (() => Promise<readonly ChartLane[]>) | undefined;
  /** Parts of the picture in a file, if it differs from the one on the screen: with the time that the axis omits. */
  file?: FilePicture | undefined;
  /** Content left of the lanes, or right of those below a plot: the list to choose them from. */
  aside?: ReactNode;
}

/** Pixels kept above a lane that is scrolled to. */
const ABOVE = 40;
const NONE: ReadonlySet<string> = new Set();

/** Lanes below one another on one axis, with one cursor and one zoom. Only visible ones are rendered. */
export function LaneStack(properties: LaneStackProperties) {
  const { title, note, controls, shared, groups, scene, clock, height, collapsed = NONE, aside, below } = properties;
  const { evidence = NONE } = properties;
  const { onMove, onHide, measureOf, renderLane, loadAll } = properties;
  const [full, setFull] = useState(false);
  const { ref: sized, width } = useElementSize();
  const [loaded] = useState(() => new Map<string, ChartLane>());
  const { rows, height: whole } = useMemo(() => rowsOf(groups, collapsed), [groups, collapsed]);
  const { scroller, seen, isSeen } = useSeen(rows, shared);
  useFirstVisible(scroller, rows, evidence);
  const surface = useRef<HTMLDivElement>(null);
  usePointer(surface, shared);
  const figure = useRef<HTMLElement>(null);
  const [left, setLeft] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: its position may change with its width, and with the plot above
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
      aria-label={`${title}: lanes on one time axis`}
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
                {/* The surface that handles the pointer and draws the cursor: all pictures, without the names. */}
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

/** Scrolls to the first highlighted lane, once for each set of them: from then on the user scrolls. */
function useFirstVisible(
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

/** Figures of the visible part for screen readers; renewed when the visible part has settled. */
function LaneTable({ shared, loaded, names, title }: TableProperties) {
  const [lanes, setLanes] = useState<readonly ChartLane[]>([]);
  const { from, to } = shared.view;
  useEffect(() => {
    const take = (): void => setLanes([...loaded.values()]);
    take();
    return shared.onSettle(take);
  }, [shared, loaded]);
  return <TableFallback caption={`${title}: each visible line`} table={laneSummary(lanes, names, { from, to })} />;
}
