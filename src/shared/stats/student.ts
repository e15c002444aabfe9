/**
 * Quantile of Student's t distribution: the t with P(T ≤ t) = `probability` at `freedom` degrees (may be fractional).
 * Found by bisection on the distribution function, which is the regularised incomplete beta function
 * (continued fraction, Abramowitz and Stegun 26.5.8). Good to about 1e-9.
 */
export function studentQuantile(probability: number, freedom: number): number {
  if (probability < 0.5) return -studentQuantile(1 - probability, freedom);
  let low = 0;
  let high = 1;
  while (studentDistribution(high, freedom) < probability && high < 1e9) high *= 2;
  for (let step = 0; step < 100 && high - low > 1e-13 * high; step++) {
    const middle = (low + high) / 2;
    if (studentDistribution(middle, freedom) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(T > t): also exact far out, where 1 − P(T ≤ t) would be lost in rounding. */
export function studentTail(t: number, freedom: number): number {
  const beyond = incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
  return t < 0 ? 1 - beyond : beyond;
}

const studentDistribution = (t: number, freedom: number): number => 1 - studentTail(t, freedom);
/** P(F > `ratio`) of Fisher's distribution with these degrees of freedom. */
export const fisherTail = (ratio: number, above: number, below: number): number =>
  ratio <= 0 ? 1 : incompleteBeta(below / (below + above * ratio), below / 2, above / 2);

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The continued fraction converges fast only on this side of the mean.
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** Modified Lentz evaluation. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const keep = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / keep(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / keep(1 + even * d);
    c = keep(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / keep(1 + odd * d);
    c = keep(1 + odd / c);
    const factor = d * c;
    result *= factor;
    if (Math.abs(factor - 1) < 1e-14) break;
  }
  return result;
}

/** Lanczos approximation (g = 7, nine terms). */
function logGamma(z: number): number {
  const terms = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  if (z < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * z)) - logGamma(1 - z);
  const shifted = z - 1;
  let sum = terms[0] as number;
  for (let i = 1; i < terms.length; i++) sum += (terms[i] as number) / (shifted + i);
  const t = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}
