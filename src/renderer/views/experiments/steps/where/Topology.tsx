import classes from './where.module.css';

interface Place {
  name: string;
  address: string;
  kind: string;
}

interface Properties {
  generator: { name: string; known: boolean; address: string; lines: readonly string[] };
  tool: { name: string; missing: boolean };
  /** Absent: the tool drives the generator itself, or what it brings along. */
  target: Place | undefined;
  /** The server behind the target, which is a proxy; absent if it is none. */
  behind: Place | undefined;
  /** Name of a target in the document that is not saved. */
  missingTarget: string | undefined;
  /** Whether the workload requires a target and has none. */
  wanting: boolean;
  shared: boolean;
}

const HEIGHT = 168;
const BOX = { height: 104, y: 32 };
/** Widths of the drawing and of its boxes, and their left edges. */
const PLAIN = { width: 760, box: 240, left: 40, right: 480 };
/** With a server behind a proxy. */
const PROXIED = { width: 880, box: 204, left: 28, right: 396, behind: 648 };

/** Generator and target with the route between them, drawn so that a shared machine is obvious. */
export function Topology({ generator, tool, target, behind, missingTarget, wanting, shared }: Properties) {
  const { width, box, left, right } = behind ? PROXIED : PLAIN;
  const way = behind ? `, a proxy of ${behind.name}` : '';
  const words = target
    ? `${generator.name} drives ${target.name} at ${target.address}${way}`
    : `${generator.name} runs ${tool.name}`;
  return (
    <svg
      className={classes.topology}
      data-wide={behind ? true : undefined}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={shared && target ? `${words}, on the same machine` : words}
    >
      {shared && !wanting && (
        <>
          <rect className={classes.machine} x={16} y={10} width={right + box + left - 32} height={HEIGHT - 20} rx={8} />
          <text x={(right + box + left) / 2} y={HEIGHT - 16} textAnchor="middle" data-tone={target ? 'warn' : 'dim'}>
            {target ? 'One machine: load and target share its CPU, memory and disk' : 'One machine'}
          </text>
        </>
      )}
      <Box
        x={left}
        width={box}
        title={generator.name}
        bad={!generator.known}
        lines={generator.known ? [generator.address, ...generator.lines] : ['Unknown host']}
      />
      <Arrow from={left + box} to={right} tool={tool} address={target?.address ?? ''} />
      {target ? (
        <Box
          x={right}
          width={box}
          title={target.name}
          lines={[target.address, behind ? `proxy, ${target.kind}` : target.kind]}
        />
      ) : missingTarget !== undefined ? (
        <Box x={right} width={box} title={missingTarget} bad lines={['Unknown target']} />
      ) : wanting ? (
        <Box
          x={right}
          width={box}
          title="No target chosen"
          bad
          lines={['this workload needs one:', 'pick or add it below']}
        />
      ) : (
        <Box
          x={right}
          width={box}
          title="No separate target"
          dim
          lines={['the tool has its own,', 'or measures the host']}
        />
      )}
      {behind && (
        <>
          <Wire from={right + box} to={PROXIED.behind} />
          <Box x={PROXIED.behind} width={box} title={behind.name} lines={[behind.address, behind.kind]} />
        </>
      )}
    </svg>
  );
}

function Box({
  x,
  width,
  title,
  lines,
  bad = false,
  dim = false,
}: {
  x: number;
  width: number;
  title: string;
  lines: readonly string[];
  bad?: boolean;
  dim?: boolean;
}) {
  return (
    <g transform={`translate(${x} ${BOX.y})`} data-bad={bad || undefined} data-dim={dim || undefined}>
      <rect className={classes.box} width={width} height={BOX.height} rx={6} />
      <text className={classes.boxTitle} x={16} y={28}>
        {clipped(title, Math.floor((width - 32) / 7.4))}
      </text>
      {lines.slice(0, 3).map((line, index) => (
        <text key={line} className={classes.boxLine} x={16} y={50 + index * 18}>
          {clipped(line, Math.floor((width - 32) / 6.1))}
        </text>
      ))}
    </g>
  );
}

function Wire({ from, to }: { from: number; to: number }) {
  const y = BOX.y + BOX.height / 2;
  return (
    <>
      <path className={classes.wire} d={`M${from + 6} ${y} H${to - 14}`} />
      <path className={classes.tip} d={`M${to - 14} ${y - 5} L${to - 4} ${y} L${to - 14} ${y + 5} Z`} />
    </>
  );
}

function Arrow({ from, to, tool, address }: { from: number; to: number; tool: Properties['tool']; address: string }) {
  const y = BOX.y + BOX.height / 2;
  const middle = (from + to) / 2;
  return (
    <g data-bad={tool.missing || undefined}>
      <Wire from={from} to={to} />
      <text className={classes.boxTitle} x={middle} y={y - 10} textAnchor="middle">
        {clipped(tool.name, 22)}
      </text>
      <text className={classes.boxLine} x={middle} y={y + 20} textAnchor="middle">
        {tool.missing ? 'not found there' : clipped(address, 28)}
      </text>
    </g>
  );
}

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
