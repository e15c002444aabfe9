import { sum, sumBy } from '../util/numbers.ts';
import { fisherTail, studentQuantile } from './student.ts';

/** One run: its load (threads, clients …; > 0) and its throughput (> 0). */
export interface LoadedRun {
  readonly load: number;
  readonly rate: number;
}

/** An estimate with its 95 % interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** Throughput X(N) = λN / (1 + σ(N − 1) + κN(N − 1)): Gunther's Universal Scalability Law. */
export interface UslFit {
  /** λ: throughput at a load of 1, in the unit of the rates. */
  lambda: number;
  /** σ: the share of the work that is serialised (contention), 0 … 1. */
  sigma: Estimate;
  /** κ: cost of each worker to each other one (coherency), ≥ 0. */
  kappa: Estimate;
  /** Load of the highest throughput, √((1 − σ)/κ). `value` absent: the fit rises forever. `high` absent: the upper end is unknown. */
  peak: { value?: number; rate?: number; low: number; high?: number };
  /** Standard deviation of the runs around the fit, as a share of the throughput. */
  scatter: number;
  /** Degrees of freedom of `scatter` and the intervals. */
  freedom: number;
  /** Largest distance of a level's mean from the fit, as a share. */
  worst: number;
  /**
   * Levels are off the curve by more than 5 %, and by more than their repeats explain (F test of lack of fit, 1 %; without repeats the
   * distance alone counts): the law does not describe them.
   */
  misfit: boolean;
  /** Fitted throughput at a load, with the 95 % interval of the curve there. */
  at(load: number): Estimate;
}

const MOST_STEPS = 60;
/** A mean farther from the fit than this is off the curve, whatever its repeats show. */
const OFF = 0.05;

/**
 * Fits the law to these runs by nonlinear least squares on log throughput, so that each run counts by its relative error. Intervals are
 * profiles of the sum of squares with Student's t. Undefined with fewer than four levels: it would fit any three points.
 *
 * Written with p = (1 − σ)/λ, q = σ/λ, r = κ/λ the law is N/X = p + qN + rN(N − 1), and σ, κ ≥ 0, σ ≤ 1 become p, q, r ≥ 0.
 */
export function fitUsl(runs: readonly LoadedRun[]): UslFit | undefined {
  const used = runs.filter(({ load, rate }) => load > 0 && rate > 0 && Number.isFinite(load) && Number.isFinite(rate));
  const levels = [...new Set(used.map(({ load }) => load))].sort((a, b) => a - b);
  if (levels.length < 4) return undefined;
  const groups = levels.map((load): Group => {
    const logs = used.filter((run) => run.load === load).map(({ rate }) => Math.log(load / rate));
    const mean = sum(logs) / logs.length;
    return { load, mean, runs: logs.length, squares: sumBy(logs, (value) => (value - mean) ** 2) };
  });
  const columns = (n: number): number[] => [1, n, n * (n - 1)];
  const fit = fitColumns(groups, columns);
  if (!fit) return undefined;
  const [p = 0, q = 0, r = 0] = fit.coefficients;
  if (p + q <= 0) return undefined;
  const { variance, freedom, lack } = varianceOf(groups, columns, fit);
  const t = studentQuantile(0.975, freedom);
  const fits = (of: (n: number) => number[]): boolean => {
    const limited = fitColumns(groups, of);
    return limited !== undefined && limited.squares - fit.squares <= t * t * variance;
  };
  const sigma = q / (p + q);
  const kappa = r / (p + q);
  const withSigma = (s: number) =>
    s >= 1 ? (n: number) => [n, n * (n - 1)] : (n: number) => [1 + (s / (1 - s)) * n, n * (n - 1)];
  const withKappa = (k: number) => (n: number) => [1 + k * n * (n - 1), n + k * n * (n - 1)];
  const withPeak = (peak: number) => (n: number) => [n, peak * peak + n * (n - 1)];
  const most = levels.at(-1) ?? 1;
  const peak = r > 0 ? Math.sqrt(p / r) : undefined;
  const rising = fits((n) => [1, n]);
  const inverse = (n: number): number => sumBy(columns(n), (value, k) => value * (fit.coefficients[k] ?? 0));
  // Possible loads of a peak, in logarithms: from well below the smallest level to far beyond the largest.
  const [floor, ceiling] = [Math.log((levels[0] ?? 1) / 100), Math.log(most * 1e4)];
  const middle = Math.min(ceiling, Math.max(floor, Math.log(peak ?? Number.POSITIVE_INFINITY)));
  const peakFits = (log: number): boolean => fits(withPeak(Math.exp(log)));
  const free = fit.coefficients.flatMap((value, k) => (value > 0 ? [k] : []));
  const covariance = used.map(({ load }) => free.map((k) => (columns(load)[k] ?? 0) / inverse(load)));
  return {
    lambda: 1 / (p + q),
    sigma: {
      value: sigma,
      low: edge(sigma, 0, (s) => fits(withSigma(s))),
      high: edge(sigma, 1, (s) => fits(withSigma(s))),
    },
    kappa: {
      value: kappa,
      low: edge(kappa, 0, (k) => fits(withKappa(k))),
      high: edge(
        kappa,
        beyond(kappa, most, (k) => fits(withKappa(k))),
        (k) => fits(withKappa(k)),
      ),
    },
    peak: {
      ...(peak !== undefined && { value: peak, rate: peak > 0 ? peak / inverse(peak) : 1 / (p + q) }),
      low: Math.exp(edge(middle, floor, peakFits)),
      ...(!rising && { high: Math.exp(edge(middle, ceiling, peakFits)) }),
    },
    scatter: Math.sqrt(variance),
    freedom,
    worst: lack.worst,
    misfit: (lack.probability === undefined || lack.probability < 0.01) && lack.worst > OFF,
    at(load) {
      const value = load / inverse(load);
      const gradient = free.map((k) => (columns(load)[k] ?? 0) / inverse(load));
      const scale = free.map((_, k) => Math.hypot(...covariance.map((row) => row[k] ?? 0)) || 1);
      const solved = solve(
        normalMatrix(covariance.map((row) => row.map((entry, k) => entry / (scale[k] ?? 1)))),
        gradient.map((entry, k) => entry / (scale[k] ?? 1)),
      );
      const spread = solved
        ? Math.max(
            0,
            sumBy(solved, (entry, k) => (entry * (gradient[k] ?? 0)) / (scale[k] ?? 1)),
          )
        : 0;
      const half = t * Math.sqrt(variance * spread);
      return { value, low: value * Math.exp(-half), high: value * Math.exp(half) };
    },
  };
}

/** The runs of a level, summarised by the mean of their log(N/X), their number, and their squares around that mean. */
interface Group {
  readonly load: number;
  readonly mean: number;
  readonly runs: number;
  readonly squares: number;
}

interface ColumnFit {
  coefficients: number[];
  /** Sum of squared differences of the logarithms, between levels and fit; the squares of repeats around their level are additional. */
  squares: number;
}

/** Least squares of log(N/X) against the log of a sum of columns with coefficients ≥ 0: Gauss–Newton with halved steps. */
function fitColumns(groups: readonly Group[], columns: (load: number) => number[]): ColumnFit | undefined {
  const rows = groups.map(({ load }) => columns(load));
  const valuesOf = (coefficients: readonly number[]): number[] =>
    rows.map((row) => sumBy(row, (value, k) => value * (coefficients[k] ?? 0)));
  const offOf = (value: number, { mean }: Group): number =>
    value > 0 ? mean - Math.log(value) : Number.POSITIVE_INFINITY;
  const squaresOf = (values: readonly number[]): number =>
    sumBy(groups, (group, i) => group.runs * offOf(values[i] ?? 0, group) ** 2);
  const stepFrom = (values: readonly number[], offs: readonly number[]) =>
    nonNegativeLeastSquares(
      rows.map((row, i) => row.map((value) => (weight(i) * value) / (values[i] ?? 1))),
      offs.map((off, i) => weight(i) * (1 + off)),
    );
  const weight = (i: number): number => Math.sqrt(groups[i]?.runs ?? 0);
  const first = stepFrom(
    groups.map(({ mean }) => Math.exp(mean)),
    groups.map(() => 0),
  );
  if (!first) return undefined;
  let coefficients = first.coefficients;
  let squares = squaresOf(valuesOf(coefficients));
  if (!Number.isFinite(squares)) return undefined;
  for (let step = 0; step < MOST_STEPS; step++) {
    const values = valuesOf(coefficients);
    const next = stepFrom(
      values,
      groups.map((group, i) => offOf(values[i] ?? 0, group)),
    );
    if (!next) break;
    let part = 1;
    let tried = next.coefficients;
    let reached = squaresOf(valuesOf(tried));
    while (reached > squares && part > 1e-3) {
      part /= 2;
      tried = coefficients.map((value, k) => value + part * ((next.coefficients[k] ?? 0) - value));
      reached = squaresOf(valuesOf(tried));
    }
    if (reached > squares) break;
    const gain = squares - reached;
    [coefficients, squares] = [tried, reached];
    if (gain <= 1e-9 * squares + 1e-15) break;
  }
  return { coefficients, squares };
}

/**
 * Variance of a run around the fit. If levels are off the curve by more than their repeats explain (F test, 5 %), the levels are the source
 * of variation: then their distances count, not the many repeats of each.
 */
function varianceOf(
  groups: readonly Group[],
  columns: (load: number) => number[],
  fit: ColumnFit,
): { variance: number; freedom: number; lack: { probability: number | undefined; worst: number } } {
  const worst = Math.max(
    ...groups.map(({ load, mean }) =>
      Math.abs(Math.expm1(mean - Math.log(sumBy(columns(load), (value, k) => value * (fit.coefficients[k] ?? 0))))),
    ),
  );
  const runs = sumBy(groups, (group) => group.runs);
  const within = sumBy(groups, (group) => group.squares);
  const [withinFreedom, lackFreedom] = [runs - groups.length, groups.length - 3];
  const lack = fit.squares / lackFreedom;
  const probability =
    withinFreedom > 0 && within > 0
      ? fisherTail(lack / (within / withinFreedom), lackFreedom, withinFreedom)
      : withinFreedom > 0
        ? 1
        : undefined;
  const pooled = { variance: (fit.squares + within) / (runs - 3), freedom: runs - 3 };
  return {
    ...(probability !== undefined && probability < 0.05 ? { variance: lack, freedom: lackFreedom } : pooled),
    lack: { probability, worst },
  };
}

/**
 * The end of the range in which `holds` is true, between a value where it is and a limit, by bisection; the limit if it is true there too.
 */
function edge(from: number, limit: number, holds: (value: number) => boolean): number {
  if (from === limit || holds(limit)) return limit;
  let [inside, outside] = [from, limit];
  for (let step = 0; step < 40 && Math.abs(outside - inside) > 1e-4 * Math.abs(inside); step++) {
    const middle = (inside + outside) / 2;
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}

/** A κ that is certainly too large. */
function beyond(from: number, load: number, holds: (value: number) => boolean): number {
  let value = Math.max(from * 2, 1 / (load * load));
  for (let step = 0; step < 60 && holds(value); step++) value *= 2;
  return value;
}

/** Coefficients ≥ 0 that fit `design` (a row per observation, up to three columns) to `wanted` by least squares. */
function nonNegativeLeastSquares(
  design: readonly (readonly number[])[],
  wanted: readonly number[],
): { coefficients: number[]; squares: number } | undefined {
  const width = design[0]?.length ?? 0;
  // Columns differ by orders of magnitude (1, N, N²): each is scaled to length 1 before the equations are solved.
  const lengths = Array.from(
    { length: width },
    (_, column) => Math.hypot(...design.map((row) => row[column] ?? 0)) || 1,
  );
  let best: { coefficients: number[]; squares: number } | undefined;
  // With so few columns, every set of non-zero coefficients can be tried: the best valid one is the solution.
  for (let set = 1; set < 1 << width; set++) {
    const used = lengths.flatMap((_, column) => (set & (1 << column) ? [column] : []));
    const scaled = design.map((row) => used.map((column) => (row[column] ?? 0) / (lengths[column] ?? 1)));
    const solution = solve(
      normalMatrix(scaled),
      used.map((_, k) => sumBy(scaled, (row, i) => (row[k] ?? 0) * (wanted[i] ?? 0))),
    );
    if (!solution?.every((value) => value >= 0)) continue;
    const squares = sumBy(
      scaled,
      (row, i) => ((wanted[i] ?? 0) - sumBy(row, (value, k) => value * (solution[k] ?? 0))) ** 2,
    );
    if (best && best.squares <= squares) continue;
    const coefficients = lengths.map(() => 0);
    used.forEach((column, k) => {
      coefficients[column] = (solution[k] ?? 0) / (lengths[column] ?? 1);
    });
    best = { coefficients, squares };
  }
  return best;
}

/** Solves a symmetric system by Gaussian elimination with pivoting; undefined if it has no unique solution. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
  const size = right.length;
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (let column = 0; column < size; column++) {
    const pivot = rows.slice(column).reduce((a, b) => (Math.abs(b[column] ?? 0) > Math.abs(a[column] ?? 0) ? b : a));
    if (Math.abs(pivot[column] ?? 0) < 1e-12) return undefined;
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(column, 0, pivot);
    for (const row of rows.slice(column + 1)) {
      const factor = (row[column] ?? 0) / (pivot[column] ?? 1);
      for (let k = column; k <= size; k++) row[k] = (row[k] ?? 0) - factor * (pivot[k] ?? 0);
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    const row = rows[i] ?? [];
    const known = sumBy(solution, (value, k) => (k > i ? value * (row[k] ?? 0) : 0));
    solution[i] = ((row[size] ?? 0) - known) / (row[i] ?? 1);
  }
  return solution;
}

/** Transposed design × design. */
const normalMatrix = (design: readonly (readonly number[])[]): number[][] => {
  const columns = (design[0] ?? []).map((_, k) => k);
  return columns.map((a) => columns.map((b) => sumBy(design, (row) => (row[a] ?? 0) * (row[b] ?? 0))));
};
