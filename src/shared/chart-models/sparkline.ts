const isFigure = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** Path of a small line (SVG `d`) through `values` in a box of `width` × `height`, from zero; gaps where there is no value, dots between gaps. */
export function sparklinePath(values: readonly (number | null | undefined)[], width: number, height: number): string {
  const present = values.filter(isFigure);
  if (present.length === 0) return '';
  const top = Math.max(...present) || 1;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  let pen = 'M';
  let path = '';
  values.forEach((value, index) => {
    if (!isFigure(value)) {
      pen = 'M';
      return;
    }
    const x = values.length > 1 ? index * step : width / 2;
    const y = height - (Math.max(0, value) / top) * height;
    const alone = !isFigure(values[index - 1]) && !isFigure(values[index + 1]);
    path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}${alone ? 'h0' : ''}`;
    pen = 'L';
  });
  return path;
}
