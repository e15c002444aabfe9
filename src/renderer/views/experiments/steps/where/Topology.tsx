import classes from './where.module.css';

interface Properties {
  generator: { name: string; known: boolean; address: string; lines: readonly string[] };
  tool: { name: string; missing: boolean };
  /** Absent: the tool drives the generator itself, or what it brings along. */
  target: { name: string; address: string; kind: string } | undefined;
  /** Name of a target that the document names and nobody knows. */
  missingTarget: string | undefined;
  /** Whether the workload cannot do without a target and has none. */
  wanting: boolean;
  shared: boolean;
}

const WIDTH = 760;
const HEIGHT = 168;
const BOX = { width: 240, height: 104, y: 32 };
const LEFT = 40;
const RIGHT = WIDTH - LEFT - BOX.width;

/** Generator and target with the way between them, drawn so that sharing a machine is seen at once. */
export function Topology({ generator, tool, target, missingTarget, wanting, shared }: Properties) {
  const words = target
    ? `${generator.name} drives ${target.name} at ${target.address}`
    : `${generator.name} runs ${tool.name}`;
  return (
    <svg
      className={classes.topology}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={shared && target ? `${words}, on the same machine` : words}
    >
      {shared && !wanting && (
        <>
          <rect className={classes.machine} x={16} y={10} width={WIDTH - 32} height={HEIGHT - 20} rx={8} />
          <text x={WIDTH / 2} y={HEIGHT - 16} textAnchor="middle" data-tone={target ? 'warn' : 'dim'}>
            {target ? 'One machine: load and target share its CPU, memory and disk' : 'One machine'}
          </text>
        </>
      )}
      <Box
        x={LEFT}
        title={generator.name}
        bad={!generator.known}
        lines={generator.known ? [generator.address, ...generator.lines] : ['Unknown host']}
      />
      <Arrow from={LEFT + BOX.width} to={RIGHT} tool={tool} address={target?.address ?? ''} />
      {target ? (
        <Box x={RIGHT} title={target.name} lines={[target.address, target.kind]} />
      ) : missingTarget !== undefined ? (
        <Box x={RIGHT} title={missingTarget} bad lines={['Unknown target']} />
      ) : wanting ? (
        <Box x={RIGHT} title="No target chosen" bad lines={['this workload needs one:', 'pick or add it below']} />
      ) : (
        <Box x={RIGHT} title="No separate target" dim lines={['the tool brings its own,', 'or measures the host']} />
      )}
    </svg>
  );
}

function Box({
  x,
  title,
  lines,
  bad = false,
  dim = false,
}: {
  x: number;
  title: string;
  lines: readonly string[];
  bad?: boolean;
  dim?: boolean;
}) {
  return (
    <g transform={`translate(${x} ${BOX.y})`} data-bad={bad || undefined} data-dim={dim || undefined}>
      <rect className={classes.box} width={BOX.width} height={BOX.height} rx={6} />
      <text className={classes.boxTitle} x={16} y={28}>
        {clipped(title, 28)}
      </text>
      {lines.slice(0, 3).map((line, index) => (
        <text key={line} className={classes.boxLine} x={16} y={50 + index * 18}>
          {clipped(line, 34)}
        </text>
      ))}
    </g>
  );
}

function Arrow({ from, to, tool, address }: { from: number; to: number; tool: Properties['tool']; address: string }) {
  const y = BOX.y + BOX.height / 2;
  const middle = (from + to) / 2;
  return (
    <g data-bad={tool.missing || undefined}>
      <path className={classes.wire} d={`M${from + 6} ${y} H${to - 14}`} />
      <path className={classes.tip} d={`M${to - 14} ${y - 5} L${to - 4} ${y} L${to - 14} ${y + 5} Z`} />
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
