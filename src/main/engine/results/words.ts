/** 0.163 → "16 %", 0.0234 → "2.3 %". */
export const formatPercent = (fraction: number): string => {
  const percent = fraction * 100;
  return `${percent >= 10 ? percent.toFixed(0) : percent >= 0.95 ? percent.toFixed(1) : percent.toFixed(2)} %`;
};
