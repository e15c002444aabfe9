/** A metric over seconds since the start. */
interface Line {
  readonly t: Float64Array;
  readonly v: Float64Array;
}

/**
 * The same values along the progress of a run (rows, say) instead of seconds: `t` is in its unit. Progress is interpolated linearly between
 * its points, from zero at the start; values after its last point are omitted, as their position is unknown.
 */
export function along(line: Line, progress: Line): { t: Float64Array; v: Float64Array } {
  const [places, values]: [number[], number[]] = [[], []];
  let next = 0;
  for (let index = 0; index < line.t.length; index++) {
    const at = line.t[index] ?? 0;
    while (next < progress.t.length && (progress.t[next] ?? 0) < at) next++;
    if (next === progress.t.length) break;
    const [fromT, fromV] = next === 0 ? [0, 0] : [progress.t[next - 1] ?? 0, progress.v[next - 1] ?? 0];
    const [toT, toV] = [progress.t[next] ?? 0, progress.v[next] ?? 0];
    places.push(toT === fromT ? toV : fromV + ((toV - fromV) * (at - fromT)) / (toT - fromT));
    values.push(line.v[index] ?? Number.NaN);
  }
  return { t: Float64Array.from(places), v: Float64Array.from(values) };
}
