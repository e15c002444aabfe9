export type ChartScheme = 'light' | 'dark';

/**
 * Ten hues, the same in both schemes at different lightness. Found by maximising the least distance between any two, in OKLab, for normal
 * vision and simulated protanopia, deuteranopia and tritanopia (0.084 in both schemes; Okabe and Ito's seven reach 0.076). Blue, orange,
 * green, red, violet, gold, sky, pink, brown, slate.
 */
const HUES: Readonly<Record<ChartScheme, readonly string[]>> = {
  light: ['#2969b9', '#d77435', '#41a282', '#b94351', '#a370e3', '#cfa500', '#57b2ea', '#ee7bb6', '#673116', '#364459'],
  dark: ['#467bcf', '#fc8d45', '#32c795', '#dd6267', '#af8cec', '#f2d275', '#84ceff', '#f9a7cb', '#975b3d', '#536b8e'],
};
/** From few to many, perceptually uniform, also in print and without colour vision (viridis, nine colours). */
export const heatColours = '#440154 #472d7b #3b528b #2c728e #21918c #28ae80 #5ec962 #addc30 #fde725'.split(' ');

/** From less through equal to more: orange and blue differ for every type of colour vision (after ColorBrewer's PuOr). */
export const changeColours = '#7f3b08 #b35806 #e08214 #fdb863 #f4f2ee #92c5de #4393c3 #2166ac #053061'.split(' ');

const SHAPES = ['circle', 'rect', 'triangle', 'diamond'];

/** Colours and fonts of a chart's own parts. Data colours come from `colourOf`. */
export interface ChartTheme {
  scheme: ChartScheme;
  text: string;
  faint: string;
  axis: string;
  grid: string;
  ground: string;
  shade: string;
  accent: string;
  good: string;
  bad: string;
  neutral: string;
  font: string;
}

/** In single quotes: the library writes it into SVG attributes unescaped. */
const FONT =
  "Inter, 'Segoe UI', -apple-system, BlinkMacSystemFont, Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif";

const THEMES: Readonly<Record<ChartScheme, ChartTheme>> = {
  light: {
    scheme: 'light',
    text: '#1a222b',
    faint: '#5b6975',
    axis: '#aab4be',
    grid: '#e9edf1',
    ground: '#ffffff',
    shade: 'rgba(95, 108, 120, 0.10)',
    accent: '#0b6a7c',
    good: '#1a7f4b',
    bad: '#b9281e',
    neutral: '#83909c',
    font: FONT,
  },
  dark: {
    scheme: 'dark',
    text: '#d5dce3',
    faint: '#98a5b0',
    axis: '#4a5763',
    grid: '#27323b',
    ground: '#192129',
    shade: 'rgba(174, 184, 194, 0.09)',
    accent: '#56b5c5',
    good: '#53bd85',
    bad: '#f07b70',
    neutral: '#84919d',
    font: FONT,
  },
};

export const chartTheme = (scheme: ChartScheme): ChartTheme => THEMES[scheme];

/**
 * Paint of a run in every chart, table and report: the hue of its line in the load curve, and its shade by its position along that line (0
 * the first level, faint; 1 the last, deep; absent: the plain hue).
 */
export interface Paint {
  slot: number;
  shade?: number | undefined;
}

/**
 * Shares of background and of ink at the two ends of a hue's shades: each stays distinguishable from the background and from its
 * neighbours.
 */
const FAINTEST = 0.45;
const DEEPEST = 0.42;

export function colourOf({ slot, shade = 0.5 }: Paint, scheme: ChartScheme): string {
  const hues = HUES[scheme];
  const { ground, text } = THEMES[scheme];
  const hue = hues[((slot % hues.length) + hues.length) % hues.length] ?? text;
  const off = 2 * shade - 1;
  if (off === 0) return hue;
  return off < 0 ? mixed(hue, ground, -off * FAINTEST) : mixed(hue, text, off * DEEPEST);
}

/** Mixes two colours of six hexadecimal digits; `share` is that of the second. */
function mixed(one: string, other: string, share: number): string {
  const channel = (from: number): string => {
    const [a, b] = [one, other].map((colour) => Number.parseInt(colour.slice(from, from + 2), 16));
    return Math.round((a ?? 0) * (1 - share) + (b ?? 0) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** Marker of a slot's line, so that lines differ by more than colour; hollow for a baseline, and after all shapes are used. */
export function markerOf(slot: number, theme: ChartTheme, baseline = false) {
  const used = slot % (2 * SHAPES.length) >= SHAPES.length;
  const colour = colourOf({ slot }, theme.scheme);
  return {
    symbol: SHAPES[slot % SHAPES.length] ?? 'circle',
    itemStyle: used === baseline ? {} : { color: theme.ground, borderColor: colour, borderWidth: 2 },
  };
}

/** Style of a highlighted point on its line. */
export const ringed = ({ itemStyle }: Pick<ReturnType<typeof markerOf>, 'itemStyle'>, theme: ChartTheme) => ({
  symbolSize: 13,
  itemStyle: { ...itemStyle, borderColor: theme.text, borderWidth: 2 },
});
