/** 0.163 → "16 %", 0.0234 → "2.3 %". */
export const formatPercent = (fraction: number): string => {
  const percent = fraction * 100;
  return `${percent >= 10 ? percent.toFixed(0) : percent >= 0.95 ? percent.toFixed(1) : percent.toFixed(2)} %`;
};

/** A margin as a person set it: 0.03 → "3 %", 0.005 → "0.5 %". */
export const formatMargin = (fraction: number): string => `${Number((fraction * 100).toPrecision(3))} %`;
