import { sumBy } from '../util/numbers.ts';

/** Coefficients ≥ 0 that fit `design` (a row per observation, up to three columns) to `wanted` by least squares. */
export function nonNegativeLeastSquares(
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
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
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
export const normalMatrix = (design: readonly (readonly number[])[]): number[][] => {
  const columns = (design[0] ?? []).map((_, k) => k);
  return columns.map((a) => columns.map((b) => sumBy(design, (row) => (row[a] ?? 0) * (row[b] ?? 0))));
};
