import type { AccessShares } from '../../../../../shared/model/tool.ts';
import { formatNumber } from '../../../../../shared/util/format.ts';
import { Panel } from '../../../../ui/index.ts';
import classes from './accesses.module.css';

const WIDTH = 132;
const HEIGHT = 88;

/**
 * Distribution of the workload's random accesses over rows, records or blocks: it determines what stays in memory, and what is contended.
 */
export function RowAccesses({ accesses }: { accesses: readonly AccessShares[] }) {
  const thing = accesses[0]?.of ?? 'rows';
  return (
    <Panel title={`Which ${thing} are accessed`} note={`Which share of the ${thing} gets which share of the accesses.`}>
      <div className={classes.kinds}>
        {accesses.map((kind) => (
          <figure key={kind.words} className={classes.kind}>
            <div className={classes.picture}>
              <span>accesses, 0 to 100 %</span>
              <Curve kind={kind} />
              <span>{kind.of}, 0 to 100 %</span>
            </div>
            <figcaption>
              <div>{kind.words}</div>
              {kind.shares.map(({ accesses: share, rows }) => (
                <div key={share} className="kp-dim">
                  {percent(share)} of the accesses go to {percent(rows)} of the {kind.of}
                </div>
              ))}
            </figcaption>
          </figure>
        ))}
      </div>
    </Panel>
  );
}

const percent = (share: number): string => `${formatNumber(share * 100, share * 100 < 10 ? 2 : 0)} %`;

/** From none of both at the lower left to all of both. The diagonal is a uniform distribution. */
function Curve({ kind: { words, of, curve } }: { kind: AccessShares }) {
  const points = curve.map(
    ({ rows, accesses }) => `${(rows * WIDTH).toFixed(1)},${((1 - accesses) * HEIGHT).toFixed(1)}`,
  );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classes.curve}
      role="img"
      aria-label={`Accesses by ${of}, ${words}`}
    >
      <rect x="0" y="0" width={WIDTH} height={HEIGHT} className={classes.ground} />
      <line x1="0" y1={HEIGHT} x2={WIDTH} y2="0" className={classes.alike} />
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} className={classes.area} />
      <polyline points={points.join(' ')} className={classes.line} />
    </svg>
  );
}
